//! A file's rows, one after another, whatever its codec.

use super::ndjson::Records;
use super::row::TableRow;
use super::separated::Separated;
use super::tally::ProblemTally;
use super::wanted::{KnownColumns, WantedColumns};
use crate::record::file::{Form, TableFile};

/// The rows of an open file.
pub(super) enum TableRows {
    Separated(Box<Separated>),
    Records(Box<Records>),
}

impl TableRows {
    /// Begins to read; nothing where the columns cannot be known, which is noted.
    pub(super) fn open(
        file: TableFile,
        columns: Option<&[String]>,
        wanted: &WantedColumns,
        tally: &mut ProblemTally,
    ) -> Option<Self> {
        match (file.read_as.form, columns) {
            (Form::Separated { .. }, _) => {
                let rows = Separated::open(file, columns, wanted, tally)?;
                Some(Self::Separated(Box::new(rows)))
            }
            (Form::Records, None) => Some(Self::Records(Box::new(Records::new(file, wanted)))),
            (Form::Records, Some(_)) => {
                let what = "the file holds JSON records, whose members have names";
                tally.note_whole(what, "leave out `columns`");
                None
            }
        }
    }

    /// Reads the next well-formed row into `row`; rows that are not are noted and skipped. False at
    /// the end.
    pub(super) fn read(&mut self, row: &mut TableRow, tally: &mut ProblemTally) -> bool {
        match self {
            Self::Separated(rows) => rows.read(row, tally),
            Self::Records(rows) => rows.read(row, tally),
        }
    }

    /// The mark between fields; none of records.
    pub(super) fn delimiter(&self) -> Option<u8> {
        match self {
            Self::Separated(rows) => Some(rows.delimiter),
            Self::Records(_) => None,
        }
    }

    /// The number of the slot's field in a row, from 1, where rows have fields.
    pub(super) fn field(&self, slot: usize) -> Option<u64> {
        match self {
            Self::Separated(rows) => rows.field(slot),
            Self::Records(_) => None,
        }
    }

    /// The place of the slot's field in a row, from 0, where rows have fields.
    pub(super) fn column(&self, slot: usize) -> Option<usize> {
        self.field(slot).map(|field| field as usize - 1)
    }

    /// The key of a slot's cell, as it is part of that of its row.
    pub(super) fn key(&self, row: &TableRow, slot: usize, cell: &str) -> u64 {
        match self {
            Self::Separated(_) => match self.column(slot) {
                Some(column) => row.key.of_column(column, cell),
                None => 0,
            },
            Self::Records(rows) => row.key.of_member(rows.name(slot), cell),
        }
    }

    /// Once read to the end: the slots of wanted columns that the file lacks, and the columns that
    /// it has.
    pub(super) fn missing(&self) -> (Vec<usize>, KnownColumns) {
        match self {
            Self::Separated(rows) => rows.missing(),
            Self::Records(rows) => rows.missing(),
        }
    }

    /// Rows so far that hold nothing but separators and blanks.
    pub(super) fn blank(&self) -> u64 {
        match self {
            Self::Separated(rows) => rows.blank(),
            Self::Records(_) => 0,
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
