//! A file's rows, one after another, as the text cells of the columns that are wanted.

use std::fs::File;

use super::Layout;
use super::filter::spelt;
use super::ndjson::Records;
use super::separated::Separated;
use super::tally::{At, Kind, Shape, Tally};
use crate::nearest::nearest;

/// The columns that someone wants, each once; its place in the list is its *slot*.
#[derive(Default)]
pub(super) struct Wanted {
    columns: Vec<(String, Vec<String>)>,
}

impl Wanted {
    /// The slot of a column; `user` says who wants it, as in "the attribute `sex`".
    pub(super) fn slot(&mut self, column: &str, user: String) -> usize {
        let found = self.columns.iter().position(|(name, _)| name == column);
        let slot = found.unwrap_or_else(|| {
            self.columns.push((column.to_owned(), Vec::new()));
            self.columns.len() - 1
        });
        let users = &mut self.columns[slot].1;
        if !users.contains(&user) {
            users.push(user);
        }
        slot
    }

    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Notes the wanted columns that the file lacks; `missing` are their slots.
    pub(super) fn note_missing(&self, missing: &[usize], known: &Known, tally: &mut Tally) {
        for slot in missing {
            let (name, users) = &self.columns[*slot];
            let at = At {
                line: known.line,
                column: None,
            };
            tally.note(Kind::Shape(Shape::Columns), at, || {
                let mut help = known.help(name);
                if known.line.is_some() && missing.len() == self.columns.len() {
                    help +=
                        "; if the file has no header line, say header = false and give `columns`";
                }
                let users = users.join(" and ");
                (
                    format!("there is no column `{name}`, wanted by {users}"),
                    help,
                )
            });
        }
    }
}

/// The columns that a file has.
pub(super) struct Known {
    pub(super) names: Vec<String>,
    /// The header's line.
    pub(super) line: Option<u64>,
}

impl Known {
    /// The nearest column and the list of all.
    pub(super) fn help(&self, wanted: &str) -> String {
        const LISTED: usize = 60;
        let listed = self.names.iter().take(LISTED).cloned();
        let mut list = listed.collect::<Vec<_>>().join(", ");
        if self.names.len() > LISTED {
            list += &format!(" and {} more", self.names.len() - LISTED);
        }
        match nearest(wanted, self.names.iter().map(String::as_str)) {
            Some(name) => format!("did you mean `{name}`? The columns are {list}"),
            None => format!("the columns are {list}"),
        }
    }
}

/// One row: its number among the rows of data and its line (both from 1), and a cell for each slot.
pub(super) struct Row {
    pub(super) number: u64,
    pub(super) line: u64,
    cells: Vec<(bool, String)>,
}

impl Row {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            number: 0,
            line: 0,
            cells: vec![(false, String::new()); slots],
        }
    }

    /// The cell of a slot; nothing where the row has none.
    pub(super) fn cell(&self, slot: usize) -> Option<&str> {
        let (there, text) = &self.cells[slot];
        there.then_some(text)
    }

    /// The cell that a kept row must have; that a record lacks the member is noted.
    pub(super) fn required(
        &self,
        slot: usize,
        column: &str,
        kind: Kind,
        tally: &mut Tally,
    ) -> Option<&str> {
        let cell = self.cell(slot);
        if cell.is_none() {
            tally.note(kind, At::line(self.line), || {
                let what = format!("the record has no `{column}`");
                let leave_out = format!("{} != ''", spelt(column));
                let help = format!(
                    "add the member, or leave such records out with where = [{leave_out:?}]"
                );
                (what, help)
            });
        }
        cell
    }

    /// Sets a cell, keeping its memory.
    pub(super) fn set(&mut self, slot: usize, cell: Option<&str>) {
        let (there, text) = &mut self.cells[slot];
        *there = cell.is_some();
        text.clear();
        text.push_str(cell.unwrap_or_default());
    }
}

/// The rows of an open file.
pub(super) enum Rows {
    Separated(Box<Separated>),
    Records(Records),
}

impl Rows {
    /// Begins to read; nothing where the columns cannot be told, which the tally then says.
    pub(super) fn open(
        file: File,
        layout: &Layout,
        wanted: &Wanted,
        tally: &mut Tally,
    ) -> Option<Self> {
        match layout {
            Layout::Csv {
                header,
                columns,
                delimiter,
            } => Separated::open(file, *header, columns, *delimiter, wanted, tally)
                .map(|rows| Self::Separated(Box::new(rows))),
            Layout::Ndjson => Some(Self::Records(Records::new(file, wanted))),
        }
    }

    /// Reads the next well-formed row into `row`; rows that are not are noted and skipped. False at the end.
    pub(super) fn read(&mut self, row: &mut Row, tally: &mut Tally) -> bool {
        match self {
            Self::Separated(rows) => rows.read(row, tally),
            Self::Records(rows) => rows.read(row, tally),
        }
    }

    /// The number of the slot's field in a row, from 1, where the layout numbers them.
    pub(super) fn field(&self, slot: usize) -> Option<u64> {
        match self {
            Self::Separated(rows) => rows.field(slot),
            Self::Records(_) => None,
        }
    }

    /// Once read to the end: the slots of wanted columns that the file lacks, and the columns that it has.
    pub(super) fn missing(&self) -> (Vec<usize>, Known) {
        match self {
            Self::Separated(rows) => rows.missing(),
            Self::Records(rows) => rows.missing(),
        }
    }

    /// Rows of data so far, malformed ones included.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Separated(rows) => rows.count(),
            Self::Records(rows) => rows.count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_wanted_twice_has_one_slot() {
        let mut wanted = Wanted::default();
        assert_eq!(wanted.slot("a", "one".into()), 0);
        assert_eq!(wanted.slot("b", "one".into()), 1);
        assert_eq!(wanted.slot("a", "two".into()), 0);
        assert_eq!(wanted.names().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn a_cell_set_to_nothing_is_absent_and_not_empty() {
        let mut row = Row::new(1);
        row.set(0, Some(""));
        assert_eq!(row.cell(0), Some(""));
        row.set(0, None);
        assert_eq!(row.cell(0), None);
    }
}
