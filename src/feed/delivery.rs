//! What a transport hands over, and what it is told of it.

use tokio::sync::oneshot;

/// A person as a feed gave it: what the run reads of it, and the record itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Who it is, to the outside world: what tells a repeat, what traces show and what outcomes refer to.
    pub id: Box<str>,
    /// The value of each attribute of the schema, as an index into its values.
    pub values: Vec<u16>,
    /// The features, in the schema's order.
    pub features: Vec<f64>,
    /// The score, where the schema has one.
    pub score: Option<f64>,
    /// What names its household, where households matter.
    pub household: Option<Box<str>>,
    /// The record as JSON on one line: read again it gives the same.
    pub record: Box<str>,
}

/// What became of somebody chosen, told later.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Of whom.
    pub id: Box<str>,
    /// To which policy; to all that chose the person where `None`.
    pub policy: Option<Box<str>>,
    /// What the person turned out to be.
    pub value: f64,
}

/// A record that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its line, from 1, in the connection, file or request that it came with.
    pub line: u64,
    /// All that is wrong with it, with places.
    pub error: String,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// One thing that came.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A person.
    Candidate(Candidate),
    /// What became of a person.
    Outcome(Outcome),
    /// A record that can't be read.
    Refused(Refused),
}

/// Things that came together, in their order.
#[derive(Debug, Default)]
pub struct Delivery {
    /// The things.
    pub items: Vec<Item>,
    /// How many records came with them that `where` leaves out.
    pub left_out: u64,
    /// Who waits to hear that they were taken: told once they are committed.
    pub receipt: Option<oneshot::Sender<Receipt>>,
}

/// What became of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Committed under this number; of a person also which of the stream it is, from 0.
    Accepted {
        /// The number in the journal, from 1.
        seq: u64,
        /// The person's number in the stream.
        person: Option<u64>,
    },
    /// It was there before.
    Duplicate,
    /// The person was there before, under this number.
    Known {
        /// The number in the journal, from 1.
        seq: u64,
        /// The person's number in the stream, from 0.
        person: u64,
    },
    /// It could not be read, and is noted.
    Refused,
    /// An outcome of somebody who never came: not taken.
    Unknown,
    /// No lane plays any more: not taken.
    Over,
}

/// What became of a delivery. Where the receipt's sender is dropped, nothing of it was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Of each item, in order.
    pub taken: Vec<Taken>,
    /// The number of the journal's last entry.
    pub last_seq: u64,
}
