//! A policy ready to play.

use std::sync::Arc;

use kleroterion_core::arena::{Blind, Prototype, Sighted};
use kleroterion_core::protocol::CohortObjective;
use kleroterion_core::score::PoolAim;
use kleroterion_io::seat::Spec;
use kleroterion_policies::pool::Prospect;
use kleroterion_policies::pool::optimal::Foresight;
use kleroterion_sortition::lottery::AwaitedLottery;

/// A policy ready to play, and what it assumed or found out when it was set up.
pub struct Ready {
    /// The policy.
    pub prototype: Box<dyn Prototype>,
    /// Sentences for the reader of the run.
    pub notes: Vec<String>,
    /// By what objective it seeks the best cohort, where it seeks one.
    pub objective: Option<CohortObjective>,
    /// What it wants of a pool, where it says.
    pub aim: Option<PoolAim>,
    /// The rule by which it measures itself, where that can be set: two policies of other rules are
    /// not compared on what they report.
    pub rule: Option<String>,
    /// What theory says of its pool.
    pub prospect: Option<Prospect>,
    /// What it asks of the rounds ahead, where it looks ahead.
    pub foresight: Option<Arc<Foresight>>,
    /// The lottery over panels that it draws from, where it has one.
    pub lottery: Option<Arc<AwaitedLottery>>,
    /// The program that decides, where the policy sits outside.
    pub outside: Option<Arc<Spec>>,
}

impl Ready {
    /// A policy of which nothing more is known.
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
    pub(super) fn blind<P>(policy: P) -> Self
    where
        Blind<P>: Prototype + 'static,
    {
        Self::new(Box::new(Blind(policy)))
    }

    /// An oracle.
    pub(super) fn sighted<O>(oracle: O) -> Self
    where
        Sighted<O>: Prototype + 'static,
    {
        Self::new(Box::new(Sighted(oracle)))
    }

    /// The same with more notes.
    pub(super) fn noted(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// The same with what theory says of its pool, in a note too.
    pub(super) fn foretold(mut self, prospect: Option<Prospect>) -> Self {
        self.notes
            .extend(prospect.as_ref().and_then(Prospect::sentence));
        self.prospect = prospect;
        self
    }
}
