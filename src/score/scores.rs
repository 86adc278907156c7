//! The scores of a run: per policy and replication, an ending and rows of numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::MetricInfo;
use crate::protocol::Ending;

/// The name that `replications.csv` keeps for the word of a lane's ending; no metric may bear it.
pub const ENDING: &str = "ending";

/// One measured value.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricRow {
    /// The metric's name; never [`ENDING`].
    pub metric: Arc<str>,
    /// Where in the run, in the unit of `report.at`; `None` = at its end.
    pub at: Option<u64>,
    /// The value; finite. What has no finite value is left out.
    pub value: f64,
}

/// The result of one lane of one replication.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneResult {
    /// How it ended.
    pub ending: Ending,
    /// What is to be said of the ending: the rule broken, the panic's message.
    pub detail: Option<String>,
    /// What was measured, in the scorers' order.
    pub rows: Vec<MetricRow>,
}

/// One policy over all replications.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyRun {
    /// The lane's label, unique in a run.
    pub label: String,
    /// The algorithm (`kind` in the config).
    pub kind: String,
    /// One per replication, in order; fewer where the run was interrupted.
    pub lanes: Vec<LaneResult>,
}

impl LaneResult {
    /// The rows that count: finite values, and no two of one metric at one place (the last given
    /// counts).
    pub fn values(&self) -> BTreeMap<(&str, Option<u64>), f64> {
        self.rows
            .iter()
            .filter(|row| row.value.is_finite())
            .map(|row| ((&*row.metric, row.at), row.value))
            .collect()
    }

    /// The value of `metric` at the end of the run, where there is one.
    pub fn at_end(&self, metric: &str) -> Option<f64> {
        let mut rows = self.rows.iter().rev();
        rows.find(|row| row.at.is_none() && &*row.metric == metric && row.value.is_finite())
            .map(|row| row.value)
    }

    /// Carries the cumulative metrics of a lane that ended early forward over the rounds of `grid`
    /// that it never reached. Only for a series over rounds; ahead of the rows of the end.
    pub fn carry_forward(&mut self, grid: &[u64]) {
        let values = self.values();
        let mut carried = Vec::new();
        for &at in grid {
            for row in self.rows.iter().filter(|row| row.at.is_none()) {
                if MetricInfo::of(&row.metric).cumulative
                    && !values.contains_key(&(&*row.metric, Some(at)))
                {
                    carried.push(MetricRow {
                        at: Some(at),
                        ..row.clone()
                    });
                }
            }
        }
        let ends = self.rows.iter().position(|row| row.at.is_none());
        let place = ends.unwrap_or(self.rows.len());
        self.rows.splice(place..place, carried);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(metric: &str, at: Option<u64>, value: f64) -> MetricRow {
        MetricRow {
            metric: metric.into(),
            at,
            value,
        }
    }

    fn lane(rows: Vec<MetricRow>) -> LaneResult {
        LaneResult {
            ending: Ending::Filled,
            detail: None,
            rows,
        }
    }

    #[test]
    fn a_value_that_is_not_finite_is_none_and_the_last_stands() {
        let lane = lane(vec![
            row("cost", None, 1.0),
            row("cost", None, 2.0),
            row("cost", None, f64::NAN),
            row("pulls", Some(5), f64::INFINITY),
        ]);
        assert_eq!(lane.at_end("cost"), Some(2.0));
        assert_eq!(lane.at_end("pulls"), None);
        assert_eq!(
            lane.values().into_iter().collect::<Vec<_>>(),
            [(("cost", None), 2.0)]
        );
    }

    #[test]
    fn only_what_is_cumulative_is_carried_forward() {
        let mut lane = lane(vec![
            row("screened", Some(10), 10.0),
            row("representation_loss", Some(10), 0.2),
            row("screened", None, 17.0),
            row("representation_loss", None, 0.1),
        ]);
        lane.carry_forward(&[10, 20, 30]);
        assert_eq!(
            lane.rows,
            [
                row("screened", Some(10), 10.0),
                row("representation_loss", Some(10), 0.2),
                row("screened", Some(20), 17.0),
                row("screened", Some(30), 17.0),
                row("screened", None, 17.0),
                row("representation_loss", None, 0.1),
            ]
        );
    }
}
