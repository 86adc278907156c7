//! A policy ready to play.

use std::sync::Arc;

use crate::arena::{Blind, Prototype, Remote, Sighted};
use crate::policy::pool::Prospect;
use crate::policy::pool::optimal::Foresight;
use crate::protocol::CohortObjective;
use crate::score::PoolAim;
use crate::seat::Spec;

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
    /// What theory says of its pool.
    pub prospect: Option<Prospect>,
    /// What it asks of the rounds ahead, where it looks ahead.
    pub foresight: Option<Arc<Foresight>>,
    /// The program that decides, where the policy sits outside.
    pub outside: Option<Arc<Spec>>,
}

impl Ready {
    /// A policy, with nothing to say of it.
    pub(super) fn blind<P>(policy: P) -> Option<Self>
    where
        Blind<P>: Prototype + 'static,
    {
        Some(Self::of(Blind(policy)))
    }

    /// An oracle, with nothing to say of it.
    pub(super) fn sighted<O>(oracle: O) -> Option<Self>
    where
        Sighted<O>: Prototype + 'static,
    {
        Some(Self::of(Sighted(oracle)))
    }

    /// A policy that sits outside.
    pub(crate) fn outside(seat: Remote, spec: Arc<Spec>) -> Self {
        Self {
            outside: Some(spec),
            ..Self::of(seat)
        }
    }

    fn of(prototype: impl Prototype + 'static) -> Self {
        Self {
            prototype: Box::new(prototype),
            notes: Vec::new(),
            objective: None,
            aim: None,
            prospect: None,
            foresight: None,
            outside: None,
        }
    }
}
