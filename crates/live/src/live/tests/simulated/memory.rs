//! The notes of programs' seats, watched for long waits. A planted mistake shows whether the
//! histories find it.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

use super::cast::Cast;
use super::faults::DEADLINE;
use crate::live::error::RecorderError;
use crate::live::notes::LiveNotes;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Ending, Stop};
use kleroterion_io::seat::{Forfeits, PROGRAM_GRACE, SeatTiming};
use kleroterion_run::run::Hooks;

/// A planted mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeatPlant {
    /// All rounds whose people had come are taken for played: no program may end in them.
    PeopleArePlayed,
    /// No deadline holds in rounds whose people had come.
    PatientBacklog,
    /// No end is noted.
    NoEnds,
    /// Only the ends of programs that left are noted.
    NoFouls,
    /// An end does not say how its lane ended.
    NoEndings,
    /// No late answer is noted.
    NoForfeits,
}

/// The most time that may pass without a wait.
pub(super) const AT_ONCE: Duration = Duration::from_millis(100);

/// Watches the notes of a run's seats.
pub(super) fn watch(
    hooks: &mut Hooks,
    cast: &Cast,
    notes: &Arc<LiveNotes>,
    plant: Option<SeatPlant>,
) {
    let timing = hooks.timing.take().expect("a live run has deadlines");
    let (cast, notes) = (cast.clone(), Arc::clone(notes));
    hooks.timing = Some(Box::new(move |label| {
        let SeatTiming::Live(Some(memory)) = timing(label) else {
            panic!("nothing is noted of {label}");
        };
        SeatTiming::Live(Some(Arc::new(WatchedMemory {
            memory,
            cast: cast.clone(),
            notes: Arc::clone(&notes),
            plant,
            policy: label.into(),
            asked: Mutex::new(Instant::now()),
        })))
    }));
}

/// The notes of a lane.
struct WatchedMemory {
    memory: Arc<dyn Forfeits>,
    cast: Cast,
    notes: Arc<LiveNotes>,
    plant: Option<SeatPlant>,
    policy: Box<str>,
    /// The time at which its program was last asked.
    asked: Mutex<Instant>,
}

impl WatchedMemory {
    fn people_had_come(&self, round: u64) -> bool {
        round <= self.notes.past.whole_rounds()
    }

    /// Checks that a missing answer was not waited for beyond the deadline.
    fn hold(&self, round: u64) {
        let took = self.asked().elapsed();
        let is_new = round > self.cast.known(&self.policy).max(1);
        if is_new && took > DEADLINE + PROGRAM_GRACE + AT_ONCE {
            let policy = &self.policy;
            let wrong = format!("{policy} was waited for {took:?} in round {round}");
            self.cast.note_wrong(wrong);
        }
    }

    fn asked(&self) -> MutexGuard<'_, Instant> {
        locked(&self.asked)
    }
}

impl Forfeits for WatchedMemory {
    fn imposed(&self, round: u64, step: u32) -> Option<bool> {
        *self.asked() = Instant::now();
        let imposed = self.memory.imposed(round, step);
        match self.plant {
            Some(SeatPlant::PatientBacklog) if self.people_had_come(round) => {
                imposed.or(Some(false))
            }
            _ => imposed,
        }
    }

    fn corrects(&self) {
        self.memory.corrects();
    }

    fn note(&self, round: u64, step: u32) {
        self.hold(round);
        if self.plant != Some(SeatPlant::NoForfeits) {
            self.memory.note(round, step);
        }
    }

    fn ended(&self, round: u64, step: u32) -> Option<Stop> {
        self.memory.ended(round, step)
    }

    fn note_end(&self, round: u64, step: u32, stop: &Stop) {
        self.hold(round);
        match self.plant {
            Some(SeatPlant::PeopleArePlayed) if self.people_had_come(round) => {
                self.notes.fail(RecorderError::Ended {
                    policy: self.policy.clone(),
                    round,
                    why: stop.detail.clone().unwrap_or_default(),
                    may_leave: false,
                });
            }
            Some(SeatPlant::NoEnds) => {}
            Some(SeatPlant::NoFouls) if stop.ending != Ending::Left => {}
            Some(SeatPlant::NoEndings) => {
                let stop = Stop {
                    ending: Ending::Left,
                    ..stop.clone()
                };
                self.memory.note_end(round, step, &stop);
            }
            _ => self.memory.note_end(round, step, stop),
        }
    }
}
