//! Rows of separated text (RFC 4180), one record after another.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Chain, Read};
use std::str;

use csv::{ByteRecord, Reader, ReaderBuilder, Terminator};

use super::quotes::Quotes;
use super::rows::{Known, Row, Wanted};
use super::tally::{At, Kind, Shape, Tally, shown};

/// The rows of a file of separated text.
pub(super) struct Separated {
    /// A line feed is read after the file's last byte, so that one ends each record and lines can be counted.
    reader: Reader<Quotes<Chain<File, &'static [u8]>>>,
    record: ByteRecord,
    /// The line on which the record begins.
    line: u64,
    names: Vec<String>,
    header_line: Option<u64>,
    /// Whether the columns are named by their number, and whether the row by which they were counted is still to be read, and
    /// is well quoted.
    numbered: bool,
    pending: Option<bool>,
    /// Of each slot, the index of its field.
    fields: Vec<Option<usize>>,
    count: u64,
    /// Where the first field that is asked for and not UTF-8 is, and how many rows have one.
    garbled: Option<(At, u64)>,
}

impl Separated {
    pub(super) fn open(
        file: File,
        header: bool,
        columns: &[String],
        delimiter: u8,
        wanted: &Wanted,
        tally: &mut Tally,
    ) -> Option<Self> {
        if !delimiter.is_ascii() || b"\"\r\n\0".contains(&delimiter) {
            tally.note(Kind::Shape(Shape::Columns), At::FILE, || {
                let what = format!("{:?} cannot separate fields", char::from(delimiter));
                (what, "write delimiter = \",\" or \";\" or \"\\t\"".into())
            });
            return None;
        }
        let mut rows = Self::begin(file, columns, delimiter);
        if header {
            rows.take_header(tally)?;
        } else if columns.is_empty() {
            tally.note(Kind::Shape(Shape::Columns), At::FILE, || {
                let what = "the columns have no names: there is no header and no `columns`";
                let help = "say header = true, or name them in order: columns = [\"age\", …]";
                (what.into(), help.into())
            });
            return None;
        }
        rows.check_names(tally);
        let place = |name| rows.names.iter().position(|known| known == name);
        rows.fields = wanted.names().map(place).collect();
        Some(rows)
    }

    /// Opens a file without a header, of which the columns are called c1, c2, …; nothing where it has no row.
    pub(super) fn numbered(file: File, delimiter: u8, tally: &mut Tally) -> Option<Self> {
        let mut rows = Self::begin(file, &[], delimiter);
        rows.numbered = true;
        rows.pending = Some(rows.advance(tally)?);
        let columns = 1..=rows.record.len();
        rows.names = columns.map(|n| format!("c{n}")).collect();
        Some(rows)
    }

    /// Whether the first row, a header or not, is one field that another mark seems to part.
    pub(super) fn seems_misparted(&self) -> bool {
        let marks = |field: &[u8]| field.iter().any(|byte| b";,\t| ".contains(byte));
        self.record.len() == 1 && marks(&self.record[0])
    }

    fn begin(file: File, columns: &[String], delimiter: u8) -> Self {
        // Of a line's end only the line feed counts: a carriage return is trimmed with the last cell.
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .terminator(Terminator::Any(b'\n'))
            .from_reader(Quotes::new(file.chain(b"\n".as_slice()), delimiter));
        Self {
            reader,
            record: ByteRecord::new(),
            line: 1,
            names: columns.to_vec(),
            header_line: None,
            numbered: false,
            pending: None,
            fields: Vec::new(),
            count: 0,
            garbled: None,
        }
    }

    /// From now on slot i is the field `fields[i]`, counted from 0, whatever its name.
    pub(super) fn aim(&mut self, fields: &[usize]) {
        self.fields = fields.iter().copied().map(Some).collect();
    }

    pub(super) fn read(&mut self, row: &mut Row, tally: &mut Tally) -> bool {
        while let Some(well_quoted) = self.next(tally) {
            self.count += 1;
            if !well_quoted || !self.fits(tally) || self.is_garbled() {
                continue;
            }
            row.number = self.count;
            row.line = self.line;
            for (slot, field) in self.fields.iter().enumerate() {
                let cell = field.and_then(|field| self.record.get(field));
                let text = cell.map(|bytes| str::from_utf8(bytes).unwrap_or_default());
                row.set(slot, text.map(str::trim));
            }
            return true;
        }
        self.note_garbled(tally);
        false
    }

    pub(super) fn field(&self, slot: usize) -> Option<u64> {
        self.fields[slot].map(|field| field as u64 + 1)
    }

