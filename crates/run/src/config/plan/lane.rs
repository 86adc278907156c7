//! The lanes of a plan.

use std::collections::BTreeMap;

use crate::catalog::Ready;
use kleroterion_core::protocol::Role;
use kleroterion_core::score::MeasureDefinition;

/// One lane of the run.
pub struct LanePlan {
    /// The unique label.
    pub label: String,
    /// The kind of its policy.
    pub kind: &'static str,
    /// The policy, ready to play.
    pub role: Role,
    /// Its policy.
    pub policy: Ready,
    /// The treatment of a slow lane, if a live run has the lane played elsewhere.
    pub elsewhere: Option<Slow>,
    /// The measures of the lane, each with its definition.
    pub definitions: BTreeMap<String, MeasureDefinition>,
}

/// The stream's reaction to a slow lane that plays elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slow {
    /// The stream waits once the lane is as far behind as a shadow may be.
    Block,
    /// The stream goes on, however far behind the lane is.
    #[default]
    Lag,
}
