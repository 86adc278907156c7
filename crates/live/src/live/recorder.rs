//! The recorder: it takes records from outside, commits them, and only then acknowledges them.
//!
//! It runs on a thread of its own, because it waits for the disk. It takes more people only once
//! the stream has room for those it has. Answers of interviewers are taken meanwhile, since lanes
//! that wait for them hold up the stream.

mod desk;
mod entries;
mod repeats;
mod time;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tracing::info;

use super::bad::BadFile;
use super::error::RecorderError;
use super::notes::{LiveNotes, ToCommit};
use super::past::read_on;
use super::refusals::RefusalRoom;
use super::rounds::RoundCount;
use super::stream::{Arrival, StreamEnd};
use crate::limits::{MOST_GROUP, PROGRESS_PERIOD};
use crate::looks::LookDesk;
use crate::watch::{Stage, Watched};
use kleroterion_io::feed::{Delivery, FeedSpec};
use kleroterion_io::journal::{Journal, JournalEntry, JournalReader};
use kleroterion_io::trace::Names;
use kleroterion_run::config::SlateTime;

/// The recorder: it commits the deliveries of a feed, then hands them on to the stream.
pub struct Recorder {
    /// The journal to write.
    pub journal: Journal,
    /// The folder of the journal, if it is in one.
    pub folder: Option<PathBuf>,
    /// The declaration of the feed's records; `None` if people are generated.
    pub feed: Option<Arc<FeedSpec>>,
    /// The channel of committed people to the stream.
    pub out: Option<mpsc::Sender<Vec<Arrival>>>,
    /// The reason why the stream ends.
    pub end: Arc<StreamEnd>,
    /// The notes of the lanes for the journal.
    pub notes: Arc<LiveNotes>,
    /// The visible state of the run.
    pub watched: Arc<Watched>,
    /// The file of refused records.
    pub bad: BadFile,
    /// The number of rounds handed out of a generated stream, if it is one.
    pub let_out: Option<Arc<AtomicU64>>,
    /// The number of these rounds that are in the journal.
    pub let_out_before: u64,
    /// The count of complete rounds; `None` if people are generated.
    pub(super) count: Option<RoundCount>,
    /// The rules for closing slates.
    pub(super) slates: SlateRules,
    /// The desk where lanes wait for interviewers, if people answer interviews.
    pub(super) desk: Option<RecordersDesk>,
    /// What is on its way to the stream. It is handed on once it is committed.
    pub(super) held: Vec<Arrival>,
    /// The ids of candidates who withdrew.
    pub(super) withdrawn: BTreeSet<Box<str>>,
    /// The room for refused records.
    pub(super) refusals: RefusalRoom,
}

/// The rules for closing slates.
#[derive(Clone, Copy, Debug)]
pub struct SlateRules {
    /// The last round.
    pub last: u64,
    /// The time at which a slate is closed, if time ends it.
    pub close: Option<SlateTime>,
}

/// The recorder's side of the desk.
pub struct RecordersDesk {
    /// The desk.
    pub desk: Arc<LookDesk>,
    /// The time that interviewers have for an answer.
    pub deadline: Option<Duration>,
    /// The names under which outputs show candidates.
    pub names: Names,
}

impl Drop for RecordersDesk {
    fn drop(&mut self) {
        self.desk.shut();
    }
}

/// The channels on which deliveries come.
pub struct DeliveryChannels {
    /// The deliveries of the feed.
    pub feed: mpsc::Receiver<Delivery>,
    /// The deliveries of interviewers.
    pub interviewers: mpsc::Receiver<Delivery>,
}

impl DeliveryChannels {
    /// Closes the channels. Only deliveries sent before are still received.
    fn close(&mut self) {
        self.feed.close();
        self.interviewers.close();
    }
}

impl Recorder {
    /// Hands on the journal's people, then records deliveries until all feeds have ended or `stop`
    /// is true. Then it waits for the lanes (`Stage::Over`) and commits their notes.
    ///
    /// # Errors
    /// Fails if the disk fails, or if the journal does not fit the config. All acknowledged records
    /// are committed.
    pub async fn run(
        mut self,
        mut deliveries: DeliveryChannels,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), RecorderError> {
        let done = self.record_all(&mut deliveries, &mut stop).await;
        // Told before the stream closes, so that the lanes' ending has its reason.
        self.end.note(&done);
        // Before who waits for a receipt hears that there is none.
        if done.is_err() {
            self.watched.fail();
        }
        deliveries.close();
        self.out = None;
        // Lanes wait no longer.
        self.desk = None;
        let (notes, end) = (self.notes.clone(), self.end.clone());
        let every = self.let_out.is_some().then_some(PROGRESS_PERIOD);
        let see = || self.commit_notes();
        notes.until_over(&end, every, done, see).await
    }

