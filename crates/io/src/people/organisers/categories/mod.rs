//! The categories file of sortition tools: how many members of the committee may have each value.
//!
//! The header comes in three dialects, with `min`, `max` and perhaps `min_flex`, `max_flex`:
//! `feature,value`, `category,name`, and `category,feature`, where `category` is the attribute and
//! `feature` the value. Where a header fits more than one, that order decides. Other columns are
//! ignored. A blank attribute is that of the row above, as merged cells of a spreadsheet give it;
//! rows of sums are left out. Names are trimmed and compared case-insensitively. Flexible bounds
//! say how far quotas may be relaxed where no committee keeps them all.

use std::path::{Path, PathBuf};

use super::{QuotaNames, QuotaSpec};
use crate::people::table::LoadError;
use crate::people::table::sheet::Sheet;
use crate::record::alike;
use crate::record::file::How;
use kleroterion_core::problem::Place;
use kleroterion_core::protocol::{Quota, Side};

mod rows;
mod sums;

use rows::Columns;
pub use rows::{Category, CategoryValue};

/// The attributes in which a committee has to resemble the people, each with its values and their
/// quotas. The default has no attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Categories {
    attributes: Vec<Category>,
    path: PathBuf,
    /// The numbers of the columns of minimums and maximums, from 1.
    columns: [Option<u64>; 2],
    is_flexible: bool,
    /// True if values that differ only in case, blanks or Unicode form are different values.
    is_exact: bool,
    /// The committee's size, where it is known.
    members: Option<u64>,
    notes: Vec<String>,
    named: QuotaNames,
}

impl Categories {
    /// Reads a categories file for a committee of `members`, if its size is known.
    ///
    /// # Errors
    /// As of [`read`](Self::read).
    pub fn load(path: &Path, how: &How, members: Option<u64>) -> Result<Self, LoadError> {
        let how = how.clone();
        let spec = QuotaSpec {
            how,
            members,
            ..QuotaSpec::default()
        };
        Self::read(path, &spec)
    }

    /// Reads a categories file. A bound is a number of seats or a share of them (`48 %`), of which
    /// a minimum is rounded down and a maximum up; a blank minimum is 0, a blank maximum the
    /// committee's size. One column may have both: `5`, `4-6`, `48 %`.
    ///
    /// # Errors
    /// All that is wrong, in the order of the lines: columns that are missing or there twice; blank
    /// values; numbers that are not whole, negative or too large; a minimum over its maximum,
    /// flexible bounds inside the bounds proper; a value twice; minimums of an attribute that sum
    /// to more than `members` or maximums that sum to less (without `members`: sums of different
    /// attributes that leave no size of committee); an attribute whose maximums are all 0; and
    /// whatever keeps the file from being read. Of each kind the first 20 are listed.
    pub fn read(path: &Path, spec: &QuotaSpec) -> Result<Self, LoadError> {
        let mut sheet = Sheet::open(path, "each value of an attribute", &spec.how)?;
        let mut columns = Columns::find(&mut sheet, spec);
        let rows = columns.quotas.rows(&mut sheet, spec.members_by);
        let mut tally = sheet.tally;
        let Some(rows) = rows else {
            return Err(tally.finish().into());
        };
        let all_read = tally.is_empty();
        let (listed, said) = rows::read(&rows, &columns, spec.is_exact, &mut tally);
        if listed.is_empty() && tally.is_empty() {
            let help = "write a row for each value of an attribute: gender,female,14,16";
            tally.note_whole("no row names an attribute", help);
        }
        let (columns, is_flexible) = (columns.quotas.bounds(), columns.quotas.are_flexible());
        // Where rows could not be read the sums say nothing.
        if all_read {
            sums::check(&listed, columns, spec, &mut tally);
        }
        let categories = Self {
            attributes: listed.into_iter().map(rows::Listed::finish).collect(),
            path: path.to_owned(),
            columns,
            is_flexible,
            is_exact: spec.is_exact,
            members: spec.members,
            notes: said.notes(spec.members),
            named: spec.columns.clone(),
        };
        tally
            .finish_by_line()
            .or(categories)
            .map_err(LoadError::from)
    }

    /// The attributes in the order of the file.
    #[must_use]
    pub fn attributes(&self) -> &[Category] {
        &self.attributes
    }

    /// Returns the target share of each value of each attribute: `rho_j = midpoint(min_j, max_j) /
    /// sum of the midpoints`.
    #[must_use]
    pub fn targets(&self) -> Vec<Vec<f64>> {
        let row = |category: &Category| {
            let twice = |value: &CategoryValue| {
                let most = self.most(category, value);
                f64::from(value.quota.min) + f64::from(value.quota.max.min(most))
            };
            let sum: f64 = category.values.iter().map(twice).sum();
            category.values.iter().map(|v| twice(v) / sum).collect()
        };
        self.attributes.iter().map(row).collect()
    }

    /// Returns the most members that the other values' minimums leave to a value. If the
    /// committee's size is unknown, the minimums are ignored.
    fn most(&self, category: &Category, value: &CategoryValue) -> u32 {
        let minimums = category.values.iter().map(|one| u64::from(one.quota.min));
        let minimums: u64 = minimums.sum();
        let others = minimums - u64::from(value.quota.min);
        let most = self
            .members
            .unwrap_or(minimums.max(1))
            .saturating_sub(others);
        match value.is_unbounded {
            true => most
                .max(u64::from(value.quota.min))
                .try_into()
                .unwrap_or(u32::MAX),
            false => u32::MAX,
        }
    }

    /// Returns the names of the columns, if they are not the usual ones.
    #[must_use]
    pub fn columns(&self) -> &QuotaNames {
        &self.named
    }

    /// Notes for the user on the reading of cells: blank bounds, shares of the seats.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns true if values that differ only in case, blanks or Unicode form are different
    /// values.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the quota of each value of each attribute.
    #[must_use]
    pub fn quotas(&self) -> Vec<Vec<Quota>> {
        let row = |category: &Category| category.values.iter().map(|v| v.quota).collect();
        self.attributes.iter().map(row).collect()
    }

    /// Returns true if the file has flexible bounds.
    #[must_use]
    pub fn is_flexible(&self) -> bool {
        self.is_flexible
    }

    /// Finds a value of an attribute by names as spelt in the file, else by alike ones.
    #[must_use]
    pub fn value(&self, attribute: &str, value: &str) -> Option<&CategoryValue> {
        let names = self.attributes.iter().map(|one| one.name.as_str());
        let category = &self.attributes[alike::find(attribute, names).ok()??];
        let names = category.values.iter().map(|one| one.name.as_str());
        let at = match self.is_exact {
            true => names.clone().position(|name| name == value),
            false => alike::find(value, names).ok()?,
        };
        Some(&category.values[at?])
    }

    /// Returns the place of the cell that holds one side of a value's quota.
    #[must_use]
    pub fn place(&self, value: &CategoryValue, side: Side) -> Place {
        Place::field(&self.path, Some(value.line), self.columns[side as usize])
    }
}
