//! A file of people read whole, to see what its columns hold.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::column::Column;
use super::encoding::Encoding;
use crate::problem::{Place, Problem};

/// The largest file that is read, in bytes.
pub(super) const LARGEST: u64 = 1 << 28;

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
    /// Its text, in which an encoding makes no difference.
    pub text: String,
}

impl Sheet {
    /// Reads a file of people.
    ///
    /// # Errors
    /// Where it can't be read, is too large or a workbook, or holds no people.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let bytes = bytes(path)?;
        let refuse = |what: &str, help: &str| Err(problem(path, what).help(help));
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
            return refuse(
                "this is a workbook (Excel, OpenDocument), not text",
                "open it, choose Save as, the format \"CSV UTF-8\", and name that file",
            );
        }
        let (text, encoding) = Encoding::decode(&bytes);
        if text.contains('\0') {
            return refuse(
                "this is no text",
                "name a CSV file or one of JSON lines, with one person a row",
            );
        }
        let first = text.lines().find(|line| !line.trim().is_empty());
        let Some(first) = first else {
            return refuse("the file is empty", "name a file with one person a row");
        };
        let (layout, columns, people) = match first.trim_start().starts_with('{') {
            true => ndjson(path, &text)?,
            false => separated(path, &text)?,
        };
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
            text,
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

fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    let unread = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => problem(path, "the file cannot be found")
            .help("check the name and the folder, or give the whole path"),
        _ => problem(path, format!("the file cannot be read: {error}"))
            .help("name a file that this user may read"),
    };
    if path.is_dir() {
        return Err(problem(path, "this is a folder and not a file").help("name a file in it"));
    }
    let file = std::fs::File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(unread)?;
    if bytes.len() as u64 > LARGEST {
        let what = format!("the file is larger than {} MiB", LARGEST >> 20);
        let help =
            "give the first 100,000 rows of it, then name the whole file as `path` in the config";
        return Err(problem(path, what).help(help));
    }
    Ok(bytes)
}

/// A layout, the columns and the number of people.
type Content = (Layout, Vec<Column>, usize);

/// The columns of separated text.
fn separated(path: &Path, text: &str) -> Result<Content, Problem> {
    let delimiter = delimiter(text);
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

/// The delimiter of which the first rows have most and all the same number; a comma by default.
fn delimiter(text: &str) -> u8 {
    let mut best = (0, b',');
    for delimiter in [b',', b';', b'\t', b'|'] {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let widths: Vec<usize> = reader
            .records()
            .take(20)
            .map_while(Result::ok)
            .map(|row| row.len())
            .collect();
        let width = widths.first().copied().unwrap_or(0);
        if width > 1 && width > best.0 && widths.iter().all(|other| *other == width) {
            best = (width, delimiter);
        }
    }
    best.1
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
