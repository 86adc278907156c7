//! People in a file: rows of CSV or NDJSON, filtered, their columns read as attribute values.
//!
//! ```
//! use kleroterion_io::record::{AttributeSpec, Filter, Levels};
//! use kleroterion_io::people::table::{PeopleTable, TableSpec};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("people.csv");
//! std::fs::write(&path, "AGEP,SEX,W\n20,1,30\n69,2,10\n12,1,5\n40,1,20\n")?;
//! let sex = vec![("1".into(), "male".into()), ("2".into(), "female".into())];
//! let table = PeopleTable::load(&TableSpec {
//!     path,
//!     how: Default::default(),
//!     columns: None,
//!     filters: vec![Filter::parse("AGEP >= 18")?],
//!     id: None,
//!     attributes: vec![AttributeSpec {
//!         name: "sex".into(),
//!         column: "SEX".into(),
//!         levels: Levels::values(sex).map_err(|errors| errors[0].clone())?,
//!     }],
//!     weight: Some("W".into()),
//!     unique: vec![],
//!     numbers: Default::default(),
//! })?;
//! assert_eq!(table.len(), 3);
//! assert_eq!(table.id(2), "4"); // the fourth row of the file
//! assert_eq!(table.shares(false), [[2.0 / 3.0, 1.0 / 3.0]]);
//! assert_eq!(table.shares(true), [[50.0 / 60.0, 10.0 / 60.0]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod decimals;
pub mod doubles;
mod file_frames;
pub mod identity;
pub(crate) mod ids;
mod load;
mod ndjson;
mod numbers;
mod raw;
mod row;
mod rows;
mod separated;
pub mod sheet;
pub mod tally;
#[cfg(test)]
mod tests;
mod wanted;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Households;
use crate::record::file::{How, ReadAs};
use crate::record::{AttributeSpec, Filter};

pub use crate::record::file::LoadError;
pub use doubles::Doubles;
pub use numbers::{NumberColumns, OutcomeCells, TableNumbers};
pub use raw::RawRows;

/// A file of people, and the options for reading it.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// The file.
    pub path: PathBuf,
    /// The options for opening the file.
    pub how: How,
    /// The names of the columns of separated text without a header.
    pub columns: Option<Vec<String>>,
    /// The filters; a row that fails one is left out before anything is counted.
    pub filters: Vec<Filter>,
    /// The column of ids, all different. If it is `None`, the record's `id` is used if all kept
    /// rows have one of their own, else the row's number.
    pub id: Option<String>,
    /// The attributes that people have.
    pub attributes: Vec<AttributeSpec>,
    /// The column of weights: the number of people of the population that a row represents.
    pub weight: Option<String>,
    /// The columns that together name a household; empty if households do not matter.
    pub unique: Vec<String>,
    /// The columns that become numbers.
    pub numbers: NumberColumns,
}

/// The kept rows of a file: at least one, in the file's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeopleTable {
    /// The format recognised in the file.
    pub read_as: ReadAs,
    /// The number of rows with only separators and blanks, which do not count as rows of data.
    pub blank_rows: u64,
    /// The number of rows of data in the file, kept or not.
    pub rows_read: u64,
    /// The number of rows that each filter removes, independently of the other filters.
    pub removed: Vec<u64>,
    /// The repeated rows.
    pub doubles: Doubles,
    /// Notes on columns of numbers whose marks may also separate thousands.
    pub unsure: Vec<String>,
    /// The reason why ids in the file don't name people, or `None` if they do. Only set if the
    /// config names no id column.
    pub unnamed: Option<String>,
    /// The numbers of the kept rows, as in the file.
    pub numbers: TableNumbers,
    pub(super) ids: Option<Vec<String>>,
    pub(super) attributes: Vec<(String, Vec<String>)>,
    pub(super) values: Vec<u16>,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) households: Option<Homes>,
    pub(super) lines: Vec<u64>,
    pub(super) row_numbers: Vec<u64>,
}

/// The household of each kept row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Homes {
    pub(super) numbers: Households,
    /// The household of each kept row, by index.
    pub(super) of: Vec<u32>,
}

