//! The rounds that a journal's entries make: which of its people are together on a slate.

use super::settled::Settling;
use kleroterion_core::draw::Key;
use kleroterion_io::feed::{FeedSpec, SlateEnd};
use kleroterion_io::journal::{JournalEntry, Numbered, SettledStep, SlateStep, Withdrawn};

/// The count of the rounds of a feed, entry by entry. An outcome is heard before the first round
/// that becomes whole after it was reported.
#[derive(Clone)]
pub struct RoundCount {
    ends: SlateEnd,
    each: u64,
    key: Key,
    /// Rounds that are whole.
    rounds: u64,
    /// How many persons have come.
    came: u64,
    /// The number of the first person of the slate that is open.
    first: u64,
    /// How many persons are on it; those who withdrew from it are not.
    open: u64,
    /// The number of the first person of the last whole round that anyone is on.
    before_last: u64,
    /// The entry that made it whole.
    seq: u64,
    /// When the slate that is open was begun, in milliseconds since 1970, where that is noted.
    begun: Option<u64>,
    /// Whose outcomes are waited for no longer, where there is a horizon.
    settling: Option<Settling>,
}

impl RoundCount {
    /// Of a feed to which no one has come.
    #[must_use]
    pub fn new(feed: &FeedSpec, key: Key) -> Self {
        Self {
            ends: feed.slates.clone(),
            each: feed.each as u64,
            key,
            rounds: 0,
            came: 0,
            first: 0,
            open: 0,
            before_last: 0,
            seq: 0,
            begun: None,
            settling: feed.horizon.map(Settling::new),
        }
    }

    /// Takes in an entry of a journal.
    pub fn add(&mut self, Numbered { seq, entry }: &Numbered) {
        match entry {
            JournalEntry::Candidate(..) => self.came(*seq),
            JournalEntry::Withdrawal(_, Withdrawn { person }) => {
                person.map(|person| self.withdrew(person));
            }
            JournalEntry::Slate(SlateStep::Begun(at)) => self.begun(*at),
            JournalEntry::Slate(SlateStep::Closed(_)) => self.closed(*seq),
            JournalEntry::Settled(step) => self.settled(*step),
            _ => {}
        }
    }

    /// Takes in a person, by the entry `seq`.
    pub fn came(&mut self, seq: u64) {
        self.came += 1;
        self.open += 1;
        // The number of its people ends a slate of a size.
        while let Some(size) = self.size() {
            if size > self.open || self.open == 0 {
                break;
            }
            self.end(seq, size > 0);
        }
    }

    /// Takes in that a person withdrew; whether they were on the slate that is open.
    pub fn withdrew(&mut self, person: u64) -> bool {
        let is_open = person >= self.first && person < self.came;
        self.open -= u64::from(is_open);
        is_open
    }

    /// Takes in that the slate was begun.
    pub fn begun(&mut self, at: u64) {
        self.begun = Some(at);
    }

    /// Takes in that the slate was closed, by the entry `seq`.
    pub fn closed(&mut self, seq: u64) {
        self.end(seq, true);
    }

    /// Takes in a mark of the clock.
    pub fn settled(&mut self, step: SettledStep) {
        if let Some(settling) = &mut self.settling {
            settling.mark(step, self.came);
        }
    }

    /// Whether an outcome of a person is waited for no longer.
    #[must_use]
    pub fn is_settled(&self, person: u64) -> bool {
        let settling = self.settling.as_ref();
        settling.is_some_and(|settling| person < settling.before(self.came))
    }

    /// When the next mark of the clock is due, in milliseconds since 1970.
    #[must_use]
    pub fn mark_due(&self) -> Option<u64> {
        self.settling.as_ref()?.due(self.came)
    }

    /// The mark to be made at this time, where one is due.
    #[must_use]
    pub fn mark_at(&self, now: u64) -> Option<SettledStep> {
        self.settling.as_ref()?.step(now, self.came)
    }

    fn end(&mut self, seq: u64, has_people: bool) {
        self.rounds += 1;
        if has_people {
            self.before_last = self.first;
            self.first = self.came;
            self.seq = seq;
            self.open = 0;
            self.begun = None;
        }
    }

    /// The size of the slate that is open, where a number ends it; none after the last.
    fn size(&self) -> Option<u64> {
        match &self.ends {
            SlateEnd::Size(sizes) => {
                let size = sizes.at(self.key, self.rounds + 1)?;
                Some(u64::from(size) * self.each)
            }
            SlateEnd::Closing => None,
        }
    }

    /// How many rounds are whole.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.rounds
    }

    /// How many persons are on the slate that is open.
    #[must_use]
    pub fn on_open_slate(&self) -> u64 {
        self.open
    }

    /// When the slate that is open was begun, where that is noted.
    #[must_use]
    pub fn since(&self) -> Option<u64> {
        self.begun
    }

    /// Whether an outcome of a person that was reported with entry `told` has been learnt.
    #[must_use]
    pub fn heard(&self, person: u64, told: u64) -> bool {
        // An outcome of a person whose round was whole last is learnt in the next, whether or not
        // it came early.
        person < self.before_last && self.seq > told
    }
}

#[cfg(test)]
mod tests;
