//! Making a journal usable again: its entries are written into a new database.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::backup::{copy, sync};
use super::chain::Columns;
use super::database::{JOURNAL, failed, open};
use super::error::JournalError;
use super::examine::{Examined, examine};
use super::format;
use super::head::{HEAD, Head, Reach};
use super::reader::JournalReader;
use super::store::insert;

/// The files of a journal, the head last.
const FILES: [&str; 4] = [JOURNAL, "journal.sqlite-wal", "journal.sqlite-shm", HEAD];

/// The new database until it takes the place of the old.
const NEW: &str = "journal.sqlite.new";

/// A journal that was repaired.
#[derive(Debug)]
pub struct Repaired {
    /// What was wrong; none where nothing was, and nothing was done.
    pub fault: Option<JournalError>,
    /// Where the files from before are.
    pub kept: Option<PathBuf>,
    /// The journal as it is now.
    pub now: Examined,
}

/// Makes the journal of a folder usable again from its entries, all of which it keeps.
/// `accepts_end`: whether its last entry counts as the last where no head says so.
///
/// # Errors
/// Where an entry is missing or changed, or the head is and that is not accepted: then nothing is
/// changed.
pub fn repair(folder: &Path, accepts_end: bool) -> Result<Repaired, JournalError> {
    let head = match Head::peek(folder) {
        Ok(head) => Some(head),
        Err(JournalError::Headless(..)) if accepts_end => None,
        Err(error) => return Err(error),
    };
    let mut held = Head::claim(folder)?;
    let before = examine(folder)?;
    let Some(fault) = before.fault else {
        let now = Examined {
            fault: None,
            ..before
        };
        return Ok(Repaired {
            fault: None,
            kept: None,
            now,
        });
    };
    let end = provable(folder, head, accepts_end)?;
    let kept = keep(folder)?;
    rebuild(folder)?;
    held.replace(end)?;
    sync(folder)?;
    let now = examine(folder)?;
    if let Some(fault) = now.fault {
        return Err(fault);
    }
    Ok(Repaired {
        fault: Some(fault),
        kept: Some(kept),
        now,
    })
}

/// The end of the entries, where none is known to be missing or changed.
fn provable(folder: &Path, head: Option<Reach>, accepts_end: bool) -> Result<Reach, JournalError> {
    let mut reader = JournalReader::leniently(folder, head)?;
    match reader.read_all(|_| {}) {
        Err(JournalError::Strayed(..)) if accepts_end => {
            reader = JournalReader::leniently(folder, None)?;
            reader.read_all(|_| {})?;
        }
        read => read?,
    }
    Ok(Reach::of(reader.end))
}

/// Copies the files of a journal into a new folder next to them.
fn keep(folder: &Path) -> Result<PathBuf, JournalError> {
    let mut names = (1..).map(|n| folder.join(format!("journal.before-repair-{n}")));
    let kept = names.find(|path| !path.exists()).unwrap_or_default();
    fs::create_dir(&kept).map_err(|error| JournalError::Io(kept.clone(), error))?;
    for name in FILES {
        copy(&folder.join(name), &kept.join(name))?;
    }
    sync(&kept)?;
    Ok(kept)
}

/// Writes all entries and facts into a new database, which takes the place of the old.
fn rebuild(folder: &Path) -> Result<(), JournalError> {
    let new = folder.join(NEW);
    removed(&new)?;
    let mut reader = JournalReader::leniently(folder, None)?;
    let store = open(&new, OpenFlags::default())?;
    write(&mut reader, &store)?;
    store
        .close()
        .map_err(|(store, error)| failed(&store, error))?;
    drop(reader);
    sync(&new)?;
    // The old log must never be read into the new database.
    for name in FILES.into_iter().filter(|name| name.contains('-')) {
        removed(&folder.join(name))?;
    }
    let path = folder.join(JOURNAL);
    fs::rename(&new, &path).map_err(|error| JournalError::Io(path, error))
}

fn write(reader: &mut JournalReader, store: &Connection) -> Result<(), JournalError> {
    let wrong = |error| failed(store, error);
    let begun = store.execute_batch("BEGIN").and_then(|()| {
        format::make(store)?;
        reader.facts.write(store)
    });
    begun.map_err(wrong)?;
    loop {
        let mut end = reader.end;
        let entries = reader.read()?;
        if entries.is_empty() {
            return store.execute_batch("COMMIT").map_err(wrong);
        }
        end.named = reader.end.named;
        for numbered in entries {
            let body = numbered.entry.body();
            let columns = Columns::of(&numbered.entry, &body, end.persons);
            end = end.with(columns);
            if !insert(store, columns, end).map_err(wrong)? {
                let at = numbered.seq;
                let what = format!("entry {at} is a repeat of one before it");
                return Err(JournalError::Unsound(
                    store.path().unwrap_or_default().into(),
                    what,
                ));
            }
        }
    }
}

fn removed(path: &Path) -> Result<(), JournalError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(JournalError::Io(path.to_owned(), error))
        }
        _ => Ok(()),
    }
}
