//! Records from the memory of a program, over a bounded channel. Each is acknowledged once it is
//! kept.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot, watch};

use super::carry::{Ended, Feed, stopped};
use crate::feed::decoder::Decoder;
use crate::feed::memory::{Fate, MemoryFeed, Sent};
use crate::feed::{Delivery, FeedSpec, Item};
use crate::limits::{MOST_MEMORY_BYTES, MOST_MEMORY_RECORDS};
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

/// Records that are handed over together.
#[derive(Default)]
struct Batch {
    delivery: Delivery,
    /// The senders of the items' fates, in their order, each with what is wrong with its record.
    fates: Vec<(oneshot::Sender<Fate>, Option<String>)>,
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
            for ((fate, wrong), taken) in batch.fates.into_iter().zip(receipt.taken) {
                let _ = fate.send(wrong.map_or(Fate::Answered(taken), Fate::Refused));
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
                    let wrong = match &item {
                        Item::Refused(refused) => Some(refused.error.clone()),
                        _ => None,
                    };
                    if let Some(error) = wrong.as_ref().filter(|_| self.halts) {
                        batch.halted = Some(format!("line {}: {error}", self.line));
                    }
                    batch.delivery.items.push(item);
                    batch.fates.push((fate, wrong));
                }
                None => batch.left_out.push(fate),
            }
            let is_full = records == MOST_MEMORY_RECORDS
                || bytes >= MOST_MEMORY_BYTES
                || batch.halted.is_some();
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
