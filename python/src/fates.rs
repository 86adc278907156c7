//! The fates of records that were sent to a live run.

use kleroterion::feed::{Fate, Taken};
use pyo3::prelude::*;

/// The parts of [`Fates`], in their order.
pub type FateParts = (u64, u64, u64, Vec<(usize, Refusal)>, bool);

/// The fates of many people: how many were taken, how many came before, how many are left out; those
/// that were refused by their place; and true if the run is over.
#[derive(Default)]
pub struct Fates {
    taken: u64,
    repeated: u64,
    left_out: u64,
    refused: Vec<(usize, Refusal)>,
    pub over: bool,
}

/// The refusal of a person.
#[derive(IntoPyObject)]
pub enum Refusal {
    /// The reason of the run.
    Why(String),
    /// The exception, where the person could not be written as a record.
    Error(Py<PyAny>),
}

impl Fates {
    /// Notes the fates of people who were sent together, each with its place.
    pub fn add(&mut self, places: Vec<usize>, fates: Vec<Fate>) {
        self.over |= fates.len() < places.len();
        for (place, fate) in places.into_iter().zip(fates) {
            match fate {
                Fate::Answered(Taken::Over) => self.over = true,
                Fate::LeftOut => self.left_out += 1,
                Fate::Answered(Taken::Known { .. } | Taken::Duplicate) => self.repeated += 1,
                fate => match refusal(&fate) {
                    Some(why) => self.refused.push((place, Refusal::Why(why))),
                    None => self.taken += 1,
                },
            }
        }
    }

    /// Notes a person who can't be written as a record.
    pub fn refuse(&mut self, place: usize, error: Py<PyAny>) {
        self.refused.push((place, Refusal::Error(error)));
    }

    /// The parts, with those that were refused in their order.
    pub fn parts(mut self) -> FateParts {
        self.refused.sort_by_key(|(place, _)| *place);
        let Self {
            taken,
            repeated,
            left_out,
            refused,
            over,
        } = self;
        (taken, repeated, left_out, refused, over)
    }
}

/// The reason why a record was not taken.
pub fn refusal(fate: &Fate) -> Option<String> {
    match fate {
        Fate::Refused(why) => Some(why.clone()),
        Fate::Answered(taken) => taken.why_not().map(std::borrow::Cow::into_owned),
        Fate::LeftOut => None,
    }
}

/// The number of the person that was taken.
pub fn person(fate: &Fate) -> Option<u64> {
    match fate {
        Fate::Answered(Taken::Accepted { person, .. }) => *person,
        Fate::Answered(Taken::Known { person, .. }) => Some(*person),
        _ => None,
    }
}
