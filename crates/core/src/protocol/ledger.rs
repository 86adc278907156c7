//! The rounds of a batch as one lane played them, in columns.

use std::borrow::Cow;
use std::ops::Range;

use super::batch::Batch;
use super::persons::Shown;
use super::trail::{HeardOutcome, KeptId, LookSales, Trail};

/// The rounds of one batch that a lane has played, from the batch's first. A round counts once it
/// is committed.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Positions in the roster of those who applied, by slot; only where a pool mustered.
    applied: Option<Lists<u32>>,
    /// Positions in the roster of those who were shown, in the order in which they applied; only
    /// where households keep some from being shown.
    shown: Lists<u32>,
    /// The pool's state, a list a round. Only if a pool chose the applicants.
    states: Lists<f64>,
    /// Rows of the batch, in slot order.
    chosen: Lists<u32>,
    /// Rows of the batch of those who were chosen and declined; only where someone may.
    declined: Lists<u32>,
    /// The row of who was offered a place first in each round, where someone was; only where
    /// someone may decline.
    first_offered: Vec<Option<u32>>,
    /// The outcomes of the chosen, one for each of `chosen`; `None` for one that never comes. Only
    /// if there are outcomes.
    outcomes: Vec<Option<f64>>,
    /// The number of rounds until each outcome comes. Only if outcomes are late.
    delays: Vec<u64>,
    /// Money spent in each round, and interviews bought; only where interviews are for sale.
    spent: Vec<f64>,
    looks: Vec<u64>,
    /// The number of interviews not of the cheapest kind.
    strong: Vec<u64>,
    /// NaN for a choice that was not random; empty while none was.
    p: Vec<f64>,
    declared: Vec<(u32, Box<[f64]>)>,
    measures: Vec<(u32, Cow<'static, str>, f64)>,
    reasons: Vec<(u32, Cow<'static, str>, f64)>,
    /// Rounds that the policy let pass without an answer in time.
    forfeits: Vec<u32>,
    /// The trail of other acts, if it is requested.
    trail: Option<Box<Trail>>,
}

impl Ledger {
    /// Makes an empty ledger. `mustered` says that a pool chooses the applicants of each round.
    #[must_use]
    pub fn new(mustered: bool) -> Self {
        Self {
            applied: mustered.then(Lists::default),
            ..Self::default()
        }
    }

    /// Adds a trail, if `is_traced`.
    #[must_use]
    pub(crate) fn traced(self, is_traced: bool) -> Self {
        Self {
            trail: is_traced.then(Box::default),
            ..self
        }
    }

    /// The number of committed rounds.
    #[inline]
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.chosen.ends.len()
    }

    /// The rows in the batch of all who were chosen and declined in a stretch of rounds.
    #[must_use]
    pub fn declined_in(&self, rounds: Range<usize>) -> &[u32] {
        if self.declined.ends.is_empty() {
            return &[];
        }
        &self.declined.items[self.declined.start(rounds.start)..self.declined.start(rounds.end)]
    }

    /// The number of persons chosen in the first `rounds` rounds.
    #[must_use]
    pub fn chosen_before(&self, rounds: usize) -> usize {
        self.chosen.start(rounds)
    }

    /// Returns the first round by whose end at least `count` were chosen.
    #[must_use]
    pub fn round_reaching(&self, count: u64) -> Option<usize> {
        let ends = &self.chosen.ends;
        let at = ends.partition_point(|&end| u64::from(end) < count);
        (at < ends.len()).then_some(at)
    }

    /// The rows in the batch of all who were chosen in a stretch of rounds, and their outcomes. The
    /// outcomes are empty if there are none.
    #[must_use]
    pub fn chosen_in(&self, rounds: Range<usize>) -> (&[u32], &[Option<f64>]) {
        let range = self.chosen.start(rounds.start)..self.chosen.start(rounds.end);
        let outcomes = if self.outcomes.is_empty() {
            &[]
        } else {
            &self.outcomes[range.clone()]
        };
        (&self.chosen.items[range], outcomes)
    }

    /// The number of rounds until each outcome of those chosen in a stretch of rounds comes. Empty
    /// if each comes at once.
    pub(crate) fn delays_in(&self, rounds: Range<usize>) -> &[u64] {
        let range = self.chosen.start(rounds.start)..self.chosen.start(rounds.end);
        self.delays.get(range).unwrap_or_default()
    }

    /// The money spent and the interviews bought in each round of a stretch. Empty if interviews
    /// are not for sale.
    pub fn spending_in(&self, rounds: Range<usize>) -> impl Iterator<Item = (f64, u64)> {
        let rounds = rounds.start.min(self.spent.len())..rounds.end.min(self.spent.len());
        let spent = self.spent[rounds.clone()].iter().copied();
        spent.zip(self.looks[rounds].iter().copied())
    }

    /// The number of persons who applied in a range of rounds.
    #[must_use]
    pub fn applied_in(&self, batch: &Batch, rounds: Range<usize>) -> u64 {
        match &self.applied {
            Some(applied) => (applied.start(rounds.end) - applied.start(rounds.start)) as u64,
            None if rounds.is_empty() => 0,
            None => {
                let (first, last) = (batch.roster(rounds.start), batch.roster(rounds.end - 1));
                u64::from(last.end - first.start)
            }
        }
    }

    /// Returns true if every roster was shown whole. A range of rounds is then a range of rows.
    #[must_use]
    pub fn whole_rosters(&self) -> bool {
        self.applied.is_none() && !self.hides()
    }

    /// Returns true if the household rule may have hidden some applicants.
    pub(super) fn hides(&self) -> bool {
        !self.shown.ends.is_empty()
    }

    /// The measures of a stretch of rounds, in order.
    pub fn measures_in(&self, rounds: Range<usize>) -> impl Iterator<Item = (&str, f64)> {
        within(&self.measures, rounds)
    }

    /// The number of forfeited rounds.
    #[must_use]
    pub fn forfeits(&self) -> usize {
        self.forfeits.len()
    }

    /// Makes room for `rounds` rounds in all, and for one chosen in each.
    pub(crate) fn reserve(&mut self, rounds: usize) {
        let more = rounds - self.rounds();
        self.chosen.ends.reserve(more);
        self.chosen.items.reserve(more);
    }

    // What the lane writes. A round is written piece by piece and then committed.

    /// Records a candidate chosen in the current round, by row of the batch.
    #[inline]
    pub fn note_chosen(&mut self, row: u32) {
        self.chosen.items.push(row);
    }

    /// The rows chosen in the round under way.
    #[inline]
    pub(crate) fn choosing(&self) -> &[u32] {
        &self.chosen.items[self.chosen.start(self.rounds())..]
    }

    /// Keeps of those chosen in the round under way, from place `from` on, those who take their
    /// places; the others have declined. `takes` is asked of each with its place, from 0, and row.
    pub(crate) fn note_replies(&mut self, from: usize, takes: impl Fn(usize, u32) -> bool) {
        let round = self.rounds();
        let start = self.chosen.start(round) + from;
        if let Some(trail) = &mut self.trail {
            let offers = self.chosen.items[start..].iter().enumerate();
            trail.note_offers(
                round as u32,
                offers.map(|(place, &row)| (row, takes(place, row))),
            );
        }
        let mut place = 0;
        let (mut kept, declined) = (start, &mut self.declined.items);
        while let Some(&row) = self.chosen.items.get(start + place) {
            if takes(place, row) {
                self.chosen.items[kept] = row;
                kept += 1;
            } else {
                declined.push(row);
            }
            place += 1;
        }
        self.chosen.items.truncate(kept);
    }

    /// The rows of those who were chosen in the round under way and declined.
    fn declining(&self) -> &[u32] {
        &self.declined.items[self.declined.start(self.declined.ends.len())..]
    }

    /// The rows of the last so many who were chosen and declined.
    pub(crate) fn declining_last(&self, people: usize) -> &[u32] {
        &self.declined.items[self.declined.items.len() - people..]
    }

    /// Ends the offers of the round under way. Where those chosen and those who declined may not be
    /// in slot order, `slot` gives that of a row.
    pub(crate) fn close_offers(&mut self, slot: Option<impl Fn(u32) -> u32>) {
        // Of one place, those who declined were asked before who took it.
        let first = self.declining().first().or(self.choosing().first());
        self.first_offered.push(first.copied());
        if let Some(slot) = slot {
            let start = self.chosen.start(self.rounds());
            self.chosen.items[start..].sort_unstable_by_key(|row| slot(*row));
            let start = self.declined.start(self.declined.ends.len());
            self.declined.items[start..].sort_unstable_by_key(|row| slot(*row));
        }
        self.declined.close();
    }

    /// The propensity of the choice in the round under way.
    pub(crate) fn choosing_p(&self) -> Option<f64> {
        self.p.get(self.rounds()).copied()
    }

    #[inline]
    pub(crate) fn note_outcome(&mut self, value: Option<f64>) {
        self.outcomes.push(value);
    }

    /// Fills in an outcome that was noted as none before it came; `at`: its place among all
    /// outcomes.
    pub(crate) fn fill_outcome(&mut self, at: usize, value: Option<f64>) {
        self.outcomes[at] = value;
    }

    /// The number of outcomes noted.
    pub(crate) fn outcomes(&self) -> usize {
        self.outcomes.len()
    }

    pub(crate) fn note_delay(&mut self, rounds: u64) {
        self.delays.push(rounds);
    }

    pub(crate) fn note_spent(&mut self, money: f64, looks: u64, strong: u64) {
        self.spent.push(money);
        self.looks.push(looks);
        self.strong.push(strong);
    }

    #[inline]
    pub(crate) fn note_p(&mut self, p: f64) {
        let rounds = self.rounds();
        if let Some(before) = self.p.get_mut(rounds) {
            // Of a policy that acted again.
            *before *= p;
            return;
        }
        if self.p.is_empty() {
            self.p.reserve(self.chosen.ends.capacity());
        }
        if self.p.len() < rounds {
            self.p.resize(rounds, f64::NAN);
        }
        self.p.push(p);
    }

    /// Notes the nominal shares of the round under way; where the policy acts again, those that it
    /// declared of the whole slate count.
    pub(crate) fn note_declared(&mut self, shares: Box<[f64]>) {
        let round = self.rounds() as u32;
        if self.declared.last().is_none_or(|(last, _)| *last != round) {
            self.declared.push((round, shares));
        }
    }

    pub(crate) fn note_measure(&mut self, name: Cow<'static, str>, value: f64) {
        self.measures.push((self.rounds() as u32, name, value));
    }

    pub(crate) fn note_reason(&mut self, name: Cow<'static, str>, value: f64) {
        self.reasons.push((self.rounds() as u32, name, value));
    }

    /// Notes the interviews of the round under way.
    #[inline(never)]
    pub(crate) fn note_looks(&mut self, sales: &mut LookSales) {
        let round = self.rounds() as u32;
        if let Some(trail) = &mut self.trail {
            trail.note_looks(round, sales);
        }
    }

    /// Returns true if it has a trail.
    #[inline]
    pub(crate) fn is_traced(&self) -> bool {
        self.trail.is_some()
    }

    /// Notes an outcome that the policy heard: `late` rounds after round `decided` and before the
    /// choice of the round at place `at`, or after it, before the next.
    #[cold]
    pub(crate) fn note_heard(
        &mut self,
        at: usize,
        person: Shown<'_>,
        (decided, late): (u64, u64),
        value: f64,
        corrects: Option<f64>,
    ) {
        if let Some(trail) = &mut self.trail {
            let heard = HeardOutcome {
                id: KeptId::of(person),
                decided,
                value,
                late,
                corrects,
            };
            trail.note_heard(at as u32, heard);
        }
    }

    /// Notes what the pool says of itself once it has reacted to the last round.
    pub(crate) fn note_pool_after(&mut self, state: &[f64]) {
        if let (Some(trail), Some(last)) = (&mut self.trail, self.chosen.ends.len().checked_sub(1))
        {
            trail.note_after(last as u32, state);
        }
    }

    /// The trail, where there is one.
    pub(super) fn trail(&self) -> Option<&Trail> {
        self.trail.as_deref()
    }

    /// Notes that the policy let the round under way pass, unless it has chosen in it before.
    #[cold]
    pub(crate) fn note_forfeit(&mut self) {
        if self.choosing().is_empty() && self.declining().is_empty() {
            self.forfeits.push(self.rounds() as u32);
        }
    }

    pub(crate) fn note_muster(&mut self, applied: &[u32], state: &[f64]) {
        if let Some(lists) = &mut self.applied {
            lists.items.extend_from_slice(applied);
            lists.close();
        }
        self.states.items.extend_from_slice(state);
        self.states.close();
    }

    /// Notes who was shown in the round under way, where that is not all who applied: positions in
    /// the roster, in the order in which they applied.
    pub(crate) fn note_shown(&mut self, shown: impl Iterator<Item = u32>) {
        self.shown.items.extend(shown);
        self.shown.close();
    }

    /// Ends the current round, which counts from now on.
    #[inline]
    pub fn commit(&mut self) {
        self.chosen.close();
    }

    /// Forgets what was written since the last commit.
    pub(crate) fn roll_back(&mut self) {
        let rounds = self.rounds();
        self.chosen.truncate(rounds);
        if let Some(applied) = &mut self.applied {
            applied.truncate(rounds);
        }
        self.shown.truncate(rounds);
        self.states.truncate(rounds);
        self.declined.truncate(rounds);
        self.first_offered.truncate(rounds);
        self.outcomes.truncate(self.chosen.items.len());
        self.delays.truncate(self.chosen.items.len());
        self.spent.truncate(rounds);
        self.looks.truncate(rounds);
        self.strong.truncate(rounds);
        self.p.truncate(rounds);
        self.declared
            .retain(|(round, _)| (*round as usize) < rounds);
        self.measures
            .retain(|(round, ..)| (*round as usize) < rounds);
        self.reasons
            .retain(|(round, ..)| (*round as usize) < rounds);
        self.forfeits.retain(|round| (*round as usize) < rounds);
        if let Some(trail) = &mut self.trail {
            trail.truncate(rounds as u32);
        }
    }

    /// The last committed round, as a ledger of its own.
    pub(crate) fn last(&self) -> Self {
        let at = self.rounds() - 1;
        let mut last = Self::new(self.applied.is_some());
        if let Some(applied) = &self.applied {
            last.note_muster(applied.get(at), self.states.get(at));
        }
        if self.hides() {
            last.note_shown(self.shown.get(at).iter().copied());
        }
        let (chosen, outcomes) = self.chosen_in(at..at + 1);
        last.chosen.items.extend_from_slice(chosen);
        if !self.declined.ends.is_empty() {
            last.declined.items.extend_from_slice(self.declined.get(at));
            last.declined.close();
            last.first_offered.push(self.first_offered[at]);
        }
        last.outcomes.extend_from_slice(outcomes);
        last.delays.extend_from_slice(self.delays_in(at..at + 1));
        last.spent.extend(self.spent.get(at));
        last.looks.extend(self.looks.get(at));
        last.strong.extend(self.strong.get(at));
        last.p.extend(self.p.get(at));
        if let Some(shares) = self.declared_at(at) {
            last.declared.push((0, shares.into()));
        }
        last.commit();
        last
    }

    /// The propensity of the choice in a round, where it was random.
    pub(crate) fn p_at(&self, at: usize) -> Option<f64> {
        self.p.get(at).copied().filter(|p| !p.is_nan())
    }

    /// Positions in the roster of those who applied in a round, by slot; only where a pool
    /// mustered.
    pub(super) fn applied_at(&self, at: usize) -> Option<&[u32]> {
        self.applied.as_ref().map(|lists| lists.get(at))
    }

    /// Positions in the roster of those who were shown in a round, in the order in which they
    /// applied; all of the roster where `None`.
    pub(super) fn shown_at(&self, at: usize) -> Option<&[u32]> {
        match self.hides() {
            true => Some(self.shown.get(at)),
            false => self.applied_at(at),
        }
    }

    /// The pool's state when it chose the applicants. Empty without a pool.
    pub(super) fn state_at(&self, at: usize) -> &[f64] {
        match &self.applied {
            Some(_) => self.states.get(at),
            None => &[],
        }
    }

    /// The row of who was offered the place of a round that has one: the first, where others were
    /// asked after someone declined.
    pub(super) fn first_offered_at(&self, at: usize) -> Option<u32> {
        match self.first_offered.get(at) {
            Some(first) => *first,
            None => self.chosen.get(at).first().copied(),
        }
    }

    /// Money spent in a round, and interviews bought.
    pub(super) fn spending_at(&self, at: usize) -> (f64, u64) {
        self.spending_in(at..at + 1).next().unwrap_or((0.0, 0))
    }

    /// Interviews bought in a round that were not of the cheapest kind.
    pub(super) fn strong_at(&self, at: usize) -> u64 {
        self.strong.get(at).copied().unwrap_or(0)
    }

    /// The reasons of a round, in order.
    pub(super) fn reasons_at(&self, at: usize) -> impl Iterator<Item = (&str, f64)> {
        within(&self.reasons, at..at + 1)
    }

    /// Returns true if a round was forfeited.
    pub(super) fn is_forfeit(&self, at: usize) -> bool {
        self.forfeits.binary_search(&(at as u32)).is_ok()
    }

    /// The nominal shares of a round, where they were declared.
    pub(super) fn declared_at(&self, at: usize) -> Option<&[f64]> {
        let found = self
            .declared
            .binary_search_by_key(&(at as u32), |(round, _)| *round);
        found.ok().map(|k| &*self.declared[k].1)
    }
}

