//! Tables that a program hands in, in place of files.

use std::fmt;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::held::MemoryTable;
use super::how::{Form, How, ReadAs};
use super::load_error::LoadError;
use super::table_file::{TableFile, Text};
use super::workbook;
use crate::record::cell::shortest;
use kleroterion_core::problem::{Place, Problem};

/// A cell that a program hands in, as the text that a file would hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryCell(String);

impl MemoryTable {
    /// The bytes of a file of any format that can be read.
    #[must_use]
    pub fn of_file(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            bytes: bytes.into(),
            is_rows: false,
        }
    }

    /// Columns, each with its name and a cell for each row.
    ///
    /// # Errors
    /// Columns that differ in length.
    pub fn of_columns<N: Into<String>>(
        columns: impl IntoIterator<Item = (N, Vec<MemoryCell>)>,
    ) -> Result<Self, Problem> {
        let columns = columns
            .into_iter()
            .map(|(name, cells)| (name.into(), cells));
        let columns: Vec<(String, Vec<MemoryCell>)> = columns.collect();
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        if let Some((name, cells)) = columns.iter().find(|(_, cells)| cells.len() != rows) {
            let (first, cells) = (&columns[0].0, cells.len());
            let what = format!("the column `{name}` has {cells} cells, and `{first}` has {rows}");
            return Err(Problem::of_request(what).help("give each column a cell for each row"));
        }
        let (names, mut cells): (Vec<String>, Vec<_>) = columns
            .into_iter()
            .map(|(name, cells)| (name, cells.into_iter()))
            .unzip();
        let mut text = Vec::new();
        workbook::write(&names, &mut text);
        for _ in 0..rows {
            let row = cells.iter_mut().filter_map(Iterator::next);
            let row: Vec<String> = row.map(|cell| cell.0).collect();
            workbook::write(&row, &mut text);
        }
        Ok(Self::of_rows(text))
    }

    /// Records, each of names and cells. A record that lacks a name has a blank cell there.
    pub fn of_records<N, R>(records: impl IntoIterator<Item = R>) -> Self
    where
        N: Into<String>,
        R: IntoIterator<Item = (N, MemoryCell)>,
    {
        let mut names: Vec<String> = Vec::new();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for record in records {
            let mut row = vec![String::new(); names.len()];
            for (at, (name, cell)) in record.into_iter().enumerate() {
                let name = name.into();
                // Most records have the same names in the same order.
                let known = match names.get(at) {
                    Some(known) if *known == name => Some(at),
                    _ => names.iter().position(|known| *known == name),
                };
                match known {
                    Some(at) => row[at] = cell.0,
                    None => {
                        names.push(name);
                        row.push(cell.0);
                    }
                }
            }
            rows.push(row);
        }
        let mut text = Vec::new();
        workbook::write(&names, &mut text);
        for mut row in rows {
            row.resize(names.len(), String::new());
            workbook::write(&row, &mut text);
        }
        Self::of_rows(text)
    }

    /// The cells of a column.
    pub fn cells<C: Into<MemoryCell>>(cells: impl IntoIterator<Item = C>) -> Vec<MemoryCell> {
        cells.into_iter().map(Into::into).collect()
    }

    fn of_rows(text: Vec<u8>) -> Self {
        Self {
            bytes: text.into(),
            is_rows: true,
        }
    }

    /// Returns the bytes of a file that holds this table.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns true if the rows were handed in as such, so that nothing can be said of their format.
    #[must_use]
    pub fn is_rows(&self) -> bool {
        self.is_rows
    }

    /// Returns the path by which problems name this table, if it is called so.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        Place::of_memory(name, self.is_rows)
    }

    pub(super) fn open(&self, path: &Path, how: &How) -> Result<TableFile, LoadError> {
        if !self.is_rows {
            return TableFile::of(path, self.bytes.to_vec(), how);
        }
        let delimiter = workbook::DELIMITER;
        Ok(TableFile {
            read_as: ReadAs {
                form: Form::Separated { delimiter },
                ..ReadAs::default()
            },
            // So that the lines of problems are the numbers of rows.
            first_line: 0,
            recognised: None,
            text: Text::Shared(Cursor::new(Arc::clone(&self.bytes))),
        })
    }
}

/// Shows no people.
impl fmt::Debug for MemoryTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryTable({} bytes)", self.bytes.len())
    }
}

impl From<&str> for MemoryCell {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for MemoryCell {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<f64> for MemoryCell {
    fn from(number: f64) -> Self {
        Self(shortest(number))
    }
}

impl From<i64> for MemoryCell {
    fn from(number: i64) -> Self {
        Self(number.to_string())
    }
}

impl From<i32> for MemoryCell {
    fn from(number: i32) -> Self {
        Self(number.to_string())
    }
}

impl From<bool> for MemoryCell {
    fn from(flag: bool) -> Self {
        Self(flag.to_string())
    }
}

/// Nothing is a blank cell.
impl<C: Into<Self>> From<Option<C>> for MemoryCell {
    fn from(cell: Option<C>) -> Self {
        cell.map_or_else(Self::default, Into::into)
    }
}
