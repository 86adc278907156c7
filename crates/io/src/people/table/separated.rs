//! Rows of separated text (RFC 4180), one after another.

use super::file_frames::FileFrames;
use super::row::TableRow;
use super::tally::{At, ProblemKind, ProblemTally};
use super::wanted::{KnownColumns, WantedColumns};
use crate::record::cell::shown;
use crate::record::fault::FaultKind;
use crate::record::file::TableFile;
use crate::record::framing::FrameFault;
use crate::record::quotes::Misquoted;
use crate::record::row::{RowCells, repeated};

/// The rows of a file of separated text.
pub(super) struct Separated {
    frames: FileFrames,
    pub(super) delimiter: u8,
    row: RowCells,
    /// The line on which the row begins.
    line: u64,
    names: Vec<String>,
    header_line: Option<u64>,
    /// True if the columns are named by their numbers. Below, true if the row by which they were
    /// counted is well quoted; `None` once that row was read.
    numbered: bool,
    pending: Option<bool>,
    /// The index of each slot's field; `None` for a missing column.
    fields: Vec<Option<usize>>,
    count: u64,
    /// Rows that hold nothing but separators and blanks.
    blank: u64,
    /// The place of the first field that is not UTF-8, and the number of rows with such a field.
    garbled: Option<(At, u64)>,
}

impl Separated {
    /// Opens a file; nothing where it has no row that names its columns, or a bad one, which is
    /// noted.
    pub(super) fn open(
        file: TableFile,
        columns: Option<&[String]>,
        wanted: &WantedColumns,
        tally: &mut ProblemTally,
    ) -> Option<Self> {
        let mut rows = Self::begin(file);
        match columns {
            Some(columns) => rows.names = columns.to_vec(),
            None => rows.take_header(tally)?,
        }
        rows.check_names(tally);
        rows.fields = wanted.places(&rows.names, rows.header_line, tally);
        Some(rows)
    }

    /// Opens a file without a header, of which the columns are called c1, c2, …; nothing where it
    /// has no row.
    pub(super) fn numbered(file: TableFile, tally: &mut ProblemTally) -> Option<Self> {
        let mut rows = Self::begin(file);
        rows.numbered = true;
        rows.pending = Some(rows.advance(tally)?);
        let columns = 1..=rows.row.len();
        rows.names = columns.map(|n| format!("c{n}")).collect();
        Some(rows)
    }

    /// Returns true if the first row, a header or not, is one field that holds another delimiter.
    pub(super) fn seems_misparted(&self) -> bool {
        let marks = |field: &[u8]| field.iter().any(|byte| b";,\t| ".contains(byte));
        self.row.len() == 1 && marks(self.row.bytes(0))
    }

    fn begin(file: TableFile) -> Self {
        let delimiter = file.delimiter().unwrap_or(b',');
        Self {
            delimiter,
            row: RowCells::new(delimiter),
            line: file.first_line,
            frames: FileFrames::new(file),
            names: Vec::new(),
            header_line: None,
            numbered: false,
            pending: None,
            fields: Vec::new(),
            count: 0,
            blank: 0,
            garbled: None,
        }
    }

    /// From now on slot i is the field `fields[i]`, counted from 0, whatever its name.
    pub(super) fn aim(&mut self, fields: &[usize]) {
        self.fields = fields.iter().copied().map(Some).collect();
    }

    pub(super) fn read(&mut self, row: &mut TableRow, tally: &mut ProblemTally) -> bool {
        while let Some(well_quoted) = self.next(tally) {
            self.count += 1;
            if !well_quoted || !self.fits(tally) || self.is_garbled() {
                continue;
            }
            row.number = self.count;
            row.line = self.line;
            row.key.clear();
            for field in 0..self.row.len() {
                // A cell that is no text is none of another's.
                row.key
                    .push(&self.row.cell(field).unwrap_or("\u{0}".into()));
            }
            for (slot, field) in self.fields.iter().enumerate() {
                let cell = field.and_then(|field| self.row.cell(field));
                row.set(slot, cell.as_deref(), field.map(|field| field as u64 + 1));
            }
            return true;
        }
        self.note_garbled(tally);
        false
    }

    pub(super) fn field(&self, slot: usize) -> Option<u64> {
        self.fields[slot].map(|field| field as u64 + 1)
    }

