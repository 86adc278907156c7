//! The disk under a journal: the system's or, in tests, a simulated one.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

#[cfg(any(test, feature = "testing"))]
use super::simulated::SimulatedDisk;
use super::slots::{Opening, Plant, SlotFile};

impl SlotFile for File {
    fn read(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn put(&mut self, at: u64, slot: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(at))?;
        self.write_all(slot)?;
        self.sync_data()
    }
}

/// Opens a file of slots. Fails with the kind `WouldBlock` if another process writes it.
pub(super) fn slots(path: &Path, opening: Opening) -> io::Result<Box<dyn SlotFile>> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(disk) = SimulatedDisk::under(path) {
        return super::simulated::slots(&disk, path, opening);
    }
    let writes = opening != Opening::Read;
    let mut options = OpenOptions::new();
    options.read(true).write(writes);
    let file = options.create_new(opening == Opening::New).open(path)?;
    if writes {
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
            TryLockError::Error(error) => error,
        })?;
    }
    Ok(Box::new(file))
}

/// Writes the bytes of a file once more, if it exists; they are on the disk when this returns.
///
/// After a sync that failed the system goes on to show what the disk never got, and a later sync
/// does not write it either.
pub(super) fn rewrite(path: &Path) -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(disk) = SimulatedDisk::under(path) {
        return disk.rewrite(path);
    }
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    let mut piece = vec![0; 1 << 20];
    let mut at = 0;
    loop {
        file.seek(SeekFrom::Start(at))?;
        let read = Read::read(&mut file, &mut piece)?;
        if read == 0 {
            return file.sync_all();
        }
        file.seek(SeekFrom::Start(at))?;
        file.write_all(&piece[..read])?;
        at += read as u64;
    }
}

/// Returns true if the file exists, on the real or on a simulated disk.
pub(super) fn is_there(path: &Path) -> bool {
    #[cfg(any(test, feature = "testing"))]
    if let Some(disk) = SimulatedDisk::under(path) {
        return disk.is_there(path);
    }
    path.exists()
}

/// Syncs the names in a folder, so that they survive a crash.
pub(super) fn sync_names(folder: &Path) -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(disk) = SimulatedDisk::under(folder) {
        return disk.sync_names();
    }
    File::open(folder)?.sync_all()
}

/// Returns true if a simulated disk has this mistake planted in the journal of a folder. Always
/// false outside tests.
pub(super) fn is_planted(path: &Path, plant: Plant) -> bool {
    #[cfg(any(test, feature = "testing"))]
    return SimulatedDisk::under(path).is_some_and(|disk| disk.is_planted(plant));
    #[cfg(not(any(test, feature = "testing")))]
    {
        let _ = (path, plant);
        false
    }
}

/// The number of pages that a write-ahead log may have before it is written into its database.
pub(super) fn pages_until_checkpoint(folder: &Path) -> u32 {
    #[cfg(any(test, feature = "testing"))]
    if SimulatedDisk::under(folder).is_some() {
        return 12;
    }
    let _ = folder;
    4000
}

/// Opens a database.
pub(super) fn database(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    #[cfg(any(test, feature = "testing"))]
    if SimulatedDisk::under(path).is_some() {
        return Connection::open_with_flags_and_vfs(path, flags, super::simulated::VFS);
    }
    Connection::open_with_flags(path, flags)
}
