//! Faults of programs.

use std::time::Duration;

/// The deadline of programs' answers.
pub(super) const DEADLINE: Duration = Duration::from_millis(300);

/// An act of a program in the place of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramFault {
    /// It exits with a code.
    Exits,
    /// It is killed by a signal.
    Crashes,
    /// It is interrupted.
    Interrupted,
    /// It ends in the middle of a line.
    Breaks,
    /// It reads on and answers nothing more.
    Hangs,
    /// It reads nothing more.
    Deaf,
    /// It closes its output, and ends a while later.
    Closes,
    /// It closes its output and goes on.
    ClosesAndStays,
    /// It writes a line without end.
    Floods,
    /// It says more than it is asked.
    Chatters,
    /// It says what is no message.
    Rubbish,
    /// It chooses someone who is not on the slate.
    Foul,
    /// It answers late, some times in a row.
    Late,
}

impl ProgramFault {
    pub(super) const ALL: [Self; 13] = [
        Self::Exits,
        Self::Crashes,
        Self::Interrupted,
        Self::Breaks,
        Self::Hangs,
        Self::Deaf,
        Self::Closes,
        Self::ClosesAndStays,
        Self::Floods,
        Self::Chatters,
        Self::Rubbish,
        Self::Foul,
        Self::Late,
    ];
}

/// A fault of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedFault {
    /// The program, by its place among those of the run.
    pub(super) program: usize,
    /// The round in which it happens; 0 is before the program is ready.
    pub(super) round: u64,
    pub(super) what: ProgramFault,
    /// The life in which it happens; `None` for each life.
    pub(super) life: Option<u64>,
}
