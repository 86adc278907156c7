//! The better side of a metric.

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
