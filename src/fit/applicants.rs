//! A file of people with a label each, in two groups: what scores are fitted to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::logistic::Cases;
use crate::source::table::LoadError;
use crate::source::table::sheet::{At, Kind, Role, Shape, Sheet, SheetRow, shown};

/// Beyond this a number can't be squared and summed safely.
const LARGEST: f64 = 1e100;
/// A column of more texts is no category but a name or a comment.
const LEVELS: usize = 200;
/// So many weights can be fitted.
const FEATURES: usize = 1000;
/// So many values of a column are listed where one is not there.
const LISTED: usize = 20;

/// Cells of a column that count: `race7=0`, `c9=A92,A95`. Cells equal a value as texts or as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The column.
    pub column: String,
    /// The values; empty where only a column is named.
    pub values: Vec<String>,
}

/// A file of people, and what its columns mean. Columns are compared trimmed and case-insensitively.
#[derive(Clone, Debug)]
pub struct ApplicantsSpec<'a> {
    /// The file: separated text, UTF-8.
    pub path: &'a Path,
    /// What separates fields: an ASCII character, no quote and no end of a line.
    pub delimiter: u8,
    /// Whether the first row names the columns; else they are c1, c2, …
    pub header: bool,
    /// The labels: cells of 0 and 1, or the values that stand for 1.
    pub label: &'a Choice,
    /// Who is in the first group; all others are in the second.
    pub group: &'a Choice,
    /// Columns that are no features; the label never is one.
    pub exclude: &'a [String],
    /// Columns of numbers that are codes of categories.
    pub categories: &'a [String],
}

/// People as they are fitted: every column that is not excluded is a feature, or one a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Applicants {
    /// The file.
    pub path: PathBuf,
    /// The columns that are read as numbers.
    pub numbers: Vec<String>,
    /// The columns that are read as categories, with their levels in order; each but the first is a feature of 1 and 0.
    pub categories: Vec<(String, Vec<String>)>,
    /// The columns that are left out, the label's not among them.
    pub excluded: Vec<String>,
    /// Of each person, one after another, the features in the order of the columns; see [`Applicants::cases`].
    features: Vec<f64>,
    width: usize,
    /// Of each person whether the label is 1.
    pub labels: Vec<bool>,
    /// Of each person whether it is in the first group.
    pub inside: Vec<bool>,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (column, values) = match text.split_once('=') {
            Some((column, values)) => (column, values.split(',').map(str::trim).collect()),
            None => (text, Vec::new()),
        };
        if column.trim().is_empty() || values.contains(&"") {
            return Err("expected COLUMN, COLUMN=VALUE or COLUMN=VALUE,VALUE".into());
        }
        Ok(Self {
            column: column.trim().to_owned(),
            values: values.into_iter().map(str::to_owned).collect(),
        })
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.values.as_slice() {
            [] => f.write_str(&self.column),
            values => write!(f, "{}={}", self.column, values.join(",")),
        }
    }
}

impl Choice {
    fn holds(&self, cell: &str) -> bool {
        let number = number(cell).ok();
        self.values
            .iter()
            .any(|value| value == cell || number.is_some() && self::number(value).ok() == number)
    }
}

/// How a feature column is read.
enum Reading {
    Number,
    /// One of these levels.
    Level(Vec<String>),
}

