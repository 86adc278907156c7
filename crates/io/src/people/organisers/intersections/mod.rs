//! The intersections file of sortition tools: the number of members who may have two values
//! together.
//!
//! A row names two attributes of the categories file, a value of each, and `min`, `max` and perhaps
//! `min_flex`, `max_flex`. The header comes in the dialects of categories, each name with a number:
//! `category 1,feature 1,category 2,feature 2`; a blank, `_`, `-` or nothing goes before the
//! number. Other columns are ignored. A blank attribute is that of the row above, and so is a blank
//! first value next to a blank first attribute, as merged cells of a spreadsheet give them; rows of
//! sums are left out. Pairs of values that the file does not list have no quota.

mod pair;
mod rows;

use std::path::{Path, PathBuf};

use super::{Categories, QuotaSpec};
use crate::people::table::LoadError;
use crate::people::table::sheet::Sheet;
use kleroterion_core::problem::Place;
use kleroterion_core::protocol::Side;

pub use pair::{PairValue, ValuePair};
use rows::Columns;

/// The pairs of attributes that have quotas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intersections {
    pairs: Vec<ValuePair>,
    path: PathBuf,
    /// The numbers of the columns of minimums and maximums, from 1.
    columns: [Option<u64>; 2],
    is_flexible: bool,
    notes: Vec<String>,
}

impl Intersections {
    /// Reads an intersections file, its cells as [`Categories::read`] does.
    ///
    /// # Errors
    /// All that is wrong: columns that are missing or there twice; attributes and values that the
    /// categories do not have; a pair of an attribute with itself; a pair of values twice; numbers
    /// as in [`Categories::load`]; and whatever keeps the file from being read.
    pub fn read(path: &Path, spec: &QuotaSpec, categories: &Categories) -> Result<Self, LoadError> {
        let mut sheet = Sheet::open(path, "each pair of values", &spec.how)?;
        let mut columns = Columns::find(&mut sheet, spec);
        let rows = columns.quotas.rows(&mut sheet, spec.members_by);
        let mut tally = sheet.tally;
        let Some(rows) = rows else {
            return Err(tally.finish().into());
        };
        let (pairs, said) = rows::read(&rows, &columns, categories, &mut tally);
        if pairs.is_empty() && tally.is_empty() {
            let help = "write a row for each pair of values: gender,female,age,18-29,3,5";
            tally.note_whole("no row names an attribute", help);
        }
        let intersections = Self {
            pairs,
            path: path.to_owned(),
            columns: columns.quotas.bounds(),
            is_flexible: columns.quotas.are_flexible(),
            notes: said.notes(spec.members),
        };
        tally
            .finish_by_line()
            .or(intersections)
            .map_err(LoadError::from)
    }

    /// Notes for the user on the reading of cells: blank bounds, shares of the seats.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The pairs of attributes, in the order of their first rows.
    #[must_use]
    pub fn pairs(&self) -> &[ValuePair] {
        &self.pairs
    }

    /// Returns true if the file has flexible bounds.
    #[must_use]
    pub fn is_flexible(&self) -> bool {
        self.is_flexible
    }

    /// Returns the place of the cell that holds one side of a pair's quota.
    #[must_use]
    pub fn place(&self, value: &PairValue, side: Side) -> Place {
        Place::field(&self.path, Some(value.line), self.columns[side as usize])
    }
}
