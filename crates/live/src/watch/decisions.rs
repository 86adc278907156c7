//! The latest decisions of all lanes, in one order: by round, then in the order of the labels.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use kleroterion_io::trace::{Decision, Event};

/// The most decisions kept.
pub const KEPT: usize = 4096;

/// The most memory that the kept decisions take, in bytes, roughly. The latest decision is kept in
/// any case.
const KEPT_BYTES: usize = 64 << 20;

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
    pub event: Event,
}

impl LaneDecision {
    /// The round's number, from 1.
    #[must_use]
    pub fn round(&self) -> u64 {
        self.event.decision.round
    }
}

/// A decision of a lane that has no place among the others yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Unplaced {
    /// The slots of the chosen persons, in order.
    pub slots: Vec<u32>,
    /// The decision.
    pub decision: Decision,
}

/// The latest decisions. Lanes hand theirs in, in any interleaving. A round is complete once all
/// lanes that still play have decided it. The channels bound the wait for the slowest lane, since
/// they keep the lanes near each other.
#[derive(Debug)]
pub struct Decisions {
    acting: Option<usize>,
    fallback: Option<usize>,
    /// True if the journal notes which rounds all lanes have decided.
    pub(super) are_noted: bool,
    state: Mutex<DecisionsState>,
    next: watch::Sender<u64>,
    acted: Notify,
    /// The taker of decisions, if there is one. It is locked before the state.
    taker: Mutex<Option<Taker>>,
}

/// A function that takes decisions in order, several at a time. Its second argument is the last
/// round up to which the decisions are known to be the journal's.
pub struct Taker(pub Box<Taking>);

type Taking = dyn FnMut(&[Arc<LaneDecision>], u64) + Send;

impl fmt::Debug for Taker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Taker")
    }
}

#[derive(Debug)]
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
    /// The acting lane's choices in rounds that were not taken yet.
    acted: Vec<(u64, Vec<u32>)>,
    /// The last round in which the decision that counts is known.
    last_acted: u64,
    /// The first round in which the fallback's decision counted.
    taken_over: Option<u64>,
}

/// The decisions of a lane that other lanes have not made yet.
#[derive(Debug)]
struct Waiting {
    lane: usize,
    ended: bool,
    /// True if the lane broke off.
    broke_off: bool,
    decided: VecDeque<Unplaced>,
}

impl Waiting {
    /// Its first decision after `round` that other lanes have not made yet.
    fn after(&self, round: u64) -> Option<&Unplaced> {
        let at = self.place(round + 1);
        self.decided.get(at)
    }

    /// Its decision in `round`, if other lanes have not decided that round yet.
    fn of(&self, round: u64) -> Option<&Unplaced> {
        let found = self.decided.get(self.place(round))?;
        (found.decision.round == round).then_some(found)
    }

