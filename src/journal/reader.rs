//! Reading a journal.

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, params};

use super::chain::{ChainEnd, Columns};
use super::database::{JOURNAL, failed, flags, open, record, sound, unread};
use super::entry::{EntryKind, JournalEntry, Numbered};
use super::error::JournalError;
use super::facts::{FORMAT, Facts, NAMED};
use super::format::Format;
use super::head::{Head, Reach};

/// Entries that are read at once.
const CHUNK: usize = 1024;

/// An entry as it is kept: seq, kind, id, person, policy, body, chain.
type EntryRow = (
    i64,
    String,
    Option<String>,
    Option<i64>,
    Option<String>,
    String,
    Vec<u8>,
);

/// Reads a journal from its first entry, holding each against its hash.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    pub(super) store: Connection,
    /// None where the entries are read whatever the head says.
    head: Option<Reach>,
    /// Whether columns that follow from others may be wrong.
    is_lenient: bool,
    pub(super) facts: Facts,
    pub(super) end: ChainEnd,
}

impl JournalReader {
    /// The journal of a folder; another process may be writing it.
    ///
    /// # Errors
    /// Where it can't be opened.
    pub fn open(folder: &Path) -> Result<Self, JournalError> {
        // The head first: the journal is never behind it.
        let head = Head::peek(folder)?;
        Self::up_to(folder, Some(head))
    }

    /// The journal of a folder, held against this head.
    pub(super) fn up_to(folder: &Path, head: Option<Reach>) -> Result<Self, JournalError> {
        let path = folder.join(JOURNAL);
        let store = open(&path, flags())?;
        // Who reads leaves the files as they are, so that nothing of a damaged log is dropped.
        let leaves = store.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        leaves.map_err(|error| failed(&store, error))?;
        let find = format!("SELECT value FROM fact NOT INDEXED WHERE key = '{FORMAT}'");
        let format: Result<String, _> = store.query_row(&find, [], |row| row.get(0));
        let format = format.map_err(|error| unread(folder, head.map(|head| head.seq), error))?;
        let Some(format) = Format::of(&format) else {
            return Err(JournalError::Format(path, format));
        };
        let facts = Facts::read(&store, format).map_err(|error| failed(&store, error))?;
        let end = ChainEnd::start(format, facts.chain(), facts.named);
        let is_another = head.is_some_and(|head| head.seq == 0 && head.chain != end.chain);
        if !facts.are_whole() || is_another {
            let what = "the table of facts is not what the run was begun with";
            return Err(JournalError::Broken(format!("{}: {what}", path.display())));
        }
        Ok(Self {
            path,
            store,
            head,
            is_lenient: false,
            facts,
            end,
        })
    }

    /// The same, where columns that follow from others may be wrong.
    pub(super) fn leniently(folder: &Path, head: Option<Reach>) -> Result<Self, JournalError> {
        let strict = Self::up_to(folder, head)?;
        Ok(Self {
            is_lenient: true,
            ..strict
        })
    }

    /// Checks all by which SQLite finds entries: the schema, the pages of the file, the indexes.
    ///
    /// # Errors
    /// Where something of it is not what the journal needs: then with what it is.
    pub fn check(&self) -> Result<(), JournalError> {
        let wrong = sound(&self.store, self.facts.format);
        match wrong.map_err(|error| failed(&self.store, error))? {
            Some(what) => Err(JournalError::Unsound(self.path.clone(), what)),
            None => Ok(()),
        }
    }

    /// A fact that goes with the journal.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn fact(&self, key: &str) -> Result<Option<String>, JournalError> {
        let find = "SELECT value FROM fact NOT INDEXED WHERE key = ?1";
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
        for row in rows {
            let numbered = self.entry(row)?;
            if let Some(head) = self.head
                && numbered.seq == head.seq
                && self.end.chain != head.chain
            {
                let at = numbered.seq;
                return Err(JournalError::Strayed(self.path.clone(), at));
            }
            chunk.push(numbered);
        }
        let committed = self.head.map_or(0, |head| head.seq);
        if chunk.is_empty() && self.end.seq < committed {
            let ends = self.end.seq;
            let what = format!(
                "it ends with entry {ends}, and {committed} were committed: {} are lost",
                committed - ends
            );
            return Err(self.broken(&what));
        }
        Ok(chunk)
    }

    /// The entry of a row, held against the chain.
    fn entry(&mut self, row: EntryRow) -> Result<Numbered, JournalError> {
        let at = self.end.seq + 1;
        let (seq, kind, id, person, policy, body, chain) = row;
        let kind = EntryKind::of(&kind);
        if kind == Some(EntryKind::Candidate) && self.end.named.is_none() {
            // It was noted with the first person, maybe after the facts were read.
            self.end.named = self.fact(NAMED)?.map(|named| named == "true");
        }
        let entry = kind.and_then(|kind| JournalEntry::of(kind, id.as_deref(), &body));
        let Some(entry) = entry.filter(|_| seq as u64 == at) else {
            return Err(self.broken(&format!("entry {at} is not what was committed")));
        };
        let columns = Columns::of(&entry, &body, self.end.persons);
        let end = self.end.with(columns);
        if end.chain.bytes() != chain {
            return Err(self.broken(&format!("entry {at} is not what was committed")));
        }
        let kept = (person.map(|person| person as u64), policy.as_deref());
        if !self.is_lenient && kept != (columns.person, columns.policy) {
            let what = format!("the columns person and policy of entry {at} are not its own");
            return Err(JournalError::Unsound(self.path.clone(), what));
        }
        self.end = end;
        Ok(Numbered { seq: at, entry })
    }

    /// The next rows as they are, whatever the indexes say.
    fn rows(&self) -> rusqlite::Result<Vec<EntryRow>> {
        let select = "SELECT seq, kind, id, person, policy, body, chain FROM entry NOT INDEXED \
                      WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        let mut select = self.store.prepare_cached(select)?;
        let from = params![self.end.seq as i64, CHUNK as i64];
        let rows = select.query_map(from, |row| EntryRow::try_from(row))?;
        rows.collect()
    }

    fn broken(&self, what: &str) -> JournalError {
        JournalError::Broken(format!("{}: {what}", self.path.display()))
    }
}
