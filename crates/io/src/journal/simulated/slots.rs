//! Small files on a simulated disk.

use std::io;
use std::path::Path;

use super::super::slots::{Opening, SlotFile};
use super::simulated_disk::SimulatedDisk;

#[derive(Debug)]
struct SimulatedSlots {
    disk: SimulatedDisk,
    path: String,
    life: u64,
    writes: bool,
}

/// Opens a small file.
pub(in super::super) fn open(
    disk: &SimulatedDisk,
    path: &Path,
    opening: Opening,
) -> io::Result<Box<dyn SlotFile>> {
    let path = &*path.to_string_lossy();
    let mut state = disk.state();
    state.step(opening == Opening::New)?;
    let is_there = state.files.contains_key(path);
    match opening {
        Opening::New if is_there => return Err(io::ErrorKind::AlreadyExists.into()),
        Opening::New => {
            state.files.insert(path.to_owned(), Default::default());
        }
        Opening::Write | Opening::Read => {}
    }
    let file = state.file(path)?;
    let writes = opening != Opening::Read;
    if writes && std::mem::replace(&mut file.is_locked, true) {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    Ok(Box::new(SimulatedSlots {
        disk: disk.clone(),
        path: path.to_owned(),
        life: state.life,
        writes,
    }))
}

impl SlotFile for SimulatedSlots {
    fn read(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut state = self.disk.state();
        state.step(false)?;
        let seen = &state.file(&self.path)?.seen;
        Ok(seen[..seen.len().min(most as usize)].to_vec())
    }

    fn put(&mut self, at: u64, slot: &[u8]) -> io::Result<()> {
        let mut state = self.disk.alive(self.life)?;
        state.write(&self.path, at, slot)?;
        state.sync(&self.path)
    }
}

impl Drop for SimulatedSlots {
    fn drop(&mut self) {
        let mut state = self.disk.state();
        if self.writes
            && state.life == self.life
            && let Ok(file) = state.file(&self.path)
        {
            file.is_locked = false;
        }
    }
}
