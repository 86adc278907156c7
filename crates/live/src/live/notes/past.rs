//! The notes of earlier processes: the part of a journal that is imposed again.

use std::collections::{BTreeMap, BTreeSet};

use crate::live::refusals::RefusalRoom;
use crate::live::rounds::RoundCount;
use kleroterion_core::draw::Key;
use kleroterion_core::protocol::Stop;
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::journal::{Decided, JournalEntry, Numbered, SlateStep, Takeover};

/// The part of a journal that is imposed when its stream is played again.
#[derive(Default)]
pub struct Past {
    /// The forfeits, by policy, round and step, each with the seat's ending if it ended then.
    forfeits: BTreeMap<(Box<str>, u64, u32), Option<Stop>>,
    /// The slots that the acting policy chose, by round, as far as that is committed.
    pub(super) decisions: BTreeMap<u64, Vec<u32>>,
    /// The round from which another policy than the acting one decided.
    pub(super) takeover: Option<Takeover>,
    /// The number of persons who had come when the journal was last written.
    pub persons: u64,
    /// The count of the rounds, if people come by a feed.
    pub(in crate::live) count: Option<RoundCount>,
    /// The interviews that were wanted, answered and missed, and the withdrawals, in order.
    pub looks: Vec<JournalEntry>,
    /// The room left for refused records.
    pub(in crate::live) refusals: RefusalRoom,
    /// The number of the journal's last entry.
    pub last_seq: u64,
    /// The number of rounds of a generated stream that were handed out.
    pub rounds: u64,
    /// The last round that all lanes are known to have decided.
    pub shown: u64,
    /// The last time in the journal, in milliseconds since 1970.
    pub(super) time: u64,
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

    /// The number of rounds that were complete, or handed out, when the journal was last written.
    #[must_use]
    pub fn whole_rounds(&self) -> u64 {
        let count = self.count.as_ref();
        count.map_or(self.rounds, |count| count.whole)
    }

    /// The last round whose decision was committed.
    #[cfg(test)]
    pub(in crate::live) fn last_decided(&self) -> u64 {
        self.decisions.keys().next_back().copied().unwrap_or(0)
    }

    /// The last round that a lane is known to have decided. With `acts`, the lane's decisions are
    /// the committed ones unless another policy took over.
    pub(in crate::live) fn known(&self, policy: &str, acts: bool) -> u64 {
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
    pub(super) fn decided_after(&self, round: u64) -> Option<(u64, &[u32])> {
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
