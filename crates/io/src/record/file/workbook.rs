//! A sheet of a workbook (`.xlsx`, `.xls`, `.ods`) as rows of separated text.
//!
//! A row of the sheet is a line of the text, so that problems name the rows that the spreadsheet
//! shows. Cells are what a spreadsheet computed last; a line break in a cell becomes a blank.

use std::io::{self, Cursor, Read};

use calamine::{
    Data, DataRef, ExcelDateTime, Ods, Reader, Sheet, SheetType, SheetVisible, Xls, Xlsx,
};

use crate::limits::{MOST_SHEET_CELLS, MOST_TABLE_BYTES, MOST_WORKBOOK_BYTES};
use crate::record::{fold, shortest};
use kleroterion_core::nearest::nearest;

/// The byte between the fields of the text.
pub(super) const DELIMITER: u8 = b',';

/// A sheet that was read.
#[derive(Debug)]
pub(super) struct SheetText {
    /// Its name.
    pub(super) name: String,
    /// The names of the other sheets that people see.
    pub(super) others: Vec<String>,
    /// Its rows.
    pub(super) text: Vec<u8>,
}

/// The reason why a workbook gave no rows, and the advice.
pub(super) type Refusal = (String, String);

/// Returns true if bytes begin like a workbook: as a zip archive, or as the older format of Excel.
pub(super) fn is_workbook(first: &[u8]) -> bool {
    first.starts_with(b"PK\x03\x04") || first.starts_with(b"\xd0\xcf\x11\xe0")
}

/// Reads a sheet of a workbook: the one of the name, else the first that people see.
///
/// # Errors
/// Where the bytes are no workbook, it lacks the sheet, or the sheet is too large.
pub(super) fn read(bytes: Vec<u8>, sheet: Option<&str>) -> Result<SheetText, Refusal> {
    if !bytes.starts_with(b"PK") {
        return whole::<Xls<_>>(bytes, sheet);
    }
    measure(&bytes)?;
    match is_open_document(&bytes) {
        true => whole::<Ods<_>>(bytes, sheet),
        false => excel(bytes, sheet),
    }
}

/// Unpacks an archive once without holding it: a small file can be the archive of a very large one.
fn measure(bytes: &[u8]) -> Result<(), Refusal> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    let mut left = MOST_WORKBOOK_BYTES;
    for at in 0..archive.len() {
        let entry = archive.by_index(at).map_err(unreadable)?;
        let unpacked = io::copy(&mut entry.take(left + 1), &mut io::sink()).map_err(unreadable)?;
        left = left.checked_sub(unpacked).ok_or_else(too_large)?;
    }
    Ok(())
}

/// Returns true if a zip archive is an OpenDocument file. Its first entry says so, uncompressed.
fn is_open_document(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(120)];
    let mark = b"application/vnd.oasis.opendocument";
    head.windows(mark.len()).any(|part| part == mark)
}

fn excel(bytes: Vec<u8>, sheet: Option<&str>) -> Result<SheetText, Refusal> {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(unreadable)?;
    let (name, others) = choose(book.sheets_metadata(), sheet)?;
    let mut rows = Rows::default();
    let mut cells = book.worksheet_cells_reader(&name).map_err(unreadable)?;
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let (row, column) = cell.get_position();
        let text = match cell.get_value() {
            DataRef::SharedString(text) => (*text).to_owned(),
            other => text(&Data::from(other.clone())),
        };
        rows.put(row, column, text)?;
    }
    Ok(rows.finish(name, others))
}

/// The rows of a workbook that is read at once.
fn whole<B>(bytes: Vec<u8>, sheet: Option<&str>) -> Result<SheetText, Refusal>
where
    B: Reader<Cursor<Vec<u8>>>,
    B::Error: std::fmt::Display,
{
    let mut book = B::new(Cursor::new(bytes)).map_err(unreadable)?;
    let (name, others) = choose(book.sheets_metadata(), sheet)?;
    let range = book.worksheet_range(&name).map_err(unreadable)?;
    let mut rows = Rows::default();
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, cell) in range.used_cells() {
        rows.put(top + row as u32, left + column as u32, text(cell))?;
    }
    Ok(rows.finish(name, others))
}

/// The sheet of a name, else the first that people see; and the names of the others.
fn choose(sheets: &[Sheet], wanted: Option<&str>) -> Result<(String, Vec<String>), Refusal> {
    let is_table = |sheet: &&Sheet| sheet.typ == SheetType::WorkSheet;
    let is_seen = |sheet: &&Sheet| sheet.visible == SheetVisible::Visible;
    let names = || sheets.iter().filter(is_table).map(|sheet| &*sheet.name);
    let chosen = match wanted {
        Some(wanted) => names().find(|name| fold(name) == fold(wanted)),
        None => {
            let mut seen = sheets.iter().filter(is_table).filter(is_seen);
            seen.next().map(|sheet| &*sheet.name)
        }
    };
    let Some(chosen) = chosen else {
        let list = names().collect::<Vec<_>>().join(", ");
        return Err(match wanted {
            None => (
                "the workbook has no sheet that is seen".into(),
                "show a sheet in the spreadsheet and save the file again".into(),
            ),
            Some(wanted) => {
                let near = nearest(wanted, names());
                let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
                (
                    format!("the workbook has no sheet `{wanted}`"),
                    format!("{near}its sheets are {list}"),
                )
            }
        });
    };
    let others = sheets.iter().filter(is_table).filter(is_seen);
    let others = others
        .map(|sheet| &sheet.name)
        .filter(|name| *name != chosen);
    Ok((chosen.to_owned(), others.cloned().collect()))
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    let error = error.to_string();
    if error.to_lowercase().contains("password") {
        let help = "save it without a password, or save the sheet as CSV UTF-8";
        return ("the workbook is locked by a password".into(), help.into());
    }
    (
        format!("the workbook can't be read: {error}"),
        "open it in a spreadsheet and save it again, or save the sheet as CSV UTF-8".into(),
    )
}

