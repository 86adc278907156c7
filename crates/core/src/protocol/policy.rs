//! The traits of deciders: policies and oracles.

use super::moves::Move;
use super::persons::Shown;
use super::truth::Truth;
use super::view::{Outcome, View};

/// A policy: decides from the candidates as shown.
///
/// ```
/// use kleroterion_core::protocol::Policy;
/// use kleroterion_core::protocol::{Move, View};
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
    /// Answers a round: buys interviews (and is called again) or selects. It is never called on an
    /// empty slate.
    fn act(&mut self, view: &mut View<'_>) -> Move;

    /// Learns the outcome of a choice, before `act` of the first round in which it can be known.
    fn learn(&mut self, outcome: &Outcome<'_>) {
        let _ = outcome;
    }

    /// Learns that a person it chose in a round has declined, so that the place is open. If the
    /// rules [refill](super::Rules::refill) it, `act` follows in the same round, on the rest of the
    /// slate.
    fn decline(&mut self, round: u64, person: Shown<'_>) {
        let _ = (round, person);
    }

    /// Returns true if a learnt outcome can be taken back exactly when it is corrected. A policy
    /// that learns from no outcome can do so. A live run refuses corrections that a policy can't
    /// learn.
    fn corrects(&self) -> bool {
        false
    }

    /// Takes back an outcome learnt with the value `before`, and learns this one in its place. It
    /// is called only if the policy [corrects](Policy::corrects).
    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        let _ = (outcome, before);
    }
}

/// An oracle: decides with the truth in hand. It is a yardstick that no real policy can be.
pub trait Oracle: Send {
    /// Answers a round as [`Policy::act`] does, with the truth of the slate.
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move;

    /// Learns an outcome as [`Policy::learn`] does.
    fn learn(&mut self, outcome: &Outcome<'_>) {
        let _ = outcome;
    }

    /// Learns of a declined place as [`Policy::decline`] does.
    fn decline(&mut self, round: u64, person: Shown<'_>) {
        let _ = (round, person);
    }

    /// Returns true if an outcome can be taken back, as [`Policy::corrects`] does.
    fn corrects(&self) -> bool {
        false
    }

    /// Corrects an outcome as [`Policy::correct`] does.
    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        let _ = (outcome, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent;

    impl Policy for Silent {
        fn act(&mut self, _: &mut View<'_>) -> Move {
            Move::pass()
        }
    }

    impl Oracle for Silent {
        fn act(&mut self, _: &mut View<'_>, _: &Truth<'_>) -> Move {
            Move::pass()
        }
    }

    /// So a live run refuses corrections to it.
    #[test]
    fn who_says_nothing_of_corrections_takes_none() {
        assert!(!Policy::corrects(&Silent) && !Oracle::corrects(&Silent));
    }
}
