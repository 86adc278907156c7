//! The state of a lane apart from its policy: its progress, its applicants and the rounds its pool
//! has not yet seen.

use std::ops::Range;
use std::sync::Arc;

use super::applicants::Applicants;
use super::offers::Offers;
use super::outcomes::{Come, Outcomes};
use super::questions::{Carrier, Questions, asks_for_outcomes, asks_for_replies};
use super::referee::Referee;
use super::reports::Reports;
use crate::draw::{Draw, Key, Purpose, label_key};
use crate::pool::Mustered;
use crate::protocol::{Batch, Delay, Ledger, Probe, RoundEntry, Rules, SealedOutcomes};

/// The approximate number of answers drawn in the time of a message to the feedback task.
const MESSAGE: u64 = 10;

/// A played round, kept for the pool.
pub struct PlayedRound {
    batch: Arc<Batch>,
    round: usize,
    ledger: Ledger,
}

impl PlayedRound {
    /// Returns the entry of the round in the lane's ledger.
    #[must_use]
    pub fn entry(&self) -> RoundEntry<'_> {
        RoundEntry::new(&self.batch, self.round, &self.ledger, 0)
    }
}

/// The progress of the round at the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Progress {
    /// It has not begun.
    #[default]
    Fresh,
    /// The policy outside has replied.
    Replied,
    /// The interviews that the policy bought are answered.
    Answered,
    /// Those chosen last have replied.
    Offered,
    /// The choice is made, and what becomes of the chosen has come.
    Chosen,
    /// The round is settled, and the outcomes that are due after it have come.
    Settled,
}

/// The state of one lane apart from its policy.
pub struct LaneState {
    key: Key,
    /// The next round, by its place in the current batch.
    pub(super) cursor: usize,
    /// The progress of the round at the cursor.
    pub(super) progress: Progress,
    /// The policy has given up; the round at the cursor is the last.
    pub(super) stalled: bool,
    pub(super) applicants: Applicants,
    pub(super) referee: Referee,
    pub(super) outcomes: Outcomes,
    pub(super) reports: Reports,
    pub(super) offers: Offers,
    /// The number of lanes that meet the same stream and share the answers drawn ahead.
    lanes: u64,
    /// The last round, until the pool takes it.
    played: Option<PlayedRound>,
}

impl LaneState {
    /// Makes the state of a lane at its start; the lane draws generated answers itself. `reacts`: a
    /// pool chooses the applicants of each slate. `traced`: reasons are kept.
    #[must_use]
    pub fn new(rules: Arc<Rules>, key: Key, label: &str, reacts: bool, traced: bool) -> Self {
        let draw = key.draw(Purpose::Policy, label_key(label), 0);
        let delays = key.draw(Purpose::Delay, 0, 0);
        // Whom it pays to look at must not hang on who applied first.
        let lots = !rules.interviews.is_empty();
        let lots = lots.then(|| key.draw(Purpose::Household, 0, 0));
        Self {
            key,
            cursor: 0,
            progress: Progress::Fresh,
            stalled: false,
            applicants: Applicants::new(reacts, lots),
            outcomes: Outcomes::new(rules.delay, delays),
            reports: Reports::new(label),
            offers: Offers::default(),
            referee: Referee::new(rules, draw, label, traced),
            lanes: 1,
            played: None,
        }
    }

    /// The lane's label.
    #[must_use]
    pub fn label(&self) -> &str {
        self.reports.label()
    }

    /// The number of the replication, from 0.
    #[must_use]
    pub fn replication(&self) -> u64 {
        self.key.replication()
    }

    /// Returns the policy's own random numbers for its set-up. A program at a seat gets its seed
    /// from the same ones.
    #[must_use]
    pub fn draw(&self) -> Draw {
        self.key.draw(Purpose::Policy, label_key(self.label()), 0)
    }

