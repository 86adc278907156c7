//! A policy that decides as another one does, as long as the committee can be completed.
//!
//! Over respondents who are known beforehand it overrules the other policy in two cases: where it
//! would accept someone with whom no completion is left, and where it would pass over someone
//! without whom none is left. Ours; not in Do et al. 2021.
//!
//! A choice that only one way leads to is made with probability 1, however likely the other policy
//! holds it to be. So `p` is the propensity of what was done. The other policy learns what was
//! done, not what it wanted.

use super::known_pool::KnownPool;
use super::{OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Move, Outcome, Shown, View};

/// Decides as another policy does, as long as the committee can be completed.
#[derive(Clone, Debug)]
pub struct KeepFeasible<P> {
    policy: P,
    known: KnownPool,
    /// True if the policy was overruled on the candidate judged last.
    overruled: bool,
}

impl<P> KeepFeasible<P> {
    /// Wraps a policy over some respondents.
    pub fn new(policy: P, known: KnownPool) -> Self {
        Self {
            policy,
            known,
            overruled: false,
        }
    }
}

impl<P: OneByOne> OneByOne for KeepFeasible<P> {
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        let likely = self.policy.judge(person);
        let is_barred = likely > 0.0 && self.known.may_seat(person) == Some(false);
        let is_needed = likely < 1.0 && self.known.may_pass(person) == Some(false);
        let kept = match (is_barred, is_needed) {
            (true, _) => 0.0,
            (false, true) => 1.0,
            (false, false) => likely,
        };
        self.overruled = is_barred || is_needed;
        kept
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        let mut terms = self.policy.why(person);
        if self.overruled {
            terms.push(("overruled", 1.0));
        }
        terms
    }

    fn accept(&mut self, person: Shown<'_>) {
        self.policy.accept(person);
        self.known.seat(person);
    }

    fn meet(&mut self, round: u64) {
        self.policy.meet(round);
    }

    fn pass(&mut self, person: Shown<'_>) {
        self.policy.pass(person);
        self.known.pass(person);
    }

    fn report(&mut self, view: &mut View<'_>) {
        self.policy.report(view);
        self.known.report(view);
    }
}

impl<P: OneByOne> Policy for KeepFeasible<P> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        self.known.meet(view);
        decide(self, view)
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.policy.decline(round, person);
        self.known.decline(person);
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.policy.learn(outcome);
    }

    fn corrects(&self) -> bool {
        self.policy.corrects()
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.policy.correct(outcome, before);
    }
}