impl ApplicantsSpec<'_> {
    /// Reads the people.
    ///
    /// # Errors
    /// All that is wrong with the file: columns that are missing or there twice; rows of too few or too many fields; blank cells;
    /// labels other than 0 and 1; cells that are no finite number in a column of numbers; a column of too many texts, or too many
    /// features; values that no row has; a label that all people share, a group without people, nothing to fit.
    pub fn load(&self) -> Result<Applicants, LoadError> {
        let mut sheet = Sheet::open_as(self.path, "each person", self.delimiter, self.header)?;
        let label = sheet.need(&self.label.column, "the labels (--label)");
        let group = sheet.need(&self.group.column, "the groups (--group)");
        let mut named = |names: &[String], user: &str| -> BTreeSet<usize> {
            let found = names.iter().map(|name| sheet.need(name, user));
            found.collect::<Vec<_>>().into_iter().flatten().collect()
        };
        let exclude = named(self.exclude, "what is left out (--exclude)");
        let categories = named(self.categories, "the categories (--categories)");
        let names = sheet.columns().to_vec();
        let rows = sheet.rows(&(0..names.len()).collect::<Vec<_>>());
        let sound = sheet.tally.is_empty();
        let mut reader = CellReader {
            sheet,
            names: &names,
        };
        let labels = label.map(|at| reader.labels(&rows, at, self.label));
        let inside = group.map(|at| reader.members(&rows, at, self.group));
        // Where a column is not found it is not known what a feature is.
        let mut readings = Vec::new();
        if sound {
            let features =
                (0..names.len()).filter(|at| Some(*at) != label && !exclude.contains(at));
            for at in features {
                let coded = categories.contains(&at);
                readings.push((at, reader.reading(&rows, at, coded)));
            }
        }
        let width = readings.iter().map(|(_, reading)| reading.width()).sum();
        if sound {
            reader.judge(width, labels.as_deref(), inside.as_deref(), self);
        }
        let tally = reader.sheet.tally;
        let (Some(labels), Some(inside), true) = (labels, inside, tally.is_empty()) else {
            return Err(tally.finish().into());
        };
        let mut features = Vec::with_capacity(rows.len() * width);
        for row in &rows {
            for (at, reading) in &readings {
                reading.push(&row.cells[*at], &mut features);
            }
        }
        let mut people = Applicants {
            path: self.path.to_owned(),
            numbers: Vec::new(),
            categories: Vec::new(),
            excluded: exclude.iter().map(|at| names[*at].clone()).collect(),
            features,
            width,
            labels,
            inside,
        };
        for (at, reading) in readings {
            let name = names[at].clone();
            match reading {
                Reading::Number => people.numbers.push(name),
                Reading::Level(levels) => people.categories.push((name, levels)),
            }
        }
        Ok(people)
    }
}

impl Applicants {
    /// As a regression takes them.
    pub fn cases(&self) -> Cases<'_> {
        Cases {
            features: &self.features,
            width: self.width,
            labels: &self.labels,
        }
    }
}

impl Reading {
    fn width(&self) -> usize {
        match self {
            Self::Number => 1,
            Self::Level(levels) => levels.len().saturating_sub(1),
        }
    }

    /// Adds a person's features; all cells have been looked at.
    fn push(&self, cell: &str, features: &mut Vec<f64>) {
        match self {
            Self::Number => features.push(number(cell).unwrap_or_default()),
            Self::Level(levels) => {
                let others = levels.iter().skip(1);
                features.extend(others.map(|level| f64::from(u8::from(level == cell))));
            }
        }
    }
}

/// Reads columns and notes what is wrong with their cells.
struct CellReader<'a> {
    sheet: Sheet,
    names: &'a [String],
}

