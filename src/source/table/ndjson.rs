//! Rows of NDJSON: one JSON object a line, a candidate record or a flat one.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};

use super::object::{self, Members, Wrong};
use super::rows::{Known, Row, Wanted};
use super::tally::{At, Kind, Shape, Tally};

/// Names of members that are remembered for messages.
const REMEMBERED: usize = 1_000;

/// The rows of an NDJSON file.
///
/// A column is looked for among the record's members, then in its `groups`, then in its `features`. Texts stand
/// as they are, numbers and truth values in the letters of the file; `null` is the same as no member.
pub(super) struct Records {
    reader: BufReader<File>,
    line: u64,
    ended: bool,
    count: u64,
    /// Of each slot, its name and whether some record has it.
    wanted: Vec<(String, bool)>,
    names: BTreeSet<String>,
}

impl Records {
    pub(super) fn new(file: File, wanted: &Wanted) -> Self {
        Self {
            reader: BufReader::with_capacity(1 << 16, file),
            line: 0,
            ended: false,
            count: 0,
            wanted: wanted
                .names()
                .map(|name| (name.to_owned(), false))
                .collect(),
            names: BTreeSet::new(),
        }
    }

    pub(super) fn read(&mut self, row: &mut Row, tally: &mut Tally) -> bool {
        let mut bytes = Vec::new();
        while self.next_line(&mut bytes, tally) {
            let mut text = bytes.as_slice();
            if self.line == 1 {
                text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
            }
            text = text.trim_ascii_end();
            if text.is_empty() {
                continue;
            }
            self.count += 1;
            row.number = self.count;
            row.line = self.line;
            let record = object::text(text).and_then(object::members);
            let objects = record.map(object::objects);
            match objects.and_then(|objects| self.take(&objects, row)) {
                Ok(()) => return true,
                Err(wrong) => {
                    let at = At::cell(self.line, wrong.column);
                    tally.note(Kind::Shape(wrong.shape), at, || {
                        (wrong.what, wrong.help.into())
                    });
                }
            }
        }
        false
    }

    /// The slots that no record has, and the members that records have; none where no record could be read.
    pub(super) fn missing(&self) -> (Vec<usize>, Known) {
        let slots = self.wanted.iter().enumerate();
        let missing = slots.filter(|(_, (_, met))| !met && !self.names.is_empty());
        let known = Known {
            names: self.names.iter().cloned().collect(),
            line: None,
        };
        (missing.map(|(slot, _)| slot).collect(), known)
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn next_line(&mut self, bytes: &mut Vec<u8>, tally: &mut Tally) -> bool {
        if self.ended {
            return false;
        }
        bytes.clear();
        self.line += 1;
        match self.reader.read_until(b'\n', bytes) {
            Ok(read) => self.ended = read == 0,
            Err(error) => {
                self.ended = true;
                tally.note(Kind::Shape(Shape::Reading), At::line(self.line), || {
                    let what = format!("the file cannot be read on from here: {error}");
                    (
                        what,
                        "look to the disk or the connection, then try again".into(),
                    )
                });
            }
        }
        !self.ended
    }

    /// Takes the wanted cells into the row.
    fn take(&mut self, objects: &[Members<'_>], row: &mut Row) -> Result<(), Wrong> {
        for (name, _) in objects.iter().flat_map(|members| &members.0) {
            if self.names.len() < REMEMBERED && !self.names.contains(&**name) {
                self.names.insert(name.clone().into_owned());
            }
        }
        for (slot, (name, met)) in self.wanted.iter_mut().enumerate() {
            let cell = object::cell(objects, name)?;
            *met |= cell.is_some();
            row.set(slot, cell.as_deref());
        }
        Ok(())
    }
}
