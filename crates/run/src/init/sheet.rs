//! A file of people read whole: its layout, its header, its rows and its columns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::column::{Column, number};
use super::extra::{ExtraRow, extra_rows, header_rows};
use super::header::{self, HeaderRows};
use super::labels::{Verdict, verdict};
use super::names::{UNKNOWN, plain};
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::people::table::doubles::{Counters, KnownAs, RowKey};
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::decimal::{Thousands, pointed};
use kleroterion_io::record::file::{Encoding, Form, Grid, GridRow};
use kleroterion_io::record::{Filter, fold};

/// The layout of a file of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableLayout {
    /// JSON objects, one a line or in an array.
    Records,
    /// Separated text.
    Csv {
        /// The byte between fields.
        delimiter: u8,
        /// True if the first row names the columns.
        header: bool,
    },
    /// A sheet of a workbook.
    Workbook {
        /// The name of the sheet.
        sheet: String,
        /// True if the first row names the columns.
        header: bool,
    },
}

/// A file of people.
#[derive(Clone, Debug)]
pub struct InitFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The layout of the file.
    pub layout: TableLayout,
    /// The columns in order, without rows that are not people.
    pub columns: Vec<Column>,
    /// The number of people.
    pub people: usize,
    /// The rows that are not people, for example rows of questions or totals.
    pub extra: Vec<ExtraRow>,
    /// Findings on the layout, one sentence each.
    pub found: Vec<String>,
    /// The line of each person.
    pub(super) lines: Vec<u64>,
    /// For each person, the first row that is equal in all cells. It is their own row if they have
    /// no twin.
    pub(super) first: Vec<usize>,
    /// The columns that count the rows.
    counters: BTreeSet<usize>,
    /// The byte between fields, for separated text.
    pub(super) mark: Option<u8>,
}

impl InitFile {
    /// Reads the people of a table. `said` names the header rows, if the user sets them.
    ///
    /// # Errors
    /// Where rows differ in length, columns have one name, or it holds no people.
    pub fn of(path: &Path, grid: Grid, said: Option<HeaderRows>) -> Result<Self, Problems> {
        if grid.read_as.form == Form::Records && said.is_some() {
            let what = "records name their members, and have no header";
            return Err(Problem::of_file(path, what)
                .help("leave out --header")
                .into());
        }
        let mut found = seen(&grid);
        let mark = match grid.read_as.form {
            Form::Separated { delimiter } => Some(delimiter),
            Form::Records => None,
        };
        let header = is_header(&grid, said, mark, &mut found);
        let mut rows = grid.rows;
        are_even(path, &rows)?;
        let names = names(path, &rows[0], header)?;
        let rows = rows.split_off(usize::from(header));
        let further = match said {
            Some(HeaderRows::Just(many)) => many.saturating_sub(1).min(rows.len()),
            _ if header && mark.is_some() => header_rows(&rows, mark),
            _ => 0,
        };
        if header && mark.is_some() && !matches!(said, Some(HeaderRows::Just(_))) {
            found.extend(open_header(&rows[further..], 1 + further, mark));
        }
        let (extra, rows) = extra_rows(&names, rows, further);
        if rows.is_empty() {
            let what = "the file names columns and holds no people";
            return Err(Problem::of_file(path, what)
                .help("add a row for each person")
                .into());
        }
        let layout = match (grid.read_as.form, grid.read_as.sheet) {
            (Form::Records, _) => TableLayout::Records,
            (_, Some((sheet, _))) => TableLayout::Workbook { sheet, header },
            (Form::Separated { delimiter }, None) => TableLayout::Csv { delimiter, header },
        };
        let sheet = Self {
            path: path.to_owned(),
            layout,
            columns: Vec::new(),
            people: 0,
            extra,
            found,
            lines: Vec::new(),
            first: Vec::new(),
            counters: BTreeSet::new(),
            mark,
        };
        Ok(sheet.with(names, rows))
    }

