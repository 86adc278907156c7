//! Processes that are killed at one of their changes, or that meet another there.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io;
use std::path::Path;

/// A mistake that is planted to test that it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantedMistake {
    /// A folder is held by several processes.
    Unlocked,
    /// The randomness of a draw is not noted.
    ForgottenRandomness,
    /// Files are there before they are whole.
    TornFiles,
    /// The half-written files of a killed process stay.
    LeftHalves,
    /// A table is not written.
    LostTable,
}

/// The fate of a process.
pub enum ProcessFate {
    /// It ends by itself.
    Lives,
    /// It is killed before its change of this number, from 0.
    Killed(u64),
    /// Another process runs before its change of this number.
    Meets(u64, Box<dyn FnOnce()>),
}

/// A process that runs.
struct Process {
    number: u32,
    fate: ProcessFate,
    changes: u64,
    is_killed: bool,
}

thread_local! {
    static RUNNING: RefCell<Option<Process>> = const { RefCell::new(None) };
    static PLANTED: Cell<Option<PlantedMistake>> = const { Cell::new(None) };
}

/// Plants a mistake in the processes of this thread, or none.
pub fn plant(mistake: Option<PlantedMistake>) {
    PLANTED.set(mistake);
}

/// Returns true if this mistake is planted.
pub(super) fn has(mistake: PlantedMistake) -> bool {
    PLANTED.get() == Some(mistake)
}

/// Returns true if a planted mistake loses the file that is about to get this name.
pub(super) fn loses(path: &Path) -> bool {
    let is = |name: &str| path.file_name().is_some_and(|file| file == name);
    let forgets = has(PlantedMistake::ForgottenRandomness) && is("randomness");
    forgets || has(PlantedMistake::LostTable) && is("alternates.csv")
}

/// Makes a file under its own name before it is whole, where that is planted.
pub(super) fn tear(path: &Path) -> io::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str());
    let half = name.and_then(|name| name.strip_prefix('.')?.strip_suffix(".tmp"));
    let file = half.and_then(|half| Some(path.with_file_name(half.rsplit_once('.')?.0)));
    match file.filter(|file| has(PlantedMistake::TornFiles) && !file.exists()) {
        Some(file) => File::create(file).map(drop),
        None => Ok(()),
    }
}

/// The end of a process.
pub struct EndedProcess<T> {
    /// The return value of its action, which a killed process never reported.
    pub with: T,
    /// True if it was killed.
    pub is_killed: bool,
    /// The number of changes that it made or tried.
    pub changes: u64,
}

/// Runs what a process of this number does.
pub fn run<T>(number: u32, fate: ProcessFate, act: impl FnOnce() -> T) -> EndedProcess<T> {
    let process = Process {
        number,
        fate,
        changes: 0,
        is_killed: false,
    };
    let other = RUNNING.replace(Some(process));
    let with = act();
    let process = RUNNING.replace(other).expect("it ran");
    EndedProcess {
        with,
        is_killed: process.is_killed,
        changes: process.changes,
    }
}

/// The number of the process that runs; none outside of these tests.
pub(super) fn number() -> Option<u32> {
    RUNNING.with_borrow(|running| Some(running.as_ref()?.number))
}

/// Counts a change of the process that runs.
///
/// # Errors
/// Where it is killed.
pub(super) fn change() -> io::Result<()> {
    let met = RUNNING.with_borrow_mut(|running| {
        let process = running.as_mut()?;
        let at = process.changes;
        process.changes += 1;
        match std::mem::replace(&mut process.fate, ProcessFate::Lives) {
            ProcessFate::Meets(due, other) if due == at => return Some(other),
            ProcessFate::Killed(due) if due == at => process.is_killed = true,
            fate => process.fate = fate,
        }
        None
    });
    if let Some(other) = met {
        other();
    }
    let is_killed =
        RUNNING.with_borrow(|running| running.as_ref().is_some_and(|process| process.is_killed));
    match is_killed {
        true => Err(io::Error::other("the process was killed")),
        false => Ok(()),
    }
}
