//! Whose decisions count, from which round on another policy's do, and what of that is to be
//! journaled.
//!
//! ```text
//! lanes --ActingWitness--> Acting --take--> LiveNotes --> recorder --> journal
//!                            |--Acts, the round of a takeover--> Watched (told, never asked)
//! ```
//! A plain state behind one lock, and a bell for the recorder, which takes what there is when it
//! can. It is no task with a channel: a lane can't wait for room in one, and those who watch must
//! know of a takeover before they are shown a decision of it. What waits here is bounded by the
//! stream, which lets rounds out only for what is committed.

mod witness;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

pub use witness::ActingWitness;

use crate::outcomes::ReportedOutcomes;
use crate::watch::{Acts, Watched};
use kleroterion_core::protocol::Stop;
use kleroterion_core::score::MetricRow;
use kleroterion_stats::RunResult;

/// The last round that the acting policy decided, where another took over from it.
pub const ACTED_UNTIL: &str = "acted_until_round";

/// The first round that was decided by the policy that took over.
pub const ACTS_FROM: &str = "acts_from_round";

/// The policies that may act.
#[derive(Clone, Debug, Default)]
pub struct Actors {
    /// The policies' labels, in the run's order.
    pub labels: Vec<Arc<str>>,
    /// The place of the policy that counts, where one does.
    pub acting: Option<usize>,
    /// The place of the policy that counts once the acting one has broken off, where one does.
    pub fallback: Option<usize>,
    /// Set where the journal says which rounds all lanes have decided: where programs play.
    pub are_noted: bool,
}

/// A decision that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The round, from 1.
    pub round: u64,
    /// Slots of those chosen, in order.
    pub slots: Vec<u32>,
    /// The policy that took over from the acting one; `None` while that decides.
    pub by: Option<Arc<str>>,
}

/// News for the journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActingNews {
    /// The decisions that count, in order.
    pub counted: Vec<Counted>,
    /// The end of the lane whose decisions count, where it has ended.
    pub ended: Option<Stop>,
    /// The last round that all lanes have decided, where the journal is to say so.
    pub shown: Option<u64>,
}

/// Decides whose decisions count, by what lanes say of themselves.
pub struct Acting {
    actors: Actors,
    /// Is told how it stands.
    watched: Arc<Watched>,
    /// Whose outcomes count is told there too.
    outcomes: Arc<ReportedOutcomes>,
    state: Mutex<ActingState>,
    news: Notify,
}

#[derive(Debug)]
struct ActingState {
    lanes: Vec<LaneTurn>,
    /// Whom the fallback chose in rounds that the acting policy has not decided.
    ahead: VecDeque<(u64, Vec<u32>)>,
    counted: Vec<Counted>,
    /// The last round in which the decision that counts is known.
    last: u64,
    /// The first round in which the fallback's decision counts.
    taken_over: Option<u64>,
    /// The last round that the journal says all lanes have decided.
    noted: u64,
    acts: Acts,
}

/// A lane: the last round that it decided, and how it ended.
#[derive(Clone, Debug, Default)]
struct LaneTurn {
    last: u64,
    stop: Option<Stop>,
}

impl LaneTurn {
    fn broke_off(&self) -> bool {
        let stop = self.stop.as_ref();
        stop.is_some_and(|stop| stop.ending.breaks_off())
    }

    /// Whether it ended as it was to.
    fn is_done(&self) -> bool {
        self.stop.is_some() && !self.broke_off()
    }
}

impl Acting {
    /// No lane has decided anything; `noted`: the last round that the journal says all have decided.
    #[must_use]
    pub fn new(
        actors: Actors,
        watched: Arc<Watched>,
        outcomes: Arc<ReportedOutcomes>,
        noted: u64,
    ) -> Self {
        Self {
            state: Mutex::new(ActingState {
                lanes: vec![LaneTurn::default(); actors.labels.len()],
                ahead: VecDeque::new(),
                counted: Vec::new(),
                last: 0,
                taken_over: None,
                noted,
                acts: actors.acting.map_or(Acts::NotAsked, Acts::Plays),
            }),
            news: Notify::new(),
            actors,
            watched,
            outcomes,
        }
    }

