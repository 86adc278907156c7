//! A disk of one folder, and all of them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use super::super::slots::Plant;
use super::file::{Keeps, SimulatedFile};
use kleroterion_core::lock::locked;
use kleroterion_testkit::Chances;

/// The folders of all simulated disks are in this one.
const ROOT: &str = "/simulated";

static DISKS: LazyLock<Mutex<BTreeMap<String, SimulatedDisk>>> = LazyLock::new(Mutex::default);

/// A fault that a simulated disk has at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskFault {
    /// The power is cut: nothing works any more.
    PowerCut,
    /// A read, write or sync fails.
    Broken,
    /// Writes fail for lack of room, until there is room again.
    Full,
}

/// A simulated disk of one folder.
#[derive(Clone, Debug)]
pub struct SimulatedDisk {
    name: Arc<str>,
    state: Arc<Mutex<DiskState>>,
}

/// The state of a disk.
#[derive(Debug)]
pub(super) struct DiskState {
    pub(super) files: BTreeMap<String, SimulatedFile>,
    /// Files that were deleted, and may be there again after a power cut.
    pub(super) deleted: Vec<(String, SimulatedFile)>,
    chances: Chances,
    /// Faults to come, by the number of their operation.
    faults: BTreeMap<u64, DiskFault>,
    /// The number of times that each fault happened.
    happened: BTreeMap<DiskFault, u64>,
    operations: u64,
    has_power: bool,
    /// True if anything failed since the last start.
    has_failed: bool,
    is_full: bool,
    plant: Option<Plant>,
    /// The number of the process that has files open; handles of earlier processes do nothing.
    pub(super) life: u64,
}

impl SimulatedDisk {
    /// Creates an empty disk; its folder is gone with the [`MountedDisk`].
    pub(super) fn mount(seed: u64, plant: Option<Plant>) -> MountedDisk {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
        let disk = Self {
            name: name.as_str().into(),
            state: Arc::new(Mutex::new(DiskState {
                files: BTreeMap::new(),
                deleted: Vec::new(),
                chances: Chances::new(seed),
                faults: BTreeMap::new(),
                happened: BTreeMap::new(),
                operations: 0,
                has_power: true,
                has_failed: false,
                is_full: false,
                plant,
                life: 0,
            })),
        };
        disks().insert(name, disk.clone());
        MountedDisk(disk)
    }

    /// The disk that a path is on, where it is a simulated one.
    pub(in super::super) fn under(path: &Path) -> Option<Self> {
        let within = path.strip_prefix(ROOT).ok()?;
        let name = within.iter().next()?.to_str()?;
        disks().get(name).cloned()
    }

    /// Returns the folder of this disk.
    pub fn folder(&self) -> std::path::PathBuf {
        Path::new(ROOT).join(&*self.name)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, DiskState> {
        locked(&self.state)
    }

    /// Returns the state for the process of a life, unless it has ended.
    pub(super) fn alive(&self, life: u64) -> io::Result<MutexGuard<'_, DiskState>> {
        let state = self.state();
        match state.life == life {
            true => Ok(state),
            false => Err(io::Error::other("the process has ended")),
        }
    }

    /// Returns the number of operations so far.
    pub fn operations(&self) -> u64 {
        self.state().operations
    }

    /// Returns the number of times that a fault happened.
    pub fn happened(&self, fault: DiskFault) -> u64 {
        self.state().happened.get(&fault).copied().unwrap_or(0)
    }

    /// Returns true if the disk has power.
    pub fn has_power(&self) -> bool {
        self.state().has_power
    }

    /// Plans a fault after this many further operations.
    pub fn fault_after(&self, operations: u64, fault: DiskFault) {
        let mut state = self.state();
        let at = state.operations + operations;
        state.faults.insert(at, fault);
    }

    /// Kills the process that has files open: its later operations have no effect.
    pub fn kill(&self) {
        self.state().life += 1;
    }

    /// Ends the process that had files open, and starts the next. If the power was cut, a random
    /// part of unsynced data is lost. Then the power is back, there is room, and nothing fails any
    /// more.
    pub fn restart(&self) {
        let mut state = self.state();
        state.life += 1;
        let lost = !std::mem::replace(&mut state.has_power, true);
        state.is_full = false;
        state.has_failed = false;
        state.faults.clear();
        let keeps = Keeps::by_chance(&mut state.chances);
        let mut files = std::mem::take(&mut state.files);
        for (path, file) in std::mem::take(&mut state.deleted) {
            if lost && state.chances.one_in(2) {
                files.entry(path).or_insert(file);
            }
        }
        files.retain(|_, file| {
            file.close();
            !lost || file.cut(keeps, &mut state.chances)
        });
        state.files = files;
    }