/// The text of a cell.
fn text(cell: &Data) -> String {
    match cell {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => shortest(*number).to_string(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(true) => "TRUE".into(),
        Data::Bool(false) => "FALSE".into(),
        Data::DateTime(moment) => date(moment),
        Data::Error(error) => error.to_string(),
        Data::Empty => String::new(),
    }
}

/// A date, and a time of day where it has one.
fn date(moment: &ExcelDateTime) -> String {
    if moment.is_duration() {
        return shortest(moment.as_f64()).to_string();
    }
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let day = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second) {
        (0, 0, 0) => day,
        _ => format!("{day}T{hour:02}:{minute:02}:{second:02}"),
    }
}

/// Cells by their rows, as they come.
#[derive(Default)]
struct Rows {
    rows: Vec<(u32, Vec<(u32, String)>)>,
    cells: usize,
    bytes: usize,
}

impl Rows {
    fn put(&mut self, row: u32, column: u32, text: String) -> Result<(), Refusal> {
        if text.trim().is_empty() {
            return Ok(());
        }
        self.cells += 1;
        self.bytes += text.len();
        if self.cells > MOST_SHEET_CELLS || self.bytes as u64 > MOST_TABLE_BYTES {
            return Err(too_large());
        }
        match self.rows.last_mut() {
            Some((last, cells)) if *last == row => cells.push((column, text)),
            _ => self.rows.push((row, vec![(column, text)])),
        }
        Ok(())
    }

    /// The rows as text, each on the line of its number, from the first column that holds anything
    /// to the last.
    fn finish(mut self, name: String, others: Vec<String>) -> SheetText {
        self.rows.sort_by_key(|(row, _)| *row);
        let columns = || {
            self.rows
                .iter()
                .flat_map(|(_, cells)| cells)
                .map(|(at, _)| *at)
        };
        let (first, last) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        let mut text = Vec::with_capacity(self.bytes + self.cells);
        let mut line = 0;
        for (row, cells) in &self.rows {
            text.resize(text.len() + (*row - line) as usize, b'\n');
            let mut at = first;
            for (column, cell) in cells {
                text.resize(text.len() + (*column - at) as usize, DELIMITER);
                at = *column;
                quote(cell, &mut text);
            }
            text.resize(text.len() + (last - at) as usize, DELIMITER);
            text.push(b'\n');
            line = *row + 1;
        }
        SheetText { name, others, text }
    }
}

fn too_large() -> Refusal {
    (
        format!(
            "the workbook holds more than {MOST_SHEET_CELLS} cells, {} MiB of text or {} MiB unpacked",
            MOST_TABLE_BYTES >> 20,
            MOST_WORKBOOK_BYTES >> 20
        ),
        "save the sheet as CSV UTF-8, and name that file".into(),
    )
}

/// Writes a row of cells.
pub(super) fn write(cells: &[String], text: &mut Vec<u8>) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(DELIMITER);
        }
        quote(cell, text);
    }
    text.push(b'\n');
}

/// Writes a cell in quotes.
fn quote(cell: &str, text: &mut Vec<u8>) {
    text.push(b'"');
    for byte in cell.bytes() {
        match byte {
            b'"' => text.extend(b"\"\""),
            b'\n' | b'\r' => text.push(b' '),
            byte => text.push(byte),
        }
    }
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_on_their_lines_and_of_one_width() {
        let mut rows = Rows::default();
        for (row, column, cell) in [(1, 2, "id"), (1, 3, "a"), (2, 2, "x"), (4, 3, "b\n\"c\"")] {
            rows.put(row, column, cell.into()).unwrap();
        }
        rows.put(9, 9, "  ".into()).unwrap();
        let text = rows.finish("s".into(), vec![]).text;
        let due = "\n\"id\",\"a\"\n\"x\",\n\n,\"b \"\"c\"\"\"\n";
        assert_eq!(String::from_utf8(text).unwrap(), due);
    }

    #[test]
    fn cells_are_as_people_see_them() {
        for (cell, due) in [
            (Data::Float(23.0), "23"),
            (Data::Float(0.1), "0.1"),
            (Data::Int(7), "7"),
            (Data::Bool(true), "TRUE"),
            (Data::String("Größe".into()), "Größe"),
            (Data::Empty, ""),
        ] {
            assert_eq!(text(&cell), due);
        }
    }

    #[test]
    fn sheets_are_found_as_people_write_names() {
        let sheet = |name: &str, visible| Sheet {
            name: name.into(),
            typ: SheetType::WorkSheet,
            visible,
        };
        let sheets = [
            sheet("Notizen", SheetVisible::Hidden),
            sheet("Tabelle 1", SheetVisible::Visible),
            sheet("Quoten", SheetVisible::Visible),
        ];
        let chosen = |wanted| choose(&sheets, wanted).map(|(name, others)| (name, others.len()));
        assert_eq!(chosen(None).unwrap(), ("Tabelle 1".into(), 1));
        assert_eq!(chosen(Some("quoten ")).unwrap(), ("Quoten".into(), 1));
        assert_eq!(chosen(Some("NOTIZEN")).unwrap(), ("Notizen".into(), 2));
        let (what, help) = chosen(Some("Quotten")).unwrap_err();
        assert_eq!(what, "the workbook has no sheet `Quotten`");
        assert_eq!(
            help,
            "did you mean `Quoten`? its sheets are Notizen, Tabelle 1, Quoten"
        );
    }
}
