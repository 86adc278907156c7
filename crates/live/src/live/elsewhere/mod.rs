//! Lanes that play elsewhere: the journal's committed entries travel over NATS JetStream, and the
//! policies' moves come back.
//!
//! ```text
//! journal --publisher--> stream KLERO_RUN --> worker: LiveStream, lane, policy
//! host: lane, referee, pool, scorer <--joined-- stream KLERO_RUN_MOVES <--moves, hashed--|
//! ```
//! The journal is the only source of truth: entries missing from a stream are published again from
//! it. The policy moves with its lane, so that it can't see the future. The host's lane repeats the
//! moves before its own referee.

#[cfg(not(feature = "nats"))]
mod absent;
#[cfg(feature = "nats")]
mod asked;
#[cfg(feature = "nats")]
mod entries;
#[cfg(feature = "nats")]
mod head;
#[cfg(feature = "nats")]
mod host;
mod hosted;
#[cfg(feature = "nats")]
mod join;
#[cfg(feature = "nats")]
mod listener;
#[cfg(feature = "nats")]
mod moves;
#[cfg(feature = "nats")]
mod past;
#[cfg(feature = "nats")]
mod publisher;
#[cfg(feature = "nats")]
mod sayer;
#[cfg(feature = "nats")]
mod streams;
#[cfg(feature = "nats")]
mod work;

#[cfg(not(feature = "nats"))]
pub(super) use absent::{Elsewheres, Reached};
#[cfg(feature = "nats")]
pub use asked::{WorkEnd, WorkError, Worker};
#[cfg(feature = "nats")]
pub(super) use host::{Elsewheres, Reached};
pub(super) use hosted::Hosted;
#[cfg(feature = "nats")]
pub use work::work;
