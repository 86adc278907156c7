//! Simulated disks as a file system of SQLite.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlite_vfs::wip::{WalIndex, WalIndexLock};
use sqlite_vfs::{DatabaseHandle, LockKind, OpenAccess, OpenKind, OpenOptions, Vfs};

use super::file::SimulatedFile;
use super::simulated_disk::SimulatedDisk;

/// The name of the file system.
pub(in super::super) const VFS: &str = "simulated";

static NEXT: AtomicU64 = AtomicU64::new(0);

/// Makes SQLite know simulated disks.
pub(super) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| sqlite_vfs::register(VFS, SimulatedVfs, false).expect("it is registered"));
}

struct SimulatedVfs;

fn disk(path: &str) -> io::Result<SimulatedDisk> {
    SimulatedDisk::under(Path::new(path)).ok_or(io::ErrorKind::NotFound.into())
}

impl Vfs for SimulatedVfs {
    type Handle = SimulatedHandle;

    fn open(&self, path: &str, opts: OpenOptions) -> io::Result<SimulatedHandle> {
        let disk = disk(path)?;
        let mut state = disk.state();
        state.step(false)?;
        let is_there = state.files.contains_key(path);
        let creates = matches!(opts.access, OpenAccess::Create | OpenAccess::CreateNew);
        if !is_there && !creates {
            return Err(io::ErrorKind::NotFound.into());
        }
        let file = state.files.entry(path.to_owned()).or_default();
        // As the system's file system of SQLite has it.
        file.syncs_name |= opts.kind != OpenKind::MainDb;
        let life = state.life;
        drop(state);
        Ok(SimulatedHandle {
            disk,
            path: path.to_owned(),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            life,
        })
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        let disk = disk(path)?;
        let mut state = disk.state();
        state.step(false)?;
        match state.files.remove(path) {
            Some(file) => {
                state.deleted.push((path.to_owned(), file));
                Ok(())
            }
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        Ok(disk(path)?.is_there(Path::new(path)))
    }

    fn temporary_name(&self) -> String {
        // The journal needs none: `temp_store` is the memory.
        "/simulated/none/temporary".to_owned()
    }

    fn random(&self, buffer: &mut [i8]) {
        // The same each time: salts of logs differ by their counts.
        buffer.fill(7);
    }

    fn sleep(&self, duration: Duration) -> Duration {
        duration
    }
}

/// A file that is open.
#[derive(Debug)]
pub(super) struct SimulatedHandle {
    disk: SimulatedDisk,
    path: String,
    number: u64,
    life: u64,
}

impl SimulatedHandle {
    /// Does something to the file; nothing where its process has ended.
    fn with<T>(&self, act: impl FnOnce(&mut SimulatedFile) -> T) -> io::Result<T> {
        Ok(act(self.disk.alive(self.life)?.file(&self.path)?))
    }
}

impl DatabaseHandle for SimulatedHandle {
    type WalIndex = SimulatedIndex;

    fn size(&self) -> io::Result<u64> {
        self.with(|file| file.seen.len() as u64)
    }

    fn read_exact_at(&mut self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.disk.state().step(false)?;
        self.with(|file| {
            buf.fill(0);
            let from = file.seen.len().min(offset as usize);
            let there = &file.seen[from..];
            let length = there.len().min(buf.len());
            buf[..length].copy_from_slice(&there[..length]);
            match length == buf.len() {
                true => Ok(()),
                false => Err(io::ErrorKind::UnexpectedEof.into()),
            }
        })?
    }

    fn write_all_at(&mut self, buf: &[u8], offset: u64) -> io::Result<()> {
        let mut state = self.disk.alive(self.life)?;
        state.write(&self.path, offset, buf)
    }

    fn sync(&mut self, _data_only: bool) -> io::Result<()> {
        self.disk.alive(self.life)?.sync(&self.path)
    }

