//! True and false positive rates of a selection. They need the outcome of every person shown,
//! selected or not.

use std::sync::Arc;

use super::outcomes::widest;
use super::readings::Readings;
use super::scoreboard::{RoundValues, Scorer};
use super::tally::group_names;
use crate::protocol::{RoundEntry, Schema, Truth};

/// The outcomes that count as good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoodOutcome {
    /// Outcomes of at least this value.
    AtLeast(f64),
    /// Outcomes of at most this value.
    AtMost(f64),
}

impl GoodOutcome {
    /// Returns true if an outcome is good.
    #[must_use]
    pub fn holds(self, outcome: f64) -> bool {
        match self {
            Self::AtLeast(bound) => outcome >= bound,
            Self::AtMost(bound) => outcome <= bound,
        }
    }
}

/// The scorer of error rates.
///
/// `true_positive_rate`: the selected among the people shown whose outcome is good.
/// `false_positive_rate`: the selected among those whose outcome is not. Each is given overall and
/// by group, with the gap of the groups: the highest rate less the lowest, for the attribute where
/// that is largest. Hardt et al. 2016 call both gaps 0 equalised odds, the first alone equal
/// opportunity.
///
/// The outcome of each person shown counts, however late it comes. People without an outcome count
/// for neither. A rate without people is absent, and so is a gap of fewer than two groups.
pub struct ErrorRates {
    good: GoodOutcome,
    rates: [Rate; 2],
}

/// A true or false positive rate.
struct Rate {
    /// True if the rate is over those with a good outcome, false if over the others.
    is_of_good: bool,
    all: Counts,
    /// A row an attribute, a group each.
    groups: Vec<Vec<Counts>>,
    name: &'static str,
    names: Vec<Vec<Arc<str>>>,
    gap: &'static str,
}

/// The people of a rate.
#[derive(Clone, Copy, Default)]
struct Counts {
    shown: u64,
    selected: u64,
}

/// The rates, the first of those whose outcome is good.
const RATES: [(&str, &str, bool); 2] = [
    ("true_positive_rate", "true_positive_rate_gap", true),
    ("false_positive_rate", "false_positive_rate_gap", false),
];

impl ErrorRates {
    /// Makes the scorer before anyone is shown.
    #[must_use]
    pub fn new(schema: &Schema, good: GoodOutcome) -> Self {
        let rates = RATES.map(|(name, gap, is_of_good)| Rate {
            is_of_good,
            all: Counts::default(),
            groups: (schema.levels().into_iter())
                .map(|many| vec![Counts::default(); many])
                .collect(),
            name,
            names: group_names(name, schema),
            gap,
        });
        Self { good, rates }
    }

    /// The names of the scorer's metrics.
    #[must_use]
    pub fn metrics(schema: &Schema) -> Vec<String> {
        let has_groups = !schema.attributes().is_empty();
        let names = RATES.iter().flat_map(|(name, gap, _)| {
            let groups = group_names(name, schema).into_iter().flatten();
            let groups = groups.map(|name| name.to_string());
            let gap = has_groups.then(|| (*gap).to_owned());
            [(*name).to_owned()].into_iter().chain(groups).chain(gap)
        });
        names.collect()
    }
}

impl Rate {
    /// The attribute and value of the group whose rate a metric is; the inner none of all people.
    fn place(&self, metric: &str) -> Option<Option<(usize, u16)>> {
        if metric == self.name {
            return Some(None);
        }
        let mut rows = self.names.iter().enumerate();
        rows.find_map(|(attribute, names)| {
            let value = names.iter().position(|name| **name == *metric)?;
            Some(Some((attribute, value as u16)))
        })
    }
}

impl Counts {
    fn add(&mut self, selected: bool) {
        self.shown += 1;
        self.selected += u64::from(selected);
    }

    /// Returns the rate; not finite if there is no one.
    fn rate(&self) -> f64 {
        self.selected as f64 / self.shown as f64
    }
}

impl Scorer for ErrorRates {
    fn record(&mut self, entry: &RoundEntry<'_>, truth: &Truth<'_>) {
        for (slot, (person, selected)) in (0..).zip(entry.decided()) {
            let Some(outcome) = truth.outcome(slot) else {
                continue;
            };
            let is_good = self.good.holds(outcome);
            let mut rates = self.rates.iter_mut();
            let Some(rate) = rates.find(|rate| rate.is_of_good == is_good) else {
                continue;
            };
            rate.all.add(selected);
            for (groups, &value) in rate.groups.iter_mut().zip(person.values()) {
                groups[usize::from(value)].add(selected);
            }
        }
    }

    fn read(&self, readings: &mut Readings) {
        for rate in &self.rates {
            readings.put(rate.name, rate.all.rate());
            let groups = rate
                .names
                .iter()
                .flatten()
                .zip(rate.groups.iter().flatten());
            groups.for_each(|(name, group)| readings.put(name, group.rate()));
            let rows = rate.groups.iter();
            let rows = rows.map(|groups| groups.iter().map(Counts::rate));
            readings.put(rate.gap, widest(rows));
        }
    }

    fn by_round(&self, metric: &str) -> Option<RoundValues> {
        let mut rates = self.rates.iter();
        rates.find_map(|rate| {
            let group = rate.place(metric)?;
            Some(chosen_of(self.good, rate.is_of_good, group))
        })
    }
}

/// Returns, for each person of the roster, whether they were selected. `None` for persons of other
/// groups or outcomes, or not shown.
fn chosen_of(good: GoodOutcome, is_of_good: bool, group: Option<(usize, u16)>) -> RoundValues {
    Box::new(move |entry, truth, hand| {
        let mut values = vec![None; entry.roster_len() as usize];
        for (slot, (person, selected)) in (0..).zip(entry.decided()) {
            let is_in = group.is_none_or(|(attribute, value)| person.values()[attribute] == value);
            let outcome = truth.outcome(slot).filter(|_| is_in);
            if outcome.is_some_and(|outcome| good.holds(outcome) == is_of_good) {
                let place = entry.slate().position(slot) as usize;
                values[place] = Some(f64::from(u8::from(selected)));
            }
        }
        values.into_iter().for_each(hand);
    })
}