    fn place(&self, round: u64) -> usize {
        self.decided
            .partition_point(|decided| decided.decision.round < round)
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
            broke_off: false,
            decided: VecDeque::new(),
        };
        Self {
            acting,
            fallback: None,
            are_noted: false,
            state: Mutex::new(DecisionsState {
                lanes: order.into_iter().map(waiting).collect(),
                next: 0,
                told: 0,
                forgotten: 0,
                kept: VecDeque::new(),
                kept_bytes: 0,
                untaken: None,
                confirmed: 0,
                acted: Vec::new(),
                last_acted: 0,
                taken_over: None,
            }),
            next: watch::Sender::new(0),
            acted: Notify::new(),
            taker: Mutex::new(None),
        }
    }

    /// Sets the lane whose decisions count once the acting one has broken off.
    #[must_use]
    pub fn falling_back(self, fallback: Option<usize>) -> Self {
        Self { fallback, ..self }
    }

    /// Gives each decision from now on to `taker`, on the tasks that hand decisions in.
    pub fn have_taken(&self, taker: Taker) {
        *self.taker.lock().unwrap_or_else(PoisonError::into_inner) = Some(taker);
        self.state().untaken = Some(Vec::new());
    }

    /// Removes the taker, because the lanes' decisions contradict the journal.
    pub fn take_no_more(&self) {
        *self.taker.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.state().untaken = None;
    }

    /// Gives the taker the decisions that it has not taken yet.
    fn take(&self) {
        let mut taker = self.taker.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Taker(take)) = &mut *taker else {
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
        self.end_so(lane, false);
    }

    /// Notes that a lane broke off. From its next round on the fallback's decisions count in place
    /// of the acting policy's.
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
        state.settle(self.acting, self.fallback);
        state.merge(self.acting, self.fallback);
        let (next, has_acted) = (state.next, state.acted.len() > acted);
        let rounds = state.told - before;
        let has_untaken = state.untaken.as_ref().is_some_and(|all| !all.is_empty());
        drop(state);
        if has_untaken {
            self.take();
        }
        self.next.send_if_modified(|known| {
            let is_new = next > *known;
            *known = next.max(*known);
            is_new
        });
        if has_acted || self.are_noted && rounds > 0 {
            self.acted.notify_one();
        }
        rounds
    }

    fn state(&self) -> MutexGuard<'_, DecisionsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// The last round decided by all lanes that still play.
    pub(super) fn last_shown(&self) -> u64 {
        self.state().told
    }

    /// The decisions of all lanes in a round, in the order of the labels.
    ///
    /// Returns `None` before all lanes that still play have decided it, and once it is no longer
    /// kept. A lane that ended earlier has no decision in it.
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
        if round <= state.told || round > state.last_acted {
            drop(state);
            return self.of_round(round);
        }
        let counts = state.counts(round, self.acting, self.fallback);
        let of_lane = |waiting: &Waiting| {
            let decided = waiting.of(round)?;
            Some(Arc::new(LaneDecision {
                lane: waiting.lane,
                slots: decided.slots.clone(),
                acts: counts == Some(waiting.lane),
                event: Event::new(state.next, decided.decision.clone()),
            }))
        };
        Some(state.lanes.iter().filter_map(of_lane).collect())
    }

    /// Subscribes to the number of the next event.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }

    /// Takes the acting lane's choices: each round shown since the last call, with the chosen
    /// slots, in order. Choices stay in memory until they are taken.
    #[must_use]
    pub fn take_acted(&self) -> Vec<(u64, Vec<u32>)> {
        std::mem::take(&mut self.state().acted)
    }

    /// Returns the lane whose decisions count, once it has ended and all its decisions were
    /// [taken](Self::take_acted). Returns `None` while it plays.
    #[must_use]
    pub fn has_acted(&self) -> Option<usize> {
        let state = self.state();
        let actor = state.actor(self.acting, self.fallback)?;
        let actor = state.lane(actor)?;
        let has_more = || {
            actor
                .decided
                .back()
                .is_some_and(|last| last.decision.round > state.last_acted)
        };
        (state.acted.is_empty() && actor.ended && !has_more()).then_some(actor.lane)
    }

    /// The first round in which the fallback's decision counted, if it took over.
    #[must_use]
    pub fn taken_over(&self) -> Option<u64> {
        self.state().taken_over
    }

    /// Waits until there may be choices to [take](Self::take_acted), or until there will be no
    /// more.
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
        let is_gone =
            |waiting: &Waiting| waiting.broke_off && waiting.after(self.last_acted).is_none();
        match acting.and_then(|acting| self.lane(acting)) {
            Some(waiting) if is_gone(waiting) => fallback.or(acting),
            _ => acting,
        }
    }

    /// The lane whose decision counts in a round for which that is known.
    fn counts(&self, round: u64, acting: Option<usize>, fallback: Option<usize>) -> Option<usize> {
        match self.taken_over {
            Some(from) if from <= round => fallback,
            _ => acting,
        }
    }

    /// Takes the decisions that count as soon as they are made, without waiting for other lanes.
    fn settle(&mut self, acting: Option<usize>, fallback: Option<usize>) {
        while let Some(lane) = self.actor(acting, fallback)
            && let Some(next) = self
                .lane(lane)
                .and_then(|waiting| waiting.after(self.last_acted))
        {
            let (round, slots) = (next.decision.round, next.slots.clone());
            if Some(lane) != acting {
                self.taken_over.get_or_insert(round);
            }
            self.acted.push((round, slots));
            self.last_acted = round;
        }
    }

    /// Shows each round that all lanes which still play have decided.
    fn merge(&mut self, acting: Option<usize>, fallback: Option<usize>) {
        let is_open = |waiting: &Waiting| !waiting.ended && waiting.decided.is_empty();
        while !self.lanes.iter().any(is_open) {
            let first =
                |waiting: &Waiting| waiting.decided.front().map(|first| first.decision.round);
            let Some(round) = self.lanes.iter().filter_map(first).min() else {
                break;
            };
            let counts = self.counts(round, acting, fallback);
            for place in 0..self.lanes.len() {
                let waiting = &mut self.lanes[place];
                let of_it = waiting
                    .decided
                    .pop_front_if(|first| first.decision.round == round);
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
            event: Event::new(seq, decision),
        });
        if let Some(untaken) = &mut self.untaken {
            untaken.push(Arc::clone(&told));
        }
        self.kept_bytes += told.event.decision.bytes();
        self.kept.push_back(told);
        while (self.kept.len() > KEPT || self.kept_bytes > KEPT_BYTES)
            && self.kept.len() > 1
            && let Some(oldest) = self.kept.pop_front()
        {
            self.kept_bytes -= oldest.event.decision.bytes();
            self.forgotten = oldest.round();
        }
    }
}

#[cfg(test)]
mod tests;
