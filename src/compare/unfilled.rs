//! What becomes of a committee with empty places when policies are compared.
//!
//! Whether a lane fills its committee is itself a result, so such lanes are compared: `filled` is judged by itself wherever any lane
//! of the run leaves a place empty, and every other measure over the replications in which both committees filled. That some lane
//! will do so is not known beforehand, so `filled` has its share of alpha in every run whose lanes are to fill a committee.

use super::judge::Judge;
use crate::compare::RunResult;
use crate::protocol::Ending;
use crate::score::{Direction, LaneResult, MetricInfo};

/// The metric that says whether a committee is filled.
pub const FILLED: &str = "filled";

/// How a replication counts in which a lane did not fill its committee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unfilled {
    /// No lane is to fill a committee.
    #[default]
    NoCommittee,
    /// It is left out of every measure that speaks of filled committees.
    LeftOut,
    /// The lane counts with the worst value of the measure's declared range.
    Worst,
}

/// Whether a lane of a run that is to fill committees left places empty: it stalled, or its source had no more people.
pub(super) fn is_unfilled(lane: &LaneResult) -> bool {
    matches!(lane.ending, Ending::Stalled | Ending::SourceEnded)
}

impl Judge {
    /// The metrics that alpha is split over: the judged, and `filled` where lanes are to fill a committee.
    pub(super) fn shares(&self) -> Vec<&str> {
        let judged = self.metrics.iter().map(String::as_str);
        let filled = self.adds_filled().then_some(FILLED);
        judged.chain(filled).collect()
    }

    /// Whether `filled` has a share of alpha though the config does not name it. It has none where nothing else is judged.
    #[must_use]
    pub fn adds_filled(&self) -> bool {
        let named = self.metrics.iter().any(|metric| metric == FILLED);
        self.unfilled != Unfilled::NoCommittee && !named && !self.metrics.is_empty()
    }

    /// The metrics that a run's replications are compared on: `filled` only where some lane of the run left places empty.
    pub(super) fn compared(&self, run: &RunResult) -> Vec<&str> {
        let mut lanes = run.policies.iter().flat_map(|policy| &policy.lanes);
        let shown = !self.adds_filled() || lanes.any(is_unfilled);
        let mut metrics = self.shares();
        metrics.retain(|metric| shown || *metric != FILLED);
        metrics
    }

    /// Whether a lane of a replication left places empty, and that matters to the metric.
    pub(super) fn is_apart<const N: usize>(&self, metric: &str, lanes: [&LaneResult; N]) -> bool {
        self.unfilled != Unfilled::NoCommittee
            && !MetricInfo::of(metric).of_unfilled
            && lanes.into_iter().any(is_unfilled)
    }

    /// The value of a lane that counts, where one does.
    pub(super) fn value(&self, metric: &str, lane: &LaneResult) -> Option<f64> {
        match self.unfilled {
            Unfilled::LeftOut if self.is_apart(metric, [lane]) => None,
            Unfilled::Worst if self.is_apart(metric, [lane]) => self.worst(metric),
            _ => lane.at_end(metric),
        }
    }

    /// The values of two lanes of a replication, where both count.
    pub(super) fn values(&self, metric: &str, lanes: [&LaneResult; 2]) -> Option<[f64; 2]> {
        let [a, b] = lanes.map(|lane| self.value(metric, lane));
        Some([a?, b?])
    }

    /// The worst value that a metric can take, where its range and its better side are known.
    #[must_use]
    pub fn worst(&self, metric: &str) -> Option<f64> {
        let range = self.range(metric)?;
        match MetricInfo::of(metric).direction {
            Direction::Lower => Some(range.value(1.0)),
            Direction::Higher => Some(range.value(0.0)),
            Direction::None => None,
        }
    }
}
