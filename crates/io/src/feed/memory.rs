//! The channel between a program and a feed from its memory.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use super::delivery::Taken;

/// Makes a feed from memory, and the sender of its records. At most `bound` records that were sent
/// alone wait to be read, and at most `bound` of those sent together; it is at least 1.
///
/// The feed ends when all senders are dropped.
///
/// # Panics
/// If `bound` is 0.
#[must_use]
pub fn memory_feed(bound: usize) -> (MemorySender, MemoryFeed) {
    let (sender, receiver) = mpsc::channel(bound);
    let feed = MemoryFeed(Arc::new(Mutex::new(Some(receiver))));
    let sender = MemorySender {
        sender,
        room: Arc::new(Semaphore::new(bound)),
        bound,
    };
    (sender, feed)
}

/// Records on their way, and the sender of their fates.
pub(super) struct Sent {
    pub(super) records: Vec<Vec<u8>>,
    pub(super) fates: oneshot::Sender<Vec<Fate>>,
    /// The room that records sent together take until they are read.
    room: Option<OwnedSemaphorePermit>,
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
pub struct MemorySender {
    sender: mpsc::Sender<Sent>,
    /// The room for records sent together.
    room: Arc<Semaphore>,
    bound: usize,
}

/// The fates of records that were sent, once they are known.
#[must_use = "a record is not kept before its fate is known"]
pub struct Awaited(oneshot::Receiver<Vec<Fate>>);

impl MemorySender {
    /// Sends a record of JSON, as a line of the standard input would hold it. Waits for a place in
    /// the channel. `None` if the feed has ended: the record was not taken.
    pub async fn send(&self, record: impl Into<Vec<u8>>) -> Option<Awaited> {
        let (sent, awaited) = sent(vec![record.into()], None);
        self.sender.send(sent).await.ok().map(|()| awaited)
    }

    /// Sends records that are handed over together, which is faster. Waits until there is room for
    /// all of them; more records than the feed's bound wait until there is room for as many as that.
    /// `None` if the feed has ended: none of them was taken.
    pub async fn send_all(&self, records: Vec<Vec<u8>>) -> Option<Awaited> {
        let taken = u32::try_from(records.len().min(self.bound)).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).acquire_many_owned(taken).await;
        let (sent, awaited) = sent(records, room.ok());
        self.sender.send(sent).await.ok().map(|()| awaited)
    }

    /// Sends a record from a thread that may block.
    ///
    /// # Panics
    /// Within a runtime of tokio.
    pub fn send_blocking(&self, record: impl Into<Vec<u8>>) -> Option<Awaited> {
        let (sent, awaited) = sent(vec![record.into()], None);
        self.sender.blocking_send(sent).ok().map(|()| awaited)
    }
}

fn sent(records: Vec<Vec<u8>>, room: Option<OwnedSemaphorePermit>) -> (Sent, Awaited) {
    let (fates, awaited) = oneshot::channel();
    let sent = Sent {
        records,
        fates,
        room,
    };
    (sent, Awaited(awaited))
}

impl Sent {
    /// Gives the room that the records take to others. Returns them with the sender of their fates.
    pub(super) fn read(self) -> (Vec<Vec<u8>>, oneshot::Sender<Vec<Fate>>) {
        drop(self.room);
        (self.records, self.fates)
    }
}

impl Awaited {
    /// Waits for the fate of a record. `None` if the feed ended before it was known: the record may
    /// be sent again to a run that goes on.
    pub async fn fate(self) -> Option<Fate> {
        self.fates().await.pop()
    }

    /// Waits for the fates of records that were sent together, in their order. They are fewer if the
    /// feed ended before all were known.
    pub async fn fates(self) -> Vec<Fate> {
        self.0.await.unwrap_or_default()
    }

    /// Waits for the fate on a thread that may block.
    ///
    /// # Panics
    /// Within a runtime of tokio.
    pub fn fate_blocking(self) -> Option<Fate> {
        self.0.blocking_recv().unwrap_or_default().pop()
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
