//! Columns that a draw adds in place of conditions and cells that would identify people.
//!
//! The config of a draw is published. A condition of `where` on an id, on a contact or on a cell that
//! few have would name people there. Its result goes into the file of people as a column of yes and
//! no, and the config asks for that column. Cells that name households go in as numbers.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::taken::CommittedPeople;
use kleroterion_io::people::Households;
use kleroterion_io::people::table::RawRows;
use kleroterion_io::record::{Clause, Filter, decimal, fold};
use kleroterion_run::document::Document;

/// The column of households.
const HOUSEHOLD: &str = "household";

/// The column of those whom hidden conditions leave out.
const LEFT_OUT: &str = "left_out";

/// The cells of that column, for people who take part and for others.
const MARKS: [&str; 2] = ["no", "yes"];

/// The most people with one cell who could be identified by it.
pub(super) const FEW: usize = 5;

/// The things that a config says of single people.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden {
    /// The columns that name households.
    households: Vec<String>,
    /// The conditions that single people out, by their places. `None` if no column is needed.
    conditions: Option<Vec<(usize, Filter)>>,
    /// The names of all columns of the organiser's file.
    names: Vec<String>,
}

impl Hidden {
    /// The things to be hidden of a config on some people.
    pub(super) fn of(document: &Document, rows: &RawRows) -> Self {
        let has = |name: &String| place(&rows.names, name).is_some();
        let households = document.household_columns();
        let is_known = households.iter().all(has);
        let id = document.id_column();
        let filters = document.filters().into_iter();
        let hidden = filters.filter(|(_, filter)| {
            let mut clauses = filter.clauses().iter();
            clauses.any(|clause| singles_out(clause, &id, rows))
        });
        let hidden: Vec<(usize, Filter)> = hidden.collect();
        Self {
            // That one is missing is said where the config is checked.
            households: if is_known { households } else { Vec::new() },
            conditions: Some(hidden).filter(|hidden| !hidden.is_empty()),
            names: rows.names.clone(),
        }
    }

    /// Returns true if a condition singles people out.
    pub(super) fn has_conditions(&self) -> bool {
        self.conditions.is_some()
    }

    /// Adds a column that makes sure that no row of these columns is blank. Readers of a file skip
    /// blank rows, and all later rows would then be assigned to other people.
    pub(super) fn without_blank_rows(mut self, taken: &CommittedPeople, rows: &RawRows) -> Self {
        let columns = taken.columns.iter().chain(&self.households);
        let places: Vec<usize> = columns
            .filter_map(|name| place(&rows.names, name))
            .collect();
        let is_blank = |row: &Vec<u8>| {
            let cells = rows.cells(row);
            let mut cells = places.iter().filter_map(|at| cells.get(*at));
            cells.all(|cell| fold(cell).is_empty())
        };
        if !taken.columns.is_empty() && rows.rows.iter().any(is_blank) {
            self.conditions.get_or_insert_default();
        }
        self
    }

    /// A config that asks for the columns of the draw in place of what is hidden.
    pub(super) fn applied(&self, document: Document) -> Document {
        let [household, left_out] = own_names(&self.names);
        let conditions = self.conditions.as_ref();
        let left_out = conditions.map(|conditions| {
            let places = conditions.iter().map(|(at, _)| *at).collect();
            (places, format!("{left_out} != '{}'", MARKS[1]))
        });
        let household = (!self.households.is_empty()).then_some(household);
        document.of_own_columns(household, left_out)
    }

    /// The columns that a draw takes of a file of people, and those of its own.
    pub(super) fn added(&self, taken: CommittedPeople, rows: &RawRows) -> CommittedPeople {
        let left_out = self.left_out(rows);
        let count = || left_out.iter().filter(|is_out| **is_out).count();
        CommittedPeople {
            households: self.households.clone(),
            left_out: self.conditions.as_ref().map(|_| count()),
            ..taken
        }
    }

    /// Returns, for each row, true if the hidden conditions leave it out.
    pub(super) fn left_out(&self, rows: &RawRows) -> Vec<bool> {
        let filters = self.conditions.iter().flatten();
        let filters: Vec<(Vec<Option<usize>>, &Filter)> = filters
            .map(|(_, filter)| {
                let clauses = filter.clauses().iter();
                let places = clauses.map(|clause| place(&rows.names, clause.column()));
                (places.collect(), filter)
            })
            .collect();
        let is_out = |row: &Vec<u8>| {
            let cells = rows.cells(row);
            !filters.iter().all(|(places, filter)| {
                let clauses = filter.clauses().iter().zip(places);
                let cells: Vec<Cow<'_, str>> = clauses
                    .map(|(clause, at)| compared(clause, &cells, *at, rows.delimiter))
                    .collect();
                filter.holds(|clause| &cells[clause])
            })
        };
        rows.rows.iter().map(is_out).collect()
    }
}

/// The names of the columns of the draw, which no column of a file has.
fn own_names(names: &[String]) -> [String; 2] {
    [HOUSEHOLD, LEFT_OUT].map(|name| {
        let mut own = format!("draw_{name}");
        while place(names, &own).is_some() {
            own = format!("draw_{own}");
        }
        own
    })
}

impl CommittedPeople {
    /// The number of columns of the draw's own, which come last among the inputs.
    pub(super) fn own(&self) -> usize {
        usize::from(!self.households.is_empty()) + usize::from(self.left_out.is_some())
    }

    /// The names of these columns.
    pub(super) fn own_columns(&self, rows: &RawRows) -> Vec<String> {
        let [household, left_out] = own_names(&rows.names);
        let has_households = !self.households.is_empty();
        let household = has_households.then_some(household).into_iter();
        household.chain(self.left_out.map(|_| left_out)).collect()
    }

