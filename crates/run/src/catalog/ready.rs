//! A policy ready to play.

use std::sync::Arc;

use kleroterion_core::arena::{Blind, Prototype, Sighted};
use kleroterion_core::protocol::CohortObjective;
use kleroterion_core::score::PoolAim;
use kleroterion_io::seat::Spec;
use kleroterion_policies::pool::Prospect;
use kleroterion_policies::pool::optimal::Foresight;
use kleroterion_sortition::lottery::AwaitedLottery;

/// A policy ready to play, with what it assumed or computed during setup.
pub struct Ready {
    /// The policy.
    pub prototype: Box<dyn Prototype>,
    /// Notes for the reader of the run.
    pub notes: Vec<String>,
    /// The objective by which it seeks the best cohort. `None` if it does not seek one.
    pub objective: Option<CohortObjective>,
    /// The pool that it aims at. `None` if it states no aim.
    pub aim: Option<PoolAim>,
    /// The rule by which the policy measures itself, if that can be set. Policies with different
    /// rules are not compared on their own measures.
    pub rule: Option<String>,
    /// The values that theory predicts for its pool, if there are any.
    pub prospect: Option<Prospect>,
    /// The question about future rounds whose plan it needs. `None` if it does not look ahead.
    pub foresight: Option<Arc<Foresight>>,
    /// The lottery over panels that it draws from, if it uses one.
    pub lottery: Option<Arc<AwaitedLottery>>,
    /// The program that decides, if the policy runs outside.
    pub outside: Option<Arc<Spec>>,
}

impl Ready {
    /// Wraps a policy without further data.
    #[must_use]
    pub fn new(prototype: Box<dyn Prototype>) -> Self {
        Self {
            prototype,
            notes: Vec::new(),
            objective: None,
            aim: None,
            rule: None,
            prospect: None,
            foresight: None,
            lottery: None,
            outside: None,
        }
    }

    /// A policy that does not know the truth.
    #[must_use]
    pub fn blind<P>(policy: P) -> Self
    where
        Blind<P>: Prototype + 'static,
    {
        Self::new(Box::new(Blind(policy)))
    }

    /// An oracle.
    #[must_use]
    pub fn sighted<O>(oracle: O) -> Self
    where
        Sighted<O>: Prototype + 'static,
    {
        Self::new(Box::new(Sighted(oracle)))
    }

    /// Adds notes.
    #[must_use]
    pub fn noted(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Sets the pool that it aims at.
    #[must_use]
    pub fn aiming(mut self, aim: Option<PoolAim>) -> Self {
        self.aim = aim;
        self
    }

    /// Sets the values that theory predicts for its pool, and adds a note on them.
    pub(super) fn foretold(mut self, prospect: Option<Prospect>) -> Self {
        self.notes
            .extend(prospect.as_ref().and_then(Prospect::sentence));
        self.prospect = prospect;
        self
    }
}
