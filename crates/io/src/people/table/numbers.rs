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
    pub(super) levels: Vec<Vec<String>>,
    pub(super) rewards: Vec<f64>,
    pub(super) filled: Vec<u64>,
    pub(super) utilities: Vec<f64>,
    pub(super) scores: Vec<f64>,
    pub(super) records: Vec<Vec<f64>>,
    pub(super) outcomes: Vec<Option<f64>>,
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

    /// The distinct cells of each one-hot column, by size if all are numbers, else by text.
    #[must_use]
    pub fn levels(&self) -> &[Vec<String>] {
        &self.levels
    }

    /// The reward of each row; empty if no column holds rewards.
    #[must_use]
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    /// The utility of each row; empty if no column states it.
    #[must_use]
    pub fn utilities(&self) -> &[f64] {
        &self.utilities
    }

    /// The score of each row; empty if no column holds scores.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The review scores of each row, in the order of the columns. Empty if no column holds any.
    #[must_use]
    pub fn records(&self) -> &[Vec<f64>] {
        &self.records
    }

    /// The rows' outcomes; no row where no column holds them.
    #[must_use]
    pub fn outcomes(&self) -> &[Option<f64>] {
        &self.outcomes
    }

    /// The number of rows in which `missing` replaces the cell, by numeric column.
    #[must_use]
    pub fn filled(&self) -> &[u64] {
        &self.filled
    }
}
