//! The reader of a journal, which verifies each entry.

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};

use super::database::{JOURNAL, failed, first, flags, open, record, unread};
use super::entry::{JournalEntry, Numbered};
use super::error::JournalError;
use super::facts::Facts;
use super::head::{Head, Promise, Reach};
use super::sound;
use crate::limits::MOST_ENTRIES_READ;

/// The columns of an entry: seq, kind, id, person, policy, body, chain.
pub(super) type EntryRow = (
    i64,
    String,
    Option<String>,
    Option<i64>,
    Option<String>,
    String,
    Vec<u8>,
);

/// Reads a journal from its first entry, and verifies each by its hash.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    store: Connection,
    pub(super) head: Promise,
    pub(super) facts: Facts,
    pub(super) reach: Reach,
    pub(super) persons: u64,
}

impl JournalReader {
    /// Opens the journal of a folder; another process may be writing it.
    ///
    /// # Errors
    /// Where it can't be opened.
    pub fn open(folder: &Path) -> Result<Self, JournalError> {
        // The head first: the journal is never behind it.
        let head = Head::peek(folder)?;
        Self::at(folder.join(JOURNAL), head)
    }

    /// Opens a database, checked against a given head.
    pub(super) fn at(path: PathBuf, head: Promise) -> Result<Self, JournalError> {
        let store = open(&path, flags())?;
        // Who reads leaves the files as they are: of a damaged log nothing is dropped.
        let kept = store.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        kept.map_err(|error| failed(&store, error))?;
        let find = "SELECT value FROM fact NOT INDEXED WHERE key = 'format'";
        let format: Result<String, _> = store.query_row(find, [], |row| row.get(0));
        let format = format.map_err(|error| unread(&path, head.reach.seq, error))?;
        if format != "1" {
            return Err(JournalError::Format(path, format));
        }
        // After the head and before the entries: see `Facts::are`.
        let facts = Facts::read(&store).map_err(|error| failed(&store, error))?;
        Ok(Self {
            path,
            store,
            head,
            facts,
            reach: Reach::default(),
            persons: 0,
        })
    }

    /// Returns a fact of the journal, or `None` if it was not noted.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn fact(&self, key: &str) -> Result<Option<String>, JournalError> {
        let find = "SELECT value FROM fact WHERE key = ?1";
        first(&self.store, find, [key], |row| row.get(0))
    }

    /// Returns the hash of the first entry, or `None` if there is no entry.
    pub(super) fn first_link(&self) -> Result<Option<Vec<u8>>, JournalError> {
        let find = "SELECT chain FROM entry WHERE seq = 1";
        first(&self.store, find, [], |row| row.get(0))
    }

    /// Returns the policies that joined the run, in the order of joining.
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

    /// Returns the record of the candidate with an id, as it was taken.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn record(&self, id: &str) -> Result<Option<String>, JournalError> {
        record(&self.store, id)
    }

    /// Checks that SQLite's tables, indexes and pages agree with each other.
    ///
    /// # Errors
    /// Where they are not as they were made.
    pub fn examine(&self) -> Result<(), JournalError> {
        let wrong = sound::wrong(&self.store).map_err(|error| failed(&self.store, error))?;
        wrong.map_or(Ok(()), |wrong| Err(self.broken(&wrong)))
    }

    /// Returns true if the head promises less than was read.
    pub(super) fn lags(&self) -> bool {
        self.reach.seq > self.head.reach.seq || self.head.facts.is_none()
    }

    /// The number of entries read so far, and their chain hash.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The number of candidates read so far.
    #[must_use]
    pub fn persons(&self) -> u64 {
        self.persons
    }

    /// Reads all remaining entries, and hands each to `each`.
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

    /// Returns the next entries; empty at the end.
    ///
    /// # Errors
    /// Where an entry is not what was committed, or the journal ends before its head.
    pub fn read(&mut self) -> Result<Vec<Numbered>, JournalError> {
        let before = self.reach.seq;
        let rows = self.read_rows()?;
        let entries = (before + 1..).zip(rows);
        Ok(entries
            .filter_map(|(seq, row)| {
                Some(Numbered {
                    seq,
                    entry: entry_of(&row)?,
                })
            })
            .collect())
    }

    /// Returns the next entries as rows; see [`JournalReader::read`].
    pub(super) fn read_rows(&mut self) -> Result<Vec<EntryRow>, JournalError> {
        let mut rows = self.rows().map_err(|error| failed(&self.store, error))?;
        for at in 0..rows.len() {
            if let Err(error) = self.follow(&rows[at]) {
                if at == 0 {
                    return Err(error);
                }
                // Those before it are as they were committed; it comes first the next time.
                rows.truncate(at);
                break;
            }
        }
        if rows.is_empty() {
            self.at_end()?;
        }
        Ok(rows)
    }

    /// Checks an entry against its hash, its columns and the head.
    fn follow(&mut self, row: &EntryRow) -> Result<(), JournalError> {
        let (seq, _, _, person, policy, _, link) = row;
        let at = self.reach.seq + 1;
        let next = entry_of(row).map(|entry| (self.reach.chain.with(at, &entry), entry));
        let next = next.filter(|(chain, entry)| {
            let derived = (entry.person(self.persons).map(|n| n as i64), entry.policy());
            *seq as u64 == at && chain.bytes() == link && derived == (*person, policy.as_deref())
        });
        let Some((chain, entry)) = next else {
            return Err(self.broken(&format!("entry {at} is not what was committed")));
        };
        // Before it counts as read, or the next read would go on after it.
        if at == self.head.reach.seq && chain != self.head.reach.chain {
            let what = format!("entry {at} is another than the one its head names");
            return Err(self.broken(&what));
        }
        self.reach = Reach { seq: at, chain };
        self.persons += u64::from(matches!(entry, JournalEntry::Candidate(..)));
        Ok(())
    }

    /// Checks the end of the journal, and the facts, against the head.
    fn at_end(&self) -> Result<(), JournalError> {
        let (ends, promised) = (self.reach.seq, self.head.reach.seq);
        if ends < promised {
            return Err(self.broken(&format!(
                "it ends with entry {ends}, and {promised} were committed: {} are lost",
                promised - ends
            )));
        }
        let are_same = |hash: &String| self.facts.are(hash, ends > promised);
        if self.head.facts.as_ref().is_none_or(are_same) {
            Ok(())
        } else {
            Err(self.broken("the config or options in it are not those that were committed"))
        }
    }

    /// Returns the next rows, unchecked.
    fn rows(&self) -> rusqlite::Result<Vec<EntryRow>> {
        let select = "SELECT seq, kind, id, person, policy, body, chain FROM entry WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        let mut select = self.store.prepare_cached(select)?;
        let from = params![self.reach.seq as i64, MOST_ENTRIES_READ as i64];
        let rows = select.query_map(from, |row| EntryRow::try_from(row))?;
        rows.collect()
    }

    /// Copies the whole database, as it is at one moment.
    pub(super) fn copy_into(&self, path: &Path) -> Result<(), JournalError> {
        let path = path.to_string_lossy();
        let copied = self.store.execute("VACUUM INTO ?1", [&*path]);
        copied.map_err(|error| failed(&self.store, error))?;
        Ok(())
    }

    fn broken(&self, what: &str) -> JournalError {
        JournalError::Broken(format!("{}: {what}", self.path.display()))
    }
}

/// Returns the entry of a row, or `None` if its columns don't fit each other.
fn entry_of((_, kind, id, _, _, body, _): &EntryRow) -> Option<JournalEntry> {
    JournalEntry::of(kind, id.as_deref(), body)
}
