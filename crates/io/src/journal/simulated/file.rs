//! A file of a simulated disk.

use kleroterion_testkit::Chances;

/// Bytes that reach the platter together or not at all.
const SECTOR: u64 = 512;

/// A region of the index of a write-ahead log, which processes share.
pub(super) type Region = Box<[u8; 32768]>;

/// The writes not yet synced that survive a power cut.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keeps {
    Nothing,
    All,
    /// Some writes, whole or torn, in any order.
    Some,
}

impl Keeps {
    pub(super) fn by_chance(chances: &mut Chances) -> Self {
        match chances.below(4) {
            0 => Self::Nothing,
            1 => Self::All,
            _ => Self::Some,
        }
    }
}

/// A change that was not synced.
#[derive(Clone, Debug)]
enum Change {
    Write(u64, Vec<u8>),
    Length(u64),
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct SimulatedFile {
    /// The content that processes read.
    pub(super) seen: Vec<u8>,
    platter: Vec<u8>,
    changes: Vec<Change>,
    /// True if the file's name survives a power cut.
    pub(super) is_named: bool,
    /// True if the first sync of the file makes its name survive a power cut.
    pub(super) syncs_name: bool,
    /// True if a process holds the lock for writing the file.
    pub(super) is_locked: bool,
    /// The lock on the database that each handle holds.
    pub(super) locks: Vec<(u64, sqlite_vfs::LockKind)>,
    /// The locks on the index: the handle, the place, and true for an exclusive lock.
    pub(super) index_locks: Vec<(u64, u8, bool)>,
    pub(super) index: Vec<Region>,
}

impl SimulatedFile {
    pub(super) fn write(&mut self, at: u64, bytes: &[u8]) {
        apply(&mut self.seen, at, bytes);
        self.changes.push(Change::Write(at, bytes.to_vec()));
    }

    pub(super) fn set_length(&mut self, length: u64) {
        self.seen.resize(length as usize, 0);
        self.changes.push(Change::Length(length));
    }

    pub(super) fn sync(&mut self) {
        for change in std::mem::take(&mut self.changes) {
            match change {
                Change::Write(at, bytes) => apply(&mut self.platter, at, &bytes),
                Change::Length(length) => self.platter.resize(length as usize, 0),
            }
        }
        self.is_named |= self.syncs_name;
    }

    /// Some of what was not synced never will be.
    pub(super) fn forget(&mut self, chances: &mut Chances) {
        self.changes.retain(|_| chances.one_in(2));
    }

    /// Whoever had it open is gone.
    pub(super) fn close(&mut self) {
        self.is_locked = false;
        self.locks.clear();
        self.index_locks.clear();
        self.index.clear();
    }

    /// The power is cut; whether the file is still there.
    pub(super) fn cut(&mut self, keeps: Keeps, chances: &mut Chances) -> bool {
        let mut changes = std::mem::take(&mut self.changes);
        if !self.is_named && (matches!(keeps, Keeps::Nothing) || chances.one_in(2)) {
            return false;
        }
        if matches!(keeps, Keeps::Some) && chances.one_in(2) {
            for last in (1..changes.len()).rev() {
                changes.swap(last, chances.below(last as u64 + 1) as usize);
            }
        }
        for change in changes {
            let share = match keeps {
                Keeps::Nothing => 0,
                Keeps::All => 2,
                Keeps::Some => chances.below(4),
            };
            match change {
                _ if share == 0 => {}
                Change::Length(length) => self.platter.resize(length as usize, 0),
                Change::Write(at, bytes) if share == 1 => {
                    tear(&mut self.platter, at, &bytes, chances);
                }
                Change::Write(at, bytes) => apply(&mut self.platter, at, &bytes),
            }
        }
        self.seen.clone_from(&self.platter);
        self.is_named = true;
        true
    }

    /// The file as processes see it.
    pub(super) fn as_it_is(&self) -> Self {
        Self {
            seen: self.seen.clone(),
            ..Self::default()
        }
    }

    /// The file with nothing that was not synced.
    pub(super) fn at_worst(&self) -> Self {
        Self {
            seen: self.platter.clone(),
            platter: self.platter.clone(),
            is_named: true,
            ..Self::default()
        }
    }
}

fn apply(bytes: &mut Vec<u8>, at: u64, new: &[u8]) {
    let (start, end) = (at as usize, at as usize + new.len());
    bytes.resize(bytes.len().max(end), 0);
    bytes[start..end].copy_from_slice(new);
}

/// Writes some of the sectors.
fn tear(bytes: &mut Vec<u8>, at: u64, new: &[u8], chances: &mut Chances) {
    let mut from = 0;
    while from < new.len() {
        let into = (at + from as u64) % SECTOR;
        let to = new.len().min(from + (SECTOR - into) as usize);
        if chances.one_in(2) {
            apply(bytes, at + from as u64, &new[from..to]);
        }
        from = to;
    }
}
