//! Ending programs that would outlive this process, even if it ends by `kill -9` or for lack of
//! memory.

use std::io;

/// The script of the process at the head of a program's group. Its input closes when klero ends;
/// then it kills the whole group, including itself.
#[cfg(unix)]
const KEEPER: &str = "trap '' HUP INT TERM; read -r _; kill -s KILL 0";

/// A child process that ends the group of a program which this process leaves behind. The group has
/// the number of this child, so no other group can take it until this value is dropped.
#[cfg(unix)]
pub(super) struct OrphanKeeper(std::process::Child);

#[cfg(unix)]
impl OrphanKeeper {
    /// Starts the group. A program that joins it before it runs is never without a keeper, because
    /// until then it also holds the keeper's input open.
    pub(super) fn start() -> io::Result<Self> {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};

        let mut keeper = Command::new("/bin/sh");
        keeper.args(["-c", KEEPER]).current_dir("/");
        keeper.process_group(0).stdin(Stdio::piped());
        keeper.stdout(Stdio::null()).stderr(Stdio::null());
        keeper.spawn().map(Self)
    }

    /// The number of the group.
    pub(super) fn group(&self) -> u32 {
        self.0.id()
    }
}

#[cfg(unix)]
impl Drop for OrphanKeeper {
    fn drop(&mut self) {
        // One that was killed with its group is none to kill.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// There is none on this system.
#[cfg(not(unix))]
pub(super) enum OrphanKeeper {}

#[cfg(not(unix))]
impl OrphanKeeper {
    pub(super) fn start() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn group(&self) -> u32 {
        match *self {}
    }
}
