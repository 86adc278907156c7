//! The questions of a lane to its feedback task, and the answers.

use crate::protocol::{LookReason, Probe, Seal, Sealed, SealedAnswers, SealedOutcomes};

/// A question about a person in a row of the batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Query {
    pub(super) row: u32,
    pub(super) probe: Probe,
}

/// Interviews of a candidate that are drawn ahead: the next ones after those that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ahead {
    pub(super) slot: u32,
    pub(super) row: u32,
    /// The number of earlier interviews of the person.
    pub(super) nth: u32,
    pub(super) looks: u32,
}

/// The questions of one move or one choice, on their way to the feedback task and back. The buffers
/// travel along, so asking takes no heap.
#[derive(Default)]
pub struct Questions {
    pub(super) queries: Vec<Query>,
    /// The reason for the interviews, for an answerer outside.
    pub(super) why: Option<LookReason>,
    /// True if the answers of the people around each row are drawn with it, for all lanes.
    pub(super) blocks: bool,
    /// The interviews to be drawn ahead.
    pub(super) ahead: Vec<Ahead>,
    /// The kinds of interview to be drawn ahead and their gains, for each candidate as many.
    pub(super) kinds: Vec<(usize, f64)>,
    /// An answer to each query; `None` where none will ever come.
    pub(super) answers: Vec<Option<f64>>,
    /// The interviews that are drawn ahead: by candidate, by interview, by kind. All, or none.
    pub(super) seals: Vec<Seal>,
}

impl Questions {
    /// Begins new questions.
    pub(super) fn clear(&mut self) {
        self.queries.clear();
        self.why = None;
        self.blocks = false;
        self.ahead.clear();
        self.kinds.clear();
    }

    /// Asks about the people in some rows, and for nothing else.
    pub(super) fn ask(&mut self, probe: Probe, rows: impl Iterator<Item = u32>) {
        self.clear();
        self.queries.extend(rows.map(|row| Query { row, probe }));
    }
}

/// Returns true if a lane asks its feedback task for interviews of the people of a batch.
#[inline]
pub(super) fn asks_for_looks(sealed: &Sealed, carrier: Carrier) -> bool {
    match sealed.looks() {
        SealedAnswers::Drawn(_) => carrier == Carrier::Task,
        SealedAnswers::Outside => true,
        SealedAnswers::Nothing => false,
    }
}

/// Returns true if a lane asks its feedback task for replies to offers of these people of a batch.
#[inline]
pub(super) fn asks_for_replies(sealed: &Sealed, carrier: Carrier, rows: &[u32]) -> bool {
    match sealed.offers() {
        SealedAnswers::Drawn(_) => {
            carrier == Carrier::Task && !sealed.has_drawn(Probe::Offer, rows)
        }
        SealedAnswers::Outside => true,
        SealedAnswers::Nothing => false,
    }
}

/// Returns true if a lane asks its feedback task for outcomes of these people of a batch.
#[inline]
pub(super) fn asks_for_outcomes(sealed: &Sealed, carrier: Carrier, rows: &[u32]) -> bool {
    match sealed.outcomes() {
        SealedOutcomes::Drawn(_) => {
            carrier == Carrier::Task && !sealed.has_drawn(Probe::Outcome, rows)
        }
        SealedOutcomes::Outside => true,
        SealedOutcomes::Nothing | SealedOutcomes::Recorded(_) | SealedOutcomes::Reported => false,
    }
}

/// The task that draws generated answers. The choice changes speed, never results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// The feedback task of the lane, over a channel. It draws answers ahead, in sealed blocks, so
    /// one message carries many.
    #[default]
    Task,
    /// The lane itself. Suited to many policies that decide in less time than a message takes.
    Lane,
}
