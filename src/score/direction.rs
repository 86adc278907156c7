//! Which way a metric is better.

use serde::{Deserialize, Serialize};

/// The better side of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither: the metric describes.
    None,
}