    /// Returns the disk as it would be if the power were cut now and nothing unsynced were kept.
    pub fn at_worst(&self) -> MountedDisk {
        self.copied(|file| file.is_named.then(|| file.at_worst()))
    }

    /// Returns a disk with the contents that processes see on this one.
    pub fn as_it_is(&self) -> MountedDisk {
        self.copied(|file| Some(file.as_it_is()))
    }

    fn copied(&self, copy: impl Fn(&SimulatedFile) -> Option<SimulatedFile>) -> MountedDisk {
        let mounted = Self::mount(0, None);
        let (here, there) = (self.folder(), mounted.folder());
        let state = self.state();
        let files = state.files.iter().filter_map(|(path, file)| {
            let path = there.join(Path::new(path).strip_prefix(&here).ok()?);
            Some((path.to_string_lossy().into_owned(), copy(file)?))
        });
        mounted.0.state().files = files.collect();
        drop(state);
        mounted
    }

    /// Returns true if anything failed since the last start.
    pub fn has_failed(&self) -> bool {
        self.state().has_failed
    }

    /// Returns true if the file exists.
    pub fn has(&self, path: &Path) -> bool {
        self.is_there(path)
    }

    /// Removes all files.
    pub fn remove_all(&self) {
        let mut state = self.state();
        state.files.clear();
        state.deleted.clear();
    }

    pub(in super::super) fn is_planted(&self, plant: Plant) -> bool {
        self.state().plant == Some(plant)
    }

    pub(in super::super) fn is_there(&self, path: &Path) -> bool {
        self.state().files.contains_key(&*path.to_string_lossy())
    }

    /// Writes the bytes of a file once more, and syncs it.
    pub(in super::super) fn rewrite(&self, path: &Path) -> io::Result<()> {
        let path = path.to_string_lossy();
        let mut state = self.state();
        let Some(file) = state.files.get(&*path) else {
            return Ok(());
        };
        let bytes = file.seen.clone();
        state.write(&path, 0, &bytes)?;
        state.sync(&path)
    }

    pub(in super::super) fn sync_names(&self) -> io::Result<()> {
        let mut state = self.state();
        state.step(false)?;
        state.deleted.clear();
        for file in state.files.values_mut() {
            file.is_named = true;
        }
        Ok(())
    }
}

impl DiskState {
    /// Counts an operation; where it fails, why.
    pub(super) fn step(&mut self, writes: bool) -> io::Result<()> {
        self.operations += 1;
        let fault = self.faults.remove(&self.operations);
        self.has_failed |= fault.is_some();
        if let Some(fault) = fault {
            *self.happened.entry(fault).or_default() += 1;
        }
        match fault {
            Some(DiskFault::PowerCut) => self.has_power = false,
            Some(DiskFault::Full) => self.is_full = true,
            Some(DiskFault::Broken) | None => {}
        }
        match () {
            () if !self.has_power => Err(io::Error::other("there is no power")),
            () if fault == Some(DiskFault::Broken) => Err(io::Error::from_raw_os_error(5)),
            () if self.is_full && writes => Err(io::Error::from_raw_os_error(28)),
            () => Ok(()),
        }
    }

    pub(super) fn file(&mut self, path: &str) -> io::Result<&mut SimulatedFile> {
        self.files
            .get_mut(path)
            .ok_or(io::ErrorKind::NotFound.into())
    }

    /// Writes to a file. A write that fails may have gone in part.
    pub(super) fn write(&mut self, path: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let done = self.step(true);
        let kept = match &done {
            Ok(()) => bytes.len(),
            Err(_) => self.chances.below(bytes.len() as u64 + 1) as usize,
        };
        self.file(path)?.write(at, &bytes[..kept]);
        done
    }

    /// Syncs a file. One that fails forgets for good some of what was not synced.
    pub(super) fn sync(&mut self, path: &str) -> io::Result<()> {
        let done = self.step(false);
        let has_power = self.has_power;
        let Self {
            files,
            chances,
            deleted,
            ..
        } = self;
        let file = files.get_mut(path).ok_or(io::ErrorKind::NotFound)?;
        match &done {
            Ok(()) => {
                file.sync();
                if file.is_named {
                    // What had this name before can't be back.
                    deleted.retain(|(before, _)| before != path);
                }
            }
            Err(_) if has_power => file.forget(chances),
            Err(_) => {}
        }
        done
    }
}

fn disks() -> MutexGuard<'static, BTreeMap<String, SimulatedDisk>> {
    locked(&DISKS)
}

/// A simulated disk, for as long as it is mounted.
#[derive(Debug)]
pub struct MountedDisk(SimulatedDisk);

impl std::ops::Deref for MountedDisk {
    type Target = SimulatedDisk;

    fn deref(&self) -> &SimulatedDisk {
        &self.0
    }
}

impl Drop for MountedDisk {
    fn drop(&mut self) {
        disks().remove(&*self.0.name);
    }
}
