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
mod entries;
#[cfg(feature = "nats")]
mod host;
#[cfg(feature = "nats")]
mod join;
#[cfg(feature = "nats")]
mod listener;
#[cfg(feature = "nats")]
mod moves;
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
pub(super) use host::{Elsewheres, Reached};
#[cfg(feature = "nats")]
pub use work::{WorkEnd, WorkError, Worker, work};

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Runtime as Tokio;

use super::notes::LiveNotes;
use super::stream::StreamEnd;
use crate::watch::Watched;
use kleroterion_run::config::Plan;

/// A run with lanes elsewhere.
#[cfg_attr(not(feature = "nats"), allow(dead_code))]
pub(super) struct Hosted<'a> {
    pub(super) plan: &'a Plan,
    /// The config, as resolved.
    pub(super) config: &'a str,
    /// The folder of the journal.
    pub(super) folder: &'a Path,
    pub(super) watched: &'a Arc<Watched>,
    pub(super) notes: &'a Arc<LiveNotes>,
    pub(super) end: &'a Arc<StreamEnd>,
    pub(super) outside: &'a Tokio,
}
