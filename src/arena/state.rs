//! The state of a lane apart from its policy: how far it has come, who applies, what its pool has
//! not heard yet.

use std::sync::Arc;

use super::applicants::Applicants;
use super::outcomes::Outcomes;
use super::referee::Referee;
use super::reports::Reports;
use crate::draw::{Key, Purpose, label_key};
use crate::pool::Mustered;
use crate::protocol::{Batch, Ledger, RoundEntry, Rules, Sealed};

/// A round that was played, kept for the pool.
pub struct PlayedRound {
    batch: Arc<Batch>,
    round: usize,
    ledger: Ledger,
}

impl PlayedRound {
    /// What happened in it.
    #[must_use]
    pub fn entry(&self) -> RoundEntry<'_> {
        RoundEntry::new(&self.batch, self.round, &self.ledger, 0)
    }
}

/// The state of one lane apart from its policy.
pub struct LaneState {
    /// The next round, by its place in the current batch.
    pub(super) cursor: usize,
    /// Whether the round at the cursor is under way.
    pub(super) resumes: bool,
    pub(super) applicants: Applicants,
    pub(super) referee: Referee,
    pub(super) outcomes: Outcomes,
    pub(super) reports: Reports,
    /// The last round, until the pool takes it.
    played: Option<PlayedRound>,
}

impl LaneState {
    /// The state of a lane at its start. `reacts`: a pool musters each slate. `traced`: reasons are
    /// kept.
    #[must_use]
    pub fn new(rules: Arc<Rules>, key: Key, label: &str, reacts: bool, traced: bool) -> Self {
        let draw = key.draw(Purpose::Policy, label_key(label), 0);
        let delays = key.draw(Purpose::Delay, 0, 0);
        Self {
            cursor: 0,
            resumes: false,
            applicants: Applicants::new(reacts),
            outcomes: Outcomes::new(rules.delay, delays),
            reports: Reports::new(label),
            referee: Referee::new(rules, draw, label, traced),
            played: None,
        }
    }

    /// Whether a pool musters each slate.
    #[must_use]
    pub fn reacts(&self) -> bool {
        self.applicants.reacts()
    }

    /// Hands over who applies in the coming round.
    pub fn muster(&mut self, mustered: Mustered) {
        self.applicants.muster(mustered);
    }

    /// Takes the round that the pool has not heard of yet.
    pub fn take_played(&mut self) -> Option<PlayedRound> {
        self.played.take()
    }

    /// How many outcomes are still to come.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.outcomes.pending()
    }

    /// Whether a round of this batch is a slate and a choice, no more: no pool, no looks, no
    /// outcomes, no households.
    pub(super) fn is_bare(&self, batch: &Batch) -> bool {
        !self.applicants.reacts()
            && batch.persons().households().is_empty()
            && self.referee.rules.interviews.is_empty()
            && !batch.sealed().has_outcomes()
            && !matches!(batch.sealed(), Sealed::Reported)
            && !self.outcomes.awaits()
    }

    /// Writes down what the round came to; from here on it counts.
    pub(super) fn settle(&mut self, round: u64, batch: &Arc<Batch>, ledger: &mut Ledger) {
        self.applicants.seat(batch.persons(), ledger);
        if batch.sealed().has_outcomes() {
            let asking = &mut self.referee.asking;
            self.outcomes.open(round, batch, ledger, asking);
        }
        if matches!(batch.sealed(), Sealed::Reported) {
            self.reports.await_chosen(round, batch, ledger);
        }
        self.referee.write_spending(ledger);
        if self.applicants.reacts() {
            self.keep_for_pool(batch, ledger);
        } else {
            ledger.commit();
        }
    }

    #[inline(never)]
    fn keep_for_pool(&mut self, batch: &Arc<Batch>, ledger: &mut Ledger) {
        self.applicants.write_muster(ledger);
        ledger.commit();
        self.played = Some(PlayedRound {
            batch: Arc::clone(batch),
            round: self.cursor,
            ledger: ledger.last(),
        });
    }
}
