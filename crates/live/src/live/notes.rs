//! The notes of the lanes for the journal, and the notes of earlier processes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::clock::RunClock;
use super::error::RecorderError;
use super::refusals::RefusalRoom;
use super::rounds::RoundCount;
use super::stream::StreamEnd;
use crate::acting::{Acting, Counted};
use crate::outcomes::ReportedOutcomes;
use crate::watch::Watched;
use kleroterion_core::draw::Key;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Ending, Stop};
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::journal::{Decided, Forfeit, JournalEntry, Numbered, SlateStep, Takeover};
use kleroterion_io::seat::Forfeits;

/// The part of a journal that is imposed when its stream is played again.
#[derive(Default)]
pub struct Past {
    /// The forfeits, by policy, round and step, each with the seat's ending if it ended then.
    forfeits: BTreeMap<(Box<str>, u64, u32), Option<Stop>>,
    decisions: BTreeMap<u64, Vec<u32>>,
    /// The round from which another policy than the acting one decided.
    takeover: Option<Takeover>,
    /// The number of persons who had come when the journal was last written.
    persons: u64,
    /// The count of the rounds, if people come by a feed.
    count: Option<RoundCount>,
    /// The interviews that were wanted, answered and missed, and the withdrawals, in order.
    looks: Vec<JournalEntry>,
    /// The room left for refused records.
    pub(super) refusals: RefusalRoom,
    /// The number of the journal's last entry.
    pub last_seq: u64,
    /// The number of rounds of a generated stream that were handed out.
    pub rounds: u64,
    /// The last round that all lanes are known to have decided.
    pub shown: u64,
    /// The last time in the journal, in milliseconds since 1970.
    time: u64,
}

impl Past {
    /// Creates the empty past of a run with this feed.
    #[must_use]
    pub fn of(feed: Option<&FeedSpec>, key: Key) -> Self {
        Self {
            count: feed.map(|feed| RoundCount::new(feed, key)),
            ..Self::default()
        }
    }

    /// Adds an entry.
    pub fn add(&mut self, numbered: &Numbered) {
        self.last_seq = numbered.seq;
        if let Some(count) = &mut self.count {
            count.add(numbered);
        }
        let time = match &numbered.entry {
            JournalEntry::Asked(_, asked) => asked.at,
            JournalEntry::Slate(SlateStep::Begun(at)) => *at,
            JournalEntry::Settled(step) => step.at,
            _ => 0,
        };
        self.time = self.time.max(time);
        match &numbered.entry {
            JournalEntry::Forfeit(forfeit) => {
                let at = (forfeit.policy.clone(), forfeit.round, forfeit.step);
                self.forfeits.insert(at, forfeit.stop());
            }
            JournalEntry::Decision(Decided { round, chosen }) => {
                self.decisions.insert(*round, chosen.clone());
            }
            JournalEntry::Rounds(rounds) => self.rounds = *rounds,
            JournalEntry::Shown(round) => self.shown = *round,
            JournalEntry::Candidate(..) => self.persons += 1,
            JournalEntry::Takeover(takeover) => self.takeover = Some(takeover.clone()),
            JournalEntry::Refusal(refusal) => self.refusals.note(refusal),
            JournalEntry::Asked(..)
            | JournalEntry::Answer(..)
            | JournalEntry::Miss(..)
            | JournalEntry::Withdrawal(..) => self.looks.push(numbered.entry.clone()),
            JournalEntry::Outcome(..)
            | JournalEntry::Correction(..)
            | JournalEntry::Settled(_)
            | JournalEntry::Slate(_)
            | JournalEntry::Join(_) => {}
        }
    }

    /// The ids of candidates who withdrew.
    #[must_use]
    pub fn withdrawn(&self) -> BTreeSet<Box<str>> {
        let looks = self.looks.iter();
        let withdrawn = looks.filter_map(|entry| match entry {
            JournalEntry::Withdrawal(id, _) => Some(id.clone()),
            _ => None,
        });
        withdrawn.collect()
    }

    /// The number of persons in the journal.
    #[must_use]
    pub fn persons(&self) -> u64 {
        self.persons
    }

    /// The number of rounds that were complete, or handed out, when the journal was last written.
    #[must_use]
    pub fn whole_rounds(&self) -> u64 {
        let count = self.count.as_ref();
        count.map_or(self.rounds, RoundCount::whole)
    }

    /// The count of the rounds, if people come by a feed.
    #[must_use]
    pub fn count(&self) -> Option<&RoundCount> {
        self.count.as_ref()
    }

    /// The interviews that were wanted, answered and missed, and the withdrawals, in order.
    #[must_use]
    pub fn looks(&self) -> &[JournalEntry] {
        &self.looks
    }

    /// The slots that the acting policy chose in a round, if that was committed.
    #[must_use]
    pub fn decided(&self, round: u64) -> Option<&[u32]> {
        self.decisions.get(&round).map(Vec::as_slice)
    }

    /// The last round whose decision was committed.
    #[cfg(test)]
    pub(super) fn last_decided(&self) -> u64 {
        self.decisions.keys().next_back().copied().unwrap_or(0)
    }

