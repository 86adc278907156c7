//! The servers of a live run: intake, decisions, board, metrics. They read the visible state of a
//! run and never write to it. Records go in through the recorder alone.
//!
//! ```text
//! body --bounded--> records, rows --Reading--> items --Delivery--> recorder --Receipt--> answer
//!                                  decisions, gauges --> server-sent events, metrics
//! ```
//! [`Limits`] bounds all that a client can make the server hold: connections, bodies, records,
//! followers. Clients that send or read too slowly are cut off. All errors are JSON: `{error, help,
//! places?}`.

mod answer;
mod asked;
mod body;
mod claims;
mod decide;
mod exposition;
mod follow;
mod form;
mod guard;
mod handover;
#[cfg(any(test, fuzzing))]
#[path = "tests/hostile.rs"]
pub mod hostile;
mod intake;
mod looks;
mod metrics;
mod outlet;
mod parsed;
mod place;
mod reading;
mod records;
mod rows;
mod server;
mod slates;
mod state;

#[cfg(test)]
mod tests;

pub use crate::limits::Limits;
pub use decide::DecisionAnswer;
pub use looks::LooksAnswer;
pub use server::{serve, serve_within};

pub mod board;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::mpsc;

use crate::watch::Watched;
use kleroterion_io::feed::{Delivery, OnError, Reading};

/// The intake of records that come by HTTP.
#[derive(Clone)]
pub struct Intake {
    /// The reading of records. Its codec is the form of rows, and of a body without a declared
    /// type.
    pub reading: Arc<Reading>,
    /// The longest record, in bytes.
    pub max_length: usize,
    /// The treatment of a record that can't be read.
    pub on_error: OnError,
    /// The channel to the recorder.
    pub deliveries: mpsc::Sender<Delivery>,
    /// True if a round is one person, so that each candidate can get a decision.
    pub decides: bool,
    /// The number of earlier records, which names records without a name of their own. See
    /// [`Intake::numbers`].
    pub numbers: Arc<AtomicU64>,
}

impl Intake {
    /// Creates the numbers of records without a name: from 0 in a new journal.
    ///
    /// In a `resumed` journal they start at a random number of 16 digits. Requests don't say how
    /// many came before, and a record with another's number would be dropped as a repeat. A clock
    /// would not do, since it may be set back.
    #[must_use]
    pub fn numbers(resumed: bool) -> Arc<AtomicU64> {
        const LEAST: u64 = 1_000_000_000_000_000;
        // Keyed by the system anew for each process.
        let random = RandomState::new().hash_one(LEAST);
        let first = LEAST + random % (8 * LEAST);
        Arc::new(AtomicU64::new(if resumed { first } else { 0 }))
    }
}

/// The intake of interviewers' answers.
#[derive(Clone)]
pub struct Interviews {
    /// The channel to the recorder.
    pub deliveries: mpsc::Sender<Delivery>,
    /// The names of the rules' interviews.
    pub kinds: Arc<[Arc<str>]>,
    /// The least and the greatest answer, if they are declared.
    pub range: Option<(f64, f64)>,
}

/// The services of a server.
#[derive(Clone)]
pub struct Services {
    /// The visible state of the run.
    pub watched: Arc<Watched>,
    /// The intake of records, if the run takes any by HTTP.
    pub intake: Option<Intake>,
    /// The intake of interviewers' answers, if people hold interviews.
    pub interviews: Option<Interviews>,
    /// True if the server has a board.
    pub board: bool,
    /// The token that requests must show as `Authorization: Bearer TOKEN`; `None` demands no token,
    /// as on a loopback address.
    pub token: Option<Arc<str>>,
    /// The other origins whose pages may send requests, in lower case.
    pub origins: Arc<[Box<str>]>,
}
