//! Sweeps in units: a unit is a leaf of a point's replications, played anywhere and merged in order.

mod build;
mod found;
mod id;
mod plan;
#[cfg(feature = "nats")]
pub mod queue;
mod shard;
mod status;
mod unit;
mod wave;

pub use build::{build, program};
pub use found::{Found, UnitState};
pub use id::UnitId;
pub use plan::{PLAN, PlannedPoint, SweepPlan};
pub use shard::{Shard, array};
pub use status::SweepStatus;
pub use unit::{UNITS, UnitError, UnitHeader, Units, unit_bytes};
pub use wave::wave;

/// The replications of a unit; the last one of a point may have fewer.
pub const LEAF: u64 = 1024;
