//! What a policy is in a run for.

use serde::{Deserialize, Serialize};

/// What a policy is there for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It can be the answer.
    #[default]
    Policy,
    /// It shows what could be had, and is never the answer.
    Yardstick,
}
