//! Completion of a committee that is being filled from known respondents.
//!
//! A [`Completion`] holds a *witness*: people still to come who would complete the committee
//! together. Seating one of the witness is safe, and so is passing over one who is not of it. Any
//! other choice is safe iff there is another witness, which is sought by exchanging one person,
//! then by narrowing the bounds, and at last by an integer program of bounded size.
//!
//! What can be completed only shrinks while seats are filled and people pass. Where a kind of
//! person could not be seated once, no one of the kind can be seated later.

mod need;
mod pool;
mod prices;
mod repair;
#[cfg(test)]
pub(crate) mod tests;
mod witness;

use std::sync::Arc;

use super::PanelQuestion;
use super::feasibility::{self, Sought, committee};
use kleroterion_core::protocol::Quota;
use need::Need;
use pool::Pool;
use prices::Prices;
use repair::Repair;
use witness::Witness;

/// The exchanges after which a walk is given up.
const EXCHANGES: u32 = 150;

/// The steps after which prices are given up.
const STEPS: u32 = 200;

/// The number of branch-and-bound nodes after which the program of one answer is given up.
pub const NODES: u64 = 2_000;

/// The reason why a committee has no completion at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCompletion {
    /// No committee keeps all quotas.
    #[error("no committee of these respondents keeps all quotas")]
    Impossible,
    /// It was not decided whether such a committee exists.
    #[error("whether a committee of these respondents keeps all quotas was not decided")]
    Undecided,
}

/// A committee that is being filled, and proof that it can be completed.
#[derive(Clone, Debug)]
pub struct Completion {
    pool: Arc<Pool>,
    need: Need,
    /// The need of the committee while it was empty.
    whole: Need,
    seated: Vec<u32>,
    /// True for each respondent still to come, or on the slate and not decided.
    waiting: Vec<bool>,
    /// The candidates shown together and not yet decided, if only some of them may be seated.
    shown: Vec<u32>,
    witness: Witness,
    /// Another witness, which agrees on all but this respondent.
    other: Option<(u32, Witness)>,
    /// True for each kind of which no one can be seated any more.
    barred: Vec<bool>,
    prices: Prices,
    nodes: u64,
    effort: Effort,
}

/// The work done for a completion so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The number of integer programs solved.
    pub programs: u64,
    /// Integer programs that were not decided within their nodes.
    pub undecided: u64,
}

impl Completion {
    /// Makes an empty committee.
    ///
    /// # Errors
    /// Returns an error if no committee is known to keep all quotas.
    pub fn new(question: &PanelQuestion) -> Result<Self, NoCompletion> {
        Self::bounded(question, feasibility::NODES, NODES)
    }

    /// An empty committee, with `first` nodes of branch and bound for the first program and `nodes`
    /// for each later one.
    fn bounded(question: &PanelQuestion, first: u64, nodes: u64) -> Result<Self, NoCompletion> {
        let pool = Pool::new(question);
        let need = Need::new(question, &pool);
        let mut completion = Self {
            waiting: vec![true; pool.len()],
            shown: Vec::new(),
            witness: Witness::new(&pool, &need, Vec::new()),
            other: None,
            barred: vec![false; pool.len()],
            prices: Prices::new(need.most.len()),
            pool: Arc::new(pool),
            whole: need.clone(),
            seated: Vec::new(),
            need,
            nodes: first,
            effort: Effort::default(),
        };
        let found = completion.seek(completion.need.clone(), |_| true);
        completion.witness = found?;
        completion.nodes = nodes;
        Ok(completion)
    }

    /// The work done so far.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Records the candidates shown together, of whom at most `places` may get a seat.
    ///
    /// Others of their households may have come with them without being shown, so these are no
    /// longer waited for.
    pub fn meet(&mut self, shown: &[u32], places: u32) {
        self.part();
        for &one in shown {
            self.waiting[one as usize] = true;
        }
        let is_limited = places < self.need.seats && (places as usize) < shown.len();
        let mates = shown.iter().flat_map(|one| self.pool.mates(*one)).copied();
        let waits = |mate: &u32| self.waiting[*mate as usize] && !shown.contains(mate);
        let hidden: Vec<u32> = mates.filter(waits).collect();
        if !is_limited && hidden.is_empty() {
            return;
        }
        if is_limited {
            self.shown.extend_from_slice(shown);
            self.need.shown = places;
        }
        for &mate in &hidden {
            self.waiting[mate as usize] = false;
        }
        let waits = |one: &u32| self.waiting[*one as usize];
        if self.witness.members().iter().all(waits) && self.of_shown() <= self.need.shown {
            return;
        }
        match self.seek(self.need.clone(), |_| true) {
            Ok(witness) => self.witness = witness,
            // Without luck the committee can't be completed; with luck the old witness holds.
            Err(_) => {
                self.part();
                for mate in hidden {
                    self.waiting[mate as usize] = true;
                }
            }
        }
    }

