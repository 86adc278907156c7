//! The head of a journal: a small file of its own that says how far the journal must reach.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use super::chain::Chain;
use super::database::{JOURNAL, has_no_entry};
use super::disk::{is_there, slots};
use super::error::JournalError;
use super::slots::{Opening, SlotFile};
use crate::limits::{HOLDER_PAUSE, MOST_HOLDER_LOOKS};

/// The name of the head's file in the folder of a run.
pub const HEAD: &str = "journal.head";

/// The number of bytes of a slot: well below a disk's sector, so that a slot is written whole or
/// not at all.
const SLOT: usize = 128;

/// The file that holds the last entry that may have been acknowledged. Two slots are written in
/// turn, so that one survives a failed write of the other. The file is also the lock against a
/// second writer.
#[derive(Debug)]
pub struct Head {
    path: PathBuf,
    file: Box<dyn SlotFile>,
    writes: u64,
}

/// The last entry of a journal, by its number and the chain hash up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The number of the last entry; 0 where there is none.
    pub seq: u64,
    /// The chain hash up to that entry.
    pub chain: Chain,
}

/// The promise of a head: the state that the journal must have reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promise {
    /// The number of the last entry, and the chain hash, that the journal must reach.
    pub reach: Reach,
    /// The hash of the journal's facts; `None` in a head written by a version without this hash.
    pub facts: Option<String>,
}

impl Head {
    /// Creates the head in a folder that has none.
    ///
    /// # Errors
    /// Where it can't be made.
    pub fn create(folder: &Path) -> Result<Self, JournalError> {
        let mut head = Self::locked(folder, Opening::New)?;
        for _ in 0..2 {
            head.put(&Promise::default())?;
        }
        Ok(head)
    }

    /// Opens the head of a folder for writing.
    ///
    /// # Errors
    /// Where it can't be opened, another process holds it, or neither slot can be read.
    pub fn open(folder: &Path) -> Result<Self, JournalError> {
        let mut head = Self::locked(folder, Opening::Write)?;
        (head.writes, _) = read(&mut *head.file, &head.path)?;
        Ok(head)
    }

    /// Opens the head of a folder, locked against other writers, whatever its content.
    pub(super) fn locked(folder: &Path, opening: Opening) -> Result<Self, JournalError> {
        let path = folder.join(HEAD);
        let file = slots(&path, opening).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => JournalError::InUse,
            _ => JournalError::Io(path.clone(), error),
        })?;
        Ok(Self {
            path,
            file,
            writes: 0,
        })
    }

    /// Reads the head of a folder without locking it, for those who only read.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn peek(folder: &Path) -> Result<Promise, JournalError> {
        let path = folder.join(HEAD);
        let file = slots(&path, Opening::Read);
        let mut file = file.map_err(|error| JournalError::Io(path.clone(), error))?;
        Ok(read(&mut *file, &path)?.1)
    }

    /// Writes the last entry and the hash of the facts; they are synced when this returns.
    ///
    /// # Errors
    /// Where the disk can't take it.
    pub fn write(&mut self, reach: Reach, facts: &str) -> Result<(), JournalError> {
        let facts = Some(facts.to_owned());
        self.put(&Promise { reach, facts })
    }

    fn put(&mut self, Promise { reach, facts }: &Promise) -> Result<(), JournalError> {
        self.writes += 1;
        let mut line = format!("{} {} {}", self.writes, reach.seq, reach.chain.hex());
        if let Some(facts) = facts {
            line += &format!(" {facts}");
        }
        let check = blake3::hash(line.as_bytes()).to_hex();
        let mut slot = format!("{line} {}", &check[..16]);
        slot += &" ".repeat(SLOT - 1 - slot.len());
        slot.push('\n');
        let place = self.writes % 2 * SLOT as u64;
        let put = self.file.put(place, slot.as_bytes());
        put.map_err(|error| JournalError::Io(self.path.clone(), error))
    }
}

/// Reads the number of writes so far and the promise of the newer of the two sound slots.
fn read(file: &mut dyn SlotFile, path: &Path) -> Result<(u64, Promise), JournalError> {
    let text = file.read(4 * SLOT as u64);
    let text = text.map_err(|error| JournalError::Io(path.to_owned(), error))?;
    // It is written before there is a database.
    if text.is_empty() && !is_there(&path.with_file_name(JOURNAL)) {
        let folder = path.parent().unwrap_or(path);
        return Err(JournalError::Unbegun(folder.to_owned()));
    }
    let slots = text.chunks(SLOT).filter_map(slot);
    slots.max_by_key(|(writes, _)| *writes).ok_or_else(|| {
        let path = path.display();
        JournalError::Broken(format!(
            "{path}: the head of the journal can't be read, so that it is unknown how far the \
             journal must reach"
        ))
    })
}

/// Parses a slot: the number of writes, and the promise. Returns `None` for a damaged slot.
pub(super) fn slot(bytes: &[u8]) -> Option<(u64, Promise)> {
    let text = std::str::from_utf8(bytes).ok()?.trim_end();
    let (line, check) = text.rsplit_once(' ')?;
    if blake3::hash(line.as_bytes()).to_hex()[..16] != *check {
        return None;
    }
    promise(line)
}

/// Parses the line of a slot without the hash at its end, as [`slot`] does.
pub(super) fn promise(line: &str) -> Option<(u64, Promise)> {
    let mut words = line.split(' ');
    let writes = words.next()?.parse().ok()?;
    let seq = words.next()?.parse().ok()?;
    let chain = Chain::of_hex(words.next()?)?;
    let reach = Reach { seq, chain };
    let facts = words.next().map(str::to_owned);
    Some((writes, Promise { reach, facts }))
}

/// Returns true if the process was killed while it was making the journal of this folder: nothing
/// was ever acknowledged, and there is no entry. Returns false where that is unknown.
#[must_use]
pub fn is_unbegun(folder: &Path) -> bool {
    let length = std::fs::metadata(folder.join(HEAD)).map_or(0, |head| head.len());
    let promises_nothing = match Head::peek(folder) {
        Ok(promise) => promise.facts.is_none() && promise.reach.seq == 0,
        // Its two slots are written one after the other.
        Err(_) => length < 2 * SLOT as u64,
    };
    promises_nothing && !stays_in_use(folder) && has_no_entry(&folder.join(JOURNAL))
}

/// Returns true if another process is writing the journal of this folder, so that its run is under
/// way.
#[must_use]
pub fn is_in_use(folder: &Path) -> bool {
    let file = File::open(folder.join(HEAD));
    // Shared, so that those who ask at once are not taken for a writer.
    let locked = file.map(|file| file.try_lock_shared());
    matches!(locked, Ok(Err(std::fs::TryLockError::WouldBlock)))
}

/// Returns true if the journal of this folder stays in use over half a second. A killed run may
/// have just started a program, which holds the journal until it has begun; that must not count.
#[must_use]
pub fn stays_in_use(folder: &Path) -> bool {
    let mut looks = 0..MOST_HOLDER_LOOKS;
    looks.all(|_| {
        let is_held = is_in_use(folder);
        if is_held {
            thread::sleep(HOLDER_PAUSE);
        }
        is_held
    })
}
