//! Rows of NDJSON: one JSON object a line, a candidate record or a flat one.

use std::collections::BTreeSet;

use super::file_frames::FileFrames;
use super::row::TableRow;
use super::tally::{At, ProblemKind, ProblemTally};
use super::wanted::{KnownColumns, WantedColumns};
use crate::limits::MOST_REMEMBERED_NAMES;
use crate::record::fault::Fault;
use crate::record::file::TableFile;
use crate::record::json::Record;
use crate::record::object;

/// The rows of an NDJSON file.
pub(super) struct Records {
    frames: FileFrames,
    count: u64,
    /// The name of each slot, and true if some record has it.
    wanted: Vec<(String, bool)>,
    names: BTreeSet<String>,
}

impl Records {
    pub(super) fn new(file: TableFile, wanted: &WantedColumns) -> Self {
        let wanted = wanted.names().map(|name| (name.to_owned(), false));
        Self {
            frames: FileFrames::new(file),
            count: 0,
            wanted: wanted.collect(),
            names: BTreeSet::new(),
        }
    }

    pub(super) fn read(&mut self, row: &mut TableRow, tally: &mut ProblemTally) -> bool {
        while self.frames.advance(tally) {
            self.count += 1;
            row.number = self.count;
            row.line = self.frames.frame().line;
            match self.take(row) {
                Ok(()) => return true,
                Err(fault) => {
                    let at = At::cell(row.line, fault.column);
                    tally.note(ProblemKind::Shape(fault.kind), at, || {
                        (fault.what, fault.help.into())
                    });
                }
            }
        }
        false
    }

    /// The slots that no record has, and the members that records have; none where no record could
    /// be read.
    pub(super) fn missing(&self) -> (Vec<usize>, KnownColumns) {
        let slots = self.wanted.iter().enumerate();
        let missing = slots.filter(|(_, (_, met))| !met && !self.names.is_empty());
        let known = KnownColumns {
            names: self.names.iter().cloned().collect(),
            line: None,
        };
        (missing.map(|(slot, _)| slot).collect(), known)
    }

    /// The name of a slot.
    pub(super) fn name(&self, slot: usize) -> &str {
        &self.wanted[slot].0
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Takes the wanted cells of the record under way into the row.
    fn take(&mut self, row: &mut TableRow) -> Result<(), Fault> {
        let frame = self.frames.frame();
        let text = object::text(frame.bytes)?;
        let record = Record::parse(text)?;
        for name in record.names() {
            if self.names.len() < MOST_REMEMBERED_NAMES && !self.names.contains(&**name) {
                self.names.insert(name.clone().into_owned());
            }
        }
        row.key.clear();
        for name in record.names() {
            if let Ok(Some(cell)) = record.cell(name) {
                row.key.add(name, &cell);
            }
        }
        for (slot, (name, met)) in self.wanted.iter_mut().enumerate() {
            let cell = record.cell(name)?;
            *met |= cell.is_some();
            row.set(slot, cell.as_deref(), None);
        }
        Ok(())
    }
}
