//! Rows of separated text as their bytes, to be written again as they are.

use std::path::Path;

use super::LoadError;
use super::file_frames::FileFrames;
use super::tally::ProblemTally;
use crate::record::file::{How, TableFile};
use crate::record::row::RowCells;

/// The rows of a file of separated text, each as its bytes without the end of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRows {
    /// The byte between fields.
    pub delimiter: u8,
    /// The names of the columns.
    pub names: Vec<String>,
    /// The row that names the columns; `None` where the file has no header.
    pub header: Option<Vec<u8>>,
    /// The rows of data. Row `n` of a [`PeopleTable`](super::PeopleTable) is at `n - 1`.
    pub rows: Vec<Vec<u8>>,
}

impl RawRows {
    /// Reads the rows of a file. `columns`: the names of the columns of a file without a header.
    ///
    /// # Errors
    /// Where the file cannot be opened or read, is empty, or its quotes are wrong.
    pub fn read(path: &Path, how: &How, columns: Option<&[String]>) -> Result<Self, LoadError> {
        let file = TableFile::open(path, how)?.separated(path)?;
        let delimiter = file.delimiter().unwrap_or(b',');
        let mut tally = ProblemTally::new(path);
        let mut frames = FileFrames::new(file);
        let mut cells = RowCells::new(delimiter);
        let mut names = columns.map(<[String]>::to_vec);
        let (mut header, mut rows) = (None, Vec::new());
        while frames.advance(&mut tally) {
            let bytes = frames.frame().bytes;
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            cells.split(bytes);
            let width = names.as_ref().map_or(0, Vec::len);
            match &names {
                _ if cells.is_blank(width) => {}
                Some(_) => rows.push(bytes.to_vec()),
                None => {
                    names = Some(cells.names().unwrap_or_default());
                    header = Some(bytes.to_vec());
                }
            }
        }
        let raw = Self {
            delimiter,
            names: names.unwrap_or_default(),
            header,
            rows,
        };
        tally.finish().or(raw).map_err(LoadError::from)
    }

    /// The cells of a row, tidied; what is not UTF-8 is marked.
    #[must_use]
    pub fn cells(&self, row: &[u8]) -> Vec<String> {
        let mut cells = RowCells::new(self.delimiter);
        cells.split(row);
        let cell = |field| cells.text(field).into_owned();
        (0..cells.len()).map(cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::table::{PeopleTable, TableSpec};

    #[test]
    fn rows_are_those_of_the_table_byte_for_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("people.csv");
        let text = "\u{feff}id;\"say\"\r\n\r\n a ;\"x;\"\"y\"\r\n   \r\nb;\"two\nlines\"\nc;z";
        std::fs::write(&path, text).unwrap();
        let raw = RawRows::read(&path, &How::default(), None).unwrap();
        let spec = TableSpec {
            path,
            how: How::default(),
            columns: None,
            filters: vec![],
            id: Some("id".into()),
            attributes: vec![],
            weight: None,
            unique: vec![],
            numbers: crate::people::table::NumberColumns::default(),
        };
        let table = PeopleTable::load(&spec).unwrap();
        assert_eq!(raw.header.as_deref(), Some(&b"id;\"say\""[..]));
        assert_eq!(raw.names, ["id", "say"]);
        let rows: Vec<&[u8]> = (0..table.len())
            .map(|row| &*raw.rows[table.number(row) as usize - 1])
            .collect();
        let due: [&[u8]; 3] = [b" a ;\"x;\"\"y\"", b"b;\"two\nlines\"", b"c;z"];
        assert_eq!(rows, due);
        assert_eq!(raw.cells(rows[0]), ["a", "x;\"y"]);
    }
}
