//! Mean outcomes of those whom a lane of one stream selected, overall and by group, as far as they
//! are known.
//!
//! Values count in the order in which their persons were first reported, each as it is known now.
//! Where outcomes have a declared range, means have intervals that are valid at any time:
//! [`StreamSequence`].

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rates::{Composition, GroupRates, V_OPT};
use super::sequence::{Boundary, Range, StreamSequence};
use kleroterion_core::protocol::Schema;
use kleroterion_core::score::group_names;

/// The name of the metric for the mean outcome of the selected, and the stem of those by group.
pub const OUTCOME_MEAN: &str = "outcome_mean";

/// Returns true if a metric is a mean outcome, overall or of a group.
pub(super) fn is_outcome_mean(metric: &str) -> bool {
    let stem = metric.split_once('.').map_or(metric, |(stem, _)| stem);
    stem == OUTCOME_MEAN
}

/// The evidence about a lane from one stream.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneStream {
    /// The people shown and selected, by group.
    pub rates: GroupRates,
    /// The outcomes of the selected. `None` if the lane does not learn them.
    pub outcomes: Option<OutcomeMeans>,
}

/// The evidence about a policy from one stream, as `summary.json` has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StreamSummary {
    /// The selected and their rates.
    #[serde(flatten)]
    pub composition: Composition,
    /// The outcomes of the selected. Null if nothing is reported, and for shadow policies.
    pub outcomes: Option<OutcomeSummary>,
}

impl LaneStream {
    /// Returns the summary so far.
    #[must_use]
    pub fn read(&self) -> StreamSummary {
        StreamSummary {
            composition: self.rates.read(),
            outcomes: self.outcomes.as_ref().map(OutcomeMeans::read),
        }
    }
}

/// Follows the outcomes of a lane's selected.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeMeans {
    schema: Arc<Schema>,
    all: Known,
    /// A row an attribute, a group each.
    groups: Vec<Vec<Known>>,
    range: Option<Range>,
}

/// The outcomes of some people.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    n: u64,
    sum: f64,
    /// The sequence of the values' positions in the range.
    stream: StreamSequence,
    alpha: f64,
    /// True if a value left the range.
    beyond: bool,
}

/// Mean outcomes, as `summary.json` has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeSummary {
    /// The least and greatest outcome that the config declares. Without it no mean has an interval.
    pub range: Option<(f64, f64)>,
    /// The mean over all whose outcome is known.
    #[serde(flatten)]
    pub all: MeanOutcome,
    /// The mean of each group.
    pub groups: Vec<GroupOutcome>,
}

/// The mean outcome of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupOutcome {
    /// The name of the attribute.
    pub attribute: String,
    /// The name of the group.
    pub group: String,
    /// The mean outcome.
    #[serde(flatten)]
    pub mean: MeanOutcome,
}

/// A mean outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeanOutcome {
    /// The number of people whose outcome is known.
    pub n: u64,
    /// The mean outcome. Null if no outcome is known.
    pub mean: Option<f64>,
    /// The lower end of the interval, valid at any time. Null without a declared range, or if an
    /// outcome lies outside of it.
    pub lo: Option<f64>,
    /// The upper end of the interval.
    pub hi: Option<f64>,
    /// The share of alpha of this interval.
    pub alpha: f64,
}

impl OutcomeMeans {
    /// Makes means without any outcome. `alpha` is split equally over the overall mean and each
    /// group of each attribute.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, range: Option<Range>, alpha: f64) -> Self {
        let levels = schema.levels();
        let share = alpha / (1 + levels.iter().sum::<usize>()) as f64;
        let known = Known {
            n: 0,
            sum: 0.0,
            stream: StreamSequence::new(share, V_OPT),
            alpha: share,
            beyond: false,
        };
        let groups = levels.iter().map(|&many| vec![known.clone(); many]);
        Self {
            schema: Arc::clone(schema),
            groups: groups.collect(),
            all: known,
            range,
        }
    }

    /// Takes in the outcome of a person, by the value of each attribute.
    pub fn add(&mut self, values: &[u16], outcome: f64) {
        self.all.add(outcome, self.range);
        for (groups, &value) in self.groups.iter_mut().zip(values) {
            groups[usize::from(value)].add(outcome, self.range);
        }
    }

    /// The mean that is the metric of this name, by an interval at another level; none without an
    /// outcome or a range.
    pub(super) fn mean_of(&self, metric: &str, alpha: f64) -> Option<MeanOutcome> {
        let known = if metric == OUTCOME_MEAN {
            &self.all
        } else {
            let names = group_names(OUTCOME_MEAN, &self.schema).concat();
            let place = names.iter().position(|name| **name == *metric)?;
            self.groups.iter().flatten().nth(place)?
        };
        let range = self.range.filter(|_| known.n > 0 && !known.beyond)?;
        let boundary = Boundary::new(alpha / 2.0, V_OPT);
        let (lo, hi) = known.stream.interval_by(&boundary);
        Some(MeanOutcome {
            lo: Some(range.value(lo)),
            hi: Some(range.value(hi)),
            alpha,
            ..known.read(self.range)
        })
    }

    /// Returns the summary so far.
    #[must_use]
    pub fn read(&self) -> OutcomeSummary {
        let attributes = self.schema.attributes().iter().zip(&self.groups);
        let groups = attributes.flat_map(|(attribute, groups)| {
            let named = attribute.values.iter().zip(groups);
            named.map(|(group, known)| GroupOutcome {
                attribute: attribute.name.clone(),
                group: group.clone(),
                mean: known.read(self.range),
            })
        });
        OutcomeSummary {
            range: self.range.map(Range::ends),
            all: self.all.read(self.range),
            groups: groups.collect(),
        }
    }
}