    async fn record_all(
        &mut self,
        deliveries: &mut DeliveryChannels,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<(), RecorderError> {
        if let (Some(folder), Some(feed)) = (self.folder.clone(), self.feed.clone()) {
            let interviewers = &mut deliveries.interviewers;
            self.hand_on_past(&folder, &feed, interviewers, stop)
                .await?;
        }
        self.show_committed();
        self.watched.enter(Stage::Following);
        // Where no policy acts, no decision was promised to anyone.
        if !self.notes.acting.is_asked() {
            self.watched.decisions.confirm(u64::MAX);
        }
        let mut over = self.notes.over();
        let end = Arc::clone(&self.end);
        let (mut group, mut told, mut stopping) = (Vec::new(), Vec::new(), false);
        // Looked at while `stop` is waited for.
        let stops = stop.clone();
        let (mut feed_open, mut desk_open) = (true, true);
        while feed_open || desk_open {
            if !feed_open && self.held.is_empty() {
                // Nothing more comes: the stream ends.
                self.out = None;
            }
            let due = self.due();
            tokio::select! {
                biased;
                () = self.notes.news() => {
                    if feed_open && self.held.is_empty() {
                        take_ready(&mut deliveries.feed, &mut group);
                    }
                    self.record(&mut group)?;
                }
                now = over.wait_for(|over| *over), if !end.settled.load(Ordering::Relaxed) => {
                    drop(now);
                    self.commit_notes()?;
                    end.settled.store(true, Ordering::Relaxed);
                }
                _ = stop.wait_for(|stop| *stop), if !stopping => {
                    stopping = true;
                    self.end.stopped.store(true, Ordering::Relaxed);
                    // What was handed in before is still taken.
                    deliveries.close();
                }
                () = hand_on(self.out.as_ref(), &mut self.held), if !self.held.is_empty() => {}
                taken = deliveries.interviewers.recv_many(&mut told, MOST_GROUP), if desk_open => {
                    desk_open = taken > 0;
                    self.record(&mut told)?;
                    self.shut_desk(!desk_open);
                }
                taken = deliveries.feed.recv_many(&mut group, MOST_GROUP), if feed_open && self.held.is_empty() => {
                    feed_open = taken > 0;
                    // Servers that stop close the feed as well, maybe since the stop was last looked at.
                    if !feed_open {
                        match *stops.borrow() {
                            true => self.end.stopped.store(true, Ordering::Relaxed),
                            false => self.end_feed()?,
                        }
                    }
                    let gauges = &self.watched.gauges;
                    gauges.deliveries.set(deliveries.feed.len() as u64);
                    self.record(&mut group)?;
                }
                () = tokio::time::sleep(due.unwrap_or_default()), if due.is_some() => self.see_to_time()?,
            }
        }
        self.note_unkept(1)?;
        self.journal.commit()?;
        self.bad.flush().map_err(|error| self.bad.error(error))?;
        hand_on(self.out.as_ref(), &mut self.held).await;
        Ok(())
    }

    /// Hands on the people that the journal held when the run was resumed.
    async fn hand_on_past(
        &mut self,
        folder: &Path,
        feed: &FeedSpec,
        interviewers: &mut mpsc::Receiver<Delivery>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<(), RecorderError> {
        let started = Instant::now();
        let mut reader = JournalReader::open(folder)?;
        let (mut told, mut desk_open) = (Vec::new(), self.desk.is_some());
        while let Some(mut arrivals) =
            read_on(&mut reader, feed, &self.watched, &mut self.bad, &self.notes)?
        {
            while !arrivals.is_empty() {
                let due = self.due();
                tokio::select! {
                    biased;
                    () = hand_on(self.out.as_ref(), &mut arrivals) => {}
                    taken = interviewers.recv_many(&mut told, MOST_GROUP), if desk_open => {
                        desk_open = taken > 0;
                        self.record(&mut told)?;
                        self.shut_desk(!desk_open);
                    }
                    _ = stop.wait_for(|stop| *stop), if desk_open => {
                        desk_open = false;
                        self.shut_desk(true);
                    }
                    () = self.notes.woken() => self.commit_notes()?,
                    () = tokio::time::sleep(due.unwrap_or_default()), if due.is_some() => self.see_to_time()?,
                }
            }
            // What is decided again is in the journal already; what is new is not shown to
            // anyone before.
            self.commit_notes()?;
        }
        self.note_committed();
        info!(
            entries = self.journal.last_seq(),
            persons = self.notes.past.persons,
            seconds = started.elapsed().as_secs_f64(),
            "what the journal holds is handed on"
        );
        Ok(())
    }

    /// Commits the notes of the lanes: forfeits, and the acting policy's decisions.
    fn commit_notes(&mut self) -> Result<(), RecorderError> {
        let noted = self.add_notes()?;
        self.journal.commit()?;
        self.show_notes(noted);
        Ok(())
    }

    /// Adds the notes of the lanes to the journal. They count with the next commit.
    fn add_notes(&mut self) -> Result<ToCommit, RecorderError> {
        let mut notes = self.notes.take()?;
        let let_out = self.let_out.as_ref();
        let let_out = let_out.map_or(0, |rounds| rounds.load(Ordering::Relaxed));
        if let_out > self.let_out_before {
            self.let_out_before = let_out;
            notes.entries.push(JournalEntry::Rounds(let_out));
        }
        for note in notes.entries.drain(..) {
            self.journal.add(&note)?;
        }
        Ok(notes)
    }

    /// Lets be shown what the notes of the lanes allow. They are committed.
    fn show_notes(&self, notes: ToCommit) {
        if let Some(round) = notes.shown {
            self.watched.note_shown(round);
        }
        if let Some(round) = notes.acted {
            self.watched.note_acted(round);
        }
    }

    /// Reports the last committed entry to the notes and to the view.
    fn note_committed(&self) {
        let seq = self.journal.last_seq();
        self.notes.commit(seq);
        self.watched.gauges.last_seq.set(seq);
    }
}

/// Takes the deliveries that have come, as many as a commit has.
fn take_ready(feed: &mut mpsc::Receiver<Delivery>, group: &mut Vec<Delivery>) {
    let ready = std::iter::from_fn(|| feed.try_recv().ok());
    group.extend(ready.take(MOST_GROUP));
}

/// Hands on people once there is room for them. They are dropped if all lanes have ended.
async fn hand_on(out: Option<&mpsc::Sender<Vec<Arrival>>>, held: &mut Vec<Arrival>) {
    let room = match out {
        Some(out) if !held.is_empty() => out.reserve().await.ok(),
        _ => None,
    };
    let arrivals = std::mem::take(held);
    if let Some(room) = room {
        room.send(arrivals);
    }
}
