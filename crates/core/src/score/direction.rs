//! Which way a metric is better.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The better side of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither: the metric describes.
    None,
}

impl Direction {
    /// The order of two means by which the better one is first; a missing one comes last.
    #[must_use]
    pub fn best_first(self, a: Option<f64>, b: Option<f64>) -> std::cmp::Ordering {
        match (a, b) {
            (Some(a), Some(b)) if self == Self::Lower => a.total_cmp(&b),
            (Some(a), Some(b)) => b.total_cmp(&a),
            (a, b) => a.is_none().cmp(&b.is_none()),
        }
    }
}
