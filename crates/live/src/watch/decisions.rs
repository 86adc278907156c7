//! The latest decisions of all lanes, in one order: by round, then in the order of the labels.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use kleroterion_core::lock::locked;

use super::late::{LateDecision, LateEvent};
use crate::limits::{MOST_KEPT_BYTES, MOST_KEPT_DECISIONS};

/// A decision of a lane, in its place among those of all lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneDecision {
    /// The lane's place in the run.
    pub lane: usize,
    /// The slots of the chosen persons, in order.
    pub slots: Vec<u32>,
    /// True if the decision counts: it is the acting policy's, or its fallback's.
    pub acts: bool,
    /// The decision with its number.
    pub event: LateEvent,
}

impl LaneDecision {
    /// The round's number, from 1.
    #[must_use]
    pub fn round(&self) -> u64 {
        self.event.round()
    }
}

/// A decision of a lane that has no place among the others yet.
#[derive(Clone)]
pub struct Unplaced {
    /// The slots of the chosen persons, in order.
    pub slots: Vec<u32>,
    /// The decision.
    pub decision: LateDecision,
}

/// The latest decisions. Lanes hand theirs in, in any interleaving. A round is complete once all
/// lanes that still play have decided it. The channels bound the wait for the slowest lane, since
/// they keep the lanes near each other.
pub struct Decisions {
    acting: Option<usize>,
    /// The place of the lane whose decisions count once the acting one has broken off.
    pub fallback: Option<usize>,
    state: Mutex<DecisionsState>,
    next: watch::Sender<u64>,
    /// Takes every decision in its place, where it is wanted; locked before the state.
    taker: Mutex<Option<Taker>>,
}

/// A function that takes decisions in order, several at a time. Its second argument is the last
/// round up to which the decisions are known to be the journal's.
type Taker = Box<dyn FnMut(&[Arc<LaneDecision>], u64) + Send>;

#[derive(Default)]
struct DecisionsState {
    /// The lanes, in the order of the labels.
    lanes: Vec<Waiting>,
    next: u64,
    /// The last round shown.
    told: u64,
    /// The last round of which some decisions are no longer kept.
    forgotten: u64,
    kept: VecDeque<Arc<LaneDecision>>,
    /// The memory of the kept decisions, in bytes, roughly.
    kept_bytes: usize,
    /// The decisions that the taker has not taken yet; `None` without a taker.
    untaken: Option<Vec<Arc<LaneDecision>>>,
    /// The last round up to which no decision contradicts the journal.
    confirmed: u64,
    /// The first round in which the fallback's decision counts, once that is reported.
    taken_over: Option<u64>,
}

/// The decisions of a lane that other lanes have not made yet.
struct Waiting {
    lane: usize,
    ended: bool,
    decided: VecDeque<Unplaced>,
}

impl Waiting {
    /// Its decision in a round, where others have not decided it yet.
    fn of(&self, round: u64) -> Option<&Unplaced> {
        let before = |decided: &Unplaced| decided.decision.round() < round;
        let found = self.decided.get(self.decided.partition_point(before))?;
        (found.decision.round() == round).then_some(found)
    }
}

impl Decisions {
    /// Creates the decisions of these lanes. `acting` is the place of the acting lane.
    #[must_use]
    pub fn new(labels: &[Arc<str>], acting: Option<usize>) -> Self {
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by_key(|lane| &labels[*lane]);
        let waiting = |lane| Waiting {
            lane,
            ended: false,
            decided: VecDeque::new(),
        };
        Self {
            acting,
            fallback: None,
            state: Mutex::new(DecisionsState {
                lanes: order.into_iter().map(waiting).collect(),
                ..DecisionsState::default()
            }),
            next: watch::Sender::new(0),
            taker: Mutex::new(None),
        }
    }

    /// Gives each decision from now on to `take`, on the tasks that hand decisions in: several in
    /// order, with the last round up to which they are known to be the journal's.
    pub fn have_taken(&self, take: impl FnMut(&[Arc<LaneDecision>], u64) + Send + 'static) {
        *locked(&self.taker) = Some(Box::new(take));
        self.state().untaken = Some(Vec::new());
    }

    /// Removes the taker, because the lanes' decisions contradict the journal.
    pub fn take_no_more(&self) {
        *locked(&self.taker) = None;
        self.state().untaken = None;
    }

    /// Gives the taker the decisions that it has not taken yet.
    fn take(&self) {
        let mut taker = locked(&self.taker);
        let Some(take) = &mut *taker else {
            return;
        };
        // Whoever holds the taker takes all that is there, in order.
        let (untaken, confirmed) = {
            let mut state = self.state();
            (state.untaken.as_mut().map(std::mem::take), state.confirmed)
        };
        if let Some(untaken) = untaken {
            take(&untaken, confirmed);
        }
    }

    /// Notes that no decision up to this round contradicts the journal.
    pub fn confirm(&self, round: u64) {
        let is_news = {
            let mut state = self.state();
            let before = std::mem::replace(&mut state.confirmed, round);
            state.confirmed = state.confirmed.max(before);
            state.confirmed > before
        };
        if is_news {
            self.take();
        }
    }

