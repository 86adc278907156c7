//! Reading a journal.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::database::{JOURNAL, failed, flags, open, record};
use super::entry::{EntryKind, JournalEntry, Numbered};
use super::error::JournalError;
use super::head::{Head, Reach};

/// Entries that are read at once.
const CHUNK: usize = 1024;

/// An entry as it is kept: seq, kind, id, body, chain.
type EntryRow = (i64, String, Option<String>, String, Vec<u8>);

/// Reads a journal from its first entry, holding each against its hash.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    store: Connection,
    head: Reach,
    pub(super) reach: Reach,
    pub(super) persons: u64,
}

impl JournalReader {
    /// The journal of a folder; another process may be writing it.
    ///
    /// # Errors
    /// Where it can't be opened.
    pub fn open(folder: &Path) -> Result<Self, JournalError> {
        // The head first: the journal is never behind it.
        let head = Head::peek(folder)?;
        let path = folder.join(JOURNAL);
        let store = open(&path, flags())?;
        let find = "SELECT value FROM fact WHERE key = 'format'";
        let format: Result<String, _> = store.query_row(find, [], |row| row.get(0));
        let format = format.map_err(|error| {
            if head.seq == 0 {
                return JournalError::Unbegun(folder.to_owned());
            }
            let (path, committed) = (path.display(), head.seq);
            JournalError::Broken(format!(
                "{path}: nothing can be read of it ({error}), and {committed} entries were \
                 committed: they are lost"
            ))
        })?;
        if format != "1" {
            return Err(JournalError::Broken(format!(
                "{}: this journal is of format {format}, and this program reads format 1",
                path.display()
            )));
        }
        Ok(Self {
            path,
            store,
            head,
            reach: Reach::default(),
            persons: 0,
        })
    }

    /// A fact that goes with the journal.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn fact(&self, key: &str) -> Result<Option<String>, JournalError> {
        let find = "SELECT value FROM fact WHERE key = ?1";
        let found = self.store.query_row(find, [key], |row| row.get(0));
        let found = found.optional();
        found.map_err(|error| failed(&self.store, error))
    }

    /// The policies that joined the run, in the order of their joining.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn joins(&self) -> Result<Vec<String>, JournalError> {
        let find = "SELECT body FROM entry WHERE kind = 'join' ORDER BY seq";
        let joins = self.store.prepare(find).and_then(|mut find| {
            let joins = find.query_map([], |row| row.get(0))?;
            joins.collect()
        });
        joins.map_err(|error| failed(&self.store, error))
    }

    /// The record of the person of an id, as it was taken.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn record(&self, id: &str) -> Result<Option<String>, JournalError> {
        record(&self.store, id)
    }

    /// Reads to the end.
    ///
    /// # Errors
    /// As [`JournalReader::read`].
    pub fn read_all(&mut self, mut each: impl FnMut(&Numbered)) -> Result<(), JournalError> {
        loop {
            let entries = self.read()?;
            if entries.is_empty() {
                return Ok(());
            }
            entries.iter().for_each(&mut each);
        }
    }

    /// The next entries; none at the end.
    ///
    /// # Errors
    /// Where an entry is not what was committed, or the journal ends before its head.
    pub fn read(&mut self) -> Result<Vec<Numbered>, JournalError> {
        let rows = self.rows().map_err(|error| failed(&self.store, error))?;
        let mut chunk = Vec::with_capacity(rows.len());
        for (seq, kind, id, body, chain) in rows {
            let at = self.reach.seq + 1;
            let entry =
                EntryKind::of(&kind).and_then(|kind| JournalEntry::of(kind, id.as_deref(), &body));
            let next = entry.map(|entry| (self.reach.chain.with(at, &entry), entry));
            let next = next.filter(|(link, _)| seq as u64 == at && link.bytes() == chain);
            let Some((chain, entry)) = next else {
                return Err(self.broken(&format!("entry {at} is not what was committed")));
            };
            self.reach = Reach { seq: at, chain };
            if at == self.head.seq && chain != self.head.chain {
                let what = format!("entry {at} is another than the one its head names");
                return Err(self.broken(&what));
            }
            self.persons += u64::from(entry.kind() == EntryKind::Candidate);
            chunk.push(Numbered { seq: at, entry });
        }
        if chunk.is_empty() && self.reach.seq < self.head.seq {
            let (ends, committed) = (self.reach.seq, self.head.seq);
            let what = format!(
                "it ends with entry {ends}, and {committed} were committed: {} are lost",
                committed - ends
            );
            return Err(self.broken(&what));
        }
        Ok(chunk)
    }

    /// The next rows as they are.
    fn rows(&self) -> rusqlite::Result<Vec<EntryRow>> {
        let select =
            "SELECT seq, kind, id, body, chain FROM entry WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        let mut select = self.store.prepare_cached(select)?;
        let from = params![self.reach.seq as i64, CHUNK as i64];
        let rows = select.query_map(from, |row| EntryRow::try_from(row))?;
        rows.collect()
    }

    fn broken(&self, what: &str) -> JournalError {
        JournalError::Broken(format!("{}: {what}", self.path.display()))
    }
}
