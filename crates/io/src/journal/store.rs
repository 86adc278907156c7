//! The writer of a journal's database.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};

use super::database::{
    CORRECTIONS, JOURNAL, LOG, TABLES, failed, first, flags, keep_log, open, record,
};
use super::disk::{self, is_planted, rewrite};
use super::entry::{Corrected, JournalEntry, Numbered, Reported};
use super::error::JournalError;
use super::facts::{Facts, NAMED};
use super::head::{Head, Reach};
use super::keeping::synced;
use super::reader::JournalReader;
use super::recent::Recent;
use super::slots::Plant;
use crate::limits::MOST_RECENT_BYTES;

/// The result of adding an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The entry was added.
    As {
        /// The number of the entry, from 1.
        seq: u64,
        /// The number of the candidate that the entry is about; `None` for other entries.
        person: Option<u64>,
    },
    /// The journal has the same entry already.
    Duplicate,
    /// The entry is the outcome of a candidate who never came.
    Unknown,
}

/// A journal open for writing. No entry counts before [`Journal::commit`].
#[derive(Debug)]
pub struct Journal {
    store: Connection,
    /// The head; `None` for a temporary journal.
    head: Option<Head>,
    /// The candidates of a temporary journal, as long as memory suffices.
    recent: Option<Recent>,
    facts: Facts,
    reach: Reach,
    persons: u64,
    named: Option<bool>,
    begun: bool,
}

impl Journal {
    /// Creates the journal of a folder that has none, with its facts by name.
    ///
    /// # Errors
    /// Where it can't be made.
    pub fn create(folder: &Path, facts: &[(&str, String)]) -> Result<Self, JournalError> {
        let head = Head::create(folder)?;
        let store = open(&folder.join(JOURNAL), OpenFlags::default())?;
        let written = (|| {
            prepare(&store, folder)?;
            store.execute_batch(&format!("BEGIN;{TABLES}{CORRECTIONS}"))?;
            for (key, value) in facts {
                store.execute("INSERT INTO fact VALUES (?1, ?2)", params![key, value])?;
            }
            store.execute_batch("COMMIT")
        })();
        written.map_err(|error| failed(&store, error))?;
        // The names in the folder must outlive a crash as well.
        synced(folder)?;
        let mut journal = Self::of(store, Some(head), Reach::default(), 0)?;
        journal.note_reach()?;
        Ok(journal)
    }

    /// Opens the journal of a run that was stopped. It reads all entries, hands each to `each`, and
    /// checks them against their hashes and the head.
    ///
    /// # Errors
    /// Where it can't be opened, is in use, or is not what was committed; then with the place.
    pub fn resume(folder: &Path, each: impl FnMut(&Numbered)) -> Result<Self, JournalError> {
        let head = Head::open(folder)?;
        // What is read from now on is taken for committed.
        let log = folder.join(LOG);
        rewrite(&log).map_err(|error| JournalError::Io(log, error))?;
        let mut reader = JournalReader::open(folder)?;
        reader.examine()?;
        reader.read_all(each)?;
        let store = open(&folder.join(JOURNAL), flags())?;
        let prepared = prepare(&store, folder).and_then(|()| store.execute_batch(CORRECTIONS));
        prepared.map_err(|error| failed(&store, error))?;
        if is_planted(folder, Plant::ForgottenIds) {
            let forgotten = store.execute_batch("DROP INDEX person");
            forgotten.map_err(|error| failed(&store, error))?;
        }
        let mut journal = Self::of(store, Some(head), reader.reach, reader.persons)?;
        if reader.lags() {
            // Committed, but the run ended before it could acknowledge them.
            journal.note_reach()?;
        }
        Ok(journal)
    }

    /// Creates a journal for this process alone, which keeps what is asked of it and nothing else. It
    /// is on the disk only if memory does not suffice, and gone when it is dropped.
    ///
    /// # Errors
    /// Where it can't be made.
    pub fn temporary() -> Result<Self, JournalError> {
        Self::temporary_within(MOST_RECENT_BYTES)
    }

    /// Creates a temporary journal that holds this many bytes in memory, roughly.
    pub(super) fn temporary_within(most: usize) -> Result<Self, JournalError> {
        let store = open(Path::new(""), OpenFlags::default())?;
        let fast = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;";
        let written = store.execute_batch(&format!("{fast}{TABLES}{CORRECTIONS}"));
        written.map_err(|error| failed(&store, error))?;
        let journal = Self::of(store, None, Reach::default(), 0)?;
        Ok(Self {
            recent: Some(Recent::within(most)),
            ..journal
        })
    }