    /// Sets the carrier of generated answers, as one of `lanes` lanes.
    #[must_use]
    pub fn carried(mut self, carrier: Carrier, lanes: usize) -> Self {
        self.referee.carrier = carrier;
        self.lanes = lanes as u64;
        self
    }

    /// Sets whether the interviews, offers and outcomes of each round are kept. They always are if
    /// reasons are kept.
    #[must_use]
    pub fn itemised(mut self, is_kept: bool) -> Self {
        if is_kept {
            self.referee.sales.get_or_insert_default();
        }
        self
    }

    /// Returns true if interviews, offers and outcomes are kept.
    #[must_use]
    pub fn is_itemised(&self) -> bool {
        self.referee.sales.is_some()
    }

    /// Takes the questions to the feedback task.
    pub(super) fn take_questions(&mut self) -> Questions {
        std::mem::take(&mut self.referee.questions)
    }

    /// Delivers the questions with their answers.
    pub(super) fn deliver(&mut self, answered: Questions) {
        self.referee.questions = answered;
    }

    /// Returns true if a pool chooses the applicants of each slate.
    #[must_use]
    pub fn reacts(&self) -> bool {
        self.applicants.reacts()
    }

    /// Sets the applicants of the coming round.
    pub fn muster(&mut self, mustered: Mustered) {
        self.applicants.muster(mustered);
    }

    /// Takes the round that the pool has not yet seen.
    pub fn take_played(&mut self) -> Option<PlayedRound> {
        self.played.take()
    }

