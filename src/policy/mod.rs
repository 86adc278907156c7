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
}

/// Decides, with the truth in hand: a yardstick that no real policy can be.
pub trait Oracle: Send {
    /// As [`Policy::act`], with the truth of the slate.
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move;

    /// As [`Policy::learn`].
    fn learn(&mut self, outcome: &Outcome<'_>) {
        let _ = outcome;
    }
}
