//! A small file of separated text, its columns matched as people write them: case and blanks
//! ignored.

use std::path::Path;

use super::LoadError;
use super::decimals::Decimals;
use super::doubles::RowKey;
use super::row::TableRow;
use super::separated::Separated;
use super::tally::{At, ProblemKind, ProblemTally};
use super::wanted::{KnownColumns, WantedColumns};
use crate::record::fault::FaultKind;
use crate::record::file::{How, ReadAs, TableFile};
use crate::record::fold;

/// An open file whose header has been read.
pub struct Sheet {
    rows: Separated,
    header: KnownColumns,
    /// The thing that a row describes: "a person".
    each: &'static str,
    /// The advice for a file whose fields are separated by another mark.
    separate: &'static str,
    /// True if the fields seem to be separated by another mark; below, true once that has been
    /// noted.
    misparted: bool,
    noted: bool,
    read_as: ReadAs,
    /// The problems found so far.
    pub tally: ProblemTally,
}

/// A row of a sheet: its number among the rows of data, its line (both from 1), and the trimmed
/// cells asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetRow {
    pub(crate) number: u64,
    /// Its line in the file, from 1.
    pub line: u64,
    /// The trimmed cells asked for, in their order.
    pub cells: Vec<String>,
    /// The key of all of its cells.
    pub(crate) key: RowKey,
}

impl Sheet {
    /// Opens a file and reads its header. Columns of one name are no error as long as they are not
    /// read. `each`: the thing that a row describes, as in "a person".
    pub fn open(path: &Path, each: &'static str, how: &How) -> Result<Self, LoadError> {
        Self::opened(path, each, how, true, None)
    }

    /// Opens a file whose options a user gives; without a header its columns are c1, c2, …
    pub fn open_as(
        path: &Path,
        each: &'static str,
        how: &How,
        header: bool,
    ) -> Result<Self, LoadError> {
        Self::opened(path, each, how, header, Some("name it by --delimiter"))
    }

    /// Returns the format that was recognised in the file.
    pub(crate) fn read_as(&self) -> &ReadAs {
        &self.read_as
    }

    /// The byte between fields; of records that of the text they become.
    pub fn delimiter(&self) -> u8 {
        self.rows.delimiter
    }

    /// Notes that a column of numbers has decimal points and decimal commas. `slot`: its cell in
    /// each row; `column`: its place in the file, from 0.
    pub fn note_marks(&mut self, rows: &[SheetRow], slot: usize, column: usize) {
        let mut decimals = Decimals::of_separated(self.delimiter());
        for row in rows {
            decimals.number(&row.cells[slot], column, row.line);
        }
        let name = |_| (&*self.header.names[column], Some(column as u64 + 1));
        decimals.note(name, &mut self.tally);
    }

    /// Returns the number of rows that hold only separators and blanks.
    pub(crate) fn blank_rows(&self) -> u64 {
        self.rows.blank()
    }

    fn opened(
        path: &Path,
        each: &'static str,
        how: &How,
        header: bool,
        separate: Option<&'static str>,
    ) -> Result<Self, LoadError> {
        let file = TableFile::open(path, how)?.separated(path)?;
        let mut tally = ProblemTally::new(path);
        let read_as = file.read_as.clone();
        let separate = separate.unwrap_or(match file.recognised {
            Some(b';') => "set delimiter = \";\"",
            Some(b'\t') => "set delimiter = \"\\t\"",
            Some(_) => "set delimiter = \",\"",
            None => "save the file with commas",
        });
        let rows = match header {
            true => Separated::open(file, None, &WantedColumns::default(), &mut tally),
            false => Separated::numbered(file, &mut tally),
        };
        let Some(rows) = rows else {
            if tally.is_empty() {
                note_empty("the file is empty", each, &mut tally);
            }
            return Err(tally.finish().into());
        };
        tally.retain(|kind| kind != ProblemKind::Shape(FaultKind::Columns));
        let (_, header) = rows.missing();
        Ok(Self {
            misparted: rows.seems_misparted(),
            noted: false,
            read_as,
            rows,
            header,
            each,
            separate,
            tally,
        })
    }

    /// The line of the header.
    pub fn header_line(&self) -> Option<u64> {
        self.header.line
    }

    /// The columns in order, as written.
    pub fn columns(&self) -> &[String] {
        &self.header.names
    }

    /// The index of the first column of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        let name = fold(name);
        self.columns()
            .iter()
            .position(|column| fold(column) == name)
    }

    /// Returns the index of the column with this name. Notes it if there is none, or more than one.
    /// `user` says who needs it.
    pub fn need(&mut self, name: &str, user: &str) -> Option<usize> {
        let folded = fold(name);
        let columns = self.header.names.iter().enumerate();
        let found = columns.filter(|(_, column)| fold(column) == folded);
        let mut found = found.map(|(at, _)| at);
        let (first, second) = (found.next(), found.next());
        if first.is_none() && self.misparted {
            // All other columns are missing for the same reason.
            if !std::mem::replace(&mut self.noted, true) {
                let what = "the header is a single field: the columns seem to be separated by \
                            another mark";
                self.note_header(what, self.separate.to_owned());
            }
        } else if first.is_none() {
            let what = format!("there is no column `{name}`, wanted by {user}");
            self.note_header(&what, self.advice(name));
        } else if let Some(repeat) = second {
            let at = At {
                line: self.header.line,
                column: Some(repeat as u64 + 1),
            };
            let kind = ProblemKind::Shape(FaultKind::Columns);
            self.tally.note(kind, at, || {
                let what = format!("there is more than one column `{name}`, wanted by {user}");
                (what, "keep one of them, or rename the others".into())
            });
        }
        first.filter(|_| second.is_none())
    }

    /// Notes a problem of the header as a whole.
    pub(crate) fn note_header(&mut self, what: &str, help: String) {
        let at = At {
            line: self.header.line,
            column: None,
        };
        let kind = ProblemKind::Shape(FaultKind::Columns);
        self.tally.note(kind, at, || (what.to_owned(), help));
    }

    /// Returns the advice for a missing column.
    pub(crate) fn advice(&self, name: &str) -> String {
        match self.misparted {
            true => format!(
                "the fields seem to be separated by another mark: {}",
                self.separate
            ),
            false => self.header.help(name),
        }
    }

    /// Returns all remaining rows, with the cells of these columns. Malformed rows are noted and
    /// left out; it is also noted if there is no row at all.
    pub fn rows(&mut self, columns: &[usize]) -> Vec<SheetRow> {
        self.rows_as(columns, false)
    }

    /// Returns all remaining rows. If `is_exact`, cells that differ only in case, blanks or Unicode
    /// form make different rows.
    pub(crate) fn rows_as(&mut self, columns: &[usize], is_exact: bool) -> Vec<SheetRow> {
        self.rows.aim(columns);
        let mut row = TableRow::new(columns.len(), is_exact);
        let mut rows = Vec::new();
        while self.rows.read(&mut row, &mut self.tally) {
            let cells = (0..columns.len()).map(|slot| row.cell(slot).unwrap_or_default());
            rows.push(SheetRow {
                number: row.number,
                line: row.line,
                cells: cells.map(str::to_owned).collect(),
                key: row.key.clone(),
            });
        }
        if self.rows.count() == 0 {
            note_empty("the file has no row of data", self.each, &mut self.tally);
        }
        rows
    }
}

fn note_empty(what: &str, each: &str, tally: &mut ProblemTally) {
    let help = format!("it needs a header and a row for {each}");
    tally.note_whole(what, help);
}
