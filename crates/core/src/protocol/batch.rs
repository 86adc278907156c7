//! Batches: whole rounds of persons, with the truth and the sealed answers that policies never see.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::persons::Persons;
use super::schema::Schema;
use super::seal::Blocks;
use super::sealed::{Probe, Sealed, SealedAnswers, SealedOutcomes};

/// An outcome of a person, reported from outside before some round.
#[derive(Clone, Debug)]
pub struct Report {
    /// The person's number in the stream.
    pub person: u64,
    /// The label of the policy that learns the outcome. `None` for all policies that chose the
    /// person.
    pub policy: Option<Box<str>>,
    /// The person's outcome.
    pub value: f64,
    /// The outcome reported before, if this corrects it.
    pub corrects: Option<Correction>,
}

/// An outcome that was reported before, as part of its correction.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The outcome that was reported.
    pub before: f64,
    /// The person, alone.
    pub about: Arc<Persons>,
}

/// A batch: at least one whole round, in the order of the stream. Lanes share it.
#[derive(Clone)]
pub struct Batch {
    persons: Persons,
    /// The expected outcome of each person; empty where the source has no truth.
    merits: Vec<f64>,
    /// The recorded reviews of each person. Empty if nothing was recorded.
    records: Records,
    /// The start of each round's roster; one more at the end.
    starts: Vec<u32>,
    first_round: u64,
    sealed: Sealed,
    /// The reports before the rounds of this batch, in order.
    reports: Vec<(u32, Report)>,
    /// The ends of waiting for outcomes, in order: a round, and the number of persons before which
    /// outcomes are no longer awaited from it on.
    settled: Vec<(u32, u64)>,
}

impl Batch {
    /// Makes an empty batch, to be filled by a source. Its first round is `first_round` (from 1),
    /// its first person is number `first_person` (from 0) of the stream.
    #[must_use]
    pub fn new(schema: Arc<Schema>, first_round: u64, first_person: u64) -> Self {
        Self {
            persons: Persons::new(schema, first_person),
            merits: Vec::new(),
            records: Records::default(),
            starts: vec![0],
            first_round,
            sealed: Sealed::default(),
            reports: Vec::new(),
            settled: Vec::new(),
        }
    }

    /// The persons, for adding more.
    pub fn persons_mut(&mut self) -> &mut Persons {
        &mut self.persons
    }

    /// Records the truth of the next person: the expected worth.
    pub fn push_merit(&mut self, merit: f64) {
        self.merits.push(merit);
    }

    /// Records the scores that reviewers gave the next person, in their order; possibly none.
    pub fn push_record(&mut self, scores: &[f64]) {
        self.records.push(scores);
    }

    /// Adds the report of a person's outcome, which lanes hear before the round that is closed
    /// next. A correction takes the place of a report before the same round.
    pub fn push_report(&mut self, report: Report) {
        let round = self.rounds() as u32;
        if report.corrects.is_some() {
            let open = self.reports.iter_mut().rev();
            let mut open = open.take_while(|(at, _)| *at == round);
            let same = |told: &Report| told.person == report.person && told.policy == report.policy;
            if let Some((_, told)) = open.find(|(_, told)| same(told)) {
                told.value = report.value;
                return;
            }
        }
        self.reports.push((round, report));
    }

    /// Ends the wait for outcomes of persons before a number in the stream. It takes effect once
    /// the round that is closed next has heard its reports.
    pub fn settle(&mut self, before: u64) {
        let round = self.rounds() as u32;
        if before > self.settled.last().map_or(0, |(_, last)| *last) {
            self.settled.push((round, before));
        }
    }

    /// Closes a round. Its roster are the persons pushed since the last round was closed.
    ///
    /// # Panics
    /// Panics if persons have come without their truth or their record though others have it.
    #[inline]
    pub fn close_round(&mut self) {
        self.assert_truths();
        self.starts.push(self.persons.len() as u32);
    }

    /// Closes as many rounds of `roster` persons each as the persons pushed since the last round
    /// fill.
    ///
    /// # Panics
    /// Panics as [`Batch::close_round`] does.
    pub fn close_rounds(&mut self, roster: usize) {
        self.assert_truths();
        let last = self.starts.last().copied().unwrap_or(0) as usize;
        let rounds = (self.persons.len() - last) / roster;
        let ends = (1..=rounds).map(|rounds| (last + rounds * roster) as u32);
        self.starts.extend(ends);
    }