    /// The cells of these columns, row by row; `left_out`: which rows are.
    pub(super) fn own_cells(&self, rows: &RawRows, left_out: &[bool]) -> Vec<Vec<String>> {
        let columns = self.households.iter();
        let places: Vec<Option<usize>> = columns.map(|name| place(&rows.names, name)).collect();
        let mut homes = Households::default();
        let cells = rows.rows.iter().enumerate().map(|(at, row)| {
            let cells = rows.cells(row);
            let home: Vec<&str> = places
                .iter()
                .map(|at| at.and_then(|at| cells.get(at)).map_or("", String::as_str))
                .collect();
            let mut own = Vec::new();
            if !places.is_empty() {
                let number = homes.number(home.iter().copied());
                let is_blank = home.iter().all(|cell| fold(cell).is_empty());
                own.push(match is_blank {
                    true => String::new(),
                    false => (number + 1).to_string(),
                });
            }
            let is_out = left_out.get(at).copied().unwrap_or_default();
            own.extend(self.left_out.map(|_| MARKS[usize::from(is_out)].to_owned()));
            own
        });
        cells.collect()
    }

    /// The people of some inputs without the columns of the draw's own.
    pub(super) fn plain(&self, people: &RawRows) -> RawRows {
        let own = self.own();
        let kept = |row: &Vec<u8>| {
            let row = records(row).next().unwrap_or_default();
            let cells = row.iter().take(row.len().saturating_sub(own));
            line(cells)
        };
        RawRows {
            delimiter: people.delimiter,
            names: people.names[..people.names.len().saturating_sub(own)].to_vec(),
            header: people.header.as_ref().map(kept),
            rows: people.rows.iter().map(kept).collect(),
        }
    }

    /// Returns, for each row of the people's file among the inputs, true if it is left out.
    pub(super) fn marked(&self, inputs: &[u8]) -> Vec<bool> {
        let mut rows = records(inputs).skip(1);
        let has_marks = self.left_out.is_some();
        let is_out = |row: csv::StringRecord| row.iter().next_back() == Some(MARKS[1]);
        let marked = rows.by_ref().map(|row| has_marks && is_out(row));
        marked.collect()
    }

    /// The file of people among some inputs as it is without the column of those left out: who they
    /// are, whoever takes part.
    pub(super) fn everyone<'a>(&self, inputs: &'a [u8]) -> Cow<'a, [u8]> {
        if self.left_out.is_none() {
            return Cow::Borrowed(inputs);
        }
        let rows = records(inputs).map(|row| {
            let kept = row.iter().take(row.len().saturating_sub(1));
            [line(kept), vec![b'\n']].concat()
        });
        Cow::Owned(rows.flatten().collect())
    }
}

/// Some cells as they are written, without the end of the line.
fn line<'a>(cells: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut row = csv::Writer::from_writer(Vec::new());
    row.write_record(cells).expect("memory takes every row");
    let mut row = row.into_inner().expect("memory takes every row");
    row.pop();
    row
}

/// The rows of a file of people as the draw wrote it.
fn records(bytes: &[u8]) -> impl Iterator<Item = csv::StringRecord> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).from_reader(bytes);
    reader.into_records().filter_map(Result::ok)
}

/// The people of some inputs.
pub(super) fn rows_of(inputs: &[u8]) -> RawRows {
    let mut all = records(inputs);
    let header = all.next().unwrap_or_default();
    RawRows {
        delimiter: b',',
        names: header.iter().map(str::to_owned).collect(),
        header: Some(line(header.iter())),
        rows: all.map(|row| line(row.iter())).collect(),
    }
}

/// The place of a column.
fn place(names: &[String], name: &str) -> Option<usize> {
    let name = fold(name);
    names.iter().position(|known| fold(known) == name)
}

/// The cell that a condition is held against; a number has a decimal point.
fn compared<'a>(
    clause: &Clause,
    cells: &'a [String],
    at: Option<usize>,
    delimiter: u8,
) -> Cow<'a, str> {
    let cell = at.and_then(|at| cells.get(at)).map_or("", String::as_str);
    match clause.is_of_numbers() {
        true => decimal::pointed(cell, delimiter).unwrap_or(Cow::Borrowed(cell)),
        false => Cow::Borrowed(cell),
    }
}

/// Returns true if a condition can identify people. It is on the column of ids, on a column whose
/// cells differ from person to person, or on a rare cell.
fn singles_out(clause: &Clause, id: &str, rows: &RawRows) -> bool {
    let Some(at) = place(&rows.names, clause.column()) else {
        return false;
    };
    if fold(clause.column()) == fold(id) {
        return true;
    }
    let rows_cells: Vec<Vec<String>> = rows.rows.iter().map(|row| rows.cells(row)).collect();
    let cells = rows_cells.iter();
    let cells: Vec<Cow<'_, str>> = cells
        .map(|cells| compared(clause, cells, Some(at), rows.delimiter))
        .collect();
    let written: Vec<String> = cells.iter().map(|cell| fold(cell)).collect();
    let written = written.iter().filter(|cell| !cell.is_empty());
    let different = written.clone().collect::<BTreeSet<_>>().len();
    let all = written.count();
    match clause.counts(&cells) {
        Some(counts) => 2 * different > all || counts.iter().any(|n| (1..FEW).contains(n)),
        // A bound names no one, unless the few beyond it can be told by the column.
        None => {
            let removed = cells.iter().filter(|cell| !clause.holds(cell)).count();
            10 * different >= 9 * all && removed.min(cells.len() - removed) < FEW
        }
    }
}
