//! The better side of a metric.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The better side of a metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// A smaller value is better.
    Lower,
    /// A larger value is better.
    Higher,
    /// Neither side is better: the metric only describes.
    #[default]
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
