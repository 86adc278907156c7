//! Every kind of policy: its name, its parameters, how it is set up from a config.
//!
//! A new policy is its algorithm in [`policy`](crate::policy), a function here that reads its parameters, and an
//! entry in the registry.

mod cohort;
mod committee;
mod exec;
mod json_schema;
pub mod keys;
mod meritocratic;
mod optimal;
pub mod param;
mod pool;
mod ready;
mod reference;
mod registry;
mod set_up;
mod shares;

pub(crate) use cohort::{Aim as CohortAim, NO_GROUPS, NOT_SAID, aim};
pub use json_schema::json_schema;
pub use ready::Ready;
pub use reference::reference;
pub use registry::{ANY, KINDS, Kind, is_metric, measures, role, set_up};
pub(crate) use shares::{by_group, shares as group_shares, short};
