//! Feeds: candidates from outside, taken as they come.
//!
//! ```text
//! transport --Delivery--> recorder (numbers, commits) --> stream (a Source) --> arena
//!     ^------Receipt---------------|
//! ```
//! A transport knows frames and acknowledgements; a [`Reading`] knows what a record must be. What
//! the recorder has taken is the stream, whatever way it came.

mod account;
mod contradiction;
mod courier;
mod decoder;
mod deliveries;
mod delivery;
mod event;
mod example;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod items;
mod link;
mod looks;
mod members;
mod memory;
mod outcomes;
mod reading;
pub mod reason;
mod rows;
pub mod schema;
mod spec;
mod transport;

pub use account::{FeedAccount, HandedRecord, Rejected};
pub use contradiction::differing;
pub use decoder::Decoder;
pub use deliveries::{Deliveries, deliveries};
pub use delivery::{Delivery, Hindrance, Receipt, Taken};
pub use event::{EventAttributes, EventFault};
pub use example::example;
pub use items::{
    CandidateRecord, Item, LookRecord, Naming, OutcomeRecord, RefusedRecord, WithdrawalRecord,
};
pub use link::FeedLink;
pub use looks::{closing, look, withdrawal};
pub use memory::{Awaited, Fate, MemoryFeed, MemorySender, memory_feed};
pub use outcomes::outcome;
pub use reading::{Read, Reading, ReadingSpec};
pub use spec::{
    FeedSpec, Framing, NatsConsumer, NatsDeliver, NatsMonitor, NatsSync, OnError, OutcomeHorizon,
    ServerPromise, SlateEnd, Transport,
};
#[cfg(any(test, feature = "testing"))]
pub use transport::serve_one;
pub use transport::{
    Ended, FOLLOWED, Feed, FollowedMemory, OpenError, Pipe, Tail, Tape, Tcp, TcpLimits, open,
    promise,
};

pub use crate::record::{Codec, is_zero};

use std::net::SocketAddr;

/// Returns true if only this machine can send to an address; then no token is required.
#[must_use]
pub fn is_local(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}
