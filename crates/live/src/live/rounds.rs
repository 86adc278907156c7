//! The rounds of a journal: which of its people are together on a slate.

use super::settled::Settling;
use kleroterion_core::draw::Key;
use kleroterion_io::feed::{FeedSpec, SlateEnd};
use kleroterion_io::journal::{JournalEntry, Numbered, SettledStep, SlateStep, Withdrawn};

/// The count of a feed's rounds, entry by entry. A reported outcome is learnt before the first
/// round that becomes complete after it.
#[derive(Clone)]
pub struct RoundCount {
    ends: SlateEnd,
    each: u64,
    key: Key,
    /// The number of complete rounds.
    pub(super) whole: u64,
    /// The number of persons who have come.
    came: u64,
    /// The number of the first person of the open slate.
    first: u64,
    /// The number of persons on the open slate, without those who withdrew from it.
    pub(super) open: u64,
    /// The number of the first person of the last complete round that has people.
    before_last: u64,
    /// The number of the entry that completed it.
    seq: u64,
    /// The time at which the open slate was begun, in milliseconds since 1970, if it is noted.
    pub(super) begun: Option<u64>,
    /// The people whose outcome no longer counts, if outcomes have a horizon.
    settling: Option<Settling>,
}

impl RoundCount {
    /// Creates the count of a feed to which no person has come.
    #[must_use]
    pub fn new(feed: &FeedSpec, key: Key) -> Self {
        Self {
            ends: feed.slates.clone(),
            each: feed.each as u64,
            key,
            whole: 0,
            came: 0,
            first: 0,
            open: 0,
            before_last: 0,
            seq: 0,
            begun: None,
            settling: feed.horizon.map(Settling::new),
        }
    }

    /// Adds an entry of a journal.
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

    /// Adds a person, who came with entry `seq`.
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

    /// Notes that a person withdrew. Returns true if they were on the open slate.
    pub fn withdrew(&mut self, person: u64) -> bool {
        let is_open = person >= self.first && person < self.came;
        self.open -= u64::from(is_open);
        is_open
    }

    /// Notes that the slate was begun at this time, in milliseconds since 1970.
    pub fn begun(&mut self, at: u64) {
        self.begun = Some(at);
    }

    /// Notes that the slate was closed with entry `seq`.
    pub fn closed(&mut self, seq: u64) {
        self.end(seq, true);
    }

    /// Notes a mark of the clock.
    pub fn settled(&mut self, step: SettledStep) {
        if let Some(settling) = &mut self.settling {
            settling.mark(step, self.came);
        }
    }

    /// Returns true if an outcome of a person would come too late.
    #[must_use]
    pub fn is_settled(&self, person: u64) -> bool {
        let settling = self.settling.as_ref();
        settling.is_some_and(|settling| person < settling.before(self.came))
    }

    /// The time at which the next mark of the clock is due, in milliseconds since 1970.
    #[must_use]
    pub fn mark_due(&self) -> Option<u64> {
        self.settling.as_ref()?.due(self.came)
    }

    /// The mark to make at this time, if one is due.
    #[must_use]
    pub fn mark_at(&self, now: u64) -> Option<SettledStep> {
        self.settling.as_ref()?.step(now, self.came)
    }

    fn end(&mut self, seq: u64, has_people: bool) {
        self.whole += 1;
        if has_people {
            self.before_last = self.first;
            self.first = self.came;
            self.seq = seq;
            self.open = 0;
            self.begun = None;
        }
    }

    /// The size of the open slate, if a size ends it; `None` after the last slate.
    fn size(&self) -> Option<u64> {
        match &self.ends {
            SlateEnd::Size(sizes) => {
                let size = sizes.at(self.key, self.whole + 1)?;
                Some(u64::from(size) * self.each)
            }
            SlateEnd::Closing => None,
        }
    }

    /// Returns true if an outcome of a person, reported with entry `told`, has been learnt.
    #[must_use]
    pub fn heard(&self, person: u64, told: u64) -> bool {
        // An outcome of a person whose round was whole last is learnt in the next, whether or not
        // it came early.
        person < self.before_last && self.seq > told
    }
}

#[cfg(test)]
mod tests;
