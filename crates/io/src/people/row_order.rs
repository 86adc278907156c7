//! The order in which the rows of a table come.

use std::sync::Arc;

use kleroterion_core::draw::{Categorical, Draw, Key, NotALaw, Purpose, below};

/// The order in which rows come.
#[derive(Clone, Debug)]
pub enum RowOrder {
    /// In the order of the file, each row once.
    File,
    /// Each row once, in an order drawn for each replication (Fisher and Yates, from the last row
    /// down, on the stream of [`Purpose::Shuffle`]).
    Shuffled,
    /// With replacement, all rows equally likely, without end. Person g is row [`below`] of word g
    /// of the stream of [`Purpose::Person`].
    Resampled,
    /// With replacement, in proportion to weights, without end.
    Weighted(Arc<Categorical>),
    /// With replacement, from the groups in turn. Person g is row [`below`] of word g among the
    /// rows (listed here) of group g mod the number of groups. No group is empty.
    OnePerGroup(Arc<Vec<Vec<u32>>>),
}

impl RowOrder {
    /// Returns the order with replacement in proportion to weights.
    ///
    /// # Errors
    /// Where no weight is positive or one is not a number >= 0.
    pub fn weighted(weights: &[f64]) -> Result<Self, NotALaw> {
        Ok(Self::Weighted(Arc::new(Categorical::new(weights)?)))
    }

    /// Returns true if the stream ends.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        matches!(self, Self::File | Self::Shuffled)
    }

    /// The order at the start of a replication with a key, over a table of this many `rows`.
    pub(super) fn start(self, rows: usize, key: Key) -> RowPicker {
        let shuffled = match self {
            Self::Shuffled => shuffle(rows, key.draw(Purpose::Shuffle, 0, 0)),
            _ => Vec::new(),
        };
        RowPicker {
            order: self,
            rows,
            shuffled,
            key,
        }
    }
}

/// The order of one replication.
pub(super) struct RowPicker {
    order: RowOrder,
    /// The number of rows in the table.
    rows: usize,
    /// The rows of a shuffled stream; empty otherwise.
    shuffled: Vec<u32>,
    key: Key,
}

impl RowPicker {
    /// Returns the number of people left after the first `persons`, or `None` if the stream has no
    /// end.
    pub(super) fn left(&self, persons: usize) -> Option<usize> {
        let is_finite = self.order.is_finite();
        is_finite.then(|| self.rows.saturating_sub(persons))
    }

    /// The rows of persons `from .. from + persons` of the stream.
    pub(super) fn pick(&self, from: usize, persons: usize) -> Vec<u32> {
        let words = || {
            let mut words = vec![0; persons];
            self.key.fill(Purpose::Person, from as u64, &mut words);
            words.into_iter()
        };
        match &self.order {
            RowOrder::File => (from as u32..(from + persons) as u32).collect(),
            RowOrder::Shuffled => self.shuffled[from..from + persons].to_vec(),
            RowOrder::Resampled => {
                let n = self.rows as u64;
                words().map(|word| below(word, n) as u32).collect()
            }
            RowOrder::Weighted(law) => words().map(|word| law.pick(word)).collect(),
            RowOrder::OnePerGroup(groups) => {
                let of = |(g, word): (usize, u64)| {
                    let rows = &groups[g % groups.len()];
                    rows[below(word, rows.len() as u64) as usize]
                };
                (from..).zip(words()).map(of).collect()
            }
        }
    }
}

/// All rows in a random order (Fisher and Yates).
fn shuffle(rows: usize, mut draw: Draw) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    for last in (1..rows).rev() {
        order.swap(last, draw.below(last as u64 + 1) as usize);
    }
    order
}
