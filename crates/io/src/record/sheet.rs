//! Tables of a run as CSV. Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a
//! formula, and may run it; some do so where blanks, marks that are not seen or a quote come first,
//! and take the full-width and small forms of these signs for the signs. A file may also be opened
//! with another separator than a comma: then what follows a `;`, a tab or a `|` within a cell
//! begins a cell of its own.
//!
//! What comes from outside is therefore written as text: an apostrophe goes before it, and before
//! what would be a formula behind a separator or the end of a line. Spreadsheets do not show one
//! that begins a cell. All are taken off where the table is read back.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use csv::StringRecord;

use super::legible::is_mark;

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
    if row
        .iter()
        .all(|cell| matches!(read(cell), Cow::Borrowed(_)))
    {
        return Cow::Borrowed(row);
    }
    let mut read: StringRecord = row.iter().map(read).collect();
    read.set_position(row.position().cloned());
    Cow::Owned(read)
}

/// A cell as it was before it was written, but for its control characters.
#[must_use]
pub fn read(cell: &str) -> Cow<'_, str> {
    if !cell.contains('\'') {
        return Cow::Borrowed(cell);
    }
    let mut read = String::with_capacity(cell.len());
    for (at, part) in parts(cell) {
        let is_guarded = part.starts_with('\'') && is_formula(at, cell);
        read.push_str(if is_guarded { &part[1..] } else { part });
    }
    match read.len() == cell.len() {
        true => Cow::Borrowed(cell),
        false => Cow::Owned(read),
    }
}

/// A cell as it is written.
#[must_use]
pub fn written(cell: &str) -> Cow<'_, str> {
    let text = match cell.contains(is_unseen) {
        true => Cow::Owned(seen(cell)),
        false => Cow::Borrowed(cell),
    };
    if !parts(&text).any(|(at, _)| is_formula(at, &text)) {
        return text;
    }
    let mut guarded = String::with_capacity(text.len() + 4);
    for (at, part) in parts(&text) {
        if is_formula(at, &text) {
            guarded.push('\'');
        }
        guarded.push_str(part);
    }
    Cow::Owned(guarded)
}

/// A cell cut behind each character that may end a cell or a line where the file is opened with
/// another separator; each part with its place.
fn parts(cell: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let parts = cell.split_inclusive([';', ',', '|', '\t', '\n', '\r']);
    parts.map(move |part| {
        let place = (at, part);
        at += part.len();
        place
    })
}

/// Returns true if a spreadsheet takes the text from this place of a cell on as a formula, once
/// apostrophes are removed. Numbers, alone or in a list with commas, are not formulas.
fn is_formula(at: usize, cell: &str) -> bool {
    let text = cell[at..].trim_start_matches('\'');
    if at == 0 && text.starts_with(['\t', '\r', '\n']) {
        return true;
    }
    // Behind the end of a cell or a line another part begins.
    let is_blank = |c: char| c.is_whitespace() && !matches!(c, '\t' | '\r' | '\n');
    let is_before = |c: char| is_blank(c) || is_mark(c) || c == '"';
    let begins = text.trim_start_matches(is_before);
    let number = match cell[..at].chars().next_back() {
        None => begins,
        Some(',') => {
            let one = begins.split(',').next().unwrap_or(begins);
            one.trim_end_matches([' ', ']', ')', '}'])
        }
        // What follows there may go on beyond this cell.
        Some(_) => "",
    };
    begins.starts_with(is_sign) && number.parse::<f64>().is_err()
}

/// Returns true if a character begins a formula: one of four signs, in any width.
fn is_sign(character: char) -> bool {
    matches!(
        character,
        '=' | '+'
            | '-'
            | '@'
            | '\u{ff1d}'
            | '\u{ff0b}'
            | '\u{ff0d}'
            | '\u{ff20}'
            | '\u{fe66}'
            | '\u{fe62}'
            | '\u{fe63}'
            | '\u{fe6b}'
            | '\u{2212}'
    )
}

/// Returns true if a cell of text never has this character.
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
            ("\t=1", "'\t'=1"),
            ("\r=1", "'\r'=1"),
            ("\tx", "'\tx"),
            // In any width.
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("\u{ff0b}1", "'\u{ff0b}1"),
            ("\u{ff0d}1", "'\u{ff0d}1"),
            ("\u{ff20}A", "'\u{ff20}A"),
            ("\u{fe66}1", "'\u{fe66}1"),
            ("'\u{ff1d}1", "''\u{ff1d}1"),
            // Behind blanks and marks that are not seen.
            (" =1", "' =1"),
            ("\u{a0}=1", "'\u{a0}=1"),
            ("\u{3000}@x", "'\u{3000}@x"),
            ("\u{feff}=1", "'\u{feff}=1"),
            ("\u{200b}\u{202e}+x", "'\u{200b}\u{202e}+x"),
            ("\"=1\"", "'\"=1\""),
            (" -0.5", " -0.5"),
            // Where the file is opened with another separator.
            ("a;=1", "a;'=1"),
            ("a;=1;=2", "a;'=1;'=2"),
            ("a\t@x|+y", "a\t'@x|'+y"),
            ("a, =b", "a,' =b"),
            ("a\n=b\r\n-c", "a\n'=b\r\n'-c"),
            ("a;'=1", "a;''=1"),
            ("=1;=2", "'=1;'=2"),
            ("a;\u{ff1d}1", "a;'\u{ff1d}1"),
            ("a;\"=1\"", "a;'\"=1\""),
            ("3;-2", "3;'-2"),
            ("[0.1, -0.2, -3]", "[0.1, -0.2, -3]"),
            ("[0.1, -0.2;x]", "[0.1,' -0.2;x]"),
            ("-0,5", "'-0,5"),
            ("3;-2;x", "3;'-2;x"),
            ("a;b,c|d", "a;b,c|d"),
            ("a\n\nb", "a\n\nb"),
            ("x; 'y'", "x; 'y'"),
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

    /// The cells that a spreadsheet sees of a file with this separator. Quotes begin a cell, or are
    /// signs as any.
    fn opened(line: &str, separator: char) -> Vec<String> {
        let cells = line.split([separator, '\n', '\r']);
        cells
            .map(|cell| cell.trim_matches('"').to_owned())
            .collect()
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(2000))]
        #[test]
        fn every_cell_is_read_back_and_begins_no_formula_whatever_the_separator(
            cells in proptest::collection::vec(
                "['=+@a1;,|\t\n\r \"\u{ff1d}\u{ff20}\u{200b}\u{a0}-]{0,8}", 2)
        ) {
            let mut sheet = SheetWriter::to(Vec::new());
            sheet.row(&cells).unwrap();
            let bytes = sheet.into_inner().unwrap();
            let mut reader = csv::ReaderBuilder::new();
            let mut reader = reader.has_headers(false).from_reader(&bytes[..]);
            let row = reader.records().next().expect("a row").unwrap();
            proptest::prop_assert_eq!(&*read_row(&row), &StringRecord::from(cells));
            let text = String::from_utf8(bytes).unwrap();
            let is_before = |c: char| c.is_whitespace() || is_mark(c) || c == '"';
            for separator in [';', '\t', '|'] {
                for cell in opened(&text, separator) {
                    let begins = cell.trim_start_matches(is_before);
                    // A number stays a number, with what comes behind it on the line.
                    let number = begins.split(',').next().unwrap_or_default();
                    let is_number = number.parse::<f64>().is_ok();
                    proptest::prop_assert!(!begins.starts_with(is_sign) || is_number, "{text:?}: {cell:?}");
                }
            }
        }
    }
}