    /// The sheet with these rows as its people.
    fn with(mut self, names: Vec<String>, rows: Vec<GridRow>) -> Self {
        self.people = rows.len();
        self.lines = rows.iter().map(|row| row.line).collect();
        let mut met: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        let folded = |row: &GridRow| row.cells.iter().map(|cell| fold(cell)).collect();
        let first = rows
            .iter()
            .enumerate()
            .map(|(at, row)| *met.entry(folded(row)).or_insert(at));
        self.first = first.collect();
        let mark = self.mark;
        let cells = |at: usize| rows.iter().map(|row| row.cells[at].clone()).collect();
        let columns = names.into_iter().enumerate();
        self.columns = columns
            .map(|(at, name)| Column::new(name, cells(at), mark))
            .collect();
        let mut counters = Counters::default();
        for (row, line) in self.lines.iter().enumerate() {
            counters.take(*line, &self.key(row));
        }
        self.counters = counters.columns(&KnownAs::default());
        self
    }

    /// Returns the sheet with only the people that pass the filters, and without the rows
    /// `without`.
    #[must_use]
    pub fn kept(&self, filters: &[Filter], without: &[usize]) -> Self {
        let keeps = |row: usize| {
            let cell = |filter: &Filter, clause: usize| {
                let name = filter.clauses()[clause].column();
                self.column(name)
                    .map_or("", |at| &*self.columns[at].cells[row])
            };
            !without.contains(&row)
                && filters
                    .iter()
                    .all(|filter| filter.holds(|clause| cell(filter, clause)))
        };
        let row = |row: usize| GridRow {
            line: self.lines[row],
            cells: self.columns.iter().map(|c| c.cells[row].clone()).collect(),
        };
        let rows = (0..self.people).filter(|at| keeps(*at)).map(row).collect();
        let names = self.columns.iter().map(|column| column.name.clone());
        self.clone().with(names.collect(), rows)
    }

    /// Returns true if a column counts the rows, from the first or from one of those that were
    /// before.
    pub(super) fn counts_rows(&self, at: usize) -> bool {
        let first = self.columns[at].cells[0].parse::<u64>();
        first.is_ok_and(|first| first < self.lines[0]) && self.counters.contains(&at)
    }

    /// The key of a person's row, by which it is compared with others.
    pub(super) fn key(&self, row: usize) -> RowKey {
        let mut key = RowKey::new(false);
        let cells = self.columns.iter().map(|column| &column.cells[row]);
        cells.for_each(|cell| key.push(cell));
        key
    }

    /// Returns the numbers of filled and of different cells in a column, over distinct rows.
    pub(super) fn distinct(&self, at: usize) -> (usize, usize) {
        let cells = self.columns[at].cells.iter().enumerate();
        let cells = cells.filter(|(row, cell)| self.first[*row] == *row && !cell.is_empty());
        let cells: Vec<String> = cells.map(|(_, cell)| fold(cell)).collect();
        let different: BTreeSet<&String> = cells.iter().collect();
        (cells.len(), different.len())
    }

    /// The number of rows that are alike an earlier one in all cells.
    pub(super) fn repeats(&self) -> usize {
        let first = self.first.iter().enumerate();
        first.filter(|(row, first)| row != *first).count()
    }

    /// Returns true if its columns have names.
    #[must_use]
    pub fn has_header(&self) -> bool {
        match self.layout {
            TableLayout::Records => true,
            TableLayout::Csv { header, .. } | TableLayout::Workbook { header, .. } => header,
        }
    }

    /// The number that a cell is.
    pub(super) fn number(&self, cell: &str) -> Option<f64> {
        number(cell, self.mark)
    }

    /// The line and the text of the first cell of a column that is no number.
    pub(super) fn first_word(&self, at: usize) -> Option<(u64, &str)> {
        let mut cells = self.columns[at].cells.iter().zip(&self.lines);
        let is_word = |cell: &str| !cell.is_empty() && number(cell, self.mark).is_none();
        cells
            .find(|(cell, _)| is_word(cell))
            .map(|(cell, line)| (*line, &**cell))
    }

