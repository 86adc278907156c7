//! A table held in memory as a whole: all its rows, as cells.

use std::io::Read;
use std::path::Path;

use super::how::{Form, How, ReadAs};
use super::load_error::LoadError;
use super::rows::{GridRow, records, separated};
use super::table_file::{TableFile, unread};
use crate::limits::MOST_TABLE_BYTES;
use kleroterion_core::problem::{Problem, Problems};

/// All rows of a table. The first may be a header; this type does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The rows that are not blank, in the order of the file.
    pub rows: Vec<GridRow>,
    /// The number of rows with only separators and blanks; empty lines are not counted.
    pub blank: u64,
    /// The names of members that hold a list or an object in some record, and are no cells there.
    pub unread: Vec<String>,
    /// The format recognised in the file.
    pub read_as: ReadAs,
}

impl Grid {
    /// Reads a table from a file. For records, the first row has the names of their members,
    /// including those in `groups` and `features`.
    ///
    /// # Errors
    /// Where the file can't be [opened](TableFile::open), is larger than [`MOST_TABLE_BYTES`]
    /// or empty, quotes are wrong or a line is no record.
    pub fn read(path: &Path, how: &How) -> Result<Self, LoadError> {
        Self::of_file(path, TableFile::open(path, how)?)
    }

    /// Reads a table from the bytes of a file; `path` is its place in problems.
    ///
    /// # Errors
    /// As of [`read`](Self::read).
    pub fn of(path: &Path, bytes: Vec<u8>, how: &How) -> Result<Self, LoadError> {
        Self::of_file(path, TableFile::of(path, bytes, how)?)
    }

    fn of_file(path: &Path, mut file: TableFile) -> Result<Self, LoadError> {
        let mut text = Vec::new();
        let mut limited = Read::by_ref(&mut file).take(MOST_TABLE_BYTES + 1);
        limited
            .read_to_end(&mut text)
            .map_err(|error| unread(path, &error))?;
        let problem = |what: String, help: &str| {
            LoadError::from(Problems::from(Problem::of_file(path, what).help(help)))
        };
        if text.len() as u64 > MOST_TABLE_BYTES {
            let what = format!("the file is larger than {} MiB", MOST_TABLE_BYTES >> 20);
            return Err(problem(what, "take fewer rows of it"));
        }
        let mut unread = Vec::new();
        let (rows, blank) = match file.read_as.form {
            Form::Separated { delimiter } => separated(path, &text, delimiter, file.first_line)?,
            Form::Records => (records(path, &text, &mut unread)?, 0),
        };
        if rows.is_empty() {
            let help = "name a file with a header and a row for each";
            return Err(problem("the file is empty".into(), help));
        }
        Ok(Self {
            rows,
            blank,
            unread,
            read_as: file.read_as,
        })
    }
}
