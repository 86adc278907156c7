//! Lanes that play elsewhere: what the journal has committed travels over NATS JetStream, and the
//! moves of the policies come back.
//!
//! ```text
//! journal --publisher--> stream KLERO_RUN --> worker: LiveStream, lane, policy
//! host: lane, referee, pool, scorer <--joined-- stream KLERO_RUN_MOVES <--moves, hashed--|
//! ```
//! The journal stays the truth: what a stream lacks is published again from it. The policy goes
//! with its lane, so that the future cannot leak to it, and the host's lane repeats its moves
//! before a referee of its own.

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
