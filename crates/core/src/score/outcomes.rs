//! Outcomes of the selected, as far as they have come: their mean, and how it compares with the
//! mean score.

use std::sync::Arc;

use super::arrivals::{Arrivals, Arrived};
use super::readings::Readings;
use super::scoreboard::Scorer;
use super::tally::group_names;
use crate::protocol::{RoundEntry, Schema, Truth};

/// The scorer of outcomes.
///
/// `outcome_mean` and `outcome_mean.GROUP`: the mean outcome of the selected whose outcome has
/// come. Absent until one has.
///
/// If people have scores in \[0, 1\] and outcomes lie there too: `calibration_error` and
/// `calibration_error.GROUP` are the mean score of the same people less their mean outcome, which
/// is calibration in the large. `calibration_gap` is the largest such error of a group less the
/// smallest, for the attribute where it is largest. At least two groups need an outcome.
pub struct Outcomes {
    arrivals: Arrivals,
    all: Known,
    /// A row an attribute, a group each.
    groups: Vec<Vec<Known>>,
    means: FamilyNames,
    errors: Option<FamilyNames>,
}

/// The names of a metric: overall, and a row an attribute, a group each.
type FamilyNames = (&'static str, Vec<Vec<Arc<str>>>);

/// The people of a group whose outcome has come.
#[derive(Clone, Copy, Default)]
struct Known {
    n: u64,
    outcomes: f64,
    scores: f64,
}

const MEAN: &str = "outcome_mean";
const ERROR: &str = "calibration_error";
const GAP: &str = "calibration_gap";

impl Outcomes {
    /// Makes the scorer before any outcome; `scored` says that people have scores on the scale of
    /// outcomes.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, scored: bool) -> Self {
        let named = |family: &'static str| (family, group_names(family, schema));
        let groups = schema.levels().into_iter();
        Self {
            arrivals: Arrivals::new(schema),
            all: Known::default(),
            groups: groups.map(|many| vec![Known::default(); many]).collect(),
            means: named(MEAN),
            errors: scored.then(|| named(ERROR)),
        }
    }

    /// The names of the scorer's metrics.
    #[must_use]
    pub fn metrics(schema: &Schema, scored: bool) -> Vec<String> {
        let mut names = Self::family(MEAN, schema);
        if scored {
            names.extend(Self::family(ERROR, schema));
            names.extend((!schema.attributes().is_empty()).then(|| GAP.to_owned()));
        }
        names
    }

    /// The range of each mean, if outcomes have one.
    pub fn ranges(
        schema: &Schema,
        range: (f64, f64),
    ) -> impl Iterator<Item = (String, (f64, f64))> {
        let names = Self::family(MEAN, schema).into_iter();
        names.map(move |name| (name, range))
    }

    fn family(family: &str, schema: &Schema) -> Vec<String> {
        let groups = group_names(family, schema).into_iter().flatten();
        let groups = groups.map(|name| name.to_string());
        [family.to_owned()].into_iter().chain(groups).collect()
    }
}

impl Known {
    fn add(&mut self, arrived: &Arrived<'_>) {
        self.n += 1;
        self.outcomes += arrived.outcome;
        self.scores += arrived.score.unwrap_or(f64::NAN);
    }

    /// Returns the mean; not finite without an outcome.
    fn mean(&self) -> f64 {
        self.outcomes / self.n as f64
    }

    /// Returns the calibration error; not finite without an outcome.
    fn error(&self) -> f64 {
        (self.scores - self.outcomes) / self.n as f64
    }
}

impl Scorer for Outcomes {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        let (all, groups) = (&mut self.all, &mut self.groups);
        self.arrivals.take(entry, |arrived| {
            all.add(&arrived);
            for (groups, &value) in groups.iter_mut().zip(arrived.values) {
                groups[usize::from(value)].add(&arrived);
            }
        });
    }

    fn read(&self, readings: &mut Readings) {
        let mut put = |names: &FamilyNames, of: fn(&Known) -> f64| {
            readings.put(names.0, of(&self.all));
            let groups = names.1.iter().flatten().zip(self.groups.iter().flatten());
            groups.for_each(|(name, group)| readings.put(name, of(group)));
        };
        put(&self.means, Known::mean);
        if let Some(errors) = &self.errors {
            put(errors, Known::error);
            let rows = self.groups.iter();
            let rows = rows.map(|groups| groups.iter().map(Known::error));
            readings.put(GAP, widest(rows));
        }
    }
}

/// The largest value of a row less the smallest, of the row where that is largest; values that are
/// not finite do not count. Not finite where no row has two values.
pub(super) fn widest(rows: impl Iterator<Item = impl Iterator<Item = f64>>) -> f64 {
    let gap = |row: &mut dyn Iterator<Item = f64>| {
        let (mut n, mut lowest, mut highest) = (0, f64::INFINITY, f64::NEG_INFINITY);
        for value in row.filter(|value| value.is_finite()) {
            (n, lowest, highest) = (n + 1, lowest.min(value), highest.max(value));
        }
        (n > 1).then_some(highest - lowest)
    };
    let gaps = rows.filter_map(|mut row| gap(&mut row));
    gaps.fold(f64::NEG_INFINITY, f64::max)
}