    /// Takes a lane's decisions, in the order of the rounds. Returns the number of rounds that all
    /// lanes have decided.
    pub fn hand(&self, lane: usize, decided: impl IntoIterator<Item = Unplaced>) -> u64 {
        self.update(lane, |waiting| waiting.decided.extend(decided))
    }

    /// Notes that a lane decides no more. It is no longer waited for.
    pub fn end(&self, lane: usize) {
        self.update(lane, |waiting| waiting.ended = true);
    }

    /// From this round on the fallback's decisions count.
    pub(super) fn take_over(&self, from: u64) {
        self.state().taken_over = Some(from);
    }

    fn update(&self, lane: usize, change: impl FnOnce(&mut Waiting)) -> u64 {
        let mut state = self.state();
        let before = state.told;
        if let Some(waiting) = state.lanes.iter_mut().find(|waiting| waiting.lane == lane) {
            change(waiting);
        }
        state.merge(self.acting, self.fallback);
        let (next, rounds) = (state.next, state.told - before);
        let has_untaken = state.untaken.as_ref().is_some_and(|all| !all.is_empty());
        drop(state);
        if has_untaken {
            self.take();
        }
        // One that counts may be committed already.
        let counts = [self.acting, self.fallback].contains(&Some(lane));
        self.next.send_if_modified(|known| {
            let is_new = next > *known;
            *known = next.max(*known);
            is_new || counts
        });
        rounds
    }

    fn state(&self) -> MutexGuard<'_, DecisionsState> {
        locked(&self.state)
    }

    /// The kept decisions from number `from` on, at most `most`. The first may have a higher number
    /// if older ones are no longer kept.
    #[must_use]
    pub fn since(&self, from: u64, most: usize) -> Vec<Arc<LaneDecision>> {
        let state = self.state();
        let first = state.next - state.kept.len() as u64;
        let passed = from.saturating_sub(first).min(state.kept.len() as u64);
        let kept = state.kept.range(passed as usize..);
        kept.take(most).cloned().collect()
    }

    /// The decisions of all lanes in a round, in the order of the labels. `None` before all lanes
    /// that still play have decided, or once the round is no longer kept. A lane that ended before
    /// has no event in it.
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

    /// The decisions that lanes have made so far in a round, once the decision that counts is among
    /// them. Returns the same as [`Decisions::of_round`] where no decision will count.
    #[must_use]
    pub fn so_far(&self, round: u64) -> Option<Vec<Arc<LaneDecision>>> {
        let state = self.state();
        let counts = state.counts(round, self.acting, self.fallback);
        let of_it = |waiting: &Waiting| counts == Some(waiting.lane) && waiting.of(round).is_some();
        if round <= state.told || !state.lanes.iter().any(of_it) {
            drop(state);
            return self.of_round(round);
        }
        let of_lane = |waiting: &Waiting| {
            let decided = waiting.of(round)?;
            Some(Arc::new(LaneDecision {
                lane: waiting.lane,
                slots: decided.slots.clone(),
                acts: counts == Some(waiting.lane),
                event: LateEvent::new(state.next, decided.decision.clone()),
            }))
        };
        Some(state.lanes.iter().filter_map(of_lane).collect())
    }

    /// The number of the next event, as it changes. It also wakes when an acting lane has decided.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }
}

impl DecisionsState {
    /// The lane whose decision counts in a round of which it is known.
    fn counts(&self, round: u64, acting: Option<usize>, fallback: Option<usize>) -> Option<usize> {
        match self.taken_over {
            Some(from) if from <= round => fallback,
            _ => acting,
        }
    }

    /// Shows every round that all lanes which still play have decided.
    fn merge(&mut self, acting: Option<usize>, fallback: Option<usize>) {
        let is_open = |waiting: &Waiting| !waiting.ended && waiting.decided.is_empty();
        while !self.lanes.iter().any(is_open) {
            let first =
                |waiting: &Waiting| waiting.decided.front().map(|first| first.decision.round());
            let Some(round) = self.lanes.iter().filter_map(first).min() else {
                break;
            };
            let counts = self.counts(round, acting, fallback);
            for place in 0..self.lanes.len() {
                let waiting = &mut self.lanes[place];
                let of_it = waiting
                    .decided
                    .pop_front_if(|first| first.decision.round() == round);
                if let Some(decided) = of_it {
                    let lane = waiting.lane;
                    self.tell(lane, counts == Some(lane), decided);
                }
            }
            self.told = round;
        }
    }

    fn tell(&mut self, lane: usize, acts: bool, decided: Unplaced) {
        let Unplaced { slots, decision } = decided;
        let seq = self.next;
        self.next += 1;
        let told = Arc::new(LaneDecision {
            lane,
            slots,
            acts,
            event: LateEvent::new(seq, decision),
        });
        if let Some(untaken) = &mut self.untaken {
            untaken.push(Arc::clone(&told));
        }
        self.kept_bytes += told.event.bytes();
        self.kept.push_back(told);
        while (self.kept.len() > MOST_KEPT_DECISIONS || self.kept_bytes > MOST_KEPT_BYTES)
            && self.kept.len() > 1
            && let Some(oldest) = self.kept.pop_front()
        {
            self.kept_bytes -= oldest.event.bytes();
            self.forgotten = oldest.round();
        }
    }
}

#[cfg(test)]
mod tests;