fn within<'a>(
    notes: &'a [(u32, Cow<'static, str>, f64)],
    rounds: Range<usize>,
) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
    let from = notes.partition_point(|(round, ..)| (*round as usize) < rounds.start);
    let to = notes.partition_point(|(round, ..)| (*round as usize) < rounds.end);
    notes[from..to]
        .iter()
        .map(|(_, name, value)| (&**name, *value))
}

/// A list of lists: all items in one vector, and where each list ends.
#[derive(Clone, Debug, Default)]
struct Lists<T> {
    pub(super) items: Vec<T>,
    pub(super) ends: Vec<u32>,
}

impl<T> Lists<T> {
    /// Ends the list under way.
    #[inline]
    pub(super) fn close(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    /// The place of the first item of a list; of the one after the last, how many items are in
    /// closed lists.
    pub(super) fn start(&self, at: usize) -> usize {
        if at == 0 {
            0
        } else {
            self.ends[at - 1] as usize
        }
    }

    /// The items of a closed list.
    pub(super) fn get(&self, at: usize) -> &[T] {
        &self.items[self.start(at)..self.ends[at] as usize]
    }

    /// Drops all that was added since the last list was closed, and the lists after the first
    /// `lists`.
    pub(super) fn truncate(&mut self, lists: usize) {
        self.ends.truncate(lists);
        self.items.truncate(self.start(self.ends.len()));
    }
}

#[cfg(test)]
mod tests;
