//! The late answers and the endings of the lanes' seats.

use std::sync::Arc;

use super::LiveNotes;
use crate::live::error::RecorderError;
use crate::watch::Watched;
use kleroterion_core::protocol::Stop;
use kleroterion_io::journal::{Forfeit, JournalEntry};
use kleroterion_io::seat::Forfeits;

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
