//! Feeds: people from outside, as they come.
//!
//! ```text
//! transport --Delivery--> recorder (numbers, commits) --> stream (a Source) --> arena
//!     ^------Receipt---------------|
//! ```
//! A transport knows frames and acknowledgements; a [`Reading`] knows what a record must be. What the recorder has taken
//! is the stream, whatever way it came.

mod contradiction;
mod courier;
mod decoder;
mod delivery;
mod outcomes;
mod reading;
pub mod reason;
mod rows;
pub mod schema;
mod transport;

pub use contradiction::differing;
pub(crate) use decoder::Decoder;
pub use delivery::{Candidate, Delivery, Item, Naming, Outcome, Receipt, Refused, Taken};
pub use outcomes::outcome;
pub use reading::{Read, Reading, ReadingSpec};

pub use transport::{Ended, Feed, Pipe, Tail, Tape, Tcp, open};

pub use crate::record::{Codec, LONGEST_ID};

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::source::Sizes;

/// The environment variable that holds the token which those must give who come from elsewhere than this machine.
pub const TOKEN: &str = "KLERO_TOKEN";

/// Whether only this machine can send to an address: then nobody is asked for a token.
#[must_use]
pub fn is_local(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

/// What happens to a record that can't be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// It is counted, noted and left out.
    #[default]
    Skip,
    /// The request that it came with is refused whole; where there are no requests, as `Skip`.
    Reject,
    /// The stream ends.
    Halt,
}

/// How records come.
#[derive(Clone, Debug, PartialEq)]
pub enum Transport {
    /// On the standard input.
    Stdin,
    /// Over connections to a listening socket.
    Tcp(SocketAddr),
    /// By HTTP requests.
    Http(SocketAddr),
    /// From a file that grows.
    Tail(PathBuf),
    /// From a recorded stream, at so many times the speed at which it was recorded; at once where `None`.
    Tape(PathBuf, Option<f64>),
}

/// A feed, ready to be opened.
#[derive(Clone)]
pub struct FeedSpec {
    /// How records come.
    pub transport: Transport,
    /// The longest line, in bytes.
    pub max_length: usize,
    /// What happens to a record that can't be read.
    pub on_error: OnError,
    /// What a record must be, and how lines become records.
    pub reading: Arc<Reading>,
    /// The labels of the policies, where what becomes of people is told by the feed too: records with `candidate_id` and `outcome`.
    pub outcomes: Option<Arc<[Arc<str>]>>,
    /// How many make a round.
    pub sizes: Sizes,
    /// How many persons of a roster come for one of its size: as many as there are groups where a pool chooses.
    pub each: usize,
}

impl FeedSpec {
    /// Whether people come by HTTP requests.
    #[must_use]
    pub fn is_http(&self) -> bool {
        matches!(self.transport, Transport::Http(_))
    }

    /// Whether those who send are told what was taken.
    #[must_use]
    pub fn acknowledges(&self) -> bool {
        matches!(self.transport, Transport::Http(_) | Transport::Tcp(_))
    }

    /// Whether the stream ends at a record that can't be read.
    #[must_use]
    pub fn halts(&self) -> bool {
        self.on_error == OnError::Halt
    }
}