    /// The mean and the variance of a column of numbers, by the values of another.
    pub(super) fn moments(&self, numbers: usize, by: usize) -> BTreeMap<String, (f64, f64)> {
        let mut parts: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let cells = self.columns[numbers].cells.iter();
        for (cell, value) in cells.zip(&self.columns[by].cells) {
            let numbers = parts.entry(fold(value)).or_default();
            numbers.extend(number(cell, self.mark));
        }
        let parts = parts.into_iter();
        parts
            .map(|(value, numbers)| (value, moments(&numbers)))
            .collect()
    }

    /// The sentence on a column that would be of numbers if none of them could be two; none of
    /// other columns.
    pub(super) fn either(&self, at: usize) -> Option<String> {
        let mark = self.mark?;
        let column = &self.columns[at];
        let both = |cell: &str| pointed(cell, mark).err();
        let is_number = |cell: &String| {
            cell.is_empty()
                || number(cell, Some(mark)).is_some()
                || both(cell).is_some()
                || UNKNOWN.has(&plain(cell))
        };
        let mut cells = column.cells.iter().zip(&self.lines);
        let found = cells.find_map(|(cell, line)| Some((cell, line, both(cell)?)));
        let (cell, line, [parts, whole]) = found.filter(|_| column.cells.iter().all(is_number))?;
        let [cell, parts, whole] = [cell, &parts, &whole].map(|number| shown(number));
        Some(format!(
            "{cell} in line {line} may be {parts} or {whole}: write all of its cells as one of these"
        ))
    }

    /// The sentence on a column of numbers whose marks no cell tells apart from those between
    /// thousands; none of other columns.
    pub(super) fn unsure(&self, at: usize) -> Option<String> {
        self.mark.filter(|mark| *mark != b',')?;
        let column = &self.columns[at];
        column.numbers()?;
        let mut thousands = Thousands::default();
        column.cells.iter().for_each(|cell| thousands.meet(cell));
        thousands.said()
    }

    /// Returns the column with this name. Case, blanks and Unicode form make no difference.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        let name = fold(name);
        self.columns.iter().position(|c| fold(&c.name) == name)
    }
}

/// The mean and the variance of some numbers.
pub(super) fn moments(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares = numbers.iter().map(|number| (number - mean).powi(2));
    (mean, squares.sum::<f64>() / n)
}

fn at_line(path: &Path, line: u64, what: impl Into<String>) -> Problem {
    Problem::new(Place::line(path, Some(line)), what)
}

/// Returns the findings on a file's encoding, sheets and blank rows.
fn seen(grid: &Grid) -> Vec<String> {
    let mut found = Vec::new();
    if grid.read_as.encoding != Encoding::Utf8 {
        let name = grid.read_as.encoding.name();
        found.push(format!("it is read as {name}, by runs too"));
    }
    if let Some((sheet, others)) = &grid.read_as.sheet {
        let others = match &others[..] {
            [] => String::new(),
            others => format!(" (otherwise: --sheet NAME, of {})", others.join(", ")),
        };
        found.push(format!("the sheet {sheet:?} is read{others}"));
    }
    if !grid.unread.is_empty() {
        let names: Vec<String> = grid.unread.iter().map(|name| format!("`{name}`")).collect();
        found.push(format!(
            "not read, since they hold lists or objects: {}; write what is to be read as members of the records",
            names.join(", ")
        ));
    }
    if grid.blank > 0 {
        let rows = if grid.blank == 1 { "row" } else { "rows" };
        found.push(format!("{} blank {rows} skipped", grid.blank));
    }
    found
}

