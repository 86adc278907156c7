//! Scorers of the cost of interviews, and of what policies report of themselves.

use std::collections::BTreeMap;
use std::ops::Range;

use super::metric::MetricInfo;
use super::readings::Readings;
use super::scoreboard::Scorer;
use crate::protocol::{Batch, Ledger, RoundEntry, Rules, Truth, Until};

/// The scorer of spending on interviews.
///
/// `cost` and `pulls`: the money spent on interviews, and the number held. `pulls_per_candidate`:
/// pulls over the people shown. `strong_share`: the share of the pulls that were not of the
/// cheapest kind, absent until one was held.
#[derive(Default)]
pub struct Spending {
    cost: f64,
    pulls: u64,
    strong: u64,
    shown: u64,
}

const SPENDING: [&str; 4] = ["cost", "pulls", "pulls_per_candidate", "strong_share"];

impl Spending {
    /// The names of the scorer's metrics.
    #[must_use]
    pub fn metrics() -> Vec<String> {
        SPENDING.map(str::to_owned).into()
    }

    /// The range of `cost`, if money bounds it. The interview cap does not count: it only stops
    /// endless interviews, and is too high for a useful interval.
    #[must_use]
    pub fn range(rules: &Rules) -> Option<(&'static str, (f64, f64))> {
        let rounds = match rules.until {
            Until::Rounds(rounds) => rounds as f64,
            Until::Accepted(_) | Until::SourceEnds => f64::INFINITY,
        };
        let most = rules.run_budget.min(rounds * rules.budget);
        (!rules.interviews.is_empty() && most.is_finite()).then_some((SPENDING[0], (0.0, most)))
    }
}

impl Scorer for Spending {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.cost += entry.spent();
        self.pulls += entry.looks();
        self.strong += entry.strong_looks();
        self.shown += u64::from(entry.slate().len());
    }

    fn read(&self, readings: &mut Readings) {
        readings.put(SPENDING[0], self.cost);
        let pulls = self.pulls as f64;
        readings.put(SPENDING[1], pulls);
        readings.put(SPENDING[2], pulls / self.shown as f64);
        readings.put(SPENDING[3], self.strong as f64 / pulls);
    }
}

/// The scorer of numbers that a policy reports about itself. It keeps the last of each name. For
/// one that describes a round (`converged`) it keeps the mean over the rounds that report it.
#[derive(Default)]
pub struct OwnMeasures {
    seen: BTreeMap<String, Reported>,
}

struct Reported {
    last: f64,
    sum: f64,
    times: u64,
    is_mean: bool,
}

impl Reported {
    fn new(name: &str) -> Self {
        Self {
            last: 0.0,
            sum: 0.0,
            times: 0,
            is_mean: MetricInfo::of(name).is_mean,
        }
    }

    fn add(&mut self, value: f64) {
        self.last = value;
        self.sum += value;
        self.times += 1;
    }

    fn value(&self) -> f64 {
        match self.is_mean {
            true => self.sum / self.times as f64,
            false => self.last,
        }
    }
}

impl Scorer for OwnMeasures {
    fn record(&mut self, _: &RoundEntry<'_>, _: &Truth<'_>) {}

    fn record_all(&mut self, _: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        for (name, value) in ledger.measures_in(rounds) {
            match self.seen.get_mut(name) {
                Some(seen) => seen.add(value),
                None => {
                    let mut seen = Reported::new(name);
                    seen.add(value);
                    self.seen.insert(name.into(), seen);
                }
            }
        }
    }

    fn read(&self, readings: &mut Readings) {
        for (name, seen) in &self.seen {
            readings.put(name, seen.value());
        }
    }
}

/// The scorer of `outcome_sum`: the sum of the outcomes of the chosen, in the order of the stream.
#[derive(Default)]
pub struct OutcomeSum {
    sum: f64,
}

impl Scorer for OutcomeSum {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.sum = entry
            .outcomes()
            .iter()
            .flatten()
            .fold(self.sum, |sum, x| sum + x);
    }

    fn read(&self, readings: &mut Readings) {
        readings.put("outcome_sum", self.sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Choose, InterviewKind};

    #[test]
    fn money_bounds_what_interviews_cost_and_the_cap_does_not() {
        let mut rules = Rules::new(Choose::Exactly(5), Until::Rounds(3));
        rules.budget = 40.0;
        assert_eq!(Spending::range(&rules), None);
        let (name, cost, gain) = ("weak".into(), 1.0, 1.0.into());
        rules.interviews = vec![InterviewKind { name, cost, gain }];
        assert_eq!(Spending::range(&rules), Some(("cost", (0.0, 120.0))));
        rules.run_budget = 100.0;
        assert_eq!(Spending::range(&rules), Some(("cost", (0.0, 100.0))));
        rules.until = Until::Accepted(5);
        assert_eq!(Spending::range(&rules), Some(("cost", (0.0, 100.0))));
        (rules.run_budget, rules.interview_cap) = (f64::INFINITY, 10);
        assert_eq!(Spending::range(&rules), None);
    }
}
