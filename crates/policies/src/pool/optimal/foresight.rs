//! A question about the rounds ahead, and its plan as soon as there is one.

use std::sync::{Arc, OnceLock};

use super::{LookAhead, LookAheadPlan, PlanWatch, Unsolved};
use crate::BadParameters;

/// Checked parameters of looking ahead, with their plan. The plan takes seconds to minutes. It is
/// therefore computed on first use, or read from where it was stored.
#[derive(Debug)]
pub struct Foresight {
    ahead: LookAhead,
    plan: OnceLock<Arc<LookAheadPlan>>,
}

impl Foresight {
    /// Makes the parameters without a plan.
    ///
    /// # Errors
    /// The errors of [`LookAhead::check`].
    pub fn new(ahead: LookAhead) -> Result<Self, BadParameters> {
        let plan = OnceLock::new();
        ahead.check().map(|()| Self { ahead, plan })
    }

    /// The parameters.
    #[must_use]
    pub fn ahead(&self) -> &LookAhead {
        &self.ahead
    }

    /// The plan, if it is known.
    #[must_use]
    pub fn plan(&self) -> Option<&Arc<LookAheadPlan>> {
        self.plan.get()
    }

    /// Takes a stored plan, if it is the plan for these parameters. Returns true if it is.
    pub fn take(&self, plan: Arc<LookAheadPlan>) -> bool {
        let right = plan.is_for(&self.ahead);
        if right {
            self.plan.get_or_init(|| plan);
        }
        right
    }

    /// Returns the plan, computing it if necessary.
    ///
    /// # Errors
    /// The errors of [`LookAhead::solve`].
    pub fn work_out(&self) -> Result<&Arc<LookAheadPlan>, Unsolved> {
        self.work_out_unless(&PlanWatch::patient())
    }

    /// Returns the plan as [`Foresight::work_out`] does; the computation can be watched and stopped.
    ///
    /// # Errors
    /// The errors of [`LookAhead::solve_unless`].
    pub fn work_out_unless(&self, watch: &PlanWatch<'_>) -> Result<&Arc<LookAheadPlan>, Unsolved> {
        if let Some(plan) = self.plan.get() {
            return Ok(plan);
        }
        let plan = Arc::new(self.ahead.solve_unless(watch)?);
        Ok(self.plan.get_or_init(|| plan))
    }
}
