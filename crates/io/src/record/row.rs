//! A row of separated text as its cells.

use std::borrow::Cow;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

use super::fold::tidy;
use super::sheet::read;

/// The bytes that separate fields in most files.
pub const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Splits one well-quoted row after another into cells, trimmed of blanks.
pub(crate) struct RowCells {
    reader: Reader,
    cells: Vec<u8>,
    ends: Vec<usize>,
    fields: usize,
}

impl RowCells {
    pub(crate) fn new(delimiter: u8) -> Self {
        // Of a line's end only the line feed counts: a carriage return is trimmed with the last
        // cell.
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter);
        builder.terminator(Terminator::Any(b'\n'));
        let mut row = Self {
            reader: builder.build(),
            cells: Vec::new(),
            ends: Vec::new(),
            fields: 0,
        };
        // The reader drops a byte order mark at its beginning; from now on it is text.
        row.split(b"");
        row
    }

    /// Splits a row.
    pub(crate) fn split(&mut self, row: &[u8]) {
        // No cell is longer than the row, and each but the last is followed by a delimiter.
        let most = row.len() + 2;
        if self.ends.len() < most {
            self.cells.resize(most, 0);
            self.ends.resize(most, 0);
        }
        let (mut written, mut fields) = (0, 0);
        for mut rest in [row, b"\n"] {
            while !rest.is_empty() {
                let (result, read, wrote, ended) = self.reader.read_record(
                    rest,
                    &mut self.cells[written..],
                    &mut self.ends[fields..],
                );
                rest = &rest[read..];
                written += wrote;
                fields += ended;
                match result {
                    ReadRecordResult::InputEmpty | ReadRecordResult::Record => {}
                    ReadRecordResult::End
                    | ReadRecordResult::OutputFull
                    | ReadRecordResult::OutputEndsFull => {
                        unreachable!("there is room for every cell")
                    }
                }
            }
        }
        self.fields = fields;
    }

    /// Returns the number of cells in the row.
    pub(crate) fn len(&self) -> usize {
        self.fields
    }

    /// A cell, [tidied](tidy) and as it was before it was written for a spreadsheet; nothing where
    /// it is not UTF-8.
    pub(crate) fn cell(&self, field: usize) -> Option<Cow<'_, str>> {
        let text = std::str::from_utf8(self.bytes(field)).ok();
        // Blanks may be behind the apostrophe too.
        let as_it_was = |text: &str| tidy(&read(text)).into_owned();
        text.map(|text| match tidy(text) {
            text if !text.contains('\'') => text,
            text => Cow::Owned(as_it_was(&text)),
        })
    }

    /// A cell, tidied, in which what is not UTF-8 is marked.
    pub(crate) fn text(&self, field: usize) -> Cow<'_, str> {
        let text = || String::from_utf8_lossy(self.bytes(field));
        self.cell(field)
            .unwrap_or_else(|| tidy(&text()).into_owned().into())
    }

    /// The bytes of a cell, not trimmed.
    pub(crate) fn bytes(&self, field: usize) -> &[u8] {
        let from = field.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.cells[from..self.ends[field]]
    }

    /// Returns true if all cells are blank once tidied, in quotes or not. With one column, `""` is
    /// a cell, and a row of separators is blank.
    pub(crate) fn is_blank(&self, columns: usize) -> bool {
        let is_alone = self.fields == 1;
        let is_idle = |byte: &u8| is_alone && b";,\t|".contains(byte);
        let is_blank = |field| {
            let bytes = self.bytes(field);
            let is_tidied_away = || self.cell(field).is_some_and(|cell| cell.is_empty());
            bytes.trim_ascii().iter().all(is_idle) || (!bytes.is_ascii() && is_tidied_away())
        };
        let is_quoted = is_alone && columns <= 1 && self.bytes(0).is_empty();
        !is_quoted && (0..self.fields).all(is_blank)
    }

    /// The cells as the names of columns.
    ///
    /// # Errors
    /// The first cell that is not UTF-8, from 0.
    pub(crate) fn names(&self) -> Result<Vec<String>, usize> {
        let cell = |field| self.cell(field).map(Cow::into_owned).ok_or(field);
        (0..self.fields).map(cell).collect()
    }
}

/// The columns of a name that another column before has: that one and the column, from 0.
pub(crate) fn repeated(names: &[String]) -> impl Iterator<Item = (usize, usize)> {
    let mut first = std::collections::BTreeMap::new();
    let columns = names.iter().enumerate();
    columns.filter_map(move |(at, name)| {
        let met = *first.entry(name).or_insert(at);
        (met != at).then_some((met, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &mut RowCells, text: &[u8]) -> Vec<Option<String>> {
        row.split(text);
        let cells = (0..row.len()).map(|field| row.cell(field).map(Cow::into_owned));
        cells.collect()
    }

    #[test]
    fn rows_are_split_one_after_another() {
        let mut row = RowCells::new(b';');
        for (text, due) in [
            (&b" a;\" b;\"\"c\" ;d\r"[..], &["a", "b;\"c", "d"][..]),
            ("\u{feff}a;".as_bytes(), &["a", ""]),
            (b";;", &["", "", ""]),
            (b"\"a\nb\"", &["a\nb"]),
            (b"5\" pipe", &["5\" pipe"]),
            (
                b"'=1+1; '-a;''@b;'tis;'-3",
                &["=1+1", "-a", "'@b", "'tis", "'-3"],
            ),
        ] {
            let found: Vec<_> = cells(&mut row, text).into_iter().flatten().collect();
            assert_eq!(found, due);
        }
        assert_eq!(cells(&mut row, b"a;\xff"), [Some("a".into()), None]);
        assert_eq!(row.names(), Err(1));
    }

    #[test]
    fn a_quoted_nothing_is_a_cell_of_one_column_and_a_blank_row_of_several() {
        let mut row = RowCells::new(b',');
        for (text, one, several) in [
            (&b"\"\""[..], false, true),
            (b"\" \"", true, true),
            (b" x", false, false),
            (b",", true, true),
            (b";;;", true, true),
            (b"|", true, true),
            (b"; x", false, false),
            (b" \xc2\xa0", true, true),
            (b"\xc2\xa0,\xe2\x80\x8b", true, true),
            (b"\xc2\xa0,x", false, false),
            (b"\xff", false, false),
        ] {
            row.split(text);
            assert_eq!((row.is_blank(1), row.is_blank(2)), (one, several));
        }
    }

    #[test]
    fn repeated_names_are_found_with_the_first_of_them() {
        let names = ["a", "b", "a", "c", "b", "a"].map(String::from);
        let found: Vec<_> = repeated(&names).collect();
        assert_eq!(found, [(0, 2), (1, 4), (0, 5)]);
    }
}