    pub(super) fn missing(&self) -> (Vec<usize>, KnownColumns) {
        let slots = self.fields.iter().enumerate();
        let missing = slots.filter(|(_, field)| field.is_none());
        let known = KnownColumns {
            names: self.names.clone(),
            line: self.header_line,
        };
        (missing.map(|(slot, _)| slot).collect(), known)
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of rows so far that hold only separators and blanks.
    pub(super) fn blank(&self) -> u64 {
        self.blank
    }

    /// Names the columns by the first row.
    fn take_header(&mut self, tally: &mut ProblemTally) -> Option<()> {
        let well_quoted = self.advance(tally)?;
        self.header_line = Some(self.line);
        if !well_quoted {
            return None;
        }
        match self.row.names() {
            Ok(names) => self.names = names,
            Err(field) => {
                self.garbled = Some((At::cell(self.line, Some(field as u64 + 1)), 1));
                self.note_garbled(tally);
                return None;
            }
        }
        Some(())
    }

    fn check_names(&self, tally: &mut ProblemTally) {
        // Columns without a name are read by none.
        let named = |(_, again): &(usize, usize)| !self.names[*again].is_empty();
        for (_, again) in repeated(&self.names).filter(named) {
            let at = At {
                line: self.header_line,
                column: self.header_line.map(|_| again as u64 + 1),
            };
            tally.note(ProblemKind::Shape(FaultKind::Columns), at, || {
                let what = format!(
                    "there is more than one column {}",
                    shown(&self.names[again])
                );
                (what, "give each column a name of its own".into())
            });
        }
    }

    fn next(&mut self, tally: &mut ProblemTally) -> Option<bool> {
        self.pending.take().or_else(|| self.advance(tally))
    }

    /// Moves on to the next row that is not blank, and returns whether its quotes are right;
    /// nothing at the end.
    fn advance(&mut self, tally: &mut ProblemTally) -> Option<bool> {
        while self.frames.advance(tally) {
            let frame = self.frames.frame();
            self.line = frame.line;
            if let Some(FrameFault::Misquoted(misquoted)) = frame.fault {
                note_misquoted(misquoted, tally);
                return Some(false);
            }
            self.row.split(frame.bytes);
            if !self.row.is_blank(self.names.len()) {
                return Some(true);
            }
            self.blank += u64::from(self.row.len() > 1 || !self.row.bytes(0).is_empty());
        }
        None
    }

    fn fits(&self, tally: &mut ProblemTally) -> bool {
        let (found, due) = (self.row.len(), self.names.len());
        if found != due {
            tally.note(ProblemKind::Shape(FaultKind::Fields), At::line(self.line), || {
                let by = match self.header_line {
                    Some(_) => "the header has",
                    None if self.numbered => "the first has",
                    None => "`columns` names",
                };
                let fields = if found == 1 { "field" } else { "fields" };
                let what = format!("the row has {found} {fields} where {by} {due}");
                let help = match found {
                    1 if self.header_line.is_some() => {
                        "correct the row: its fields are to be separated as those of the header are"
                    }
                    1 => "correct the row, or say which `delimiter` the file has",
                    _ => {
                        "correct the row; a field that holds the delimiter must be in quotes, with no blank \
                         before them"
                    }
                };
                (what, help.into())
            });
        }
        found == due
    }

    /// Returns true, and counts the row, if a field that is read is not UTF-8. Other fields may
    /// have any encoding.
    fn is_garbled(&mut self) -> bool {
        let wrong = |field: &&usize| self.row.cell(**field).is_none();
        let Some(field) = self.fields.iter().flatten().find(wrong) else {
            return false;
        };
        let at = At::cell(self.line, Some(*field as u64 + 1));
        self.garbled.get_or_insert((at, 0)).1 += 1;
        true
    }

    /// Notes at the end of the file that it is of another encoding: once, and without the cell,
    /// which may name a person.
    fn note_garbled(&mut self, tally: &mut ProblemTally) {
        let Some((at, rows)) = self.garbled.take() else {
            return;
        };
        tally.note(ProblemKind::Shape(FaultKind::Encoding), at, || {
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

/// Notes a field whose quotes are wrong, where it begins.
fn note_misquoted(field: Misquoted, tally: &mut ProblemTally) {
    let at = At::cell(field.line, Some(field.field));
    tally.note(ProblemKind::Shape(FaultKind::Quotes), at, || {
        match field.text {
            None => (
                "the quoted field that begins here never ends".into(),
                "close the quote; perhaps the file was cut off".into(),
            ),
            Some(line) => (
                format!("after the quoted field that begins here text follows on line {line}"),
                "a quote within quotes is written twice; one before may have been left open".into(),
            ),
        }
    });
}
