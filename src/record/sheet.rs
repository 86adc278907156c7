//! Tables of a run as CSV. Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a
//! formula, and may run it. What comes from outside is therefore written as text: an apostrophe
//! goes before it, which spreadsheets do not show and which is taken off where the table is read
//! back.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use csv::StringRecord;

/// Writes rows whose cells are no formulas.
#[derive(Debug)]
pub struct SheetWriter<W: Write>(csv::Writer<W>);

impl<W: Write> SheetWriter<W> {
    /// A table that is written to `out`.
    pub fn to(out: W) -> Self {
        Self(csv::Writer::from_writer(out))
    }

    /// Writes a row, or the cells that end one.
    ///
    /// # Errors
    /// Where `out` fails, or a row is not as long as the first.
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> io::Result<()> {
        self.begin(cells)?;
        self.0.write_record(None::<&[u8]>).map_err(io::Error::from)
    }

    /// Writes the cells that begin a row.
    ///
    /// # Errors
    /// Where `out` fails.
    pub fn begin<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> io::Result<()> {
        for cell in cells {
            self.0.write_field(&*written(cell.as_ref()))?;
        }
        Ok(())
    }

    /// Hands all rows on to `out`.
    ///
    /// # Errors
    /// Where `out` fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    /// The writer that took it all.
    ///
    /// # Errors
    /// Where it fails.
    pub fn into_inner(self) -> io::Result<W> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}

/// A row as it was before it was written.
#[must_use]
pub fn read_row(row: &StringRecord) -> Cow<'_, StringRecord> {
    if row.iter().all(|cell| read(cell).len() == cell.len()) {
        return Cow::Borrowed(row);
    }
    let mut read: StringRecord = row.iter().map(read).collect();
    read.set_position(row.position().cloned());
    Cow::Owned(read)
}

/// A cell as it was before it was written, but for its control characters.
#[must_use]
pub fn read(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text) => text,
        _ => cell,
    }
}

/// A cell as it is written.
#[must_use]
pub fn written(cell: &str) -> Cow<'_, str> {
    let text = match cell.contains(is_unseen) {
        true => Cow::Owned(seen(cell)),
        false => Cow::Borrowed(cell),
    };
    match is_formula(&text) {
        true => Cow::Owned(format!("'{text}")),
        false => text,
    }
}

/// Whether a spreadsheet takes a cell for a formula, once apostrophes are taken off.
fn is_formula(cell: &str) -> bool {
    let text = cell.trim_start_matches('\'');
    let begins = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    begins && text.parse::<f64>().is_err()
}

/// Whether a character is none that a cell of text has.
fn is_unseen(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\r' | '\n')
}

/// A text with its control characters spelt out.
fn seen(text: &str) -> String {
    let mut seen = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_unseen(character) {
            true => write!(seen, "\\u{{{:x}}}", u32::from(character)).expect("memory takes it"),
            false => seen.push(character),
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_numbers_stay_numbers() {
        for (cell, as_written) in [
            ("=cmd|'/C calc'!A0", "'=cmd|'/C calc'!A0"),
            ("+1+1", "'+1+1"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=1+1", "''=1+1"),
            ("-0.5", "-0.5"),
            ("+1", "+1"),
            ("-1e-300", "-1e-300"),
            ("-inf", "-inf"),
            ("O'Neil", "O'Neil"),
            ("'tis", "'tis"),
            ("", ""),
            ("a=b", "a=b"),
            ("\u{1b}[2J\u{0}x\u{9b}", "\\u{1b}[2J\\u{0}x\\u{9b}"),
        ] {
            assert_eq!(written(cell), as_written);
            if !cell.contains(is_unseen) {
                assert_eq!(read(&written(cell)), cell);
            }
        }
    }

    #[test]
    fn a_row_is_read_back() {
        let mut sheet = SheetWriter::to(Vec::new());
        let rows = [["=a", "1", "x,\ny"], ["'@b", "-2", "''+c"]];
        sheet.row(rows[0]).unwrap();
        sheet.begin([rows[1][0]]).unwrap();
        sheet.row(&rows[1][1..]).unwrap();
        let bytes = sheet.into_inner().unwrap();
        let mut read = csv::ReaderBuilder::new();
        let mut read = read.has_headers(false).from_reader(&bytes[..]);
        for (read, row) in read.records().zip(rows) {
            assert_eq!(*read_row(&read.unwrap()), row[..]);
        }
    }
}
