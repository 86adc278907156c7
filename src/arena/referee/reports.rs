//! Outcomes that are told from outside, later or never.

use std::collections::BTreeMap;

use super::Referee;
use crate::arena::seat::Seat;
use crate::protocol::{Batch, Ledger, Outcome, Persons};

/// Those of whom the policy has not heard.
pub(super) struct Reports {
    label: Box<str>,
    /// By the person's number in the stream: the round of the choice, the person, the choice's propensity.
    awaited: BTreeMap<u64, (u64, Persons, Option<f64>)>,
}

impl Reports {
    pub(super) fn new(label: &str) -> Self {
        let label = label.into();
        let awaited = BTreeMap::new();
        Self { label, awaited }
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
        for report in batch.reports(at) {
            let mine = report.policy.as_ref().is_none_or(|to| *to == reports.label);
            let Some((decided, person, p)) = mine
                .then(|| reports.awaited.remove(&report.person))
                .flatten()
            else {
                continue;
            };
            seat.learn(&Outcome {
                decided,
                person: person.shown(0),
                value: report.value,
                p,
            });
        }
    }
}
