//! The channel between a program and a feed from its memory.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};

use super::delivery::Taken;

/// Makes a feed from memory, and the sender of its records. At most `bound` records wait to be read;
/// it is at least 1.
///
/// The feed ends when all senders are dropped.
///
/// # Panics
/// If `bound` is 0.
#[must_use]
pub fn memory_feed(bound: usize) -> (MemorySender, MemoryFeed) {
    let (sender, receiver) = mpsc::channel(bound);
    let feed = MemoryFeed(Arc::new(Mutex::new(Some(receiver))));
    (MemorySender(sender), feed)
}

/// A record on its way, and the sender of its fate.
pub(super) struct Sent {
    pub(super) record: Vec<u8>,
    pub(super) fate: oneshot::Sender<Fate>,
}

/// The fate of a record that was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// The recorder answered for it. What was accepted is committed and synced.
    Answered(Taken),
    /// The record could not be read, and is noted: all that is wrong with it, with the places.
    Refused(String),
    /// The config's `where` leaves it out.
    LeftOut,
}

/// The sender of a feed's records. Copies send to the same feed.
#[derive(Clone)]
pub struct MemorySender(mpsc::Sender<Sent>);

/// The fate of a record, once it is known.
#[must_use = "a record is not kept before its fate is known"]
pub struct Awaited(oneshot::Receiver<Fate>);

impl MemorySender {
    /// Sends a record of JSON, as a line of the standard input would hold it. Waits for a place in
    /// the channel. `None` if the feed has ended: the record was not taken.
    pub async fn send(&self, record: impl Into<Vec<u8>>) -> Option<Awaited> {
        let (sent, awaited) = sent(record.into());
        self.0.send(sent).await.ok().map(|()| awaited)
    }

    /// Sends a record from a thread that may block.
    ///
    /// # Panics
    /// Within a runtime of tokio.
    pub fn send_blocking(&self, record: impl Into<Vec<u8>>) -> Option<Awaited> {
        let (sent, awaited) = sent(record.into());
        self.0.blocking_send(sent).ok().map(|()| awaited)
    }
}

fn sent(record: Vec<u8>) -> (Sent, Awaited) {
    let (fate, awaited) = oneshot::channel();
    (Sent { record, fate }, Awaited(awaited))
}

impl Awaited {
    /// Waits for the fate. `None` if the feed ended before it was known: the record may be sent
    /// again to a run that goes on.
    pub async fn fate(self) -> Option<Fate> {
        self.0.await.ok()
    }

    /// Waits for the fate on a thread that may block.
    ///
    /// # Panics
    /// Within a runtime of tokio.
    pub fn fate_blocking(self) -> Option<Fate> {
        self.0.blocking_recv().ok()
    }
}

/// The receiving end of a feed from memory. Copies are the same feed, which can be opened once.
#[derive(Clone)]
pub struct MemoryFeed(Arc<Mutex<Option<mpsc::Receiver<Sent>>>>);

impl MemoryFeed {
    /// Takes the records. `None` if they were taken before.
    pub(super) fn take(&self) -> Option<mpsc::Receiver<Sent>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.take()
    }
}

impl fmt::Debug for MemoryFeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryFeed")
    }
}

impl PartialEq for MemoryFeed {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
