//! The notes of the lanes for the journal, and the notes of earlier processes.

mod forfeits;
mod past;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{Notify, watch};

pub use forfeits::LaneForfeits;
pub use past::Past;

use super::clock::RunClock;
use super::error::RecorderError;
use super::stream::StreamEnd;
use crate::acting::{Acting, Counted};
use crate::outcomes::ReportedOutcomes;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::Ending;
use kleroterion_io::journal::{Decided, JournalEntry, Takeover};

/// The notes that are still to be committed. They are bounded: a lane notes one thing per round,
/// and rounds are handed out only for committed people.
pub struct LiveNotes {
    /// The past of the run.
    pub past: Past,
    /// The clock of the run.
    pub(super) clock: RunClock,
    pending: Mutex<Pending>,
    wake: Notify,
    /// The decider of whose decisions count.
    pub acting: Arc<Acting>,
    /// Turns true once no lane plays any more.
    over: watch::Sender<bool>,
    /// The number of the last entry that is committed, and may be handed on.
    committed: AtomicU64,
}

/// Entries to commit, and what they let be shown.
#[derive(Debug, Default)]
pub struct ToCommit {
    /// The entries, in order.
    pub entries: Vec<JournalEntry>,
    /// The last round whose decision that counts is among them, or was committed before.
    pub acted: Option<u64>,
    /// The last round that all lanes have decided, where they newly say so.
    pub shown: Option<u64>,
}

#[derive(Debug, Default)]
struct Pending {
    entries: Vec<JournalEntry>,
    /// The reason why the run can't go on.
    failed: Option<RecorderError>,
    /// The last round that the acting policy decided.
    acted: u64,
    /// The round from which another policy decides, if it was noted in this process.
    taken_over: Option<u64>,
}

impl LiveNotes {
    /// Nothing to commit yet beyond what is past; with whose decisions count.
    #[must_use]
    pub fn after(past: Past, acting: Arc<Acting>) -> Self {
        Self {
            clock: RunClock::after(past.time),
            past,
            pending: Mutex::default(),
            wake: Notify::new(),
            acting,
            over: watch::Sender::new(false),
            committed: AtomicU64::new(0),
        }
    }

    /// The outcomes reported of those chosen.
    pub(super) fn outcomes(&self) -> &ReportedOutcomes {
        self.acting.outcomes()
    }

    /// Notes that no lane plays any more.
    pub fn end(&self) {
        self.over.send_replace(true);
    }

    /// Turns true once no lane plays any more.
    pub(super) fn over(&self) -> watch::Receiver<bool> {
        self.over.subscribe()
    }

    /// Notes that the journal is committed up to this entry.
    pub(super) fn commit(&self, seq: u64) {
        self.committed.store(seq, Ordering::Relaxed);
    }

    /// The number of the last entry that is committed, and may be handed on.
    #[cfg_attr(not(feature = "nats"), allow(dead_code))]
    pub(super) fn committed(&self) -> u64 {
        self.committed.load(Ordering::Relaxed)
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        locked(&self.pending)
    }

    /// Notes an entry.
    pub fn put(&self, entry: JournalEntry) {
        self.pending().entries.push(entry);
        self.wake.notify_one();
    }

    /// Notes the reason why the run can't go on. The first reason counts.
    pub(super) fn fail(&self, error: RecorderError) {
        self.pending().failed.get_or_insert(error);
        self.wake.notify_one();
    }

    /// Waits until there may be notes to commit.
    pub async fn woken(&self) {
        self.wake.notified().await;
    }

    /// Waits until there may be notes to commit, or decisions that count.
    pub async fn news(&self) {
        tokio::select! {
            () = self.woken() => {}
            () = self.acting.news() => {}
        }
    }

    /// Calls `see` for the lanes' notes until all lanes have ended, unless an error came before
    /// (`done`). It also calls `see` after each interval `every`. The first error ends the stream.
    ///
    /// # Errors
    /// The first error.
    pub(super) async fn until_over(
        &self,
        end: &StreamEnd,
        every: Option<Duration>,
        mut done: Result<(), RecorderError>,
        mut see: impl FnMut() -> Result<(), RecorderError>,
    ) -> Result<(), RecorderError> {
        let mut over = self.over();
        let mut is_over = false;
        while !is_over {
            tokio::select! {
                () = self.news() => {}
                () = tokio::time::sleep(every.unwrap_or_default()), if every.is_some() => {}
                now = over.wait_for(|over| *over) => {
                    drop(now);
                    is_over = true;
                }
            }
            if done.is_ok() {
                done = see();
                end.note(&done);
            }
        }
        done
    }

    /// The takeover to note if the policy `by` decides a round and another decided the round
    /// before. `None` for `by` is the acting policy.
    fn succession(&self, by: Option<&str>, round: u64) -> Result<Option<Takeover>, RecorderError> {
        let then = self.past.takeover.as_ref();
        let before = then.filter(|takeover| takeover.round <= round);
        match (before, by) {
            (None, None) => Ok(None),
            (Some(takeover), Some(by)) if *takeover.policy == *by => Ok(None),
            (None, Some(by)) if then.is_none() && !self.past.decisions.contains_key(&round) => {
                let takeover = Takeover {
                    policy: by.into(),
                    round,
                };
                Ok((self.pending().taken_over.replace(round).is_none()).then_some(takeover))
            }
            (then, by) => Err(RecorderError::Succession(
                round,
                then.map_or("the acting policy".into(), |then| then.policy.clone()),
                by.unwrap_or("the acting policy").into(),
            )),
        }
    }

    /// The entries to commit, with those of the acting policy's decisions that are new; the last
    /// round that it decided, and the last that all lanes did, where that is to be noted.
    ///
    /// # Errors
    /// Where it decided otherwise than it once did, or where a lane ended that had gone on: nothing
    /// may be committed then.
    pub fn take(&self) -> Result<ToCommit, RecorderError> {
        // Before the notes are taken: what was late in these rounds is among them.
        let news = self.acting.take();
        let last = news.counted.last().map(|counted| counted.round);
        let mut entries = {
            let mut pending = self.pending();
            if let Some(error) = pending.failed.take() {
                return Err(error);
            }
            pending.acted = last.unwrap_or(pending.acted);
            std::mem::take(&mut pending.entries)
        };
        for Counted { round, slots, by } in news.counted {
            if let Some(takeover) = self.succession(by.as_deref(), round)? {
                entries.push(JournalEntry::Takeover(takeover));
            }
            let chosen = slots;
            match self.past.decisions.get(&round) {
                None => entries.push(JournalEntry::Decision(Decided { round, chosen })),
                Some(then) if *then == chosen => {}
                Some(then) => return Err(RecorderError::Differs(round, then.clone(), chosen)),
            }
        }
        if let Some(stop) = news.ended
            // Whoever is cut off decides the rest when it is played again.
            && !matches!(stop.ending, Ending::Interrupted | Ending::SourceFailed)
            && let Some((round, then)) = self.past.decided_after(self.pending().acted)
        {
            let why = stop.detail.as_deref().map(|why| format!(", {why}"));
            let why = format!("{}{}", stop.ending, why.unwrap_or_default());
            return Err(RecorderError::Missing(round, then.to_vec(), why));
        }
        entries.extend(news.shown.map(JournalEntry::Shown));
        Ok(ToCommit {
            entries,
            acted: last,
            shown: news.shown,
        })
    }
}

#[cfg(test)]
mod tests;
