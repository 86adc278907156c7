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

mod found;
pub mod limits;
mod plan;
#[cfg(feature = "nats")]
pub mod queue;
mod status;
mod unit;

pub use found::{Found, UnitState};
pub use plan::{PLAN, PlannedPoint, Shard, SweepPlan, UnitId, array};
pub use status::SweepStatus;
pub use unit::{UNITS, UnitError, UnitHeader, Units, unit_bytes};

use std::io::{self, Read};

/// The replications of a unit; the last one of a point may have fewer.
pub const LEAF: u64 = 1024;

/// Returns a hash of a program's file. It identifies the build that plans and plays a sweep, since
/// another build may give other numbers.
///
/// # Errors
/// Where the file can't be read.
pub fn build_of(mut program: impl Read) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut program, &mut hasher)?;
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}