    /// Records that all candidates shown together are decided.
    fn part(&mut self) {
        self.shown.clear();
        self.need.shown = u32::MAX;
    }

    /// Returns true if the committee can be completed once this respondent has a seat.
    pub fn may_seat(&mut self, one: u32) -> bool {
        if self.witness.has(one) {
            return true;
        }
        let (pool, need) = (&*self.pool, &self.need);
        let kind = pool.kind(one);
        if self.barred[kind] || need.shown == 0 || !need.has_room(pool.places(one)) {
            return false;
        }
        let is_full = need.shown < u32::MAX && self.of_shown() >= need.shown;
        let may_leave = |old: u32| !is_full || self.shown.contains(&old);
        if let Some(other) = self.witness.with(pool, need, one, may_leave) {
            self.other = Some((one, other));
            return true;
        }
        if self.bar(one) {
            return false;
        }
        let mut need = self.need.clone();
        need.seat(self.pool.places(one), self.shown.contains(&one));
        let pool = Arc::clone(&self.pool);
        let is_open = |open: u32| open != one && !pool.mates(one).contains(&open);
        if let Ok(mut other) = self.seek(need, is_open) {
            other.add(&self.pool, one);
            self.other = Some((one, other));
            return true;
        }
        // Someone whose household sends no one else is as good as anyone of the kind who comes
        // later, unless those shown together stand in the way.
        let is_alone = !pool
            .mates(one)
            .iter()
            .any(|mate| self.waiting[*mate as usize]);
        self.barred[kind] |= is_alone && self.need.shown == u32::MAX;
        false
    }

    /// Bars all kinds that prices prove to be of no completion. Whether one is this respondent's.
    fn bar(&mut self, one: u32) -> bool {
        let pool = &*self.pool;
        let mut need = self.need.clone();
        let mut open = self.open(|_| true);
        if !need.narrow(pool, &mut open) {
            return false;
        }
        let fits = |one: u32| {
            let mut places = pool.places(one).iter();
            places.all(|&place| need.most[place as usize] > 0)
        };
        let most = match fits(one) {
            true => self.prices.bar(pool, &need, &open, one, STEPS),
            false => Some(i64::MAX),
        };
        let Some(most) = most else { return false };
        for other in 0..pool.len() as u32 {
            if self.waiting[other as usize] || other == one {
                self.barred[pool.kind(other)] |=
                    !fits(other) || self.prices.of(pool.places(other)) > most;
            }
        }
        true
    }

    /// The respondents still to come for whom `may` is true.
    fn open(&self, may: impl Fn(u32) -> bool) -> Vec<u32> {
        let waiting = (0..).zip(&self.waiting).filter(|(_, waits)| **waits);
        waiting
            .map(|(one, _)| one)
            .filter(|one| may(*one))
            .collect()
    }

    /// Returns true if the committee can be completed without this respondent.
    pub fn may_pass(&mut self, one: u32) -> bool {
        if !self.witness.has(one) {
            return true;
        }
        let waiting = (0..).zip(&self.waiting).filter(|(_, waits)| **waits);
        let open = waiting.map(|(open, _)| open).filter(|open| *open != one);
        let swapped = self.witness.without(&self.pool, &self.need, one, open);
        let found = swapped.map_or_else(|| self.seek(self.need.clone(), |open| open != one), Ok);
        let found = found.map(|other| self.other = Some((one, other)));
        found.is_ok()
    }

    /// Records that a respondent gets a seat. Returns false if no completion is known any more.
    #[must_use]
    pub fn seat(&mut self, one: u32) -> bool {
        if !self.witness.has(one) && !self.turn(one) {
            return false;
        }
        self.witness.remove(&self.pool, one);
        let is_shown = self.shown.contains(&one);
        self.need.seat(self.pool.places(one), is_shown);
        for &mate in self.pool.mates(one) {
            self.waiting[mate as usize] = false;
        }
        self.seated.push(one);
        self.leave(one);
        true
    }

