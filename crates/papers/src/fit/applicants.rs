//! A file of people with a label each, in two groups, to which scores are fitted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::logistic::Cases;
use cells::{CellReader, ColumnReading};
use kleroterion_io::people::table::LoadError;
use kleroterion_io::people::table::sheet::{Sheet, SheetRow};
use kleroterion_io::record::file::How;
use no_feature::no_feature;

mod cells;
mod choice;
mod no_feature;

pub use choice::CellChoice;

/// A file of people, and the meaning of its columns. Columns are compared trimmed and
/// case-insensitively.
#[derive(Clone, Debug)]
pub struct ApplicantsSpec<'a> {
    /// The file.
    pub path: &'a Path,
    /// The separator of fields: an ASCII character, but no quote or line end.
    pub delimiter: Option<u8>,
    /// True if the first row names the columns; otherwise they are c1, c2, …
    pub header: bool,
    /// The labels: cells of 0 and 1, or the values that stand for 1.
    pub label: &'a CellChoice,
    /// The people of the first group; all others are in the second.
    pub group: &'a CellChoice,
    /// The columns that are not features; the label never is one.
    pub exclude: &'a [String],
    /// The columns of numbers that are codes of categories.
    pub categories: &'a [String],
    /// The columns that are features although they seem to identify rows.
    pub include: &'a [String],
}

/// The people of a file, as a regression fits them. Every column that is not excluded is a feature,
/// or one feature per level.
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
    /// The columns left out on request, without the label's.
    pub excluded: Vec<String>,
    /// The columns left out because they identify rows, each with the reason.
    pub no_features: Vec<(String, &'static str)>,
    /// The features of one person after another, in the order of the columns; see
    /// [`FitApplicants::cases`].
    features: Vec<f64>,
    width: usize,
    /// True for each person whose label is 1, in the order of the file.
    pub labels: Vec<bool>,
    /// True for each person of the first group, in the order of the file.
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
        let include = named(self.include, "the features (--include)");
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
        let asked =
            |at: &usize| Some(*at) == group || include.contains(at) || categories.contains(at);
        let unasked = features.clone().filter(|at| known && !asked(at));
        let delimiter = reader.sheet.delimiter();
        let left = left_out(&names, &rows, delimiter, unasked);
        let features = features.filter(|at| !left.contains_key(at));
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
            no_features: left
                .into_iter()
                .map(|(at, why)| (called(&names, at), why))
                .collect(),
            features: features_of(&rows, &readings, delimiter, width),
            width,
            labels,
            inside,
            unmet,
        };
        for (at, reading) in readings {
            people.add(names[at].clone(), reading);
        }
        Ok(people)
    }
}

/// The columns among these that are no features, and why.
fn left_out(
    names: &[String],
    rows: &[SheetRow],
    delimiter: u8,
    columns: impl Iterator<Item = usize>,
) -> BTreeMap<usize, &'static str> {
    let left = columns.filter_map(|at| {
        let cells: Vec<&str> = rows.iter().map(|row| row.cells[at].as_str()).collect();
        Some((at, no_feature(&names[at], &cells, delimiter)?))
    });
    left.collect()
}

/// The name of a column; its place where it has none.
fn called(names: &[String], at: usize) -> String {
    match names[at].trim() {
        "" => format!("column {}", at + 1),
        name => name.to_owned(),
    }
}

/// The features of all people, one person after another.
fn features_of(
    rows: &[SheetRow],
    readings: &[(usize, ColumnReading)],
    delimiter: u8,
    width: usize,
) -> Vec<f64> {
    let mut features = Vec::with_capacity(rows.len() * width);
    for row in rows {
        for (at, reading) in readings {
            reading.push(&row.cells[*at], delimiter, &mut features);
        }
    }
    features
}

impl FitApplicants {
    /// Names the features of a column.
    fn add(&mut self, name: String, reading: ColumnReading) {
        match reading {
            ColumnReading::Number => {
                self.names.push((name.clone(), None));
                self.numbers.push(name);
            }
            ColumnReading::Level(levels) => {
                let made = levels.iter().skip(1);
                let made = made.map(|level| (name.clone(), Some(level.clone())));
                self.names.extend(made);
                self.categories.push((name, levels));
            }
        }
    }

    /// Returns the people as a regression takes them.
    pub fn cases(&self) -> Cases<'_> {
        Cases {
            features: &self.features,
            width: self.width,
            labels: &self.labels,
        }
    }
}
