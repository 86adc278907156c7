//! The running programs, so that none is left behind when this process exits at once.

use std::collections::BTreeSet;
use std::io;
use std::sync::Mutex;

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};

use super::orphans::OrphanKeeper;
use kleroterion_core::lock::locked;

/// The numbers of the process groups of running programs. `None` once no more may be started.
static RUNNING: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

/// The process group of a running program. A script or launcher may be the child, and the program
/// its descendant.
pub(super) struct Group {
    number: Option<u32>,
    keeper: Option<OrphanKeeper>,
}

impl Group {
    /// Starts a program in a group of its own. An interrupt typed at the terminal then reaches only
    /// klero, which first plays to its end what is under way.
    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        let keeper = OrphanKeeper::start().map_err(|error| {
            tracing::debug!(%error, "no keeper of orphans can be started");
        });
        let keeper = keeper.ok();
        #[cfg(unix)]
        command.process_group(keeper.as_ref().map_or(0, |own| own.group().cast_signed()));
        let mut running = locked(&RUNNING);
        let Some(running) = running.as_mut() else {
            return Err(io::Error::other("klero is about to end"));
        };
        let child = command.spawn()?;
        let number = keeper.as_ref().map(OrphanKeeper::group).or(child.id());
        running.extend(number);
        Ok((child, Self { number, keeper }))
    }

    /// Kills all processes left in the group.
    pub(super) fn kill(&self) {
        if let Some(group) = self.number {
            kill(group);
        }
    }

    /// Forgets the group once all its processes have ended, since its number may be given to
    /// another group.
    pub(super) fn forget(&mut self) {
        let mut running = locked(&RUNNING);
        if let (Some(running), Some(group)) = (running.as_mut(), self.number.take()) {
            running.remove(&group);
        }
        self.keeper = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.forget();
    }
}

/// Returns true if all programs were ended because this process is about to exit.
pub(super) fn are_ended() -> bool {
    locked(&RUNNING).is_none()
}

/// Kills all programs at once, and prevents any more from being started. For a process that is
/// about to exit without waiting.
pub fn end_programs() {
    locked(&RUNNING).take().into_iter().flatten().for_each(kill);
}

#[cfg(unix)]
fn kill(group: u32) {
    if let Some(group) = Pid::from_raw(group.cast_signed()) {
        // Where nothing is left of it, there is nothing to end.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The child itself is killed when it is dropped.
#[cfg(not(unix))]
fn kill(_: u32) {}
