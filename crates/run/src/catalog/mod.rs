//! Every kind of policy: its name, its keys, and its setup from a config.
//!
//! The policies of a setting have one file here: the keys, the function that reads a table, the
//! entry. The algorithms are in the crate [`kleroterion_policies`].

mod aim;
mod cohort;
mod committee;
mod exec;
mod forecast;
mod kind;
mod known_pool;
pub(crate) mod lane;
mod merit_queue;
mod meritocratic;
mod optimal;
mod panel;
mod pool;
mod ready;
mod registry;
mod shares;
mod sound;

pub use crate::document::{kind_list, param};
pub(crate) use aim::{AIMS, Aim as CohortAim, NO_GROUPS, NOT_SAID, aim};
pub(crate) use exec::{program, seconds};
pub use kind::{ANY, PolicyKind};
pub(crate) use pool::pool_target;
pub use ready::Ready;
pub(crate) use registry::{entry, measures};
pub use registry::{kinds, set_up};
pub(crate) use shares::{by_group, shares as group_shares, short};
