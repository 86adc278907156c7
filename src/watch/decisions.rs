//! The latest decisions of all lanes, in one order: by round, then in the order of the labels.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use crate::trace::{Decision, Event};

/// How many decisions are kept.
pub const KEPT: usize = 4096;

/// A decision in its place among those of all lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneDecision {
    /// The lane's place in the run.
    pub lane: usize,
    /// Slots of those chosen, in order.
    pub slots: Vec<u32>,
    /// Whether this is the decision that counts: of the acting policy, or of its fallback.
    pub acts: bool,
    /// The decision with its number.
    pub event: Event,
}

impl LaneDecision {
    /// The round, from 1.
    #[must_use]
    pub fn round(&self) -> u64 {
        self.event.decision.round
    }
}

/// A decision of a lane before it has its place among the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Unplaced {
    /// Slots of those chosen, in order.
    pub slots: Vec<u32>,
    /// The decision.
    pub decision: Decision,
}

/// The latest decisions. Lanes hand theirs in, in any interleaving; a round is complete once all
/// lanes that still play have decided it. What waits for the slowest lane is bounded by the
/// channels, which keep the lanes near each other.
#[derive(Debug)]
pub struct Decisions {
    acting: Option<usize>,
    fallback: Option<usize>,
    state: Mutex<DecisionsState>,
    next: watch::Sender<u64>,
    acted: Notify,
}

#[derive(Debug)]
struct DecisionsState {
    /// In the order of the labels.
    lanes: Vec<Waiting>,
    next: u64,
    /// The last round that was shown.
    told: u64,
    /// The last round of which something is kept no more.
    forgotten: u64,
    kept: VecDeque<Arc<LaneDecision>>,
    acted: Vec<(u64, Vec<u32>)>,
    /// The first round in which the fallback's decision counted.
    taken_over: Option<u64>,
}

/// What a lane has decided and others have not.
#[derive(Debug)]
struct Waiting {
    lane: usize,
    ended: bool,
    /// Whether it ended otherwise than it was to.
    broke_off: bool,
    decided: VecDeque<Unplaced>,
}

impl Decisions {
    /// None yet, of these lanes; `acting`: the place of the one that counts.
    #[must_use]
    pub fn new(labels: &[Arc<str>], acting: Option<usize>) -> Self {
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by_key(|lane| &labels[*lane]);
        let waiting = |lane| Waiting {
            lane,
            ended: false,
            broke_off: false,
            decided: VecDeque::new(),
        };
        Self {
            acting,
            fallback: None,
            state: Mutex::new(DecisionsState {
                lanes: order.into_iter().map(waiting).collect(),
                next: 0,
                told: 0,
                forgotten: 0,
                kept: VecDeque::new(),
                acted: Vec::new(),
                taken_over: None,
            }),
            next: watch::Sender::new(0),
            acted: Notify::new(),
        }
    }

    /// With the lane whose decisions count once the acting one has broken off.
    #[must_use]
    pub fn falling_back(self, fallback: Option<usize>) -> Self {
        Self { fallback, ..self }
    }

    /// Takes what a lane has decided, in the order of the rounds; how many rounds all lanes have
    /// decided with that.
    pub fn hand(&self, lane: usize, decided: impl IntoIterator<Item = Unplaced>) -> u64 {
        self.update(lane, |waiting| waiting.decided.extend(decided))
    }

    /// The lane decides nothing more and is waited for no longer.
    pub fn end(&self, lane: usize) {
        self.end_so(lane, false);
    }

    /// [`Decisions::end`] of a lane that ended otherwise than it was to: from its next round on the
    /// fallback's decisions count in place of the acting policy's.
    pub fn break_off(&self, lane: usize) {
        self.end_so(lane, true);
    }

    fn end_so(&self, lane: usize, broke_off: bool) {
        self.update(lane, |waiting| {
            waiting.ended = true;
            waiting.broke_off = broke_off;
        });
        if [self.acting, self.fallback].contains(&Some(lane)) {
            self.acted.notify_one();
        }
    }

    fn update(&self, lane: usize, change: impl FnOnce(&mut Waiting)) -> u64 {
        let mut state = self.state();
        let before = state.told;
        let acted = state.acted.len();
        if let Some(waiting) = state.lanes.iter_mut().find(|waiting| waiting.lane == lane) {
            change(waiting);
        }
        state.merge(self.acting, self.fallback);
        let (next, has_acted) = (state.next, state.acted.len() > acted);
        let rounds = state.told - before;
        drop(state);
        self.next.send_if_modified(|known| {
            let is_new = next > *known;
            *known = next.max(*known);
            is_new
        });
        if has_acted {
            self.acted.notify_one();
        }
        rounds
    }