impl CellReader<'_> {
    fn note(&mut self, row: &SheetRow, at: usize, role: Role, what: &str, help: &str) {
        let place = At::cell(row.line, Some(at as u64 + 1));
        let (cell, name) = (row.cells[at].as_str(), &self.names[at]);
        self.sheet.tally.note(Kind::Cell(at, role), place, || {
            let what = match cell {
                "" => format!("the cell of `{name}` is blank"),
                _ => format!("{} in `{name}` {what}", shown(cell)),
            };
            (what, help.to_owned())
        });
    }

    fn labels(&mut self, rows: &[SheetRow], at: usize, label: &Choice) -> Vec<bool> {
        if !label.values.is_empty() {
            return self.members(rows, at, label);
        }
        let mut labels = Vec::new();
        for row in rows {
            let cell = number(&row.cells[at]);
            if !cell.as_ref().is_ok_and(|cell| [0.0, 1.0].contains(cell)) {
                let help = "write 0 or 1, or say which values stand for 1, as in --label hired=yes";
                self.note(row, at, Role::Reward, "is neither 0 nor 1", help);
            }
            labels.push(cell == Ok(1.0));
        }
        labels
    }

    /// Who has one of the values, which some must have, each.
    fn members(&mut self, rows: &[SheetRow], at: usize, choice: &Choice) -> Vec<bool> {
        let mut met: BTreeSet<&str> = BTreeSet::new();
        for row in rows {
            let cell = row.cells[at].as_str();
            if cell.is_empty() {
                let help = "write the value, or leave the row out";
                self.note(row, at, Role::Attribute(at), "", help);
            }
            met.insert(cell);
        }
        for value in &choice.values {
            let one = Choice {
                column: choice.column.clone(),
                values: vec![value.clone()],
            };
            if !rows.is_empty() && !met.iter().any(|cell| one.holds(cell)) {
                let mut known: Vec<String> = met.iter().take(LISTED).map(|v| shown(v)).collect();
                known.extend((met.len() > LISTED).then(|| format!("{} more", met.len() - LISTED)));
                let what = format!("no row has {} in `{}`", shown(value), choice.column);
                self.whole(at, what, format!("the values are {}", known.join(", ")));
            }
        }
        rows.iter()
            .map(|row| choice.holds(&row.cells[at]))
            .collect()
    }

    /// Numbers, unless no cell is one.
    fn reading(&mut self, rows: &[SheetRow], at: usize, coded: bool) -> Reading {
        let cells = || rows.iter().map(|row| row.cells[at].as_str());
        let texts =
            cells().any(|cell| !cell.is_empty()) && cells().all(|cell| number(cell).is_err());
        if !coded && !texts {
            for row in rows {
                if let Err(what) = number(&row.cells[at]) {
                    let help = "write a number, with a point for decimals, or name the column in --exclude or --categories";
                    self.note(row, at, Role::Number(at), &what, help);
                }
            }
            return Reading::Number;
        }
        for row in rows.iter().filter(|row| row.cells[at].is_empty()) {
            let help = "name what is not known, as in `none`, or leave the row out";
            self.note(row, at, Role::Level(at), "", help);
        }
        let levels: BTreeMap<&str, ()> = cells().map(|cell| (cell, ())).collect();
        let name = &self.names[at];
        if levels.len() > LEVELS {
            let what = format!("`{name}` has {} different values", levels.len());
            let help = format!("a category has at most {LEVELS}: leave it out by --exclude {name}");
            self.whole(at, what, help);
        }
        Reading::Level(levels.into_keys().map(str::to_owned).collect())
    }

    /// Whether there is something to fit, and two groups.
    fn judge(
        &mut self,
        width: usize,
        labels: Option<&[bool]>,
        inside: Option<&[bool]>,
        spec: &ApplicantsSpec<'_>,
    ) {
        let mut said = Vec::new();
        let one = |all: Option<&[bool]>, value| {
            all.is_some_and(|all| !all.is_empty() && all.iter().all(|found| *found == value))
        };
        for value in [false, true] {
            if one(labels, value) {
                let what = format!("the label of every row is {}", u8::from(value));
                said.push((what, "a regression tells two labels apart: see --label"));
            }
        }
        if one(inside, true) {
            let what = format!("every row is in the group {}", spec.group);
            said.push((
                what,
                "scores are compared with those of the others: see --group",
            ));
        }
        if width == 0 {
            let what = "there is no feature beside the label".to_owned();
            said.push((what, "add columns, or leave fewer out by --exclude"));
        }
        if width > FEATURES {
            let what = format!("there are {width} features");
            said.push((
                what,
                "at most 1000 are fitted: leave columns out by --exclude",
            ));
        }
        for (what, help) in said {
            let note = || (what, help.to_owned());
            self.sheet.tally.note(Kind::Whole, At::FILE, note);
        }
    }

    /// Notes what is wrong with a column, or with the values asked of it.
    fn whole(&mut self, at: usize, what: String, help: String) {
        let line = self.sheet.header_line();
        let column = line.map(|_| at as u64 + 1);
        let kind = Kind::Shape(Shape::Columns);
        self.sheet
            .tally
            .note(kind, At { line, column }, || (what, help));
    }
}

fn number(cell: &str) -> Result<f64, String> {
    let number = cell.parse().ok().filter(|n: &f64| n.is_finite());
    match number.ok_or("is not a number")? {
        number if number.abs() > LARGEST => Err(format!("is beyond {LARGEST:e}")),
        number => Ok(number),
    }
}
