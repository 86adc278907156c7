//! The servers of a live run: intake, decisions, board, metrics. They read what a run shows and
//! never write back; records go in by the recorder alone.
//!
//! ```text
//! body --bounded--> records, rows --Reading--> items --Delivery--> recorder --Receipt--> answer
//!                                  decisions, gauges --> server-sent events, metrics
//! ```
//! Everything that a client can make the server hold is bounded by [`Limits`]: connections, bodies,
//! records, followers. Who sends or reads too slowly is cut off. All errors are JSON: `{error,
//! help, places?}`.

mod answer;
mod asked;
mod body;
mod claims;
mod cloudevents;
mod counts;
mod decide;
mod exposition;
mod follow;
mod form;
mod guard;
mod handover;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod intake;
mod limits;
mod looks;
mod metrics;
mod origins;
mod outlet;
mod parsed;
mod place;
mod reading;
mod ready;
mod records;
mod rows;
mod server;
mod slates;
mod state;
mod unpacked;

#[cfg(test)]
mod tests;

pub use decide::DecisionAnswer;
pub use limits::Limits;
pub use looks::LooksAnswer;
pub use server::{serve, serve_within};

pub mod board;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::mpsc;

use crate::watch::Watched;
use kleroterion_io::feed::{Delivery, OnError, Reading};

/// Where records go that come by HTTP.
#[derive(Clone)]
pub struct Intake {
    /// What a record must be; its codec says how rows come, and what a body is that says nothing of
    /// itself.
    pub reading: Arc<Reading>,
    /// The longest record, in bytes.
    pub max_length: usize,
    /// What happens to a record that can't be read.
    pub on_error: OnError,
    /// The recorder.
    pub deliveries: mpsc::Sender<Delivery>,
    /// Whether a round is one person, so that each can get a decision of its own.
    pub decides: bool,
    /// How many records came before, which names those that have no name of their own: see
    /// [`Intake::numbers`].
    pub numbers: Arc<AtomicU64>,
}

impl Intake {
    /// Numbers for records without a name, beyond 0 where the journal is new. Where it is
    /// `resumed`, beyond a random number of 16 digits: requests don't tell how many of them came
    /// before, and one that bore the number of another would be dropped as its repeat. A clock
    /// would not do, because it may be set back.
    #[must_use]
    pub fn numbers(resumed: bool) -> Arc<AtomicU64> {
        const LEAST: u64 = 1_000_000_000_000_000;
        // Keyed by the system anew for each process.
        let random = RandomState::new().hash_one(LEAST);
        let first = LEAST + random % (8 * LEAST);
        Arc::new(AtomicU64::new(if resumed { first } else { 0 }))
    }
}

/// Where answers of interviewers go.
#[derive(Clone)]
pub struct Interviews {
    /// The recorder.
    pub deliveries: mpsc::Sender<Delivery>,
    /// The names of the rules' interviews.
    pub kinds: Arc<[Arc<str>]>,
    /// The least and the greatest answer, where they are declared.
    pub range: Option<(f64, f64)>,
}

/// What a server offers.
#[derive(Clone)]
pub struct Services {
    /// The run to be seen.
    pub watched: Arc<Watched>,
    /// Where records go, where it takes any.
    pub intake: Option<Intake>,
    /// Where answers of interviewers go, where people hold interviews.
    pub interviews: Option<Interviews>,
    /// Whether there is a board.
    pub board: bool,
    /// What a request must bear, `Authorization: Bearer TOKEN`, where the address is no loopback.
    pub token: Option<Arc<str>>,
    /// The origins, in small letters, whose pages may ask too.
    pub origins: Arc<[Box<str>]>,
}