    fn state(&self) -> MutexGuard<'_, DecisionsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The events from number `from` on that are still kept, at most `most`; the first may have a
    /// higher number where older ones are kept no more.
    #[must_use]
    pub fn since(&self, from: u64, most: usize) -> Vec<Arc<LaneDecision>> {
        let state = self.state();
        let first = state.next - state.kept.len() as u64;
        let passed = from.saturating_sub(first).min(state.kept.len() as u64);
        let kept = state.kept.range(passed as usize..);
        kept.take(most).cloned().collect()
    }

    /// What all lanes decided in a round, in the order of the labels; none before all that still
    /// play have decided it, nor when it is kept no more. A lane that has ended before has no event
    /// in it.
    #[must_use]
    pub fn of_round(&self, round: u64) -> Option<Vec<Arc<LaneDecision>>> {
        let state = self.state();
        if round > state.told || round <= state.forgotten {
            return None;
        }
        let start = state.kept.partition_point(|event| event.round() < round);
        let of_it = state.kept.range(start..);
        let of_it = of_it.take_while(|event| event.round() == round);
        Some(of_it.cloned().collect())
    }

    /// The number of the next event, as it changes.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }

    /// Whom the acting lane chose in each round shown since the last call: the round and the
    /// slots, in order. What is not taken waits: the rounds that were handed out since.
    #[must_use]
    pub fn take_acted(&self) -> Vec<(u64, Vec<u32>)> {
        std::mem::take(&mut self.state().acted)
    }

    /// The lane whose decisions count has ended, and all that it decided was
    /// [taken](Self::take_acted); none where it goes on.
    #[must_use]
    pub fn has_acted(&self) -> Option<usize> {
        let state = self.state();
        let actor = state.actor(self.acting, self.fallback)?;
        let actor = state.lane(actor)?;
        (state.acted.is_empty() && actor.ended && actor.decided.is_empty()).then_some(actor.lane)
    }

    /// The first round in which the fallback's decision counted, where it has come to that.
    #[must_use]
    pub fn taken_over(&self) -> Option<u64> {
        self.state().taken_over
    }

    /// Returns when there may be something to [take](Self::take_acted), or nothing more will be.
    pub async fn acted(&self) {
        self.acted.notified().await;
    }
}

impl DecisionsState {
    fn lane(&self, lane: usize) -> Option<&Waiting> {
        self.lanes.iter().find(|waiting| waiting.lane == lane)
    }

    /// The lane whose next decision counts.
    fn actor(&self, acting: Option<usize>, fallback: Option<usize>) -> Option<usize> {
        let is_gone = |waiting: &Waiting| waiting.broke_off && waiting.decided.is_empty();
        match acting.and_then(|acting| self.lane(acting)) {
            Some(waiting) if is_gone(waiting) => fallback.or(acting),
            _ => acting,
        }
    }

    /// Tells every round that all lanes which still play have decided.
    fn merge(&mut self, acting: Option<usize>, fallback: Option<usize>) {
        let is_open = |waiting: &Waiting| !waiting.ended && waiting.decided.is_empty();
        while !self.lanes.iter().any(is_open) {
            let first =
                |waiting: &Waiting| waiting.decided.front().map(|first| first.decision.round);
            let Some(round) = self.lanes.iter().filter_map(first).min() else {
                break;
            };
            let actor = self.actor(acting, fallback);
            for place in 0..self.lanes.len() {
                let waiting = &mut self.lanes[place];
                let of_it = waiting
                    .decided
                    .pop_front_if(|first| first.decision.round == round);
                if let Some(decided) = of_it {
                    let lane = waiting.lane;
                    let acts = actor == Some(lane);
                    if acts {
                        self.acted.push((round, decided.slots.clone()));
                        if actor != acting {
                            self.taken_over.get_or_insert(round);
                        }
                    }
                    self.tell(lane, acts, decided);
                }
            }
            self.told = round;
        }
    }

    fn tell(&mut self, lane: usize, acts: bool, decided: Unplaced) {
        let Unplaced { slots, decision } = decided;
        let seq = self.next;
        self.next += 1;
        self.kept.push_back(Arc::new(LaneDecision {
            lane,
            slots,
            acts,
            event: Event { seq, decision },
        }));
        if self.kept.len() > KEPT
            && let Some(oldest) = self.kept.pop_front()
        {
            self.forgotten = oldest.round();
        }
    }
}

#[cfg(test)]
mod tests;
