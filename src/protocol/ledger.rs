//! What happened in the rounds of a batch, in one lane, as columns; and a round of it as a view.

use std::borrow::Cow;
use std::ops::Range;

use super::batch::Batch;
use super::persons::Shown;
use super::view::Slate;

/// A list of lists: all items in one vector, and where each list ends.
#[derive(Clone, Debug, Default)]
struct Lists<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Lists<T> {
    #[inline]
    fn close(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    fn start(&self, at: usize) -> usize {
        if at == 0 {
            0
        } else {
            self.ends[at - 1] as usize
        }
    }

    fn get(&self, at: usize) -> &[T] {
        &self.items[self.start(at)..self.ends[at] as usize]
    }

    /// Drops all that was added since the last list was closed, and the lists after the first
    /// `lists`.
    fn truncate(&mut self, lists: usize) {
        self.ends.truncate(lists);
        self.items.truncate(self.start(self.ends.len()));
    }
}

/// What happened in the rounds of one batch that a lane has played, from the batch's first. A round
/// counts once it is committed.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Positions in the roster of those who applied, by slot; only where a pool mustered.
    applied: Option<Lists<u32>>,
    /// What the pool said of itself, a list a round; only where a pool mustered.
    states: Lists<f64>,
    /// Rows of the batch, in slot order.
    chosen: Lists<u32>,
    /// What the chosen turned out to be, one for each of `chosen`; only where there are outcomes.
    outcomes: Vec<f64>,
    /// Money spent in each round, and looks bought; only where looks are for sale.
    spent: Vec<f64>,
    looks: Vec<u64>,
    /// NaN for a choice that was not random; empty while none was.
    p: Vec<f64>,
    declared: Vec<(u32, Box<[f64]>)>,
    measures: Vec<(u32, Cow<'static, str>, f64)>,
    reasons: Vec<(u32, Cow<'static, str>, f64)>,
    /// Rounds that the policy let pass without an answer in time.
    forfeits: Vec<u32>,
}

impl Ledger {
    /// An empty ledger; `mustered`: rounds have a pool's muster.
    #[must_use]
    pub fn new(mustered: bool) -> Self {
        Self {
            applied: mustered.then(Lists::default),
            ..Self::default()
        }
    }

    /// How many rounds are committed.
    #[inline]
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.chosen.ends.len()
    }

    /// How many persons were chosen in the first `rounds` rounds.
    #[must_use]
    pub fn chosen_before(&self, rounds: usize) -> usize {
        self.chosen.start(rounds)
    }

    /// The first round by whose end at least `count` were chosen.
    #[must_use]
    pub fn round_reaching(&self, count: u64) -> Option<usize> {
        let ends = &self.chosen.ends;
        let at = ends.partition_point(|&end| u64::from(end) < count);
        (at < ends.len()).then_some(at)
    }

    /// The rows in the batch of all who were chosen in a stretch of rounds, and what they turned
    /// out to be (empty where there are no outcomes).
    #[must_use]
    pub fn chosen_in(&self, rounds: Range<usize>) -> (&[u32], &[f64]) {
        let range = self.chosen.start(rounds.start)..self.chosen.start(rounds.end);
        let outcomes = if self.outcomes.is_empty() {
            &[]
        } else {
            &self.outcomes[range.clone()]
        };
        (&self.chosen.items[range], outcomes)
    }

    /// Money spent and looks bought in each of a stretch of rounds; empty where looks are not for
    /// sale.
    pub fn spending_in(&self, rounds: Range<usize>) -> impl Iterator<Item = (f64, u64)> {
        let rounds = rounds.start.min(self.spent.len())..rounds.end.min(self.spent.len());
        let spent = self.spent[rounds.clone()].iter().copied();
        spent.zip(self.looks[rounds].iter().copied())
    }

    /// How many persons were shown in a stretch of rounds.
    #[must_use]
    pub fn shown_in(&self, batch: &Batch, rounds: Range<usize>) -> u64 {
        match &self.applied {
            Some(applied) => (applied.start(rounds.end) - applied.start(rounds.start)) as u64,
            None if rounds.is_empty() => 0,
            None => {
                let (first, last) = (batch.roster(rounds.start), batch.roster(rounds.end - 1));
                u64::from(last.end - first.start)
            }
        }
    }

    /// Whether every roster was shown whole, so that a stretch of rounds is a stretch of rows.
    #[must_use]
    pub fn whole_rosters(&self) -> bool {
        self.applied.is_none()
    }

    /// The measures of a stretch of rounds, in order.
    pub fn measures_in(&self, rounds: Range<usize>) -> impl Iterator<Item = (&str, f64)> {
        within(&self.measures, rounds)
    }

    /// How many rounds were forfeited.
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

    // What the lane writes. A round is written in parts and then committed.

    #[inline]
    pub(crate) fn note_chosen(&mut self, row: u32) {
        self.chosen.items.push(row);
    }

    /// The rows chosen in the round under way.
    #[inline]
    pub(crate) fn choosing(&self) -> &[u32] {
        &self.chosen.items[self.chosen.start(self.rounds())..]
    }

    /// The propensity of the choice in the round under way.
    pub(crate) fn choosing_p(&self) -> Option<f64> {
        self.p.get(self.rounds()).copied()
    }

    #[inline]
    pub(crate) fn note_outcome(&mut self, value: f64) {
        self.outcomes.push(value);
    }

    pub(crate) fn note_spent(&mut self, money: f64, looks: u64) {
        self.spent.push(money);
        self.looks.push(looks);
    }

    #[inline]
    pub(crate) fn note_p(&mut self, p: f64) {
        let rounds = self.rounds();
        if self.p.is_empty() {
            self.p.reserve(self.chosen.ends.capacity());
        }
        if self.p.len() < rounds {
            self.p.resize(rounds, f64::NAN);
        }
        self.p.push(p);
    }

    pub(crate) fn note_declared(&mut self, shares: Box<[f64]>) {
        self.declared.push((self.rounds() as u32, shares));
    }

    pub(crate) fn note_measure(&mut self, name: Cow<'static, str>, value: f64) {
        self.measures.push((self.rounds() as u32, name, value));
    }

    pub(crate) fn note_reason(&mut self, name: Cow<'static, str>, value: f64) {
        self.reasons.push((self.rounds() as u32, name, value));
    }

    /// Notes that the policy let the round under way pass.
    #[cold]
    pub(crate) fn note_forfeit(&mut self) {
        self.forfeits.push(self.rounds() as u32);
    }

    pub(crate) fn note_muster(&mut self, applied: &[u32], state: &[f64]) {
        if let Some(lists) = &mut self.applied {
            lists.items.extend_from_slice(applied);
            lists.close();
        }
        self.states.items.extend_from_slice(state);
        self.states.close();
    }

    /// Ends the round under way: from here on it counts.
    #[inline]
    pub(crate) fn commit(&mut self) {
        self.chosen.close();
    }

    /// Forgets what was written since the last commit.
    pub(crate) fn roll_back(&mut self) {
        let rounds = self.rounds();
        self.chosen.truncate(rounds);
        if let Some(applied) = &mut self.applied {
            applied.truncate(rounds);
        }
        self.states.truncate(rounds);
        self.outcomes.truncate(self.chosen.items.len());
        self.spent.truncate(rounds);
        self.looks.truncate(rounds);
        self.p.truncate(rounds);
        self.declared
            .retain(|(round, _)| (*round as usize) < rounds);
        self.measures
            .retain(|(round, ..)| (*round as usize) < rounds);
        self.reasons
            .retain(|(round, ..)| (*round as usize) < rounds);
        self.forfeits.retain(|round| (*round as usize) < rounds);
    }

    /// The last committed round, as a ledger of its own.
    pub(crate) fn last(&self) -> Self {
        let at = self.rounds() - 1;
        let mut last = Self::new(self.applied.is_some());
        if let Some(applied) = &self.applied {
            last.note_muster(applied.get(at), self.states.get(at));
        }
        let (chosen, outcomes) = self.chosen_in(at..at + 1);
        last.chosen.items.extend_from_slice(chosen);
        last.outcomes.extend_from_slice(outcomes);
        last.spent.extend(self.spent.get(at));
        last.looks.extend(self.looks.get(at));
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

    fn declared_at(&self, at: usize) -> Option<&[f64]> {
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

/// What happened in one round.
#[derive(Clone, Copy)]
pub struct RoundEntry<'a> {
    batch: &'a Batch,
    /// The round's place in the batch.
    round: usize,
    ledger: &'a Ledger,
    /// The round's place in the ledger.
    at: usize,
}

impl<'a> RoundEntry<'a> {
    /// Round `round` of a batch, which stands at `at` in the ledger.
    #[must_use]
    pub fn new(batch: &'a Batch, round: usize, ledger: &'a Ledger, at: usize) -> Self {
        Self {
            batch,
            round,
            ledger,
            at,
        }
    }

    /// The round's number in the stream, from 1.
    #[must_use]
    pub fn round(&self) -> u64 {
        self.batch.round_number(self.round)
    }

    /// How many could have applied.
    #[must_use]
    pub fn roster_len(&self) -> u32 {
        self.batch.roster(self.round).len() as u32
    }

    /// Those who were shown.
    #[must_use]
    pub fn slate(&self) -> Slate<'a> {
        let applied = self.ledger.applied.as_ref();
        Slate::new(
            self.batch,
            self.round,
            applied.map(|lists| lists.get(self.at)),
        )
    }

    /// What the pool said of itself when it mustered; empty without one.
    #[must_use]
    pub fn pool_state(&self) -> &'a [f64] {
        if self.ledger.applied.is_some() {
            self.ledger.states.get(self.at)
        } else {
            &[]
        }
    }

    /// Those who were chosen, in slot order.
    pub fn chosen(&self) -> impl ExactSizeIterator<Item = Shown<'a>> + use<'a> {
        let persons = self.batch.persons();
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        rows.iter().map(move |&row| persons.shown(row))
    }

    /// The slots of those who were chosen, in order.
    pub fn chosen_slots(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        let start = self.batch.roster(self.round).start;
        let applied = self.ledger.applied.as_ref();
        let applied = applied.map(|lists| lists.get(self.at));
        // The chosen are in slot order, so a slot is found from where the last was.
        let mut slots = applied.into_iter().flat_map(|applied| (0..).zip(applied));
        rows.iter().filter_map(move |row| {
            let position = row - start;
            match applied {
                None => Some(position),
                Some(_) => {
                    let found = slots.find(|(_, at)| **at == position);
                    found.map(|(slot, _)| slot)
                }
            }
        })
    }

    /// Those who were shown, in slot order, and whether each was chosen.
    pub fn decided(&self) -> impl Iterator<Item = (Shown<'a>, bool)> + use<'a> {
        let slate = self.slate();
        let persons = self.batch.persons();
        let (chosen, _) = self.ledger.chosen_in(self.at..self.at + 1);
        // The chosen are in slot order.
        let mut chosen = chosen.iter().peekable();
        (0..slate.len()).map(move |slot| {
            let row = slate.row(slot);
            (persons.shown(row), chosen.next_if_eq(&&row).is_some())
        })
    }

    /// Whether the candidate in a slot was chosen.
    pub(crate) fn chose(&self, slot: u32) -> bool {
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        rows.contains(&self.slate().row(slot))
    }

    /// What the chosen turned out to be, in slot order; empty where there are no outcomes.
    #[must_use]
    pub fn outcomes(&self) -> &'a [f64] {
        self.ledger.chosen_in(self.at..self.at + 1).1
    }

    /// Money spent on looks.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.ledger.spent.get(self.at).copied().unwrap_or(0.0)
    }

    /// Looks bought.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.ledger.looks.get(self.at).copied().unwrap_or(0)
    }

    /// The propensity of the choice, where it was random.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        self.ledger.p_at(self.at)
    }

    /// Whether the policy let the round pass without an answer in time: nobody was chosen, and
    /// nobody was refused.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.ledger
            .forfeits
            .binary_search(&(self.at as u32))
            .is_ok()
    }

    /// The nominal shares, where they were declared.
    #[must_use]
    pub fn declared(&self) -> Option<&'a [f64]> {
        self.ledger.declared_at(self.at)
    }

    /// The policy's reasons, where they are traced.
    pub fn reasons(&self) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
        within(&self.ledger.reasons, self.at..self.at + 1)
    }
}