    /// Takes back the seats of those who declined, before those `shown` are decided. Returns false
    /// if no completion is known any more.
    #[must_use]
    pub fn unseat(&mut self, declined: &[u32], shown: &[u32]) -> bool {
        self.seated.retain(|one| !declined.contains(one));
        self.part();
        self.need = self.whole.clone();
        for &one in &self.seated {
            self.need.seat(self.pool.places(one), false);
        }
        for &one in shown {
            self.waiting[one as usize] = true;
        }
        // What could not be seated may fit now.
        self.barred.fill(false);
        self.other = None;
        let found = self.seek(self.need.clone(), |_| true);
        found.map(|witness| self.witness = witness).is_ok()
    }

    /// Records that a respondent is passed over. Returns false if no completion is known any more.
    #[must_use]
    pub fn pass(&mut self, one: u32) -> bool {
        if self.witness.has(one) && !self.turn(one) {
            return false;
        }
        self.leave(one);
        true
    }

    /// Switches to the other witness, which differs on this respondent.
    fn turn(&mut self, one: u32) -> bool {
        let is_there = self.witness.has(one);
        if self.other.as_ref().is_none_or(|(of, _)| *of != one) {
            let found = match is_there {
                true => self.may_pass(one),
                false => self.may_seat(one),
            };
            if !found {
                return false;
            }
        }
        if let Some((_, other)) = self.other.take() {
            self.witness = other;
        }
        self.witness.has(one) != is_there
    }

    fn leave(&mut self, one: u32) {
        self.waiting[one as usize] = false;
        self.shown.retain(|shown| *shown != one);
        self.other = None;
    }

    /// The number of those shown together who are in the witness.
    fn of_shown(&self) -> u32 {
        self.shown
            .iter()
            .filter(|one| self.witness.has(**one))
            .count() as u32
    }

    /// People still to come who fill a need, of those who may.
    fn seek(&mut self, mut need: Need, may: impl Fn(u32) -> bool) -> Result<Witness, NoCompletion> {
        let pool = &*self.pool;
        let mut open = self.open(may);
        if need.shown == 0 {
            open.retain(|one| !self.shown.contains(one));
        }
        if !need.narrow(pool, &mut open) {
            return Err(NoCompletion::Impossible);
        }
        let walked = match need.shown {
            u32::MAX => Repair::new(pool, &need, &open, self.witness.members()).walk(EXCHANGES),
            _ => None,
        };
        if let Some(witness) = walked {
            return Ok(witness);
        }
        self.effort.programs += 1;
        let sought = self.solve(&need, &open);
        self.effort.undecided += u64::from(sought == Err(NoCompletion::Undecided));
        Ok(Witness::new(&self.pool, &self.need, sought?))
    }

    /// Finds people of `open` who fill a need, by an integer program.
    fn solve(&self, need: &Need, open: &[u32]) -> Result<Vec<u32>, NoCompletion> {
        let pool = &*self.pool;
        let rows = pool.attributes().iter();
        let quota = |place: usize| Quota {
            min: need.least[place],
            max: need.most[place],
        };
        let mut quotas: Vec<Vec<Quota>> =
            rows.map(|row| row.clone().map(quota).collect()).collect();
        let row = |one: &u32| -> Vec<u16> {
            let pairs = pool.places(*one).iter().zip(pool.attributes());
            let values = pairs.map(|(place, row)| (*place as usize - row.start) as u16);
            values
                .chain([u16::from(self.shown.contains(one))])
                .collect()
        };
        // Those shown together are a value of an attribute more.
        let [min, all] = [0, need.seats];
        quotas.push(vec![
            Quota { min, max: all },
            Quota {
                min,
                max: need.shown,
            },
        ]);
        let people: Vec<Vec<u16>> = open.iter().map(row).collect();
        let people: Vec<&[u16]> = people.iter().map(Vec::as_slice).collect();
        let homes: Option<Vec<u32>> = open.iter().map(|one| pool.home(*one)).collect();
        let homes = homes.filter(|homes| !homes.is_empty());
        match committee(&quotas, need.seats, &people, homes.as_deref(), self.nodes) {
            Sought::Found(at) => Ok(at.into_iter().map(|at| open[at]).collect()),
            Sought::Nowhere => Err(NoCompletion::Impossible),
            Sought::Undecided => Err(NoCompletion::Undecided),
        }
    }
}
