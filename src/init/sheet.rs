//! A file of people read whole, to see what its columns hold.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::column::Column;
use crate::problem::{Place, Problem};
use crate::record::file::{Encoding, Form, How, LoadError, TableFile};

/// How the people of a file are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A JSON object a line.
    Ndjson,
    /// Separated text.
    Csv {
        /// The byte between fields.
        delimiter: u8,
        /// Whether the first row names the columns.
        header: bool,
    },
}

/// A file of people.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The file.
    pub path: PathBuf,
    /// How its text is written as bytes.
    pub encoding: Encoding,
    /// How its people are laid out.
    pub layout: Layout,
    /// Its columns, in their order.
    pub columns: Vec<Column>,
    /// How many people it holds.
    pub people: usize,
}

impl Sheet {
    /// Reads a file of people.
    ///
    /// # Errors
    /// Where it can't be read, is too large or a workbook, or holds no people.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let unread = |error: LoadError| {
            let first = error.problems.0.into_iter().next();
            first.unwrap_or_else(|| problem(path, "the file cannot be read"))
        };
        let mut file = TableFile::open(path, &How::default()).map_err(unread)?;
        let (form, encoding) = (file.read_as.form, file.read_as.encoding);
        let mut text = String::new();
        let read = file.read_to_string(&mut text);
        read.map_err(|error| problem(path, format!("the file cannot be read: {error}")))?;
        if text.trim().is_empty() {
            let help = "name a file with one person a row";
            return Err(problem(path, "the file is empty").help(help));
        }
        let (layout, columns, people) = match form {
            Form::Records => ndjson(path, &text)?,
            Form::Separated { delimiter } => separated(path, &text, delimiter)?,
        };
        let refuse = |what: &str, help: &str| Err(problem(path, what).help(help));
        if people == 0 {
            return refuse(
                "the file names columns and holds no people",
                "add a row for each person",
            );
        }
        Ok(Self {
            path: path.to_owned(),
            encoding,
            layout,
            columns,
            people,
        })
    }

    /// The mean and the variance of a column of numbers, by the values of another.
    pub(super) fn moments(&self, numbers: usize, by: usize) -> BTreeMap<&str, (f64, f64)> {
        let mut parts: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let cells = self.columns[numbers].cells.iter();
        for (number, value) in cells.zip(&self.columns[by].cells) {
            parts
                .entry(value)
                .or_default()
                .extend(number.parse::<f64>());
        }
        let moments = |numbers: &[f64]| {
            let n = numbers.len().max(1) as f64;
            let mean = numbers.iter().sum::<f64>() / n;
            let square = numbers
                .iter()
                .map(|number| (number - mean) * (number - mean));
            (mean, square.sum::<f64>() / n)
        };
        let parts = parts.into_iter();
        parts
            .map(|(value, numbers)| (value, moments(&numbers)))
            .collect()
    }

    /// The column of a name, compared as people write names: case and blanks at its ends ignored.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        let fold = |name: &str| name.trim().to_lowercase();
        let columns = &self.columns;
        columns.iter().position(|c| fold(&c.name) == fold(name))
    }
}

/// A problem with a file.
pub(super) fn problem(path: &Path, what: impl Into<String>) -> Problem {
    let place = Place::File {
        path: path.to_owned(),
        line: None,
        column: None,
    };
    Problem::new(place, what)
}

/// A layout, the columns and the number of people.
type Content = (Layout, Vec<Column>, usize);

/// The columns of separated text.
fn separated(path: &Path, text: &str, delimiter: u8) -> Result<Content, Problem> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let rows: Result<Vec<csv::StringRecord>, _> = reader.records().collect();
    let rows = rows.map_err(|error| {
        let line = error.position().map_or(1, csv::Position::line);
        problem(path, format!("line {line} is no row of separated text"))
            .help("look for a quotation mark that is not closed")
    })?;
    let width = rows.first().map_or(0, csv::StringRecord::len);
    if let Some(row) = rows.iter().find(|row| row.len() != width) {
        let line = row.position().map_or(1, csv::Position::line);
        let what = format!(
            "line {line} has {} fields and the first has {width}",
            row.len()
        );
        let help = "put quotation marks around a field that holds the delimiter, or remove the row";
        return Err(problem(path, what).help(help));
    }
    let header = rows
        .first()
        .is_some_and(|first| is_header(first, &rows[1..]));
    let name = |at: usize| match header {
        true => rows[0][at].to_owned(),
        false => format!("column_{}", at + 1),
    };
    let names: Vec<String> = (0..width).map(name).collect();
    refuse_twins(path, &names)?;
    let people = &rows[usize::from(header)..];
    let cells = |at: usize| people.iter().map(|row| row[at].trim().to_owned()).collect();
    let columns = names.into_iter().enumerate();
    let columns = columns
        .map(|(at, name)| Column::new(name, cells(at)))
        .collect();
    Ok((Layout::Csv { delimiter, header }, columns, people.len()))
}

/// Whether a first row names the columns: each of its cells is a name, and no number or value that
/// the column has below.
fn is_header(first: &csv::StringRecord, rows: &[csv::StringRecord]) -> bool {
    let is_name = |(at, cell): (usize, &str)| {
        let repeated = rows.iter().take(1_000).any(|row| &row[at] == cell);
        cell.parse::<f64>().is_err() && (cell.is_empty() || !repeated)
    };
    first.iter().any(|cell| !cell.is_empty()) && first.iter().enumerate().all(is_name)
}

/// Refuses columns of one name: a config could name neither.
fn refuse_twins(path: &Path, names: &[String]) -> Result<(), Problem> {
    let twin = |(at, name): (usize, &String)| {
        let twin = !name.is_empty() && names[..at].contains(name);
        twin.then(|| {
            let help = "give each column a name of its own in the first row";
            problem(path, format!("two columns are called {name:?}")).help(help)
        })
    };
    names.iter().enumerate().find_map(twin).map_or(Ok(()), Err)
}

/// The columns of JSON lines: members of a record, of its `groups` and of its `features`.
fn ndjson(path: &Path, text: &str) -> Result<Content, Problem> {
    let mut names: Vec<String> = Vec::new();
    let mut cells: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut people = 0;
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let Ok(Value::Object(record)) = serde_json::from_str(line) else {
            let what = format!("line {} is no JSON object", at + 1);
            let help = "write one record a line: {\"id\": \"ann\", \"age\": 41}";
            return Err(problem(path, what).help(help));
        };
        for (name, cell) in members(&record) {
            let column = cells.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                Vec::new()
            });
            column.resize(people, String::new());
            column.push(cell);
        }
        people += 1;
    }
    let column = |name: String| {
        let mut column = cells.remove(&name).unwrap_or_default();
        column.resize(people, String::new());
        Column::new(name, column)
    };
    let columns = names.into_iter().map(column).collect();
    Ok((Layout::Ndjson, columns, people))
}

/// The texts and numbers of a record, each under the name by which a config finds it.
fn members(record: &Map<String, Value>) -> BTreeMap<String, String> {
    let inner = ["groups", "features"].map(|name| record.get(name).and_then(Value::as_object));
    let mut cells = BTreeMap::new();
    for members in std::iter::once(record).chain(inner.into_iter().flatten()) {
        for (name, value) in members {
            let cell = match value {
                Value::Null | Value::Array(_) | Value::Object(_) => continue,
                Value::String(text) => text.trim().to_owned(),
                other => other.to_string(),
            };
            cells.entry(name.clone()).or_insert(cell);
        }
    }
    cells
}