    /// The number of outcomes still to come.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.outcomes.pending()
    }

    /// Returns true if a round of this batch is only a slate and a choice: no pool, no interviews,
    /// no outcomes, no households, no one who declines.
    pub(super) fn is_bare(&self, batch: &Batch) -> bool {
        !self.applicants.reacts()
            && batch.persons().households().is_empty()
            && self.referee.rules.interviews.is_empty()
            && !batch.sealed().has_outcomes()
            && !batch.sealed().is_reported()
            && !batch.sealed().may_be_declined()
            && !self.outcomes.awaits()
    }

    /// Writes down questions to those chosen last whether they take their places, where the
    /// feedback task is to be asked; whether it is.
    pub(super) fn ask_offers(&mut self, batch: &Batch, ledger: &Ledger) -> bool {
        let rows = self.offers.last(ledger);
        if !asks_for_replies(batch.sealed(), self.referee.carrier, rows) {
            return false;
        }
        let asks = self.offers.ask(ledger, &mut self.referee.questions);
        self.referee.questions.blocks = asks && self.shares_blocks(batch, 0);
        asks
    }

    /// Returns true if it is cheaper to draw answers in blocks, for all lanes, than by a message
    /// per choice that waits for those of `later` rounds. Each lane is assumed to choose as often
    /// as this one.
    fn shares_blocks(&self, batch: &Batch, later: u64) -> bool {
        let last = self.referee.questions.queries.last();
        let met = last.map_or(0, |query| batch.persons().number(query.row) + 1);
        let messages = self.lanes.saturating_mul(self.referee.accepted());
        messages.saturating_mul(MESSAGE) >= met.saturating_mul(1 + later)
    }

    /// Writes the replies of those chosen last into the ledger; returns how many declined.
    pub(super) fn note_replies(&mut self, batch: &Batch, ledger: &mut Ledger) -> usize {
        let referee = &mut self.referee;
        let rows = self.offers.last(ledger);
        let answered = asks_for_replies(batch.sealed(), referee.carrier, rows);
        let answered = answered.then_some(&*referee.questions.answers);
        let offers = &mut self.offers;
        let declined = offers.note_replies(batch, answered, ledger, &mut referee.asking);
        referee.note_declined(declined);
        declined
    }

    /// Opens the places of those who declined to the others of the slate, where the rules want it;
    /// whether the policy acts again. Who has taken a place closes their household; who has
    /// declined leaves it to the next of it.
    pub(super) fn reopen(&mut self, batch: &Batch, roster: Range<u32>, ledger: &Ledger) -> bool {
        if !self.referee.rules.refill {
            return false;
        }
        let Self {
            cursor,
            applicants,
            offers,
            referee,
            ..
        } = self;
        let persons = batch.persons();
        let round = (batch.round_number(*cursor), roster.clone());
        let before = match offers.left() {
            Some(left) => Some(left.to_vec()),
            None => (applicants.offered(persons, round.clone(), &[])).map(<[u32]>::to_vec),
        };
        applicants.seat(persons, ledger);
        let asked = offers.mark_asked(roster, applicants.came(), referee.places());
        let left = applicants.offered(persons, round, asked);
        let left = left.map_or_else(Vec::new, <[u32]>::to_vec);
        offers.reopen(before.as_deref(), left, referee)
    }

    /// Ends the offers of the round under way.
    pub(super) fn close_offers(&mut self, roster: Range<u32>, ledger: &mut Ledger) {
        self.offers.close(roster, ledger, &mut self.referee);
    }

    /// Writes down questions for what becomes of those chosen in the round under way, where the
    /// feedback task is to be asked; whether it is.
    #[inline]
    pub(super) fn asks_for_outcomes(&mut self, batch: &Batch, ledger: &Ledger) -> bool {
        let rows = ledger.choosing();
        let asks = !rows.is_empty()
            && !self.asks_later(batch)
            && asks_for_outcomes(batch.sealed(), self.referee.carrier, rows);
        if asks {
            let questions = &mut self.referee.questions;
            questions.ask(Probe::Outcome, rows.iter().copied());
            self.referee.questions.blocks = self.shares_blocks(batch, 0);
        }
        asks
    }

    /// Returns true if the feedback task is asked for outcomes only when they are due, so that one
    /// message covers several rounds. An answerer outside is asked at once, and so are outcomes
    /// that a pool may see.
    #[inline]
    fn asks_later(&self, batch: &Batch) -> bool {
        self.outcomes.are_late()
            && !self.applicants.reacts()
            && matches!(batch.sealed().outcomes(), SealedOutcomes::Drawn(_))
    }

    /// Writes down questions for the outcomes that the feedback task is still to be asked for;
    /// whether there are any.
    pub(super) fn ask_open(&mut self, batch: &Batch) -> bool {
        let questions = &mut self.referee.questions;
        questions.ask(Probe::Outcome, self.outcomes.open_rows());
        let asks = !questions.queries.is_empty();
        let later = match self.referee.rules.delay {
            Delay::Fixed(rounds) => rounds,
            Delay::Uniform { low, .. } => low,
        };
        self.referee.questions.blocks = asks && self.shares_blocks(batch, later);
        asks
    }

    /// Takes in the outcomes that were still open.
    pub(super) fn fill(&mut self, batch: &Batch, ledger: &mut Ledger) {
        let answers = &self.referee.questions.answers;
        self.outcomes.fill(answers, batch, ledger);
    }

    /// Writes down what the round came to; from here on it counts.
    pub(super) fn settle(&mut self, round: u64, batch: &Arc<Batch>, ledger: &mut Ledger) {
        self.applicants.seat(batch.persons(), ledger);
        let roster = batch.roster(self.cursor);
        self.applicants.write_shown(batch.persons(), roster, ledger);
        if batch.sealed().has_outcomes() {
            let later = self.asks_later(batch);
            let referee = &mut self.referee;
            let rows = ledger.choosing();
            let come = match asks_for_outcomes(batch.sealed(), referee.carrier, rows) {
                false => Come::Here,
                true if later => Come::Later,
                true => Come::Answered(&referee.questions.answers),
            };
            self.outcomes
                .open(round, batch, ledger, come, &mut referee.asking);
        }
        if batch.sealed().is_reported() {
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

#[cfg(test)]
mod tests;