    /// The last round that a lane is known to have decided. With `acts`, the lane's decisions are
    /// the committed ones unless another policy took over.
    pub(super) fn known(&self, policy: &str, acts: bool) -> u64 {
        let last = |before: u64| {
            let committed = self.decisions.range(..before);
            committed.map(|(round, _)| *round).next_back()
        };
        let committed = match &self.takeover {
            Some(takeover) if *takeover.policy == *policy => last(u64::MAX),
            Some(takeover) if acts => last(takeover.round),
            None if acts => last(u64::MAX),
            _ => None,
        };
        self.shown.max(committed.unwrap_or(0))
    }

    /// The first committed decision of the acting policy on a round after this one.
    fn decided_after(&self, round: u64) -> Option<(u64, &[u32])> {
        let mut later = self.decisions.range(round + 1..);
        later.next().map(|(round, chosen)| (*round, &**chosen))
    }

    /// The forfeit of a seat's answer: `None` if the answer came, otherwise with the seat's ending
    /// if it ended then.
    #[must_use]
    pub fn forfeited(&self, policy: &str, round: u64, step: u32) -> Option<Option<&Stop>> {
        let found = self.forfeits.get(&(policy.into(), round, step))?;
        Some(found.as_ref())
    }
}

/// The late answers and the ending of one lane's seat. They are imposed in replayed rounds and
/// noted in new ones.
pub struct LaneForfeits {
    /// The lane's label.
    pub policy: Box<str>,
    /// The notes for the journal.
    pub notes: Arc<LiveNotes>,
    /// The last replayed round without deadlines.
    pub before: u64,
    /// True if the policy joins now, so that its lane has played none of the replayed rounds.
    pub joins: bool,
    /// True if the user lets the policy end in a round that it had played before.
    pub may_end: bool,
    /// True if its decisions count unless another policy took over.
    pub acts: bool,
    /// The lane's place in the run.
    pub lane: usize,
    /// The view, which shows that the program takes corrections or contradicts the journal.
    pub watched: Arc<Watched>,
}

impl LaneForfeits {
    /// Returns true if an ending of the lane here contradicts the journal.
    fn contradicts(&self, round: u64, step: u32) -> bool {
        let past = &self.notes.past;
        let was_late = past.forfeited(&self.policy, round, step).is_some();
        // Of an answer that is known to have been late the end follows.
        let is_let_go = self.may_end && self.may_leave(round);
        round <= past.known(&self.policy, self.acts) && !(self.joins || was_late || is_let_go)
    }

    /// Returns true if none of the lane's decisions from this round on was committed.
    fn may_leave(&self, round: u64) -> bool {
        let past = &self.notes.past;
        let mine = |round: u64| match &past.takeover {
            Some(takeover) if round >= takeover.round => takeover.policy == self.policy,
            _ => self.acts,
        };
        !past.decisions.range(round..).any(|(round, _)| mine(*round))
    }
}

impl Forfeits for LaneForfeits {
    fn imposed(&self, round: u64, step: u32) -> Option<bool> {
        let noted = self.notes.past.forfeited(&self.policy, round, step);
        let late = noted.is_some_and(|ended| ended.is_none());
        // What is noted holds, however far the rest of the journal is.
        (late || round <= self.before).then_some(late)
    }

    fn ended(&self, round: u64, step: u32) -> Option<Stop> {
        let noted = self.notes.past.forfeited(&self.policy, round, step)?;
        noted.cloned()
    }

    fn note_end(&self, round: u64, step: u32, stop: &Stop) {
        // The end of one that can't be started is noted before its first round.
        let played = round.max(1);
        if self.contradicts(played, step) {
            self.watched.decisions.take_no_more();
            return self.notes.fail(RecorderError::Ended {
                policy: self.policy.clone(),
                round: played,
                why: stop.detail.clone().unwrap_or_default(),
                may_leave: self.may_leave(played),
            });
        }
        let end = Forfeit::end(&self.policy, round, step, stop);
        self.notes.put(JournalEntry::Forfeit(end));
    }

    fn corrects(&self) {
        self.notes.outcomes().note_corrects(self.lane);
    }

    fn note(&self, round: u64, step: u32) {
        let late = Forfeit::late(&self.policy, round, step);
        self.notes.put(JournalEntry::Forfeit(late));
    }
}

/// The notes that are still to be committed. They are bounded: a lane notes one thing per round,
/// and rounds are handed out only for committed people.
pub struct LiveNotes {
    past: Past,
    clock: RunClock,
    pending: Mutex<Pending>,
    wake: Notify,
    acting: Arc<Acting>,
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

    /// The decider of whose decisions count.
    #[must_use]
    pub fn acting(&self) -> &Arc<Acting> {
        &self.acting
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

    /// The clock of the run.
    pub(super) fn clock(&self) -> &RunClock {
        &self.clock
    }

    /// The past of the run.
    #[must_use]
    pub fn past(&self) -> &Past {
        &self.past
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
                () = self.woken() => {}
                () = self.acting.news() => {}
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
            (None, Some(by)) if then.is_none() && self.past.decided(round).is_none() => {
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
            match self.past.decided(round) {
                None => entries.push(JournalEntry::Decision(Decided { round, chosen })),
                Some(then) if then == chosen => {}
                Some(then) => return Err(RecorderError::Differs(round, then.to_vec(), chosen)),
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