    fn state(&self) -> MutexGuard<'_, ActingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True where a policy acts.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.actors.acting.is_some()
    }

    /// The outcomes reported of those chosen.
    #[must_use]
    pub fn outcomes(&self) -> &Arc<ReportedOutcomes> {
        &self.outcomes
    }

    /// Whether a lane's decisions count, or may come to.
    fn may_act(&self, lane: usize) -> bool {
        [self.actors.acting, self.actors.fallback].contains(&Some(lane))
    }

    /// Takes in whom a lane chose in its next rounds; of one that never acts the last is enough. What
    /// counts does so at once: no other lane is waited for.
    pub fn decided(&self, lane: usize, rounds: impl IntoIterator<Item = (u64, Vec<u32>)>) {
        self.change(|state, actors| {
            let is_done = |acting: usize| state.lanes[acting].is_done();
            let may_act = actors.fallback == Some(lane) && !actors.acting.is_none_or(is_done);
            for (round, slots) in rounds {
                state.lanes[lane].last = round;
                if actors.acting == Some(lane) {
                    state.count(round, slots, None);
                } else if may_act && round > state.last {
                    state.ahead.push_back((round, slots));
                }
            }
        });
    }

    /// Takes in that a lane decides nothing more. Where the acting one ended otherwise than it was
    /// to, the fallback's decisions count from its next round on.
    pub fn ended(&self, lane: usize, stop: &Stop) {
        self.change(|state, _| state.lanes[lane].stop = Some(stop.clone()));
        if self.may_act(lane) {
            self.news.notify_one();
        }
    }

    /// Those who watch are told under the lock: in the order in which it came to be so.
    fn change(&self, change: impl FnOnce(&mut ActingState, &Actors)) {
        let mut state = self.state();
        let before = (state.counted.len(), state.all_decided());
        let taken_over = state.taken_over;
        change(&mut state, &self.actors);
        state.settle(&self.actors);
        if let Some(from) = state.taken_over.filter(|_| taken_over.is_none()) {
            self.watched.take_over(from);
        }
        let acts = state.acts(&self.actors);
        if acts != state.acts {
            if let Acts::TakenOver { lane, .. } | Acts::Broken { lane, .. } = acts
                && self.actors.fallback == Some(lane)
            {
                self.outcomes.succeed(Some(lane));
            }
            state.acts = acts.clone();
            self.watched.note_acts(acts);
        }
        let is_noted = self.actors.are_noted && state.all_decided() > before.1;
        if state.counted.len() > before.0 || is_noted {
            self.news.notify_one();
        }
    }

    /// Returns when there may be something to [take](Self::take), or nothing more will be.
    pub async fn news(&self) {
        self.news.notified().await;
    }

    /// The news since the last call.
    #[must_use]
    pub fn take(&self) -> ActingNews {
        let mut state = self.state();
        let shown = self.actors.are_noted.then(|| state.all_decided());
        let shown = shown.filter(|shown| *shown > state.noted);
        state.noted = shown.unwrap_or(state.noted);
        let actor = state.actor(&self.actors);
        ActingNews {
            counted: std::mem::take(&mut state.counted),
            ended: actor.and_then(|lane| state.lanes[lane].stop.clone()),
            shown,
        }
    }

    /// Writes into the lanes' rows until when each decided, where another policy took over, in
    /// place of what was written before.
    pub fn write(&self, result: &mut RunResult) {
        let Some(from) = self.state().taken_over else {
            return;
        };
        let policies = [
            (self.actors.acting, ACTED_UNTIL, from - 1),
            (self.actors.fallback, ACTS_FROM, from),
        ];
        for (place, metric, round) in policies {
            let run = place.and_then(|place| result.policies.get_mut(place));
            let Some(run) = run else { continue };
            run.change_first(|rows| {
                rows.retain(|row| *row.metric != *metric);
                rows.push(MetricRow {
                    metric: metric.into(),
                    at: None,
                    value: round as f64,
                });
            });
        }
    }
}

impl ActingState {
    fn count(&mut self, round: u64, slots: Vec<u32>, by: Option<Arc<str>>) {
        self.counted.push(Counted { round, slots, by });
        self.last = round;
    }

    /// Counts what the fallback decided where the acting policy decides no more, and forgets what it
    /// decided in rounds of that.
    fn settle(&mut self, actors: &Actors) {
        let is_fallback = self.actor(actors) != actors.acting;
        while let Some((round, _)) = self.ahead.front()
            && (is_fallback || *round <= self.last)
            && let Some((round, slots)) = self.ahead.pop_front()
        {
            if round > self.last {
                self.taken_over.get_or_insert(round);
                let by = actors.fallback.map(|lane| Arc::clone(&actors.labels[lane]));
                self.count(round, slots, by);
            }
        }
    }

    /// The lane whose next decision counts.
    fn actor(&self, actors: &Actors) -> Option<usize> {
        match actors.acting {
            Some(acting) if self.lanes[acting].broke_off() => actors.fallback.or(Some(acting)),
            acting => acting,
        }
    }

    /// The last round that all lanes which still play have decided; the last of all where none does.
    fn all_decided(&self) -> u64 {
        let open = self.lanes.iter().filter(|lane| lane.stop.is_none());
        let last = || self.lanes.iter().map(|lane| lane.last).max();
        let decided = open.map(|lane| lane.last).min();
        decided.or_else(last).unwrap_or(0)
    }

    /// Whose decisions count now.
    fn acts(&self, actors: &Actors) -> Acts {
        let Some(acting) = actors.acting else {
            return Acts::NotAsked;
        };
        let ended = |lane: usize, stop: &Stop| match stop.ending.breaks_off() {
            true => Acts::Broken {
                lane,
                from: self.lanes[lane].last + 1,
                stop: stop.clone(),
            },
            false => Acts::Done(lane, stop.clone()),
        };
        let Some(stop) = &self.lanes[acting].stop else {
            return Acts::Plays(acting);
        };
        match (ended(acting, stop), actors.fallback) {
            (Acts::Broken { from, stop, .. }, Some(lane)) => match &self.lanes[lane].stop {
                Some(stop) if stop.ending.breaks_off() => ended(lane, stop),
                _ => Acts::TakenOver { lane, from, stop },
            },
            (acts, _) => acts,
        }
    }
}

#[cfg(test)]
mod tests;