    #[inline]
    fn assert_truths(&self) {
        assert!(
            self.merits.is_empty() || self.merits.len() == self.persons.len(),
            "all persons have a truth, or none"
        );
        assert!(
            self.records.is_empty() || self.records.len() == self.persons.len(),
            "all persons have a record, or none"
        );
    }

    /// Seals the answers to interviews onto the batch.
    pub fn seal_looks(&mut self, looks: SealedAnswers) {
        self.sealed.looks = looks;
    }

    /// Seals the replies to offers onto the batch.
    pub fn seal_offers(&mut self, offers: SealedAnswers) {
        self.sealed.offers = offers;
        self.sealed.drawn_offers = Blocks::of(self.persons.len());
    }

    /// Seals the outcomes onto the batch.
    pub fn seal_outcomes(&mut self, outcomes: SealedOutcomes) {
        self.sealed.outcomes = outcomes;
        self.sealed.drawn_outcomes = Blocks::of(self.persons.len());
    }

    /// Draws and seals the answers of the people around a row, where a probe of them is drawn.
    pub(crate) fn draw_block(&self, probe: Probe, row: u32) {
        self.sealed.draw_block(probe, self, row);
    }

    /// The persons of all rounds.
    #[inline]
    #[must_use]
    pub fn persons(&self) -> &Persons {
        &self.persons
    }

    /// The schema of the columns.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        self.persons.schema()
    }

    /// The number of rounds.
    #[inline]
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number in the stream (from 1) of a round of this batch (from 0).
    #[inline]
    #[must_use]
    pub fn round_number(&self, round: usize) -> u64 {
        self.first_round + round as u64
    }

    /// The rows of a round's roster.
    #[inline]
    #[must_use]
    pub fn roster(&self, round: usize) -> Range<u32> {
        self.starts[round]..self.starts[round + 1]
    }

    /// The rows of the rosters of a stretch of rounds.
    #[inline]
    pub(crate) fn rosters(&self, rounds: Range<usize>) -> impl Iterator<Item = Range<u32>> {
        let starts = &self.starts[rounds.start..=rounds.end];
        starts.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// The sealed answers.
    #[inline]
    #[must_use]
    pub fn sealed(&self) -> &Sealed {
        &self.sealed
    }

    /// The reports before a round (from 0).
    pub fn reports(&self, round: usize) -> impl Iterator<Item = &Report> {
        let told = &self.reports;
        let from = told.partition_point(|(at, _)| (*at as usize) < round);
        let here = told[from..].iter();
        here.take_while(move |(at, _)| *at as usize == round)
            .map(|(_, report)| report)
    }

    /// The number of the first person whose outcome is still awaited in a round (from 0). `None` if
    /// that is not set.
    #[must_use]
    pub fn settled(&self, round: usize) -> Option<u64> {
        let so_far = self
            .settled
            .partition_point(|(at, _)| *at as usize <= round);
        let last = so_far.checked_sub(1)?;
        Some(self.settled[last].1)
    }

    /// The scores recorded of a row, in their order.
    pub(super) fn record(&self, row: u32) -> &[f64] {
        self.records.of(row as usize)
    }

    /// The truths of all persons: empty where the source has none.
    pub(super) fn merits(&self) -> &[f64] {
        &self.merits
    }
}

/// Recorded scores, a list a person, as one column.
#[derive(Clone, Default)]
struct Records {
    scores: Vec<f64>,
    /// The end of each person's scores.
    ends: Vec<u32>,
}

impl Records {
    fn push(&mut self, scores: &[f64]) {
        self.scores.extend_from_slice(scores);
        self.ends.push(self.scores.len() as u32);
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn of(&self, person: usize) -> &[f64] {
        let Some(&end) = self.ends.get(person) else {
            return &[];
        };
        let start = person.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.scores[start as usize..end as usize]
    }
}

impl fmt::Debug for Batch {
    /// The extent only: a batch holds the truth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("first_round", &self.first_round)
            .field("rounds", &self.rounds())
            .field("persons", &self.persons.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
