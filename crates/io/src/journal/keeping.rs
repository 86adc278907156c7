//! Operations on whole journals: backup and repair.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, params};

use super::copied::{COPIED, Copied};
use super::database::{CORRECTIONS, JOURNAL, TABLES, failed, flags, keep_log, open};
use super::disk::sync_names;
use super::error::JournalError;
use super::facts::Facts;
use super::head::{HEAD, Head, Reach};
use super::reader::JournalReader;
use super::slots::Opening;

/// The folder to which a repair moves the files that it replaces.
pub const BEFORE: &str = "journal.before-repair";

/// The folder in which a repair makes the new files.
const AFTER: &str = "journal.repaired";

/// The parts of a journal that a repair is allowed to give up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GiveUp {
    /// The head. Without it, missing acknowledged entries at the end can't be detected.
    pub head: bool,
    /// All entries from the first unreadable one on.
    pub rest: bool,
}

/// The result of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// The number of entries, and the chain hash, of the repaired journal.
    pub reach: Reach,
    /// The number of candidates in the repaired journal.
    pub persons: u64,
    /// The number of acknowledged entries that are lost; `None` where the head was given up.
    pub lost: Option<u64>,
}

/// Copies the journal of a folder into another, as it is at one moment; a run may be writing it.
/// The copy is marked as one. Returns the last entry and the number of candidates.
///
/// # Errors
/// Where the journal is not what was committed, or the copy can't be made.
pub fn back_up(folder: &Path, to: &Path) -> Result<(Reach, u64), JournalError> {
    let reader = JournalReader::open(folder)?;
    let path = to.join(JOURNAL);
    reader.copy_into(&path)?;
    let mut copy = JournalReader::at(path.clone(), reader.head.clone())?;
    copy.examine()?;
    copy.read_all(|_| {})?;
    let (reach, persons) = (copy.reach(), copy.persons());
    drop(copy);
    let facts = marked(&path, &Copied::now(folder, persons))?;
    Head::create(to)?.write(reach, &facts.hash())?;
    let file = fs::File::open(&path).and_then(|file| file.sync_all());
    file.map_err(|error| JournalError::Io(path, error))?;
    synced(to)?;
    Ok((reach, persons))
}

/// Marks a copy as one, and returns all its facts.
fn marked(path: &Path, copied: &Copied) -> Result<Facts, JournalError> {
    let store = open(path, flags())?;
    let marked = store.execute(
        "INSERT OR REPLACE INTO fact VALUES (?1, ?2)",
        params![COPIED, copied.text()],
    );
    marked.map_err(|error| failed(&store, error))?;
    Facts::read(&store).map_err(|error| failed(&store, error))
}

/// Rebuilds the journal of a folder from the entries that are as they were committed. Returns
/// `None` if the journal has no fault. The old files are kept in [`BEFORE`].
///
/// # Errors
/// Where a run is writing it, where it is not to be repaired within what may be given up, or where
/// the new one can't be made. Then all is as it was.
pub fn repair(folder: &Path, give_up: GiveUp) -> Result<Option<Repaired>, JournalError> {
    // Held against a run until the new journal has its place.
    let lock = match folder.join(HEAD).exists() {
        true => Some(Head::locked(folder, Opening::Write)?),
        false => None,
    };
    if is_whole(folder) {
        return Ok(None);
    }
    let promised = match Head::peek(folder) {
        Ok(promised) => Some(promised),
        Err(_) if give_up.head => None,
        Err(error) => return Err(error),
    };
    let reader = JournalReader::at(folder.join(JOURNAL), promised.clone().unwrap_or_default())?;
    let after = folder.join(AFTER);
    // One that was cut off before.
    let _ = fs::remove_dir_all(&after);
    fs::create_dir(&after).map_err(|error| JournalError::Io(after.clone(), error))?;
    // The old files are closed before they are moved.
    let made = rebuilt(reader, &after, give_up);
    let (reach, persons) = made.inspect_err(|_| drop(fs::remove_dir_all(&after)))?;
    exchange(folder, &after)?;
    drop(lock);
    Ok(Some(Repaired {
        reach,
        persons,
        lost: promised.map(|promised| promised.reach.seq.saturating_sub(reach.seq)),
    }))
}

