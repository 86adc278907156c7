//! The latest decisions of all lanes, in one order: by round, then in the order of the labels.

use std::sync::Arc;

use tokio::sync::watch;

/// A decision, ready to be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number, from 1: the same whenever the same stream is played.
    pub seq: u64,
    /// The round, from 1.
    pub round: u64,
    /// The lane's place in the run.
    pub lane: usize,
    /// Slots of those chosen.
    pub chosen: Vec<u32>,
    /// All of it as JSON, as a line of `decisions.ndjson`.
    pub json: Arc<str>,
}

/// The latest decisions. Lanes hand theirs in, in any interleaving; a round is told once all lanes that still play have
/// decided it.
#[derive(Debug)]
pub struct Decisions {
    next: watch::Sender<u64>,
}

impl Decisions {
    /// None yet, of these lanes.
    #[must_use]
    pub fn new(labels: &[Arc<str>]) -> Self {
        let _ = labels;
        Self {
            next: watch::Sender::new(1),
        }
    }

    /// The events from number `from` on that are still kept, at most `most`; the first may have a higher number where older
    /// ones are kept no more.
    #[must_use]
    pub fn since(&self, from: u64, most: usize) -> Vec<Arc<Event>> {
        let _ = (from, most);
        Vec::new()
    }

    /// What all lanes decided in a round; none before all that still play have decided it, nor when it is kept no more. A lane that
    /// has ended before has no event in it.
    #[must_use]
    pub fn of_round(&self, round: u64) -> Option<Vec<Arc<Event>>> {
        let _ = round;
        None
    }

    /// Returns when the acting lane has decided something.
    pub async fn acted(&self) {
        std::future::pending().await
    }

    /// What the acting lane has decided since it was last asked: rounds, and slots of those chosen.
    #[must_use]
    pub fn take_acted(&self) -> Vec<(u64, Vec<u32>)> {
        Vec::new()
    }

    /// The number of the next event, as it changes.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }
}