    fn set_len(&mut self, size: u64) -> io::Result<()> {
        self.disk.alive(self.life)?.step(true)?;
        self.with(|file| file.set_length(size))
    }

    fn lock(&mut self, lock: LockKind) -> io::Result<bool> {
        let number = self.number;
        let taken = self.with(|file| {
            let others = || file.locks.iter().filter(|(other, _)| *other != number);
            let is_free = match lock {
                LockKind::None => true,
                LockKind::Shared => !others()
                    .any(|(_, held)| matches!(held, LockKind::Pending | LockKind::Exclusive)),
                LockKind::Reserved | LockKind::Pending => {
                    others().all(|(_, held)| *held == LockKind::Shared)
                }
                LockKind::Exclusive => others().next().is_none(),
            };
            if is_free {
                file.locks.retain(|(other, _)| *other != number);
                if lock != LockKind::None {
                    file.locks.push((number, lock));
                }
            }
            is_free
        });
        match lock {
            // Whoever is gone holds nothing.
            LockKind::None => Ok(taken.unwrap_or(true)),
            _ => taken,
        }
    }

    fn reserved(&mut self) -> io::Result<bool> {
        self.with(|file| {
            let mut held = file.locks.iter().map(|(_, held)| *held);
            held.any(|held| !matches!(held, LockKind::None | LockKind::Shared))
        })
    }

    fn current_lock(&self) -> io::Result<LockKind> {
        let number = self.number;
        self.with(|file| {
            let mine = file.locks.iter().find(|(other, _)| *other == number);
            mine.map_or(LockKind::None, |(_, held)| *held)
        })
    }

    fn wal_index(&self, _readonly: bool) -> io::Result<SimulatedIndex> {
        Ok(SimulatedIndex(Self {
            disk: self.disk.clone(),
            path: self.path.clone(),
            number: self.number,
            life: self.life,
        }))
    }
}

/// The index of a write-ahead log.
#[derive(Debug)]
pub(super) struct SimulatedIndex(SimulatedHandle);

impl SimulatedIndex {
    fn with_region<T>(
        &self,
        region: u32,
        act: impl FnOnce(&mut [u8; 32768]) -> T,
    ) -> io::Result<T> {
        self.0.with(|file| {
            while file.index.len() <= region as usize {
                file.index.push(Box::new([0; 32768]));
            }
            act(&mut file.index[region as usize])
        })
    }
}

impl WalIndex for SimulatedIndex {
    fn map(&mut self, region: u32) -> io::Result<[u8; 32768]> {
        self.with_region(region, |kept| *kept)
    }

    fn lock(&mut self, locks: Range<u8>, lock: WalIndexLock) -> io::Result<bool> {
        let number = self.0.number;
        self.0.with(|file| {
            let held = &mut file.index_locks;
            let is_free = locks.clone().all(|place| {
                let mut others = held
                    .iter()
                    .filter(|(other, at, _)| *other != number && *at == place);
                match lock {
                    WalIndexLock::None => true,
                    WalIndexLock::Shared => !others.any(|(_, _, exclusive)| *exclusive),
                    WalIndexLock::Exclusive => others.next().is_none(),
                }
            });
            if is_free {
                held.retain(|(other, at, _)| *other != number || !locks.contains(at));
                if lock != WalIndexLock::None {
                    let exclusive = lock == WalIndexLock::Exclusive;
                    held.extend(locks.map(|place| (number, place, exclusive)));
                }
            }
            is_free
        })
    }

    fn delete(self) -> io::Result<()> {
        self.0.with(|file| file.index.clear())
    }

    fn pull(&mut self, region: u32, data: &mut [u8; 32768]) -> io::Result<()> {
        self.with_region(region, |kept| *data = *kept)
    }

    fn push(&mut self, region: u32, data: &[u8; 32768]) -> io::Result<()> {
        self.with_region(region, |kept| *kept = *data)
    }
}