/// Returns true if a journal can be read from beginning to end without an error.
fn is_whole(folder: &Path) -> bool {
    let read = || {
        let mut reader = JournalReader::open(folder)?;
        reader.examine()?;
        reader.read_all(|_| {})
    };
    read().is_ok()
}

/// Writes the readable entries of a journal into a new folder.
fn rebuilt(
    mut reader: JournalReader,
    after: &Path,
    give_up: GiveUp,
) -> Result<(Reach, u64), JournalError> {
    let facts = reader.facts.clone();
    let store = open(&after.join(JOURNAL), OpenFlags::default())?;
    let made = begin(&store, &facts);
    made.map_err(|error| failed(&store, error))?;
    loop {
        match reader.read_rows() {
            Ok(rows) if rows.is_empty() => break,
            Ok(rows) => {
                for row in rows {
                    insert(&store, &row).map_err(|error| failed(&store, error))?;
                }
            }
            Err(_) if give_up.rest => break,
            Err(error) => return Err(error),
        }
    }
    let ended = store.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);");
    ended.map_err(|error| failed(&store, error))?;
    drop(store);
    Head::create(after)?.write(reader.reach(), &facts.hash())?;
    synced(after)?;
    Ok((reader.reach(), reader.persons()))
}

fn begin(store: &Connection, facts: &Facts) -> rusqlite::Result<()> {
    keep_log(store)?;
    store.execute_batch("PRAGMA synchronous = FULL")?;
    store.execute_batch(&format!("BEGIN;{TABLES}{CORRECTIONS}"))?;
    for (key, value) in &facts.0 {
        let insert = "INSERT OR REPLACE INTO fact VALUES (?1, ?2)";
        store.execute(insert, params![key, value])?;
    }
    Ok(())
}

fn insert(store: &Connection, row: &super::reader::EntryRow) -> rusqlite::Result<usize> {
    let insert = "INSERT INTO entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let (seq, kind, id, person, policy, body, chain) = row;
    let row = params![seq, kind, id, person, policy, body, chain];
    store.prepare_cached(insert)?.execute(row)
}

/// Replaces the files of a journal by new ones, and keeps the old ones.
fn exchange(folder: &Path, after: &Path) -> Result<(), JournalError> {
    let before = unused(folder);
    let moved = (|| {
        fs::create_dir(&before)?;
        let log = |end: &str| format!("{JOURNAL}-{end}");
        for name in [JOURNAL.to_owned(), log("wal"), log("shm"), HEAD.to_owned()] {
            let from = folder.join(&name);
            if from.exists() {
                fs::rename(&from, before.join(&name))?;
            }
        }
        for name in [JOURNAL, HEAD] {
            fs::rename(after.join(name), folder.join(name))?;
        }
        let _ = fs::remove_dir_all(after);
        io::Result::Ok(())
    })();
    moved.map_err(|error| JournalError::Io(folder.to_owned(), error))?;
    synced(folder)
}

/// Returns the first free name for the folder of old files.
fn unused(folder: &Path) -> PathBuf {
    let names = (1..).map(|n| match n {
        1 => folder.join(BEFORE),
        n => folder.join(format!("{BEFORE}-{n}")),
    });
    let mut free = names.filter(|path| !path.exists());
    free.next().unwrap_or_else(|| folder.join(BEFORE))
}

/// Syncs the names in the folder, so that they survive a crash.
pub(super) fn synced(folder: &Path) -> Result<(), JournalError> {
    sync_names(folder).map_err(|error| JournalError::Io(folder.to_owned(), error))
}
