//! A policy double thinks in plain values, so that it can be seated anywhere, the plain telling
//! included.

use std::sync::{Arc, Mutex};

use kleroterion::protocol::{LookAnswer, LookStats, Move};

use super::world::People;

/// A candidate, as seen in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub number: u64,
    pub group: u16,
    pub x: f64,
    pub score: f64,
    pub file: LookStats,
    /// For oracles only.
    pub merit: Option<f64>,
}

/// A round, as seen when a move is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    pub round: u64,
    pub seen: Vec<Seen>,
    pub places: (u32, u32),
    pub places_left: Option<u64>,
    pub looks_left: u64,
    pub money_left: f64,
    pub answers: Vec<LookAnswer>,
}

/// What came of a choice. Policies outside do not get `p`.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    pub decided: u64,
    pub number: u64,
    pub group: u16,
    pub x: f64,
    pub score: f64,
    pub value: f64,
    pub p: Option<f64>,
}

impl Heard {
    /// Of a person chosen in a round.
    pub fn of(decided: u64, number: u64, value: f64, p: Option<f64>) -> Self {
        Self {
            decided,
            number,
            group: People::group(number),
            x: People::x(number),
            score: People::score(number),
            value,
            p,
        }
    }
}

/// What a mind does.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    Move(Move),
    Panic(&'static str),
    /// Only outside.
    Leave,
}

impl From<Move> for Deed {
    fn from(answer: Move) -> Self {
        Self::Move(answer)
    }
}

/// The policy's own random words: `None` for one that sits outside.
pub type Luck<'a> = Option<&'a mut dyn FnMut() -> u64>;

/// A deed, and what is said with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    pub deed: Deed,
    pub measures: Vec<(&'static str, f64)>,
    pub reasons: Vec<(&'static str, f64)>,
}

impl<D: Into<Deed>> From<D> for Thought {
    fn from(deed: D) -> Self {
        Self {
            deed: deed.into(),
            measures: vec![],
            reasons: vec![],
        }
    }
}

/// Decides.
pub trait Mind: Send {
    fn act(&mut self, sight: &Sight, luck: Luck<'_>) -> Thought;

    /// Words to panic with, or none.
    fn learn(&mut self, heard: &Heard) -> Option<&'static str> {
        let _ = heard;
        None
    }

    /// Hears that a person it chose in a round has declined.
    fn decline(&mut self, round: u64, number: u64) {
        let _ = (round, number);
    }
}

/// Makes a mind for each staging.
pub type MindMaker = Arc<dyn Fn() -> Box<dyn Mind> + Send + Sync>;

/// What a mind went through.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Saw(Sight),
    Heard(Heard),
    /// A person chosen in this round has declined.
    Declined(u64, u64),
    /// Only outside: the lane has ended, and this is the last mail.
    Farewell,
}

/// A mind's diary.
#[derive(Clone, Default)]
pub struct Diary(Arc<Mutex<Vec<Event>>>);

impl Diary {
    pub fn write(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }

    pub fn read(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }
}
