//! A simulated disk that fails, tears, reorders and loses unsynced data, driven by one seed.
//!
//! A file has what processes read of it, what is on the platter, and what was written since the
//! last sync. A power cut keeps of the last any pieces, in any order. A failed sync forgets some
//! of it for good, as Linux does, while processes go on reading it.

mod file;
mod simulated_disk;
mod slots;
mod vfs;

pub use self::simulated_disk::{DiskFault, MountedDisk, SimulatedDisk};
pub(super) use self::slots::open as slots;
pub(super) use self::vfs::VFS;
pub use super::slots::Plant;

/// Creates an empty disk; its folder is gone with the [`MountedDisk`].
pub fn mount(seed: u64, plant: Option<Plant>) -> MountedDisk {
    vfs::register();
    SimulatedDisk::mount(seed, plant)
}
