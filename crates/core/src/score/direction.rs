//! The better side of a metric.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The better side of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// A smaller value is better.
    Lower,
    /// A larger value is better.
    Higher,
    /// Neither side is better: the metric only describes.
    None,
}
