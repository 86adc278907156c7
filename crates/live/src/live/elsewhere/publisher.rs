//! Publishing of the journal's committed entries, batch by batch. Each batch follows the last one
//! in the stream, so that a lost stream is rebuilt.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use async_nats::jetstream::stream::Stream;
use tokio::time::sleep;
use tracing::{info, warn};

use super::entries::{EntryBatch, ReadEntry, RunHead};
use super::streams::{Fence, RunStreams, Unpublished, message};
use crate::limits::{
    JOURNAL_LOOK, MOST_MESSAGE_BYTES, MOST_MESSAGE_ITEMS, SERVER_PAUSE, STREAM_CHECK,
};
use crate::live::notes::LiveNotes;
use kleroterion_io::journal::{Chain, JournalEntry, JournalReader, Numbered};

/// The publisher of a journal.
pub(super) struct Publisher {
    pub(super) streams: RunStreams,
    pub(super) head: RunHead,
    pub(super) replicas: usize,
    pub(super) folder: PathBuf,
    /// How far the journal is committed.
    pub(super) notes: Arc<LiveNotes>,
    /// Turns true once the streams are those of this run.
    pub(super) is_placed: Arc<AtomicBool>,
    /// True once no entries come after the committed ones.
    pub(super) closing: Arc<AtomicBool>,
}

/// The reason why publishing broke off.
enum Broken {
    /// Publishing is tried again.
    Passing(String),
    /// Publishing can't go on.
    For(String),
}

impl From<String> for Broken {
    fn from(why: String) -> Self {
        Self::Passing(why)
    }
}

impl Publisher {
    /// Publishes until the run closes.
    ///
    /// # Errors
    /// The reason why publishing can't go on.
    pub(super) async fn run(self) -> Result<(), String> {
        let mut is_down = false;
        loop {
            let why = match self.follow(&mut is_down).await {
                Ok(()) => return Ok(()),
                Err(Broken::For(why)) => return Err(why),
                Err(Broken::Passing(why)) => why,
            };
            if !std::mem::replace(&mut is_down, true) {
                warn!(why, "the journal can't be published; klero tries again");
            }
            sleep(SERVER_PAUSE).await;
        }
    }

    async fn follow(&self, is_down: &mut bool) -> Result<(), Broken> {
        let (stream, mut position) = self.placed().await?;
        self.is_placed.store(true, Ordering::Relaxed);
        if std::mem::take(is_down) {
            info!(from = position.published, "the journal is published again");
        }
        let mut looked = Instant::now();
        loop {
            // Asked before the journal is: what is committed by then is published.
            let closing = self.closing.load(Ordering::Relaxed);
            if let Some(batch) = position.next(self.notes.committed())? {
                let id = format!("{}-{}", batch.first, batch.last);
                self.publish(&mut position, &batch, Some(id)).await?;
                position.published = batch.last;
                continue;
            }
            if closing {
                let chain = position.chain.hex();
                let over = EntryBatch::over(position.published, chain);
                return self.publish(&mut position, &over, None).await;
            }
            sleep(JOURNAL_LOOK).await;
            if looked.elapsed() > STREAM_CHECK {
                looked = Instant::now();
                let info = stream.get_info().await.map_err(|e| e.to_string())?;
                if info.state.last_sequence < position.last {
                    return Err(Broken::Passing("the stream was lost".into()));
                }
            }
        }
    }

    async fn publish(
        &self,
        position: &mut Position,
        batch: &EntryBatch,
        id: Option<String>,
    ) -> Result<(), Broken> {
        let (subject, fence) = (self.streams.journal_subject(), Fence::Stream(position.last));
        let sent = self.streams.publish(subject, batch.encode(), fence, id);
        match sent.await {
            Ok(last) => {
                position.last = last;
                Ok(())
            }
            // An answer that was lost: what the stream has is looked at again.
            Err(Unpublished::Fenced) => Err(Broken::Passing("another message came before".into())),
            Err(Unpublished::Passing(why)) => Err(Broken::Passing(why)),
        }
    }

    /// The stream and its position. A stream that holds this run with another config is made anew.
    async fn placed(&self) -> Result<(Stream, Position), Broken> {
        loop {
            // A run's folder is its own once its journal is there.
            let Ok(reader) = JournalReader::open(&self.folder) else {
                sleep(JOURNAL_LOOK).await;
                return Err(Broken::Passing("the journal is not there yet".into()));
            };
            self.streams.make(self.replicas).await?;
            let stream = self.streams.journal().await?;
            if let Some(position) = self.position(&stream, reader).await? {
                return Ok((stream, position));
            }
            info!("the run goes on with another version or config: its streams are made anew");
            self.streams.remove().await?;
        }
    }