    pub(super) fn missing(&self) -> (Vec<usize>, Known) {
        let slots = self.fields.iter().enumerate();
        let missing = slots.filter(|(_, field)| field.is_none());
        let known = Known {
            names: self.names.clone(),
            line: self.header_line,
        };
        (missing.map(|(slot, _)| slot).collect(), known)
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Names the columns by the first line, or takes it for the names given.
    fn take_header(&mut self, tally: &mut Tally) -> Option<()> {
        let well_quoted = self.advance(tally)?;
        self.header_line = Some(self.line);
        let garbled = self
            .record
            .iter()
            .position(|cell| str::from_utf8(cell).is_err());
        if let Some(field) = garbled {
            self.garbled = Some((At::cell(self.line, Some(field as u64 + 1)), 1));
            self.note_garbled(tally);
        }
        if !well_quoted || garbled.is_some() {
            return None;
        }
        if self.names.is_empty() {
            let text = |bytes| str::from_utf8(bytes).unwrap_or_default().trim().to_owned();
            self.names = self.record.iter().map(text).collect();
        } else if self.names.len() != self.record.len() {
            tally.note(Kind::Shape(Shape::Columns), At::line(self.line), || {
                let (given, there) = (self.names.len(), self.record.len());
                let what = format!("`columns` names {given} columns where the header has {there}");
                (what, "name them all, or leave out `columns`".into())
            });
            return None;
        }
        Some(())
    }

    fn check_names(&self, tally: &mut Tally) {
        let mut met = BTreeSet::new();
        for (i, name) in self.names.iter().enumerate() {
            if !met.insert(name) {
                let at = At {
                    line: self.header_line,
                    column: self.header_line.map(|_| i as u64 + 1),
                };
                tally.note(Kind::Shape(Shape::Columns), at, || {
                    let what = format!("there is more than one column {}", shown(name));
                    (what, "give each column a name of its own".into())
                });
            }
        }
    }

    fn next(&mut self, tally: &mut Tally) -> Option<bool> {
        self.pending.take().or_else(|| self.advance(tally))
    }

    /// Moves on to the next record that is not a blank line, and tells whether its quotes are right; nothing at
    /// the end.
    fn advance(&mut self, tally: &mut Tally) -> Option<bool> {
        loop {
            match self.reader.read_byte_record(&mut self.record) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.note_broken(&error, tally);
                    return None;
                }
            }
            // The reader has counted the line feeds before, within and after the record.
            let last_line = self.reader.position().line() - 1;
            self.line = last_line.saturating_sub(line_feeds(self.record.as_slice()));
            let well_quoted = self.check_quotes(last_line, tally);
            if !well_quoted || !self.is_blank() {
                return Some(well_quoted);
            }
        }
    }

    /// Whether the record is a line of blanks; in a file of one column `""` is a cell.
    fn is_blank(&self) -> bool {
        let only = (self.record.len() == 1).then(|| &self.record[0]);
        only.is_some_and(|cell| {
            cell.trim_ascii().is_empty() && (self.names.len() > 1 || !cell.is_empty())
        })
    }

    fn check_quotes(&mut self, last_line: u64, tally: &mut Tally) -> bool {
        let mut right = true;
        while let Some(field) = self.reader.get_mut().next_to(last_line) {
            right = false;
            let at = At::cell(field.line, Some(field.field));
            tally.note(Kind::Shape(Shape::Quotes), at, || match field.text {
                None => (
                    "the quoted field that begins here never ends".into(),
                    "close the quote; perhaps the file was cut off".into(),
                ),
                Some(line) => (
                    format!("after the quoted field that begins here text follows on line {line}"),
                    "a quote within quotes is written twice; one before may have been left open"
                        .into(),
                ),
            });
        }
        right
    }

    fn note_broken(&self, error: &csv::Error, tally: &mut Tally) {
        tally.note(Kind::Shape(Shape::Reading), At::line(self.line), || {
            let what = format!("the file cannot be read on from here: {error}");
            (
                what,
                "look to the disk or the connection, then try again".into(),
            )
        });
    }

    fn fits(&self, tally: &mut Tally) -> bool {
        let (found, due) = (self.record.len(), self.names.len());
        if found != due {
            tally.note(Kind::Shape(Shape::Fields), At::line(self.line), || {
                let by = match self.header_line {
                    Some(_) => "the header has",
                    None if self.numbered => "the first has",
                    None => "`columns` names",
                };
                let fields = if found == 1 { "field" } else { "fields" };
                let what = format!("the row has {found} {fields} where {by} {due}");
                let help = match found {
                    1 if self.header_line.is_some() => {
                        "mend the row: its fields are to be separated as those of the header are"
                    }
                    1 => "mend the row, or say which `delimiter` the file has",
                    _ => {
                        "mend the row; a field that holds the delimiter must stand in quotes, with no blank \
                         before them"
                    }
                };
                (what, help.into())
            });
        }
        found == due
    }

    /// Whether a field that is asked for is not UTF-8, which is counted. Of fields that nobody asks for it does not matter.
    fn is_garbled(&mut self) -> bool {
        let wrong = |field: &&usize| {
            let cell = self.record.get(**field);
            cell.is_some_and(|cell| str::from_utf8(cell).is_err())
        };
        let Some(field) = self.fields.iter().flatten().find(wrong) else {
            return false;
        };
        let at = At::cell(self.line, Some(*field as u64 + 1));
        self.garbled.get_or_insert((at, 0)).1 += 1;
        true
    }

    /// Notes at the end of the file that it is of another encoding: once, and without the cell, which may name a person.
    fn note_garbled(&mut self, tally: &mut Tally) {
        let Some((at, rows)) = self.garbled.take() else {
            return;
        };
        tally.note(Kind::Shape(Shape::Encoding), at, || {
            let all = match rows {
                1 => String::new(),
                rows => format!(", and so it is in {rows} rows in all"),
            };
            let what = format!("the field holds bytes that are not UTF-8{all}");
            (
                what,
                "save the file as UTF-8 (a spreadsheet calls it CSV UTF-8)".into(),
            )
        });
    }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}
