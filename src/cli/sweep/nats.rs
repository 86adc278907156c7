//! `klero sweep --on nats`: units in a queue of NATS JetStream, which `klero work` plays.

#[cfg(feature = "nats")]
mod queue;

#[cfg(feature = "nats")]
pub use queue::play;

use super::super::failure::Failure;
#[cfg(not(feature = "nats"))]
use super::{drive::Placed, engine::EngineArgs};

/// Refuses a program that was built without NATS.
pub fn ready() -> Result<(), Failure> {
    match cfg!(feature = "nats") {
        true => Ok(()),
        false => Err(super::super::work::no_nats(
            "it can't offer units to workers",
        )),
    }
}

/// Fails, since this program was built without NATS.
#[cfg(not(feature = "nats"))]
pub fn play(_sweep: &Placed, _options: &EngineArgs) -> Result<(), Failure> {
    ready()
}
