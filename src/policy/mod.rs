//! Policies decide. One file per algorithm, by setting; [`registry`] lists them.
//!
//! A new policy is a type with [`Policy::act`] (it is a plain state machine: tested as a table, without a runtime),
//! and one line in the registry.

pub mod cohort;
pub mod committee;
pub mod meritocratic;
mod parameters;
pub mod pool;
pub mod registry;
mod set_up;

pub use parameters::{BadParameter, BadParameters};

use crate::protocol::{Move, Outcome, Truth, View};

/// Decides, from what may be seen.
///
/// ```
/// use kleroterion::policy::Policy;
/// use kleroterion::protocol::{Move, View};
///
/// /// Accepts every other candidate.
/// #[derive(Clone)]
/// struct EveryOther;
///
/// impl Policy for EveryOther {
///     fn act(&mut self, view: &mut View<'_>) -> Move {
///         Move::decide(view.round() % 2 == 0)
///     }
/// }
/// ```
pub trait Policy: Send {
    /// Answers a round: buys looks (and is called again) or selects. Never called on an empty slate.
    fn act(&mut self, view: &mut View<'_>) -> Move;

    /// Is told what came of a choice, before `act` of the first round in which it can be known.
    fn learn(&mut self, outcome: &Outcome<'_>) {
        let _ = outcome;
    }

    /// Whether an outcome that was learnt can be taken back exactly when it turns out to have been another. A policy that learns from
    /// no outcome can do so. A live run refuses corrections that a policy can't learn.
    fn corrects(&self) -> bool {
        false
    }

    /// Takes back what it learnt from an outcome whose value was `before`, and learns this one in its place. Called only where the
    /// policy [corrects](Policy::corrects).
    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        let _ = (outcome, before);
    }
}

/// Chooses nobody, for there is no place.
fn no_place(view: &mut View<'_>) -> Move {
    view.reason(|| [("places", 0.0)]);
    Move::pass()
}

/// What a choice by numbers hung on: the lowest number of those taken, the highest of those passed over. For a trace.
fn margin(numbers: &[f64], taken: &[u32]) -> [(&'static str, f64); 2] {
    let mut passed = vec![true; numbers.len()];
    let mut lowest = f64::INFINITY;
    for &slot in taken {
        passed[slot as usize] = false;
        lowest = lowest.min(numbers[slot as usize]);
    }
    let passed = numbers.iter().zip(passed).filter(|(_, passed)| *passed);
    let highest = passed.fold(f64::NEG_INFINITY, |highest, (number, _)| {
        highest.max(*number)
    });
    [("lowest_taken", lowest), ("highest_passed", highest)]
}

/// Decides, with the truth in hand: a yardstick that no real policy can be.
pub trait Oracle: Send {
    /// As [`Policy::act`], with the truth of the slate.
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move;

    /// As [`Policy::learn`].
    fn learn(&mut self, outcome: &Outcome<'_>) {
        let _ = outcome;
    }

    /// As [`Policy::corrects`].
    fn corrects(&self) -> bool {
        false
    }

    /// As [`Policy::correct`].
    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        let _ = (outcome, before);
    }
}
