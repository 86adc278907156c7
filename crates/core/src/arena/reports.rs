//! Outcomes that are reported from outside: later or never, and perhaps corrected after that.

use std::collections::BTreeMap;

use super::seat::Seat;
use crate::protocol::{Batch, Correction, Ledger, Outcome, Persons, Report, Shown};

/// The people whose outcomes the policy has learnt, and the people whose outcome it awaits.
pub(super) struct Reports {
    /// The lane's label: reports may be for one policy alone.
    label: Box<str>,
    /// The people whose outcome is awaited, by number in the stream.
    awaited: BTreeMap<u64, Awaited>,
    /// The people whose outcome was learnt, by number in the stream.
    learnt: BTreeMap<u64, Learnt>,
    /// Corrections that the policy could not learn.
    not_learnt: u64,
}

/// A person who was chosen and whose outcome has not been reported.
struct Awaited {
    /// The round of the choice.
    decided: u64,
    person: Persons,
    /// The propensity of the choice.
    p: Option<f64>,
}

/// The record of a person whose outcome was learnt; the rest comes with a correction.
struct Learnt {
    /// The round of the choice.
    decided: u64,
    p: Option<f64>,
    /// True if the report was for this policy alone.
    alone: bool,
}

impl Reports {
    pub(super) fn new(label: &str) -> Self {
        Self {
            label: label.into(),
            awaited: BTreeMap::new(),
            learnt: BTreeMap::new(),
            not_learnt: 0,
        }
    }

    /// The lane's label.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Awaits reports on those chosen in the round under way.
    #[inline(never)]
    pub(super) fn await_chosen(&mut self, round: u64, batch: &Batch, ledger: &Ledger) {
        for &row in ledger.choosing() {
            let awaited = Awaited {
                decided: round,
                person: batch.persons().keep(row),
                p: ledger.choosing_p(),
            };
            let number = batch.persons().number(row);
            self.awaited.insert(number, awaited);
        }
    }

    /// Lets the policy learn the reports before a round of the batch about those it chose. It then
    /// forgets those whose outcome is no longer awaited. Returns the number of corrections not
    /// learnt so far, if this round adds to it.
    #[inline(never)]
    pub(super) fn hear(
        &mut self,
        batch: &Batch,
        at: usize,
        seat: &mut impl Seat,
        ledger: &mut Ledger,
    ) -> Option<u64> {
        let before = self.not_learnt;
        let round = batch.round_number(at);
        for report in batch.reports(at) {
            if report.policy.as_ref().is_some_and(|to| *to != self.label) {
                continue;
            }
            match &report.corrects {
                None => self.learn(report, seat, round, ledger),
                Some(correction) => self.correct(report, correction, seat, round, ledger),
            }
        }
        if let Some(before) = batch.settled(at) {
            self.settle(before);
        }
        (self.not_learnt > before).then_some(self.not_learnt)
    }

    /// Forgets those before a number: nothing more is heard of them.
    fn settle(&mut self, before: u64) {
        while let Some(first) = self.awaited.first_entry()
            && *first.key() < before
        {
            first.remove();
        }
        while let Some(first) = self.learnt.first_entry()
            && *first.key() < before
        {
            first.remove();
        }
    }

    /// Lets the policy learn the outcome of a person it chose, the first time it is reported.
    fn learn(&mut self, report: &Report, seat: &mut impl Seat, round: u64, ledger: &mut Ledger) {
        let Some(Awaited { decided, person, p }) = self.awaited.remove(&report.person) else {
            return;
        };
        let learnt = Learnt {
            decided,
            p,
            alone: report.policy.is_some(),
        };
        self.learnt.insert(report.person, learnt);
        note(ledger, round, decided, person.shown(0), report.value, None);
        seat.learn(&Outcome {
            decided,
            person: person.shown(0),
            value: report.value,
            p,
        });
    }

    /// Lets the policy correct what it learnt, and counts the corrections it can't learn.
    fn correct(
        &mut self,
        report: &Report,
        correction: &Correction,
        seat: &mut impl Seat,
        round: u64,
        ledger: &mut Ledger,
    ) {
        let learnt = self.learnt.get(&report.person);
        let Some(learnt) = learnt.filter(|learnt| learnt.alone == report.policy.is_some()) else {
            return;
        };
        let outcome = Outcome {
            decided: learnt.decided,
            person: correction.about.shown(0),
            value: report.value,
            p: learnt.p,
        };
        let (about, before) = (correction.about.shown(0), Some(correction.before));
        note(ledger, round, learnt.decided, about, report.value, before);
        self.not_learnt += u64::from(!seat.correct(&outcome, correction.before));
    }
}

/// Notes an outcome that is heard before the choice of a round, where that is kept.
fn note(
    ledger: &mut Ledger,
    round: u64,
    decided: u64,
    person: Shown<'_>,
    value: f64,
    corrects: Option<f64>,
) {
    if ledger.is_traced() {
        let late = (round - 1).saturating_sub(decided);
        ledger.note_heard(ledger.rounds(), person, (decided, late), value, corrects);
    }
}

#[cfg(test)]
mod tests;
