//! The config of a seat of kind `exec`: the program, and the time that its answers may take.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::errors::LastError;
#[cfg(any(test, feature = "testing"))]
use super::played::PlayedProgram;
use super::wire::Hello;
use crate::limits::{PROGRAM_DEADLINE, PROGRAM_PATIENCE};
use kleroterion_core::protocol::Stop;

/// The consequence of a missed deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnTimeout {
    /// The round passes without a choice; the answer is discarded when it comes.
    #[default]
    Forfeit,
    /// The lane ends as `left`.
    Leave,
}

/// The late answers of a seat: imposed from the record where a live run is played again, and noted
/// where it goes on.
///
/// A round may ask several times, where looks are bought; `step` counts the answers of the round
/// that came in time before.
pub trait Forfeits: Send + Sync {
    /// Returns true if the answer came late when this round was played before, and false if it came
    /// in time. Returns `None` where the round is played for the first time, so that the clock
    /// decides.
    fn imposed(&self, round: u64, step: u32) -> Option<bool>;

    /// Notes that the program takes corrections of outcomes.
    fn corrects(&self) {}

    /// Notes a late answer. Called before its lane goes on.
    fn note(&self, round: u64, step: u32);

    /// Returns the end of the lane at this step if the run was played before and the lane ended
    /// here.
    fn ended(&self, round: u64, step: u32) -> Option<Stop> {
        let _ = (round, step);
        None
    }

    /// Notes that the lane ends. Called before it does.
    fn note_end(&self, round: u64, step: u32, stop: &Stop) {
        let _ = (round, step, stop);
    }
}

/// The clock of a seat: simulated or real time.
#[derive(Clone, Default)]
pub enum SeatTiming {
    /// Time is simulated: an answer may take as long as [`PROGRAM_PATIENCE`] allows.
    #[default]
    Simulated,
    /// The deadline applies to each answer, unless the record says that the answer came, or came
    /// late.
    Live(Option<Arc<dyn Forfeits>>),
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The line sent to the program.
    pub told: String,
    /// The line that the program answered.
    pub said: Vec<u8>,
}

/// The exchanges of a seat, one process after another.
#[derive(Debug, Default)]
pub struct Talk {
    /// The exchanges, in the order of the questions.
    pub exchanges: Vec<Exchange>,
    /// The time that each answer took, except `ready`.
    pub took: Vec<Duration>,
    /// The time from each program's start to its `ready`.
    pub started: Vec<Duration>,
    /// The last question that was sent, answered or not.
    pub last: String,
    /// The program's answer to `last`; `None` if none came.
    pub answer: Option<Vec<u8>>,
    /// The lines that the program wrote after it had answered the last question.
    pub unasked: Vec<Vec<u8>>,
    /// True if the program had to be killed after `bye`.
    pub overstayed: bool,
}

/// A policy in a program of its own: the command, its time limits and its first message.
#[derive(Clone)]
pub struct Spec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The time that an answer may take in a live run.
    pub deadline: Duration,
    /// The consequence of a missed deadline.
    pub on_timeout: OnTimeout,
    /// The longest silence where no deadline applies.
    pub patience: Duration,
    /// The first message; its seed is set for each replication.
    pub hello: Hello,
    /// True once a message has said that klero waits for one of the policy's programs.
    pub waited: Arc<AtomicBool>,
    /// The reason why a program of this policy could not be started; unset where all started.
    pub unstarted: Arc<OnceLock<String>>,
    /// The last line that one of its programs wrote to its standard error.
    pub last_error: Arc<LastError>,
    /// The record of the exchanges; `None` where no examiner asks for it.
    pub talk: Option<Arc<Mutex<Talk>>>,
    /// The built-in double that plays in the place of the program, in tests.
    #[cfg(any(test, feature = "testing"))]
    pub played: Option<PlayedProgram>,
}

impl Spec {
    /// Describes a program with the default deadline and patience.
    #[must_use]
    pub fn new(command: Vec<String>, hello: Hello) -> Self {
        Self {
            command,
            deadline: PROGRAM_DEADLINE,
            on_timeout: OnTimeout::default(),
            patience: PROGRAM_PATIENCE,
            hello,
            waited: Arc::default(),
            unstarted: Arc::default(),
            last_error: Arc::default(),
            talk: None,
            #[cfg(any(test, feature = "testing"))]
            played: None,
        }
    }

    /// Returns the reason why the program never answered `hello` in a replication, or `None` if it
    /// always started.
    #[must_use]
    pub fn unstarted(&self) -> Option<&str> {
        self.unstarted.get().map(String::as_str)
    }

    /// Returns the last line that a program of this policy wrote to its standard error.
    #[must_use]
    pub fn last_error(&self) -> &Arc<LastError> {
        &self.last_error
    }
}
