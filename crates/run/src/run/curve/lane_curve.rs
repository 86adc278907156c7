//! The curve of one lane in one replication.

use serde::{Deserialize, Serialize};

use super::steps::Steps;
use kleroterion_core::score::MetricRow;

/// The measures of a lane at the steps of one replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaneCurve {
    pub(super) steps: Steps,
    pub(super) points: Vec<(u64, Vec<MetricRow>)>,
}
