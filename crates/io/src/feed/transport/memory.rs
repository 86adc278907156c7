//! Records from the memory of a program, over a bounded channel. Each is acknowledged once it is
//! kept.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot, watch};

use super::OpenError;
use super::carry::{Ended, Feed, stopped};
use crate::feed::decoder::Decoder;
use crate::feed::{Delivery, FeedSpec, Item, Taken};
use crate::record::framing::FrameFault;
use kleroterion_core::problem::Problem;
use kleroterion_core::source::FeedError;

/// The most records of a delivery.
const TOGETHER: usize = 1024;
/// The most bytes of a delivery, but for its last record.
const MOST_BYTES: usize = 1 << 20;

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
struct Sent {
    record: Vec<u8>,
    fate: oneshot::Sender<Fate>,
}

/// The fate of a record that was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// The recorder answered for it. What was accepted is committed and synced.
    Answered(Taken),
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

/// Opens the feed that a program handed in.
pub(super) fn open(
    feed: Option<&MemoryFeed>,
    spec: &FeedSpec,
    numbers: Arc<AtomicU64>,
) -> Result<Memory, OpenError> {
    let refused = |what: &str, help: &str| Problem::of_request(what).help(help);
    let feed = feed.ok_or_else(|| {
        refused(
            "people come from the memory of a program, and none hands them in",
            "run the program that made this config, or take a source of type \"stdin\", \"http\" or \
             \"tcp\"",
        )
    })?;
    let mut held = feed.0.lock().unwrap_or_else(PoisonError::into_inner);
    let records = held.take().ok_or_else(|| {
        refused(
            "the feed from memory was opened before",
            "make a feed for each run: memory_feed(1024)",
        )
    })?;
    Ok(Memory {
        records,
        decoder: Decoder::new(spec, numbers, 1),
        max_length: spec.max_length,
        halts: spec.halts(),
        line: 0,
    })
}

/// An open feed from memory.
pub(super) struct Memory {
    records: mpsc::Receiver<Sent>,
    decoder: Decoder,
    max_length: usize,
    halts: bool,
    /// The number of records so far.
    line: u64,
}

/// Records that are handed over together.
#[derive(Default)]
struct Batch {
    delivery: Delivery,
    /// The senders of the items' fates, in their order.
    fates: Vec<oneshot::Sender<Fate>>,
    /// The senders of the fates of records that are left out.
    left_out: Vec<oneshot::Sender<Fate>>,
    /// The reason why the stream ends here, if it does.
    halted: Option<String>,
}

#[async_trait]
impl Feed for Memory {
    async fn run(
        mut self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError> {
        loop {
            let first = tokio::select! {
                biased;
                () = stopped(&mut stop) => return Ok(Ended::Stopped),
                () = deliveries.closed() => return Ok(Ended::Untaken),
                first = self.records.recv() => first,
            };
            let Some(first) = first else {
                return Ok(Ended::Source);
            };
            let mut batch = self.batch(first);
            let (receipt, answer) = oneshot::channel();
            batch.delivery.receipt = Some(receipt);
            if deliveries.send(batch.delivery).await.is_err() {
                return Ok(Ended::Untaken);
            }
            let Ok(receipt) = answer.await else {
                return Ok(Ended::Untaken);
            };
            // Who does not wait for it needs no fate.
            for (fate, taken) in batch.fates.into_iter().zip(receipt.taken) {
                let _ = fate.send(Fate::Answered(taken));
            }
            for fate in batch.left_out {
                let _ = fate.send(Fate::LeftOut);
            }
            if let Some(halted) = batch.halted {
                return Ok(Ended::Halted(halted));
            }
        }
    }
}

impl Memory {
    /// The first record, and those that wait behind it, up to a number and a size.
    fn batch(&mut self, first: Sent) -> Batch {
        let mut batch = Batch::default();
        let (mut next, mut bytes, mut records) = (Some(first), 0, 0);
        while let Some(Sent { record, fate }) = next {
            (bytes, records) = (bytes + record.len(), records + 1);
            match self.read(&record) {
                Some(item) => {
                    if let Item::Refused(refused) = &item
                        && self.halts
                    {
                        let halted = format!("line {}: {}", refused.line, refused.error);
                        batch.halted = Some(halted);
                    }
                    batch.delivery.items.push(item);
                    batch.fates.push(fate);
                }
                None => batch.left_out.push(fate),
            }
            let is_full = records == TOGETHER || bytes >= MOST_BYTES || batch.halted.is_some();
            next = (!is_full).then(|| self.records.try_recv().ok()).flatten();
        }
        batch.delivery.left_out = self.decoder.take_left_out();
        batch
    }

    /// Reads a record. Returns `None` if `where` leaves it out.
    fn read(&mut self, record: &[u8]) -> Option<Item> {
        self.line += 1;
        match record.len() > self.max_length {
            true => {
                let head = &record[..self.max_length];
                self.decoder
                    .record(head, self.line, Some(FrameFault::TooLong))
            }
            false => self.decoder.record(record, self.line, None),
        }
    }
}

#[cfg(test)]
mod tests;
