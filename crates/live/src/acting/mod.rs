//! The choice of the policy whose decisions count, and the news of it for the journal.
//!
//! ```text
//! lanes --ActingWitness--> Acting --take--> LiveNotes --> recorder --> journal
//!                            |--Acts, the round of a takeover--> Watched (reports only)
//! ```
//! It is a state behind one lock, with a bell for the recorder, which takes the news when it can.
//! It is no task with a channel, because a lane can't wait for room in one. Viewers must also know
//! of a takeover before they see a decision of it. The stream bounds what waits here: it hands out
//! rounds only for committed people.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

use crate::outcomes::ReportedOutcomes;
use crate::watch::{Acts, Watched};
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry, Stop};
use kleroterion_core::score::{MetricRow, Witness};
use kleroterion_stats::RunResult;

/// The last round that the acting policy decided, if another policy took over from it.
pub const ACTED_UNTIL: &str = "acted_until_round";

/// The first round that was decided by the policy that took over.
pub const ACTS_FROM: &str = "acts_from_round";

/// The policies that may act.
#[derive(Clone, Debug, Default)]
pub struct Actors {
    /// The policies' labels, in the run's order.
    pub labels: Vec<Arc<str>>,
    /// The place of the policy that counts, if one does.
    pub acting: Option<usize>,
    /// The place of the policy that counts once the acting one has broken off, if one does.
    pub fallback: Option<usize>,
    /// True if the journal says which rounds all lanes have decided, as it does for programs.
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
    /// The end of the lane whose decisions count, once it has ended.
    pub ended: Option<Stop>,
    /// The last round that all lanes have decided, if the journal is to say so.
    pub shown: Option<u64>,
}

/// The choice of the policy whose decisions count, by the lanes' own reports.
pub struct Acting {
    actors: Actors,
    /// The view, which is informed of each change.
    watched: Arc<Watched>,
    /// The reported outcomes, which follow the lane that counts.
    outcomes: Arc<ReportedOutcomes>,
    state: Mutex<ActingState>,
    news: Notify,
}

#[derive(Debug)]
struct ActingState {
    lanes: Vec<LaneTurn>,
    /// The fallback's choices in rounds that the acting policy has not decided.
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
    /// The state before any lane has decided. `noted` is the last round that all lanes have decided
    /// by the journal.
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
        locked(&self.state)
    }

    /// Returns true if a policy acts.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.actors.acting.is_some()
    }

    /// The outcomes reported of those chosen.
    #[must_use]
    pub fn outcomes(&self) -> &Arc<ReportedOutcomes> {
        &self.outcomes
    }

    /// Returns true if a lane's decisions count, or may come to count.
    fn may_act(&self, lane: usize) -> bool {
        [self.actors.acting, self.actors.fallback].contains(&Some(lane))
    }

    /// Notes a lane's choices in its next rounds. The last one suffices for a lane that never acts.
    /// A decision counts at once, before other lanes have decided.
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

    /// Notes the end of a lane. If the acting lane broke off, the fallback's decisions count from
    /// the next round on.
    pub fn ended(&self, lane: usize, stop: &Stop) {
        self.change(|state, _| state.lanes[lane].stop = Some(stop.clone()));
        if self.may_act(lane) {
            self.news.notify_one();
        }
    }

    /// Changes the state and reports to the view under the lock, so that reports keep the order of
    /// the changes.
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

    /// Counts the fallback's decisions after the acting policy's last one, and forgets those in rounds
    /// that the acting policy decided.
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

    /// The last round that all lanes that still play have decided, or the last of all if none plays.
    fn all_decided(&self) -> u64 {
        let open = self.lanes.iter().filter(|lane| lane.stop.is_none());
        let last = || self.lanes.iter().map(|lane| lane.last).max();
        let decided = open.map(|lane| lane.last).min();
        decided.or_else(last).unwrap_or(0)
    }

    /// The policy whose decisions count now, for the view.
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

/// A witness that reports its lane's decisions to the acting room before viewers see them.
pub struct ActingWitness {
    acting: Arc<Acting>,
    /// The lane's place in the run.
    lane: usize,
}

impl ActingWitness {
    /// The witness of a lane.
    #[must_use]
    pub fn new(acting: Arc<Acting>, lane: usize) -> Self {
        Self { acting, lane }
    }
}

impl Witness for ActingWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let rounds = ledger.rounds();
        let first = match self.acting.may_act(self.lane) {
            true => 0,
            false => rounds.saturating_sub(1),
        };
        let decided = (first..rounds).map(|at| {
            let entry = RoundEntry::new(batch, at, ledger, at);
            (batch.round_number(at), entry.chosen_slots().collect())
        });
        let decided: Vec<_> = decided.collect();
        self.acting.decided(self.lane, decided);
    }

    fn end(&mut self, stop: &Stop) {
        self.acting.ended(self.lane, stop);
    }
}

#[cfg(test)]
mod tests;