    /// The position of the stream, checked against the journal. The run's head is published if the
    /// stream is empty. Returns `None` if the stream holds this run with another version or config.
    async fn position(
        &self,
        stream: &Stream,
        reader: JournalReader,
    ) -> Result<Option<Position>, Broken> {
        let mut position = Position {
            last: 0,
            published: 0,
            chain: Chain::default(),
            reader,
            read: VecDeque::new(),
        };
        let info = stream.get_info().await.map_err(|e| e.to_string())?;
        let name = self.streams.journal_name();
        let other = || {
            Broken::For(format!(
                "the stream {name} holds another run: give this one a name of its own ([live.nats] \
                 run), or remove that one's streams"
            ))
        };
        if info.state.last_sequence == 0 {
            let (subject, fence) = (self.streams.journal_subject(), Fence::Stream(0));
            let sent = self
                .streams
                .publish(subject, self.head.encode(), fence, None);
            position.last = sent
                .await
                .map_err(|_| "the head can't be published".to_owned())?;
            return Ok(Some(position));
        }
        let first = message(stream, None, 1).await?.ok_or_else(other)?;
        let is_head = RunHead::decode(&first.payload).as_ref() == Some(&self.head);
        position.last = info.state.last_sequence;
        if position.last == 1 && is_head {
            return Ok(Some(position));
        }
        let last = message(stream, None, position.last).await?;
        let last = last.ok_or_else(|| "its last message is not there".to_owned())?;
        let last = EntryBatch::decode(&last.payload).ok_or_else(other)?;
        if !position.go_to(last.last)? || position.chain.hex() != last.chain {
            return Err(other());
        }
        match (is_head, position.published) {
            (true, _) => Ok(Some(position)),
            // The first entries of any two runs that have none are the same.
            (false, 0) => Err(other()),
            (false, _) => Ok(None),
        }
    }
}

/// The position of the stream in the journal.
struct Position {
    /// The number of the stream's last message.
    last: u64,
    /// The number of the last entry in it.
    published: u64,
    /// The journal's chain up to that entry.
    chain: Chain,
    reader: JournalReader,
    /// Entries read and not yet published.
    read: VecDeque<Numbered>,
}

impl Position {
    /// Goes on to an entry. Returns false if the journal does not have it.
    fn go_to(&mut self, last: u64) -> Result<bool, Broken> {
        while self.published < last {
            self.fill()?;
            let Some(Numbered { seq, entry }) = self.read.pop_front() else {
                return Ok(false);
            };
            self.chain = self.chain.with(seq, &entry);
            self.published = seq;
        }
        Ok(true)
    }

    /// Reads on if no read entries are left.
    fn fill(&mut self) -> Result<(), Broken> {
        if self.read.is_empty() {
            let read = self.reader.read();
            let read = read.map_err(|error| Broken::For(error.to_string()))?;
            self.read.extend(read);
        }
        Ok(())
    }

    /// The next batch of entries up to number `limit`; `None` without any.
    fn next(&mut self, limit: u64) -> Result<Option<EntryBatch>, Broken> {
        let (first, mut last) = (self.published + 1, self.published);
        let (mut bytes, mut entries) = (0, Vec::new());
        while last < limit && entries.len() < MOST_MESSAGE_ITEMS && bytes < MOST_MESSAGE_BYTES {
            self.fill()?;
            let Some(Numbered { seq, entry }) = self.read.pop_front_if(|next| next.seq <= limit)
            else {
                break;
            };
            self.chain = self.chain.with(seq, &entry);
            last = seq;
            bytes += entry.columns().2.len();
            entries.push(self.with_record(Numbered { seq, entry })?);
        }
        let chain = self.chain.hex();
        Ok((last >= first).then(|| EntryBatch::new(first, last, chain, entries)))
    }

    fn with_record(&self, numbered: Numbered) -> Result<ReadEntry, Broken> {
        let record = match &numbered.entry {
            JournalEntry::Correction(id, _) => {
                let record = self.reader.record(id);
                record.map_err(|error| Broken::For(error.to_string()))?
            }
            _ => None,
        };
        Ok((numbered, record))
    }
}