impl Known {
    fn add(&mut self, outcome: f64, range: Option<Range>) {
        self.n += 1;
        self.sum += outcome;
        match range.map(|range| range.unit(outcome)) {
            Some(Ok(unit)) => self.stream.add(unit),
            Some(Err(_)) => self.beyond = true,
            None => {}
        }
    }

    fn read(&self, range: Option<Range>) -> MeanOutcome {
        let interval = range.filter(|_| self.n > 0 && !self.beyond).map(|range| {
            let (lo, hi) = self.stream.interval();
            (range.value(lo), range.value(hi))
        });
        MeanOutcome {
            n: self.n,
            mean: (self.n > 0).then(|| self.sum / self.n as f64),
            lo: interval.map(|(lo, _)| lo),
            hi: interval.map(|(_, hi)| hi),
            alpha: self.alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::protocol::Attribute;

    fn means(range: Option<(f64, f64)>) -> OutcomeMeans {
        let gender = Attribute {
            name: "gender".into(),
            values: vec!["F".into(), "M".into()],
        };
        let schema = Schema::new(vec![gender], vec![], false).unwrap();
        let range = range.and_then(|(least, most)| Range::new(least, most));
        OutcomeMeans::new(&Arc::new(schema), range, 0.06)
    }

    #[test]
    fn means_have_the_intervals_of_their_streams() {
        let mut means = means(Some((0.0, 5.0)));
        let mut plain = [(); 3].map(|()| StreamSequence::new(0.02, V_OPT));
        for i in 0..300_u16 {
            let outcome = f64::from(i % 6);
            means.add(&[i % 2], outcome);
            for place in [0, 1 + usize::from(i % 2)] {
                plain[place].add(outcome / 5.0);
            }
        }
        let read = means.read();
        assert_eq!(read.range, Some((0.0, 5.0)));
        let all = [read.all, read.groups[0].mean, read.groups[1].mean];
        for ((ours, plain), mean) in all.iter().zip(&plain).zip([2.5, 2.0, 3.0]) {
            let (lo, hi) = plain.interval();
            assert_eq!((ours.n, ours.mean), (plain.count(), Some(mean)));
            assert!((ours.lo.unwrap() - 5.0 * lo).abs() < 1e-12);
            assert!((ours.hi.unwrap() - 5.0 * hi).abs() < 1e-12);
            assert!((ours.alpha - 0.02).abs() < 1e-15);
        }
    }

    #[test]
    fn without_a_range_or_beyond_it_there_is_the_mean_alone() {
        for range in [None, Some((0.0, 1.0))] {
            let mut means = means(range);
            means.add(&[0], 7.0);
            means.add(&[1], 0.5);
            let read = means.read();
            assert_eq!(
                (read.all.mean, read.all.lo, read.all.hi),
                (Some(3.75), None, None)
            );
            assert_eq!(read.groups[1].mean.lo.is_some(), range.is_some());
        }
        let nobody = means(Some((0.0, 1.0))).read().all;
        assert_eq!((nobody.n, nobody.mean, nobody.lo), (0, None, None));
    }

    /// The mean of a metric at another level: that of all, or of the group that its name says.
    #[test]
    fn a_metric_names_whose_mean_it_is() {
        let mut of = means(Some((0.0, 5.0)));
        assert_eq!(of.mean_of(OUTCOME_MEAN, 0.1), None);
        let mut plain = [(); 3].map(|()| StreamSequence::new(0.1, V_OPT));
        for i in 0..300_u16 {
            let outcome = f64::from(i % 6);
            of.add(&[i % 2], outcome);
            for place in [0, 1 + usize::from(i % 2)] {
                plain[place].add(outcome / 5.0);
            }
        }
        let names = group_names(OUTCOME_MEAN, &of.schema).concat();
        let names = [OUTCOME_MEAN, &*names[0], &*names[1]];
        for ((name, plain), mean) in names.into_iter().zip(&plain).zip([2.5, 2.0, 3.0]) {
            let ours = of.mean_of(name, 0.1).unwrap();
            let (lo, hi) = plain.interval();
            assert_eq!((ours.mean, ours.alpha), (Some(mean), 0.1));
            assert!((ours.lo.unwrap() - 5.0 * lo).abs() < 1e-12);
            assert!((ours.hi.unwrap() - 5.0 * hi).abs() < 1e-12);
        }
        assert_eq!(of.mean_of("outcome_mean_of_no_one", 0.1), None);
        of.add(&[0], 7.0);
        assert_eq!(of.mean_of(OUTCOME_MEAN, 0.1), None);
        assert_eq!(means(None).mean_of(OUTCOME_MEAN, 0.1), None);
    }

    #[test]
    fn a_mean_outcome_is_one_of_all_or_of_a_group() {
        assert!(is_outcome_mean("outcome_mean") && is_outcome_mean("outcome_mean.sex.F"));
        assert!(!is_outcome_mean("outcome_means") && !is_outcome_mean("selection_rate.sex.F"));
    }
}
