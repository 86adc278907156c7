//! Outcomes that are told from outside, later or never, and perhaps corrected after that.

use std::collections::BTreeMap;

use super::Referee;
use crate::arena::seat::{NOT_LEARNT, Seat};
use crate::protocol::{Batch, Correction, Ledger, Outcome, Persons, Report};

/// Of whom the policy has heard, and of whom not.
pub(super) struct Reports {
    label: Box<str>,
    /// By the person's number in the stream: the round of the choice, the person, the choice's propensity.
    awaited: BTreeMap<u64, (u64, Persons, Option<f64>)>,
    /// Those of whom the policy has heard, by their numbers.
    heard: BTreeMap<u64, Heard>,
    /// Corrections that the policy could not learn.
    not_learnt: u64,
}

/// What is kept of a person of whom the policy has heard; the rest comes with a correction.
struct Heard {
    /// The round of the choice.
    decided: u64,
    p: Option<f64>,
    /// Whether it was told to this policy alone.
    alone: bool,
}

impl Reports {
    pub(super) fn new(label: &str) -> Self {
        Self {
            label: label.into(),
            awaited: BTreeMap::new(),
            heard: BTreeMap::new(),
            not_learnt: 0,
        }
    }

    /// Tells the policy what became of somebody it chose, the first time that is told.
    fn tell(&mut self, report: &Report, seat: &mut impl Seat) {
        let Some((decided, person, p)) = self.awaited.remove(&report.person) else {
            return;
        };
        let heard = Heard {
            decided,
            p,
            alone: report.policy.is_some(),
        };
        self.heard.insert(report.person, heard);
        seat.learn(&Outcome {
            decided,
            person: person.shown(0),
            value: report.value,
            p,
        });
    }

    /// Has the policy correct what it learnt; whether it was to and could not.
    fn correct(&mut self, report: &Report, correction: &Correction, seat: &mut impl Seat) -> bool {
        let heard = self.heard.get(&report.person);
        let Some(heard) = heard.filter(|heard| heard.alone == report.policy.is_some()) else {
            return false;
        };
        let outcome = Outcome {
            decided: heard.decided,
            person: correction.about.shown(0),
            value: report.value,
            p: heard.p,
        };
        let learnt = seat.correct(&outcome, correction.before);
        self.not_learnt += u64::from(!learnt);
        !learnt
    }
}

impl Referee {
    /// Keeps those chosen in the round under way until somebody says what became of them.
    #[inline(never)]
    pub(in crate::arena) fn await_reports(&mut self, round: u64, batch: &Batch, ledger: &Ledger) {
        for &row in ledger.choosing() {
            let kept = (round, batch.persons().keep(row), ledger.choosing_p());
            let number = batch.persons().number(row);
            self.reports.awaited.insert(number, kept);
        }
    }

    /// Tells the policy what is told before a round of the batch of those it chose.
    #[inline(never)]
    pub(in crate::arena) fn hear(&mut self, batch: &Batch, at: usize, seat: &mut impl Seat) {
        let reports = &mut self.reports;
        let mut missed = false;
        for report in batch.reports(at) {
            if report
                .policy
                .as_ref()
                .is_some_and(|to| *to != reports.label)
            {
                continue;
            }
            match &report.corrects {
                None => reports.tell(report, seat),
                Some(correction) => missed |= reports.correct(report, correction, seat),
            }
        }
        if missed {
            let count = reports.not_learnt as f64;
            self.notes.any = true;
            self.notes.measures.push((NOT_LEARNT.into(), count));
        }
    }
}
