//! The head of a journal, which says how far it reaches, in a file of its own.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::chain::{Chain, ChainEnd};
use super::database::JOURNAL;
use super::error::JournalError;

/// The file that says how far the journal reaches.
pub const HEAD: &str = "journal.head";

/// Bytes of a slot: well below a disk's sector, so that one is written whole or not at all.
const SLOT: usize = 128;

/// The last entry that may have been acknowledged. Two slots are written in turn, so that one
/// survives a failed write of the other. The file is also the lock against a second writer.
#[derive(Debug)]
pub struct Head {
    path: PathBuf,
    file: File,
    writes: u64,
}

/// The reach of a journal, as its head has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The number of the last entry; 0 where there is none.
    pub seq: u64,
    /// The chain up to it.
    pub chain: Chain,
}

impl Reach {
    /// The reach of a journal that ends so.
    pub(super) fn of(end: ChainEnd) -> Self {
        Self {
            seq: end.seq,
            chain: end.chain,
        }
    }
}

impl Head {
    /// Makes the head of a folder that has none.
    ///
    /// # Errors
    /// Where it can't be made.
    pub fn create(folder: &Path, reach: Reach) -> Result<Self, JournalError> {
        let mut head = Self::held(folder, OpenOptions::new().create_new(true))?;
        head.write(reach)?;
        head.write(reach)?;
        Ok(head)
    }

    /// Opens the head of a folder for writing, and returns what it says.
    ///
    /// # Errors
    /// Where it can't be opened, another process holds it, or neither slot can be read.
    pub fn open(folder: &Path) -> Result<(Self, Reach), JournalError> {
        let mut head = Self::held(folder, &mut OpenOptions::new())?;
        let (writes, reach) = read(&mut head.file, &head.path)?;
        head.writes = writes;
        Ok((head, reach))
    }

    /// Holds the head of a folder, whatever it says; makes it where it is gone.
    pub(super) fn claim(folder: &Path) -> Result<Self, JournalError> {
        Self::held(folder, OpenOptions::new().create(true))
    }

    /// Writes the reach in place of all that the file says.
    pub(super) fn replace(&mut self, reach: Reach) -> Result<(), JournalError> {
        self.write(reach)?;
        self.write(reach)
    }

    fn held(folder: &Path, options: &mut OpenOptions) -> Result<Self, JournalError> {
        let path = folder.join(HEAD);
        let file = options.read(true).write(true).truncate(false).open(&path);
        let file = file.map_err(|error| unopened(&path, error))?;
        file.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => JournalError::InUse,
            std::fs::TryLockError::Error(error) => JournalError::Io(path.clone(), error),
        })?;
        Ok(Self {
            path,
            file,
            writes: 0,
        })
    }

    /// What the head of a folder says, for those who only read.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn peek(folder: &Path) -> Result<Reach, JournalError> {
        let path = folder.join(HEAD);
        let mut file = File::open(&path).map_err(|error| unopened(&path, error))?;
        Ok(read(&mut file, &path)?.1)
    }

    /// Writes how far the journal reaches; synced when it returns.
    ///
    /// # Errors
    /// Where the disk can't take it.
    pub fn write(&mut self, reach: Reach) -> Result<(), JournalError> {
        self.writes += 1;
        let line = format!("{} {} {}", self.writes, reach.seq, reach.chain.hex());
        let check = blake3::hash(line.as_bytes()).to_hex();
        let mut slot = format!("{line} {}", &check[..16]);
        slot += &" ".repeat(SLOT - 1 - slot.len());
        slot.push('\n');
        let place = SeekFrom::Start(self.writes % 2 * SLOT as u64);
        let mut put = || {
            self.file.seek(place)?;
            self.file.write_all(slot.as_bytes())?;
            self.file.sync_data()
        };
        put().map_err(|error| JournalError::Io(self.path.clone(), error))
    }
}

/// How often it was written, and what the later of the sound slots says.
fn read(file: &mut File, path: &Path) -> Result<(u64, Reach), JournalError> {
    let mut text = Vec::new();
    let io = |error| JournalError::Io(path.to_owned(), error);
    file.take(4 * SLOT as u64)
        .read_to_end(&mut text)
        .map_err(io)?;
    // It is written before there is a database.
    if text.is_empty() && !path.with_file_name(JOURNAL).exists() {
        let folder = path.parent().unwrap_or(path);
        return Err(JournalError::Unbegun(folder.to_owned()));
    }
    let slots = text.chunks(SLOT).filter_map(slot);
    let unread = || JournalError::Headless(path.to_owned(), "can't be read");
    slots.max_by_key(|(writes, _)| *writes).ok_or_else(unread)
}

fn unopened(path: &Path, error: std::io::Error) -> JournalError {
    let is_gone = error.kind() == std::io::ErrorKind::NotFound;
    match is_gone && path.with_file_name(JOURNAL).exists() {
        true => JournalError::Headless(path.to_owned(), "is gone"),
        false => JournalError::Io(path.to_owned(), error),
    }
}

fn slot(bytes: &[u8]) -> Option<(u64, Reach)> {
    let text = std::str::from_utf8(bytes).ok()?.trim_end();
    let (line, check) = text.rsplit_once(' ')?;
    if blake3::hash(line.as_bytes()).to_hex()[..16] != *check {
        return None;
    }
    let mut words = line.split(' ');
    let writes = words.next()?.parse().ok()?;
    let seq = words.next()?.parse().ok()?;
    let chain = Chain::of_hex(words.next()?)?;
    Some((writes, Reach { seq, chain }))
}

/// Whether a run is under way in a folder, and another process writes its journal there.
#[must_use]
pub fn is_in_use(folder: &Path) -> bool {
    let file = File::open(folder.join(HEAD));
    // Shared, so that those who ask at once are not taken for a writer.
    let locked = file.map(|file| file.try_lock_shared());
    matches!(locked, Ok(Err(std::fs::TryLockError::WouldBlock)))
}
