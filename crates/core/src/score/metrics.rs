//! The metrics of a run: those of the catalogue, and those that a program adds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::{COUNTS, OWN_MEASURE, known};
use super::measure_words::MeasureWords;
use super::metric::{MetricInfo, MetricPattern, found};

/// The metrics that a program adds to those of the catalogue, by name. The name of a family ends in
/// `.GROUP` and means a metric of each group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Metrics(BTreeMap<String, MetricInfo>);

impl Metrics {
    /// Adds a metric or a family. Returns `false` if its name is known already, and adds nothing.
    pub fn add(&mut self, name: &str, info: MetricInfo) -> bool {
        let is_new = self.find(name).is_none();
        if is_new {
            self.0.insert(name.to_owned(), info);
        }
        is_new
    }

    /// Describes a metric in place of the catalogue, whose metric of this name is another.
    pub fn describe(&mut self, name: &str, info: MetricInfo) {
        self.0.insert(name.to_owned(), info);
    }

    /// Returns the description of the metric called `name`. A name that is not known is a policy's
    /// own measure, without direction or range.
    #[must_use]
    pub fn of(&self, name: &str) -> MetricInfo {
        let found = self.find(name);
        found.map_or(OWN_MEASURE, |(_, info)| info.clone())
    }

    /// Returns the name, the unit and the format in which people read the metric called `name`.
    #[must_use]
    pub fn words(&self, name: &str) -> MeasureWords {
        self.of(name).words(name)
    }

    /// Returns the least and greatest possible value of the metric called `name`; infinite for an
    /// unknown end.
    #[must_use]
    pub fn possible(&self, name: &str) -> (f64, f64) {
        let unbounded = (f64::NEG_INFINITY, f64::INFINITY);
        let of_counts = COUNTS.contains(&name).then_some((0.0, f64::INFINITY));
        self.of(name).range.or(of_counts).unwrap_or(unbounded)
    }

    /// Returns the metrics that a program adds, by name.
    pub fn added(&self) -> impl Iterator<Item = (&str, &MetricInfo)> {
        self.0.iter().map(|(name, info)| (&**name, info))
    }

    /// Returns true if a program adds no metrics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pattern by which a metric is known; none of a policy's own measure.
    pub(super) fn pattern_of(&self, name: &str) -> Option<MetricPattern> {
        self.find(name).map(|(pattern, _)| pattern)
    }

    fn find(&self, name: &str) -> Option<(MetricPattern, &MetricInfo)> {
        found(name, self.added()).or_else(|| known(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::direction::Direction;
    use super::*;

    #[test]
    fn what_a_program_adds_is_known_like_the_catalogue() {
        let mut metrics = Metrics::default();
        assert!(metrics.add("lateness", MetricInfo::lower("how late").unit()));
        assert!(metrics.add(
            "lateness.GROUP",
            MetricInfo::describes("how late, by group")
        ));
        for taken in ["lateness", "lateness.GROUP", "screened", "share.GROUP"] {
            assert!(
                !metrics.add(taken, MetricInfo::higher("another")),
                "{taken}"
            );
        }
        assert_eq!(metrics.of("lateness").direction(), Direction::Lower);
        assert_eq!(metrics.of("lateness.gender:F").about, "how late, by group");
        assert_eq!(metrics.of("screened"), MetricInfo::of("screened"));
        assert_eq!(metrics.possible("lateness"), (0.0, 1.0));
        assert_eq!(metrics.possible("screened"), (0.0, f64::INFINITY));
        assert!(metrics.of("unknown").is_own);
    }

    #[test]
    fn a_metric_that_is_described_is_not_the_catalogues() {
        let mut metrics = Metrics::default();
        assert_eq!(metrics.possible("selection_rate"), (0.0, 1.0));
        let percent = MetricInfo {
            range: Some((0.0, 100.0)),
            ..MetricInfo::higher("in percent")
        };
        metrics.describe("selection_rate", percent);
        assert_eq!(metrics.possible("selection_rate"), (0.0, 100.0));
        assert_eq!(metrics.of("selection_rate").by_round, None);
    }

    /// The better side is written with the run's sides.
    #[test]
    fn a_summary_keeps_what_readers_need() {
        let mut metrics = Metrics::default();
        metrics.add("late", MetricInfo::describes("how late").unit().sum());
        let text = serde_json::to_string(&metrics).unwrap();
        let known = r#"{"late":{"range":[0.0,1.0],"cumulative":true,"about":"how late"}}"#;
        assert_eq!(text, known);
        assert_eq!(serde_json::from_str::<Metrics>(&text).unwrap(), metrics);
    }
}
