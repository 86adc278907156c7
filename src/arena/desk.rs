//! A lane's desk: how far it has come, who applies, what its pool is still to be told; the referee sits at it.

use std::sync::Arc;

use super::referee::Referee;
use super::seated::Seated;
use crate::draw::{Key, Purpose, label_key};
use crate::pool::Mustered;
use crate::protocol::{Batch, Ledger, Rules, Sealed, Verdict};

/// What happened in a round, kept for the pool.
pub struct Told {
    batch: Arc<Batch>,
    round: usize,
    ledger: Ledger,
}

impl Told {
    /// The round.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'_> {
        Verdict::new(&self.batch, self.round, &self.ledger, 0)
    }
}

/// The state of one lane apart from its policy.
pub struct Desk {
    /// The next round, as a place in the batch at hand.
    pub(super) cursor: usize,
    /// The round at the cursor is under way.
    pub(super) resumes: bool,
    pub(super) referee: Referee,
    pub(super) seated: Seated,
    reacts: bool,
    pub(super) mustered: Option<Mustered>,
    told: Option<Told>,
}

impl Desk {
    /// The desk of a lane at its start. `reacts`: a pool musters each slate. `traced`: reasons are kept.
    #[must_use]
    pub fn new(rules: Arc<Rules>, key: Key, label: &str, reacts: bool, traced: bool) -> Self {
        let draw = key.draw(Purpose::Policy, label_key(label), 0);
        let delays = key.draw(Purpose::Delay, 0, 0);
        Self {
            cursor: 0,
            resumes: false,
            referee: Referee::new(rules, draw, delays, label, traced),
            seated: Seated::default(),
            reacts,
            mustered: None,
            told: None,
        }
    }

    /// Whether a pool musters each slate.
    #[must_use]
    pub fn reacts(&self) -> bool {
        self.reacts
    }

    /// Hands over who applies in the coming round.
    pub fn muster(&mut self, mustered: Mustered) {
        self.mustered = Some(mustered);
    }

    /// What the pool is still to be told.
    pub fn take_told(&mut self) -> Option<Told> {
        self.told.take()
    }

    /// How many outcomes are still to come.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.referee.pending()
    }

    /// Whether the coming round lacks its muster.
    #[inline]
    pub(super) fn lacks_muster(&self) -> bool {
        self.reacts && self.mustered.is_none()
    }

    /// Whether a round of this batch is a slate and a choice, no more: no pool, no looks, no outcomes, no households.
    pub(super) fn is_bare(&self, batch: &Batch) -> bool {
        !self.reacts
            && batch.persons().households().is_empty()
            && self.referee.rules.interviews.is_empty()
            && !batch.sealed().has_outcomes()
            && !matches!(batch.sealed(), Sealed::Reported)
            && !self.referee.awaits()
    }

    /// Writes down what the round came to; from here on it counts.
    pub(super) fn settle(&mut self, round: u64, batch: &Arc<Batch>, ledger: &mut Ledger) {
        if !batch.persons().households().is_empty() {
            self.seated.seat(batch.persons(), ledger.choosing());
        }
        if batch.sealed().has_outcomes() {
            self.referee.open_outcomes(round, batch, ledger);
        }
        if matches!(batch.sealed(), Sealed::Reported) {
            self.referee.await_reports(round, batch, ledger);
        }
        self.referee.write_spending(ledger);
        if self.reacts {
            self.tell_pool(batch, ledger);
        } else {
            ledger.commit();
        }
    }

    #[inline(never)]
    fn tell_pool(&mut self, batch: &Arc<Batch>, ledger: &mut Ledger) {
        if let Some(mustered) = self.mustered.take() {
            ledger.note_muster(mustered.who(), mustered.state());
        }
        ledger.commit();
        self.told = Some(Told {
            batch: Arc::clone(batch),
            round: self.cursor,
            ledger: ledger.last(),
        });
    }
}
