//! A file of people with a label each, in two groups: what scores are fitted to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::logistic::Cases;
use crate::record::file::How;
use crate::source::table::LoadError;
use crate::source::table::sheet::{Sheet, SheetRow};
use cells::{CellReader, ColumnReading};

mod cells;
mod choice;

pub use choice::CellChoice;

/// A file of people, and what its columns mean. Columns are compared trimmed and
/// case-insensitively.
#[derive(Clone, Debug)]
pub struct ApplicantsSpec<'a> {
    /// The file: separated text, UTF-8.
    pub path: &'a Path,
    /// What separates fields: an ASCII character, no quote and no end of a line.
    pub delimiter: Option<u8>,
    /// Whether the first row names the columns; else they are c1, c2, …
    pub header: bool,
    /// The labels: cells of 0 and 1, or the values that stand for 1.
    pub label: &'a CellChoice,
    /// Who is in the first group; all others are in the second.
    pub group: &'a CellChoice,
    /// Columns that are no features; the label never is one.
    pub exclude: &'a [String],
    /// Columns of numbers that are codes of categories.
    pub categories: &'a [String],
}

/// People as they are fitted: every column that is not excluded is a feature, or one a level.
#[derive(Clone, Debug, PartialEq)]
pub struct FitApplicants {
    /// The file.
    pub path: PathBuf,
    /// The columns that are read as numbers.
    pub numbers: Vec<String>,
    /// The columns that are read as categories, with their levels in order; each but the first is a
    /// feature of 1 and 0.
    pub categories: Vec<(String, Vec<String>)>,
    /// The features in order: a column of numbers, or a column of categories and one of its levels.
    pub names: Vec<(String, Option<String>)>,
    /// The columns that are left out, the label's not among them.
    pub excluded: Vec<String>,
    /// Of each person, one after another, the features in the order of the columns; see
    /// [`FitApplicants::cases`].
    features: Vec<f64>,
    width: usize,
    /// Of each person whether the label is 1.
    pub labels: Vec<bool>,
    /// Of each person whether it is in the first group.
    pub inside: Vec<bool>,
    /// Messages on requested values that no row has, where other requested values occur.
    pub unmet: Vec<String>,
}

impl ApplicantsSpec<'_> {
    /// Reads the people.
    ///
    /// # Errors
    /// All that is wrong with the file: columns that are missing or there twice; rows of too few or
    /// too many fields; blank cells; labels other than 0 and 1; cells that are no finite number in
    /// a column of numbers; a column of too many texts, or too many features; values that no row
    /// has; a label that all people share, a group of fewer than two people, nothing to fit.
    pub fn load(&self) -> Result<FitApplicants, LoadError> {
        let how = How::separated(self.delimiter);
        let mut sheet = Sheet::open_as(self.path, "each person", &how, self.header)?;
        let label = sheet.need(&self.label.column, "the labels (--label)");
        let group = sheet.need(&self.group.column, "the groups (--group)");
        let mut named = |names: &[String], user: &str| -> BTreeSet<usize> {
            let found = names.iter().map(|name| sheet.need(name, user));
            found.collect::<Vec<_>>().into_iter().flatten().collect()
        };
        let exclude = named(self.exclude, "what is left out (--exclude)");
        let categories = named(self.categories, "the categories (--categories)");
        let names = sheet.columns().to_vec();
        // Where a column is not found it is not known what a feature is.
        let known = sheet.tally.is_empty();
        let rows = sheet.rows(&(0..names.len()).collect::<Vec<_>>());
        let whole = sheet.tally.is_empty();
        let mut reader = CellReader {
            sheet,
            names: &names,
            grouped: group,
            unmet: Vec::new(),
        };
        let labels = label.and_then(|at| reader.labels(&rows, at, self.label));
        let inside = group.map(|at| reader.members(&rows, at, self.group));
        let features = (0..names.len()).filter(|at| Some(*at) != label && !exclude.contains(at));
        let readings: Vec<_> = features
            .filter(|_| known)
            .map(|at| (at, reader.reading(&rows, at, categories.contains(&at))))
            .collect();
        let width = readings.iter().map(|(_, reading)| reading.width()).sum();
        if known && whole {
            let (labels, inside) = (labels.as_deref(), inside.as_deref());
            reader.judge(&rows, width, labels, inside, self.group);
        }
        let CellReader { sheet, unmet, .. } = reader;
        let tally = sheet.tally;
        let (Some(labels), Some(inside), true) = (labels, inside, tally.is_empty()) else {
            return Err(tally.finish().into());
        };
        let mut people = FitApplicants {
            path: self.path.to_owned(),
            numbers: Vec::new(),
            categories: Vec::new(),
            names: Vec::new(),
            excluded: exclude.iter().map(|at| names[*at].clone()).collect(),
            features: features_of(&rows, &readings, width),
            width,
            labels,
            inside,
            unmet,
        };
        for (at, reading) in readings {
            let name = names[at].clone();
            match reading {
                ColumnReading::Number => {
                    people.names.push((name.clone(), None));
                    people.numbers.push(name);
                }
                ColumnReading::Level(levels) => {
                    let made = levels.iter().skip(1);
                    let made = made.map(|level| (name.clone(), Some(level.clone())));
                    people.names.extend(made);
                    people.categories.push((name, levels));
                }
            }
        }
        Ok(people)
    }
}

/// The features of all people, one person after another.
fn features_of(rows: &[SheetRow], readings: &[(usize, ColumnReading)], width: usize) -> Vec<f64> {
    let mut features = Vec::with_capacity(rows.len() * width);
    for row in rows {
        for (at, reading) in readings {
            reading.push(&row.cells[*at], &mut features);
        }
    }
    features
}

impl FitApplicants {
    /// As a regression takes them.
    pub fn cases(&self) -> Cases<'_> {
        Cases {
            features: &self.features,
            width: self.width,
            labels: &self.labels,
        }
    }
}