/// Returns true if the first row names the columns, as the user says or as its cells suggest.
fn is_header(
    grid: &Grid,
    said: Option<HeaderRows>,
    mark: Option<u8>,
    found: &mut Vec<String>,
) -> bool {
    if grid.read_as.form == Form::Records {
        return true;
    }
    let below: Vec<&[String]> = grid.rows[1..].iter().map(|row| &row.cells[..]).collect();
    let first = &grid.rows[0];
    let (judged, why) = header::judge(&first.cells, &below, mark);
    let (is_header, why, other) = match said {
        Some(said) => {
            let is_header = said != HeaderRows::None;
            (is_header, "as --header says".to_owned(), None)
        }
        None => (judged, why, Some(if judged { "no" } else { "yes" })),
    };
    let line = first.line;
    let what = match is_header {
        true => format!("line {line} names the columns"),
        false => format!("line {line} is a person and names no columns"),
    };
    let other = other.map_or_else(String::new, |other| {
        format!(" (otherwise: --header {other})")
    });
    found.push(format!("{what}: {why}{other}"));
    is_header
}

/// The sentence on a first row that may name the columns too, below some that do.
fn open_header(rows: &[GridRow], headers: usize, mark: Option<u8>) -> Option<String> {
    let (first, below) = rows.split_first()?;
    let is_open = verdict(first, below, mark) == Verdict::Open;
    is_open.then(|| {
        let (line, all) = (first.line, headers + 1);
        format!(
            "line {line} shares no value with the rows below it, and is taken for a person; where it names the columns, say --header {all}"
        )
    })
}

/// Refuses rows that are not as long as the first, and a title above the header.
///
/// # Errors
/// All of them.
fn are_even(path: &Path, rows: &[GridRow]) -> Result<(), Problems> {
    let width = rows[0].cells.len();
    if let Some(header) = below_title(rows) {
        let line = rows[0].line;
        let what = match header {
            1 => "the first row is a title and names no columns".to_owned(),
            many => format!("the first {many} rows are a title and name no columns"),
        };
        let help = format!(
            "delete the rows above line {}, which names the columns",
            rows[header].line
        );
        return Err(at_line(path, line, what).help(help).into());
    }
    let mut problems = Problems::default();
    for row in rows {
        let length = row.cells.len();
        if length != width {
            let cells = if length == 1 { "cell" } else { "cells" };
            let what = format!("the row has {length} {cells} and the first has {width}");
            let help =
                "put quotation marks around a cell that holds the separator, or correct the row";
            problems.push(at_line(path, row.line, what).help(help));
        }
    }
    problems.or(())
}

/// The first row that names the columns, below rows of a title: of these each has one cell, and
/// most rows below have more. A title in text without marks leaves rows of one cell that hold them.
fn below_title(rows: &[GridRow]) -> Option<usize> {
    let are_one = rows.iter().all(|row| row.cells.len() == 1);
    let cells = |row: &GridRow| match are_one {
        true => row.cells[0].split([';', '\t']).count(),
        false => row.cells.iter().filter(|cell| !cell.is_empty()).count(),
    };
    let at = rows.iter().position(|row| cells(row) > 1)?;
    let is_title = rows[0].cells.first().is_some_and(|cell| !cell.is_empty());
    let below = &rows[at..];
    let many = below.iter().filter(|row| cells(row) > 1).count();
    (at > 0 && is_title && below.len() > 1 && many * 10 >= below.len() * 9).then_some(at)
}

/// The names of the columns: those of the header, else by their numbers.
///
/// # Errors
/// Columns of one name, of which a config could name neither.
fn names(path: &Path, first: &GridRow, header: bool) -> Result<Vec<String>, Problems> {
    let name = |(at, cell): (usize, &String)| match header {
        true => cell.clone(),
        false => format!("column_{}", at + 1),
    };
    let names: Vec<String> = first.cells.iter().enumerate().map(name).collect();
    let mut problems = Problems::default();
    for (at, name) in names.iter().enumerate() {
        let is_twin = |other: &String| !name.is_empty() && fold(other) == fold(name);
        if let Some(twin) = names[..at].iter().position(is_twin) {
            let what = format!(
                "two columns are called {name:?}: column {} and column {}",
                twin + 1,
                at + 1
            );
            let help = "give each column a name of its own";
            problems.push(at_line(path, first.line, what).help(help));
        }
    }
    problems.or(names)
}
