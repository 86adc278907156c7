//! The roles of policies in a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The word for a policy that can never be the answer.
pub const YARDSTICK: &str = "yardstick";

/// The role of a policy in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A policy that can be the answer.
    #[default]
    Policy,
    /// A policy that shows a bound on what is possible, and is never the answer.
    Yardstick,
}
