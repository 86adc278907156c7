//! The servers of a live run: intake, decisions, board, metrics. They read what a run shows and never write back; records go in
//! by the recorder alone.

pub mod board;

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::feed::{Delivery, OnError, Reading};
use crate::live::Watched;

/// Where records go that come by HTTP.
#[derive(Clone)]
pub struct Intake {
    /// What a record must be.
    pub reading: Arc<Reading>,
    /// The longest record, in bytes.
    pub max_length: usize,
    /// What happens to a record that can't be read.
    pub on_error: OnError,
    /// The recorder.
    pub deliveries: mpsc::Sender<Delivery>,
    /// Whether a round is one person, so that each can be told a decision of its own.
    pub decides: bool,
}

/// What a server offers.
#[derive(Clone)]
pub struct Services {
    /// The run to be seen.
    pub watched: Arc<Watched>,
    /// Where records go, where it takes any.
    pub intake: Option<Intake>,
    /// Whether there is a board.
    pub board: bool,
    /// What a request must bear, `Authorization: Bearer TOKEN`, where the address is no loopback.
    pub token: Option<Arc<str>>,
}
