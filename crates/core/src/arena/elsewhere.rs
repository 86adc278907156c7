//! A lane that plays in another process: there its policy's moves are overheard, here they are
//! repeated before this arena's own referee, pool and scorers.

use std::borrow::Cow;
use std::sync::Arc;

use super::lane::{Lane, Play};
use super::mail::{SeatMove, SeatReply, SeatRequest};
use super::prototype::{CannotBegin, Prototype};
use super::seat::{Act, FORFEITS, Remote, Seat};
use super::state::LaneState;
use crate::protocol::{Outcome, Shown, Truth, View};

/// Receives each turn of a policy: the round, the number of earlier turns in the round, and the
/// reply. The reply's measures and reasons cover the round so far.
pub type Ear = Arc<dyn Fn(u64, u32, SeatReply) + Send + Sync>;

/// A policy whose turns are reported to an [`Ear`].
pub struct Overhearing<'a> {
    prototype: &'a dyn Prototype,
    ear: Ear,
}

impl<'a> Overhearing<'a> {
    /// Wraps a policy so that `ear` receives its turns. The policy plays as before.
    #[must_use]
    pub fn new(prototype: &'a dyn Prototype, ear: Ear) -> Self {
        Self { prototype, ear }
    }
}

impl Prototype for Overhearing<'_> {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        let Some(seat) = self.prototype.seat(&state)? else {
            return self.prototype.lane(state);
        };
        let seat = Overheard {
            seat,
            ear: Arc::clone(&self.ear),
            turn: (0, 0),
        };
        Ok(Box::new(Lane::new(seat, state)))
    }
}

/// A seat that is overheard.
struct Overheard {
    seat: Box<dyn Seat>,
    ear: Ear,
    /// The round under way, and its turns so far.
    turn: (u64, u32),
}

impl Seat for Overheard {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Act {
        let round = view.round();
        if self.turn.0 != round {
            self.turn = (round, 0);
        }
        let act = self.seat.act(view, truth);
        let noted = |notes: &[(Cow<'static, str>, f64)]| {
            let notes = notes.iter();
            notes
                .map(|(name, value)| (name.to_string(), *value))
                .collect()
        };
        let reply = match &act {
            Act::Waits => return act,
            Act::Moves(answer) => SeatReply::Move(SeatMove {
                answer: answer.clone(),
                measures: noted(&view.0.notes.measures),
                reason: noted(&view.0.notes.reason),
            }),
            Act::Forfeits => SeatReply::Forfeit,
        };
        (self.ear)(round, self.turn.1, reply);
        self.turn.1 += 1;
        act
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.seat.learn(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.seat.decline(round, person);
    }

    fn corrects(&self) -> bool {
        self.seat.corrects()
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        self.seat.correct(outcome, before)
    }

    fn mailbox(&mut self) -> Option<&mut Remote> {
        self.seat.mailbox()
    }
}

/// The seat of a policy that plays outside: its replies come from elsewhere.
#[derive(Clone)]
pub struct Elsewhere {
    remote: Remote,
    corrects: bool,
    forfeits: u64,
}

impl Elsewhere {
    /// Makes the seat; `corrects` says whether the policy can take back what it learnt.
    #[must_use]
    pub fn new(corrects: bool) -> Self {
        Self {
            remote: Remote::default(),
            corrects,
            forfeits: 0,
        }
    }
}

impl Seat for Elsewhere {
    fn act(&mut self, view: &mut View<'_>, _: &Truth<'_>) -> Act {
        match self.remote.take_inbox() {
            Some(SeatReply::Move(said)) => {
                view.0.notes.repeat(said.measures, said.reason);
                Act::Moves(said.answer)
            }
            Some(SeatReply::Forfeit) => {
                self.forfeits += 1;
                view.measure(FORFEITS, self.forfeits as f64);
                Act::Forfeits
            }
            None => {
                // It saw the slate there.
                self.remote.put(SeatRequest::Slate {
                    round: view.round(),
                    candidates: Vec::new(),
                    places: (view.places().min, view.places().max),
                    places_left: view.places_left(),
                    looks_left: view.looks_left(),
                    money_left: view.money_left(),
                });
                Act::Waits
            }
        }
    }

    /// Does nothing: the policy learnt the outcome outside.
    fn learn(&mut self, _: &Outcome<'_>) {}

    fn decline(&mut self, _: u64, _: Shown<'_>) {}

    fn corrects(&self) -> bool {
        self.corrects
    }

    fn correct(&mut self, _: &Outcome<'_>, _: f64) -> bool {
        self.corrects
    }

    fn mailbox(&mut self) -> Option<&mut Remote> {
        Some(&mut self.remote)
    }
}

#[cfg(test)]
mod tests;
