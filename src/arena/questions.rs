//! The questions that a lane has for its feedback task, and what came back.

use super::carrier::Carrier;
use crate::protocol::{Probe, Sealed, SealedLooks, SealedOffers, SealedOutcomes};

/// A question about a person in a row of the batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Query {
    pub(super) row: u32,
    pub(super) probe: Probe,
}

/// The questions of one move or one choice, on their way to the feedback task and back. It carries
/// its buffers with it, so asking takes no heap.
#[derive(Default)]
pub struct Questions {
    pub(super) queries: Vec<Query>,
    /// An answer to each query; `None` where none will ever come.
    pub(super) answers: Vec<Option<f64>>,
}

impl Questions {
    /// Asks for the outcomes of the people in some rows, and for nothing else.
    pub(super) fn ask_outcomes(&mut self, rows: impl Iterator<Item = u32>) {
        self.ask(Probe::Outcome, rows);
    }

    /// Asks the people in some rows whether they take their places, and nothing else.
    pub(super) fn ask_offers(&mut self, rows: impl Iterator<Item = u32>) {
        self.ask(Probe::Offer, rows);
    }

    fn ask(&mut self, probe: Probe, rows: impl Iterator<Item = u32>) {
        self.queries.clear();
        self.queries.extend(rows.map(|row| Query { row, probe }));
    }
}

/// Whether a lane asks its feedback task for looks at the people of a batch.
#[inline]
pub(super) fn asks_for_looks(sealed: &Sealed, carrier: Carrier) -> bool {
    match sealed.looks() {
        SealedLooks::Drawn(_) => carrier == Carrier::Task,
        SealedLooks::Outside => true,
        SealedLooks::Nothing => false,
    }
}

/// Whether a lane asks its feedback task whether the chosen of a batch take their places.
#[inline]
pub(super) fn asks_for_replies(sealed: &Sealed, carrier: Carrier) -> bool {
    match sealed.offers() {
        SealedOffers::Drawn(_) => carrier == Carrier::Task,
        SealedOffers::Outside => true,
        SealedOffers::Taken => false,
    }
}

/// Whether a lane asks its feedback task what becomes of the people of a batch.
#[inline]
pub(super) fn asks_for_outcomes(sealed: &Sealed, carrier: Carrier) -> bool {
    match sealed.outcomes() {
        SealedOutcomes::Drawn(_) => carrier == Carrier::Task,
        SealedOutcomes::Outside => true,
        SealedOutcomes::Nothing | SealedOutcomes::Recorded(_) | SealedOutcomes::Reported => false,
    }
}