    fn of(
        store: Connection,
        head: Option<Head>,
        reach: Reach,
        persons: u64,
    ) -> Result<Self, JournalError> {
        store.set_prepared_statement_cache_capacity(16);
        let facts = Facts::read(&store).map_err(|error| failed(&store, error))?;
        Ok(Self {
            named: facts.0.get(NAMED).map(|named| named == "true"),
            store,
            head,
            recent: None,
            facts,
            reach,
            persons,
            begun: false,
        })
    }

    /// Writes the last entry and the facts' hash into the head.
    fn note_reach(&mut self) -> Result<(), JournalError> {
        match &mut self.head {
            Some(head) => head.write(self.reach, &self.facts.hash()),
            None => Ok(()),
        }
    }

    /// The number of the last entry.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.reach.seq
    }

    /// The number of candidates in the journal.
    #[must_use]
    pub fn persons(&self) -> u64 {
        self.persons
    }

    /// Returns true if candidates have ids of their own, and false if they are named by their
    /// numbers. Returns `None` until that was noted.
    #[must_use]
    pub fn named(&self) -> Option<bool> {
        self.named
    }

    /// Notes that candidates have ids of their own, or that they have none. It counts with the next
    /// commit, as entries do.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn note_named(&mut self, named: bool) -> Result<(), JournalError> {
        let noted = self.begin().and_then(|()| {
            let insert = "INSERT OR REPLACE INTO fact VALUES (?1, ?2)";
            self.store
                .execute(insert, params![NAMED, named.to_string()])
        });
        noted.map_err(|error| failed(&self.store, error))?;
        self.facts.0.insert(NAMED.to_owned(), named.to_string());
        self.named = Some(named);
        Ok(())
    }

    /// Adds a candidate; a repeated id is a duplicate.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn add_candidate(&mut self, id: &str, record: &str) -> Result<Added, JournalError> {
        if self.recent.is_none() {
            return self.add(&JournalEntry::Candidate(id.into(), record.into()));
        }
        let added = self.put_recent(id, record);
        let added = added.map_err(|error| failed(&self.store, error))?;
        self.persons += u64::from(added != Added::Duplicate);
        Ok(added)
    }

    /// Adds the outcome of a candidate; only the first one counts.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn add_outcome(
        &mut self,
        id: &str,
        policy: Option<&str>,
        value: f64,
    ) -> Result<Added, JournalError> {
        let Some((_, person)) = self.standing(id)? else {
            return Ok(Added::Unknown);
        };
        let reported = Reported {
            person,
            policy: policy.map(Into::into),
            value,
        };
        self.add(&JournalEntry::Outcome(id.into(), reported))
    }

    /// Adds a correction of an outcome.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn correct(&mut self, id: &str, corrected: Corrected) -> Result<Added, JournalError> {
        self.add(&JournalEntry::Correction(id.into(), corrected))
    }

    /// Returns the number of the entry with a candidate's first outcome, and the value after all
    /// corrections.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn outcome(
        &self,
        id: &str,
        policy: Option<&str>,
    ) -> Result<Option<(u64, f64)>, JournalError> {
        let reported = "SELECT seq, body FROM entry WHERE kind = 'outcome' AND id = ?1 AND \
                     ifnull(policy, '') = ?2";
        let corrected = "SELECT seq, body FROM entry WHERE kind = 'correction' AND id = ?1 AND ifnull(policy, '') = ?2 \
                    ORDER BY seq DESC LIMIT 1";
        let of = [id, policy.unwrap_or_default()];
        let find = |find: &str| {
            first(&self.store, find, of, |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            })
        };
        let (reported, corrected) = (find(reported)?, find(corrected)?);
        let Some((seq, body)) = reported else {
            return Ok(None);
        };
        let body = corrected.map_or(body, |(_, corrected)| corrected);
        let told: Option<Reported> = serde_json::from_str(&body).ok();
        Ok(told.map(|told| (seq as u64, told.value)))
    }

    /// Returns the record of the candidate with an id, as it was taken.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn record(&self, id: &str) -> Result<Option<String>, JournalError> {
        if let Some(recent) = &self.recent {
            return Ok(recent.record(id));
        }
        record(&self.store, id)
    }

    /// Adds an entry. A candidate of a known id and a second outcome are duplicates.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn add(&mut self, entry: &JournalEntry) -> Result<Added, JournalError> {
        let added = self
            .put(entry)
            .map_err(|error| failed(&self.store, error))?;
        let is_candidate = matches!(entry, JournalEntry::Candidate(..));
        self.persons += u64::from(is_candidate && added != Added::Duplicate);
        Ok(added)
    }

    /// Returns the numbers of the candidate with an id: that of the entry, and that in the stream.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn standing(&self, id: &str) -> Result<Option<(u64, u64)>, JournalError> {
        if let Some(recent) = &self.recent {
            return Ok(recent.standing(id));
        }
        let find = "SELECT seq, person FROM entry WHERE id = ?1 AND kind = 'candidate'";
        first(&self.store, find, [id], |row| {
            Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64))
        })
    }

    fn put(&mut self, entry: &JournalEntry) -> rusqlite::Result<Added> {
        if let JournalEntry::Candidate(id, record) = entry
            && self.recent.is_some()
        {
            return self.put_recent(id, record);
        }
        // Nothing else is asked of a journal that no one reads.
        let is_asked = matches!(
            entry,
            JournalEntry::Outcome(..) | JournalEntry::Correction(..)
        );
        if self.recent.is_some() && !is_asked {
            self.reach.seq += 1;
            let (seq, person) = (self.reach.seq, None);
            return Ok(Added::As { seq, person });
        }
        self.begin()?;
        let seq = self.reach.seq + 1;
        let chain = self.reach.chain.with(seq, entry);
        let (kind, id, body) = entry.columns();
        let person = entry.person(self.persons);
        let insert = "INSERT INTO entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";
        let mut insert = self.store.prepare_cached(insert)?;
        let changed = insert.execute(params![
            seq as i64,
            kind,
            id,
            person.map(|person| person as i64),
            entry.policy(),
            body,
            chain.bytes(),
        ])?;
        if changed == 0 {
            return Ok(Added::Duplicate);
        }
        self.reach = Reach { seq, chain };
        Ok(Added::As { seq, person })
    }

    /// Adds a candidate to those in memory.
    fn put_recent(&mut self, id: &str, record: &str) -> rusqlite::Result<Added> {
        let (seq, person) = (self.reach.seq + 1, self.persons);
        let recent = self.recent.as_mut();
        if !recent.is_some_and(|recent| recent.add(id, (seq, person), record)) {
            return Ok(Added::Duplicate);
        }
        self.reach.seq = seq;
        self.make_room()?;
        let person = Some(person);
        Ok(Added::As { seq, person })
    }

    /// Moves the candidates of a temporary journal into its database, if memory does not suffice.
    fn make_room(&mut self) -> rusqlite::Result<()> {
        let Some(recent) = self.recent.take_if(|recent| recent.is_full()) else {
            return Ok(());
        };
        self.begin()?;
        let insert = "INSERT INTO entry VALUES (?1, 'candidate', ?2, ?3, NULL, ?4, x'')";
        let mut insert = self.store.prepare(insert)?;
        for (id, (seq, person), record) in recent.entries() {
            insert.execute(params![seq as i64, id, person as i64, record])?;
        }
        Ok(())
    }

    fn is_planted(&self, plant: Plant) -> bool {
        let path = self.store.path().map(Path::new);
        path.is_some_and(|path| is_planted(path, plant))
    }

    fn begin(&mut self) -> rusqlite::Result<()> {
        if !self.begun {
            self.store.execute_batch("BEGIN IMMEDIATE")?;
            self.begun = true;
        }
        Ok(())
    }

    /// Commits the entries added. When this returns, they are on the disk and the head promises
    /// them.
    ///
    /// # Errors
    /// Where the disk can't take it: then nothing may be acknowledged, and the journal is unusable.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        if std::mem::take(&mut self.begun) {
            if self.is_planted(Plant::HeadFirst) {
                self.note_reach()?;
            }
            let committed = self.store.execute_batch("COMMIT");
            committed.map_err(|error| failed(&self.store, error))?;
            self.note_reach()?;
        }
        Ok(())
    }
}

fn prepare(store: &Connection, folder: &Path) -> rusqlite::Result<()> {
    keep_log(store)?;
    let pages = disk::pages_until_checkpoint(folder);
    let synced = match is_planted(folder, Plant::UnsyncedCommit) {
        true => "OFF",
        false => "FULL",
    };
    store.execute_batch(&format!(
        "PRAGMA synchronous = {synced}; PRAGMA wal_autocheckpoint = {pages};"
    ))
}
