//! Sweeps over many processes: plans, units, their files and their queue.
//!
//! A [`SweepPlan`] lists the points of a sweep and the requested units. A unit ([`UnitId`]) is a
//! leaf: a fixed number of replications of one point. Any process can play any unit, because the
//! plan holds the resolved configs. [`Units`] writes and verifies the files of units in a folder.
//! [`Found`] and [`SweepStatus`] report the progress from these files alone. With the feature
//! `nats`, the module `queue` hands units to workers over NATS JetStream.
//!
//! Units are merged in the order of their numbers, so the result depends neither on the machines
//! nor on the order of play. This crate never knows the command line, live runs or the papers.

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
