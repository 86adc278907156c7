//! The columns that become numbers: contexts, rewards, utilities, scores, reviews and outcomes.

use super::outcome_cells::OutcomeCells;
use crate::record::Spans;

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

/// The most numbers that are made of the columns of a table; a distinct cell of a one-hot column
/// makes one.
pub const MOST_NUMBERS: usize = 4096;

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