impl PeopleTable {
    /// Returns the number of kept rows; never 0.
    #[allow(clippy::len_without_is_empty)] // A table without rows is not made.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the id of a person. Without ids it is the number of the row in the file, from 1,
    /// without the header and blank lines.
    pub fn id(&self, row: usize) -> Cow<'_, str> {
        match &self.ids {
            Some(ids) => Cow::Borrowed(&ids[row]),
            None => Cow::Owned(self.row_numbers[row].to_string()),
        }
    }

    /// Returns true if ids name the people, and false if the numbers of their rows do.
    pub fn has_ids(&self) -> bool {
        self.ids.is_some()
    }

    /// Returns the line of the file, from 1, on which a kept row begins.
    pub fn line(&self, row: usize) -> u64 {
        self.lines[row]
    }

    /// Returns the number of a kept row in the file, from 1, without the header and blank lines.
    pub fn number(&self, row: usize) -> u64 {
        self.row_numbers[row]
    }

    /// Returns the attributes in the order of the spec, each with its values. Some values may have
    /// no row.
    pub fn attributes(&self) -> &[(String, Vec<String>)] {
        &self.attributes
    }

    /// Returns a person's values: for each attribute, an index into its list of values.
    pub fn values(&self, row: usize) -> &[u16] {
        let width = self.attributes.len();
        &self.values[row * width..(row + 1) * width]
    }

    /// Returns the weights of the kept rows, finite and not negative, with a positive sum. Returns
    /// `None` without a weight column.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Returns the household number of each kept row (see [`Households`]), or `None` if no column
    /// names households.
    pub fn households(&self) -> Option<&[u32]> {
        self.households.as_ref().map(|homes| &*homes.of)
    }

    /// Returns the number of households, and the number of people with blank cells among them, who
    /// each count as a household. Returns `None` if no column names households.
    pub fn household_counts(&self) -> Option<(u32, u32)> {
        let homes = self.households.as_ref()?;
        Some((homes.numbers.count(), homes.numbers.blank()))
    }

    /// Returns the person's cell in the product of all attributes: a mixed-radix number, with the
    /// first attribute most significant. It fits, because the number of cells was checked when the
    /// table was loaded.
    pub fn cell(&self, row: usize) -> u32 {
        let digits = self.values(row).iter().zip(&self.attributes);
        digits.fold(0, |cell, (value, (_, levels))| {
            cell * levels.len() as u32 + u32::from(*value)
        })
    }

    /// Returns the share of each value of each attribute, by number of rows or by weight. Without a
    /// weight column, every row weighs 1. Shares are summed in the order of the file.
    pub fn shares(&self, weighted: bool) -> Vec<Vec<f64>> {
        let mut sums: Vec<Vec<f64>> = self
            .attributes
            .iter()
            .map(|(_, levels)| vec![0.0; levels.len()])
            .collect();
        let mut total = 0.0;
        for row in 0..self.len() {
            let weight = self.weight(row, weighted);
            total += weight;
            for (sums, value) in sums.iter_mut().zip(self.values(row)) {
                sums[usize::from(*value)] += weight;
            }
        }
        for sum in sums.iter_mut().flatten() {
            *sum /= total;
        }
        sums
    }

    /// Returns the [cells](PeopleTable::cell) that have a row, in increasing order, with their
    /// shares as in [`shares`](PeopleTable::shares). A share is 0 if all its rows weigh nothing.
    pub fn joint(&self, weighted: bool) -> Vec<(u32, f64)> {
        let mut sums = BTreeMap::new();
        let mut total = 0.0;
        for row in 0..self.len() {
            let weight = self.weight(row, weighted);
            total += weight;
            *sums.entry(self.cell(row)).or_insert(0.0) += weight;
        }
        sums.into_iter()
            .map(|(cell, sum)| (cell, sum / total))
            .collect()
    }

    /// Adds an attribute: its name, its values, and the value of each kept row. The caller checks
    /// that the cells still fit.
    pub(super) fn push_attribute(&mut self, name: String, names: Vec<String>, values: &[u16]) {
        debug_assert_eq!(values.len(), self.len());
        let width = self.attributes.len();
        let rows = values.iter().enumerate();
        self.values = rows
            .flat_map(|(row, value)| {
                let known = &self.values[row * width..(row + 1) * width];
                known.iter().copied().chain([*value])
            })
            .collect();
        self.attributes.push((name, names));
    }

    fn weight(&self, row: usize, weighted: bool) -> f64 {
        match &self.weights {
            Some(weights) if weighted => weights[row],
            _ => 1.0,
        }
    }
}
