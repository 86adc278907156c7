//! The recorder: takes records from outside, commits them, and only then acknowledges them.
//!
//! It runs on a thread of its own, because it waits for the disk. It reserves channel capacity
//! before it accepts a delivery, so it cannot deadlock with the lanes.

mod entries;
mod repeats;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tracing::info;

use super::bad::BadFile;
use super::corrections::Whole;
use super::error::RecorderError;
use super::notes::LiveNotes;
use super::past::read_on;
use super::stream::{Arrival, StreamEnd};
use crate::feed::{Delivery, FeedSpec};
use crate::journal::{Journal, JournalEntry, JournalReader};
use crate::watch::gauges::Gauge;
use crate::watch::{Stage, Watched};

/// Deliveries that may share a commit.
const GROUP: usize = 256;

/// How often it is noted how far a generated stream is.
const A_WHILE: Duration = Duration::from_secs(1);

/// Chunks that wait for the source.
pub const CHUNKS: usize = 4;

/// Commits what a feed delivers and hands it on to the stream.
pub struct Recorder {
    /// What is written.
    pub journal: Journal,
    /// The folder of the journal, where it is in one.
    pub folder: Option<PathBuf>,
    /// What a record must be; none where people are generated.
    pub feed: Option<Arc<FeedSpec>>,
    /// Where committed people go.
    pub out: Option<mpsc::Sender<Vec<Arrival>>>,
    /// Why the stream ends.
    pub end: Arc<StreamEnd>,
    /// What the lanes have to note.
    pub notes: Arc<LiveNotes>,
    /// Those who watch.
    pub watched: Arc<Watched>,
    /// The refused.
    pub bad: BadFile,
    /// How many rounds of a generated stream were let out, where it is one.
    pub let_out: Option<Arc<Gauge>>,
    /// How many of them are in the journal.
    pub let_out_before: u64,
    /// Which rounds are whole; none where people are generated.
    pub(super) whole: Option<Whole>,
}

impl Recorder {
    /// Hands on what the journal holds, then records what is delivered until all feeds have ended
    /// or `stop` says so; then waits for the lanes (`Stage::Over`), committing what they note.
    ///
    /// # Errors
    /// Where the disk fails, or the journal does not fit the config. Whatever was acknowledged is
    /// committed.
    pub async fn run(
        mut self,
        mut deliveries: mpsc::Receiver<Delivery>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), RecorderError> {
        let done = self.record_all(&mut deliveries, &mut stop).await;
        // Told before the stream closes, so that the lanes' ending has its reason.
        self.end.note(&done);
        deliveries.close();
        self.out = None;
        let (notes, watched, end) = (self.notes.clone(), self.watched.clone(), self.end.clone());
        let every = self.let_out.is_some().then_some(A_WHILE);
        let see = || self.commit_notes();
        notes.until_over(&watched, &end, every, done, see).await
    }

    async fn record_all(
        &mut self,
        deliveries: &mut mpsc::Receiver<Delivery>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<(), RecorderError> {
        if let Some(whole) = &mut self.whole {
            whole.came(self.journal.persons(), None);
        }
        if let (Some(folder), Some(feed)) = (self.folder.clone(), self.feed.clone()) {
            self.hand_on_past(&folder, &feed).await?;
        }
        self.watched.enter(Stage::Following);
        let mut stage = self.watched.stage.subscribe();
        let end = Arc::clone(&self.end);
        let (mut group, mut stopping) = (Vec::new(), false);
        loop {
            tokio::select! {
                biased;
                () = self.notes.woken() => self.commit_notes()?,
                () = self.watched.decisions.acted() => self.commit_notes()?,
                over = stage.wait_for(|stage| *stage == Stage::Over), if !end.settled.load(Ordering::Relaxed) => {
                    drop(over);
                    self.commit_notes()?;
                    end.settled.store(true, Ordering::Relaxed);
                }
                _ = stop.wait_for(|stop| *stop), if !stopping => {
                    stopping = true;
                    self.end.stopped.store(true, Ordering::Relaxed);
                    // What was handed in before is still taken.
                    deliveries.close();
                }
                taken = take(self.out.as_ref(), deliveries, &mut group) => {
                    if taken == 0 {
                        return Ok(());
                    }
                    let gauges = &self.watched.gauges;
                    gauges.deliveries.set(deliveries.len() as u64);
                    self.record(&mut group)?;
                }
            }
        }
    }

    /// Hands on what the journal held when the run was taken up again.
    async fn hand_on_past(&mut self, folder: &Path, feed: &FeedSpec) -> Result<(), RecorderError> {
        let started = Instant::now();
        let mut reader = JournalReader::open(folder)?;
        while let Some(arrivals) =
            read_on(&mut reader, feed, &self.watched, &mut self.bad, u64::MAX)?
        {
            if let Some(out) = &self.out
                && out.send(arrivals).await.is_err()
            {
                self.out = None;
            }
            // What is decided again is in the journal already; what is new is not shown to
            // anyone before.
            self.commit_notes()?;
        }
        let gauges = &self.watched.gauges;
        gauges.last_seq.set(self.journal.last_seq());
        info!(
            entries = self.journal.last_seq(),
            persons = gauges.accepted.get(),
            seconds = started.elapsed().as_secs_f64(),
            "what the journal holds is handed on"
        );
        Ok(())
    }

    /// Commits what the lanes had to note: forfeits, and what the acting policy decided.
    fn commit_notes(&mut self) -> Result<(), RecorderError> {
        let (mut notes, acted) = self.notes.take(&self.watched)?;
        if let Some(let_out) = &self.let_out
            && let_out.get() > self.let_out_before
        {
            self.let_out_before = let_out.get();
            notes.push(JournalEntry::Rounds(self.let_out_before));
        }
        for note in &notes {
            self.journal.add(note)?;
        }
        self.journal.commit()?;
        if let Some(round) = acted {
            self.watched.acted.send_replace(round);
        }
        Ok(())
    }
}

/// Waits for room downstream, then for deliveries; how many there are, 0 when no more will come.
async fn take(
    out: Option<&mpsc::Sender<Vec<Arrival>>>,
    deliveries: &mut mpsc::Receiver<Delivery>,
    group: &mut Vec<Delivery>,
) -> usize {
    if let Some(out) = out {
        // Where no lane takes anything any more, outcomes still come.
        drop(out.reserve().await);
    }
    deliveries.recv_many(group, GROUP).await
}
