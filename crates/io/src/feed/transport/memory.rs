//! Records from the memory of a program, over a bounded channel. Each is acknowledged once it is
//! kept.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot, watch};

use super::carry::{Ended, Feed, stopped};
use crate::feed::decoder::Decoder;
use crate::feed::memory::{Fate, MemoryFeed, Sent};
use crate::feed::{Delivery, FeedSpec, Item, Receipt};
use crate::limits::{MOST_MEMORY_BYTES, MOST_MEMORY_DELIVERIES, MOST_MEMORY_RECORDS};
use crate::record::framing::FrameFault;
use kleroterion_core::problem::Problem;
use kleroterion_core::source::FeedError;

/// Opens the feed that a program handed in.
pub(super) fn open(
    feed: Option<&MemoryFeed>,
    spec: &FeedSpec,
    numbers: Arc<AtomicU64>,
) -> Result<Memory, Problem> {
    let refused = |what: &str, help: &str| Problem::of_request(what).help(help);
    let feed = feed.ok_or_else(|| {
        refused(
            "people come from the memory of a program, and none hands them in",
            "run the program that made this config, or take a source of type \"stdin\", \"http\" or \
             \"tcp\"",
        )
    })?;
    let records = feed.take().ok_or_else(|| {
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

/// Records that are handed over in one delivery.
#[derive(Default)]
struct Batch {
    delivery: Delivery,
    /// The records of each sending.
    sendings: Vec<Sending>,
    /// The reason why the stream ends here, if it does.
    halted: Option<String>,
}

/// Records that were sent together: the sender of their fates, and how each was read.
struct Sending(oneshot::Sender<Vec<Fate>>, Vec<WasRead>);

/// The result of reading a record.
enum WasRead {
    Item,
    Refused(String),
    LeftOut,
}

/// A delivery whose receipt is to come.
struct Delivered {
    receipt: oneshot::Receiver<Receipt>,
    sendings: Vec<Sending>,
}

#[async_trait]
impl Feed for Memory {
    async fn run(
        mut self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError> {
        let mut waiting: VecDeque<Delivered> = VecDeque::new();
        let ended = loop {
            let is_free = waiting.len() < MOST_MEMORY_DELIVERIES;
            let first = tokio::select! {
                biased;
                () = stopped(&mut stop) => break Ended::Stopped,
                () = deliveries.closed() => break Ended::Untaken,
                is_answered = answered(&mut waiting), if !waiting.is_empty() => match is_answered {
                    true => continue,
                    false => return Ok(Ended::Untaken),
                },
                first = self.records.recv(), if is_free => first,
            };
            let Some(first) = first else {
                break Ended::Source;
            };
            let mut batch = self.batch(first);
            let (receipt, answer) = oneshot::channel();
            batch.delivery.receipt = Some(receipt);
            if deliveries.send(batch.delivery).await.is_err() {
                return Ok(Ended::Untaken);
            }
            waiting.push_back(Delivered {
                receipt: answer,
                sendings: batch.sendings,
            });
            if let Some(halted) = batch.halted {
                break Ended::Halted(halted);
            }
        };
        // What was handed over is still answered.
        while !waiting.is_empty() {
            if !answered(&mut waiting).await {
                return Ok(Ended::Untaken);
            }
        }
        Ok(ended)
    }
}

/// Waits for the receipt of the first delivery, and tells its senders. Returns false if none comes.
async fn answered(waiting: &mut VecDeque<Delivered>) -> bool {
    // Looked at, not taken: a wait that is given up loses no receipt.
    let Some(first) = waiting.front_mut() else {
        return true;
    };
    let Ok(receipt) = (&mut first.receipt).await else {
        return false;
    };
    let mut taken = receipt.taken.into_iter();
    let first = waiting.pop_front().into_iter();
    for Sending(sender, read) in first.flat_map(|first| first.sendings) {
        let fate = |read: WasRead| match read {
            WasRead::Item => taken.next().map(Fate::Answered),
            WasRead::Refused(why) => taken.next().map(|_| Fate::Refused(why)),
            WasRead::LeftOut => Some(Fate::LeftOut),
        };
        // Who does not wait for them needs no fates.
        let _ = sender.send(read.into_iter().map_while(fate).collect());
    }
    true
}

impl Memory {
    /// The first records, and those that wait behind them, up to a number and a size.
    fn batch(&mut self, first: Sent) -> Batch {
        let mut batch = Batch::default();
        let (mut next, mut bytes, mut records) = (Some(first), 0, 0);
        while let Some(sent) = next {
            let (sent, fates) = sent.read();
            let mut read = Vec::with_capacity(sent.len());
            batch.delivery.items.reserve(sent.len());
            for record in sent {
                (bytes, records) = (bytes + record.len(), records + 1);
                read.push(self.add(&record, &mut batch));
                if batch.halted.is_some() {
                    break;
                }
            }
            batch.sendings.push(Sending(fates, read));
            let is_full = records >= MOST_MEMORY_RECORDS
                || bytes >= MOST_MEMORY_BYTES
                || batch.halted.is_some();
            next = (!is_full).then(|| self.records.try_recv().ok()).flatten();
        }
        batch.delivery.left_out = self.decoder.take_left_out();
        batch
    }

    /// Reads a record into a batch.
    fn add(&mut self, record: &[u8], batch: &mut Batch) -> WasRead {
        let Some(item) = self.read(record) else {
            return WasRead::LeftOut;
        };
        let read = match &item {
            Item::Refused(refused) => {
                if self.halts {
                    batch.halted = Some(format!("line {}: {}", self.line, refused.error));
                }
                WasRead::Refused(refused.error.clone())
            }
            _ => WasRead::Item,
        };
        batch.delivery.items.push(item);
        read
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
