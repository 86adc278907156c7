//! The columns that become numbers: contexts, rewards, utilities, scores, reviews and outcomes.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::{Spans, fold};

/// The columns of a table that become numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberColumns {
    /// The columns of numbers.
    pub numeric: Vec<String>,
    /// The declared ranges of the numeric columns.
    pub spans: Spans,
    /// The one-hot columns: each distinct cell of the kept rows becomes a number of its own, 0 or
    /// 1.
    pub one_hot: Vec<String>,
    /// True if cells that differ only in case, blanks or Unicode form become different numbers.
    pub is_exact: bool,
    /// The value of a numeric cell that is empty, missing or no finite number. `None` makes this an
    /// error.
    pub missing: Option<f64>,
    /// The column of rewards.
    pub reward: Option<String>,
    /// The column of people's true worth (utility).
    pub utility: Option<String>,
    /// The column of scores, which policies see.
    pub score: Option<String>,
    /// The columns of review scores of a person, in their order. A blank or missing cell is no
    /// review.
    pub reviews: Vec<String>,
    /// The column of outcomes. A blank or missing cell is an outcome that never comes.
    pub outcome: Option<String>,
    /// The words or codes in the column of outcomes, and their numbers.
    pub outcome_cells: OutcomeCells,
}

/// The numbers of the kept rows as the file has them: a number for each numeric cell, a code for
/// each one-hot cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableNumbers {
    pub(super) numeric: Vec<f64>,
    pub(super) widths: (usize, usize),
    pub(super) codes: Vec<u16>,
    /// The distinct cells of each one-hot column, by size if all are numbers, else by text.
    pub levels: Vec<Vec<String>>,
    /// The reward of each row; empty if no column holds rewards.
    pub rewards: Vec<f64>,
    /// The number of rows in which `missing` replaces the cell, by numeric column.
    pub filled: Vec<u64>,
    /// The utility of each row; empty if no column states it.
    pub utilities: Vec<f64>,
    /// The score of each row; empty if no column holds scores.
    pub scores: Vec<f64>,
    /// The review scores of each row, in the order of the columns. Empty if no column holds any.
    pub records: Vec<Vec<f64>>,
    /// The outcome of each row; empty if no column holds outcomes.
    pub outcomes: Vec<Option<f64>>,
}

impl TableNumbers {
    /// A row's numeric cells, in the order of the spec.
    #[must_use]
    pub fn numeric(&self, row: usize) -> &[f64] {
        let width = self.widths.0;
        &self.numeric[row * width..(row + 1) * width]
    }

    /// A row's one-hot cells, in the order of the spec, each as an index into the levels of its
    /// column.
    #[must_use]
    pub fn codes(&self, row: usize) -> &[u16] {
        let width = self.widths.1;
        &self.codes[row * width..(row + 1) * width]
    }
}

/// The outcomes that a config gives to cells. Case, blanks and Unicode form make no difference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutcomeCells {
    values: BTreeMap<String, f64>,
    missing: BTreeSet<String>,
}

/// The outcome that a cell states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OutcomeCell {
    /// An outcome that never comes.
    Missing,
    /// The number that the config gives it.
    Number(f64),
    /// The number written in the cell, if it is one.
    Itself,
    /// None: the config lists the allowed cells, and this is not one of them.
    Unlisted,
}

impl OutcomeCells {
    /// Cells with the number that each counts as, and cells of outcomes that never come.
    #[must_use]
    pub fn new(
        values: impl IntoIterator<Item = (String, f64)>,
        missing: impl IntoIterator<Item = String>,
    ) -> Self {
        let folded = |(cell, number): (String, f64)| (fold(&cell), number);
        Self {
            values: values.into_iter().map(folded).collect(),
            missing: missing.into_iter().map(|cell| fold(&cell)).collect(),
        }
    }

    /// Returns the outcome that a cell states. A blank cell is an outcome that never comes.
    pub(super) fn read(&self, cell: &str) -> OutcomeCell {
        let folded = fold(cell);
        match self.values.get(&folded) {
            _ if folded.is_empty() || self.missing.contains(&folded) => OutcomeCell::Missing,
            Some(number) => OutcomeCell::Number(*number),
            None if self.values.is_empty() => OutcomeCell::Itself,
            None => OutcomeCell::Unlisted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_the_config_lists_them() {
        let listed = [("Ja".to_owned(), 1.0), ("nein".into(), 0.0)];
        let words = OutcomeCells::new(listed, ["k. A.".to_owned()]);
        for (cell, due) in [
            ("ja", OutcomeCell::Number(1.0)),
            ("NEIN ", OutcomeCell::Number(0.0)),
            ("K. a.", OutcomeCell::Missing),
            ("", OutcomeCell::Missing),
            ("vielleicht", OutcomeCell::Unlisted),
            ("1", OutcomeCell::Unlisted),
        ] {
            assert_eq!(words.read(cell), due, "{cell}");
        }
        let numbers = OutcomeCells::new([], ["NA".to_owned()]);
        assert_eq!(numbers.read("0.5"), OutcomeCell::Itself);
        assert_eq!(numbers.read("na"), OutcomeCell::Missing);
        assert_eq!(OutcomeCells::default().read("NA"), OutcomeCell::Itself);
    }
}
