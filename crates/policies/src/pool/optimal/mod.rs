//! Looking ahead: the policy that maximises the discounted sum of R (Puranik et al. 2022, A.2), by
//! value iteration.
//!
//! What the state is decides what is computed ([`AheadState`]). The paper writes s, the applicants'
//! share, and lets the next one be drawn around s + eta (a - s); but what moves is theta, and s is
//! drawn around it. They differ: taking s for theta reads every chance swing of the applicants as a
//! move of the pool.
//!
//! Solved by modified policy iteration (Puterman and Shin 1978): sweeps over all choices, each
//! followed by many over the chosen ones alone. MacQueen's bounds after a full sweep, V* - TV in
//! gamma / (1 - gamma) times the range of TV - V, say how far off the values are at most; they end
//! the search and belong to the answer.
//!
//! The paper's sums end with a round H (Eqs. 6 and 7), and its V_k and pi_k (Eqs. 8 and 9) are
//! those of k rounds left, of which it plays the limit. With a horizon they are played themselves.

use crate::limits::MOST_CHANGES;

mod digest;
mod foresight;
mod horizon;
mod key;
mod look_ahead;
mod mean_field;
mod plan;
mod play;
mod reward;
mod share;
mod solve;
mod theta;

pub use digest::{Digest, rounds_ahead};
pub use foresight::Foresight;
pub use horizon::HorizonSums;
pub use key::fnv;
pub use look_ahead::{AheadState, LookAhead};
pub use plan::LookAheadPlan;
pub use play::Optimal;
pub use solve::{PlanProgress, PlanWatch, Unsolved};

use horizon::go_back;
use mean_field::MeanField;
use reward::Rewards;
use share::ShareChain;
use solve::{Chain, Task, solve};
use theta::ThetaChain;

impl LookAhead {
    /// Computes the plan of an optimal policy.
    ///
    /// # Errors
    /// The errors of [`LookAhead::check`]. Also an error if rounding keeps the tolerance from being
    /// met, or if it would take too long.
    pub fn solve(&self) -> Result<LookAheadPlan, Unsolved> {
        self.solve_unless(&PlanWatch::patient())
    }

    /// Computes the plan as [`LookAhead::solve`] does; the computation can be watched and stopped.
    ///
    /// # Errors
    /// The errors of [`LookAhead::solve`]; [`Unsolved::Interrupted`].
    pub fn solve_unless(&self, watch: &PlanWatch<'_>) -> Result<LookAheadPlan, Unsolved> {
        self.check().map_err(Unsolved::Wrong)?;
        let rewards = |applicants| Rewards::new(self, applicants, self.places());
        match self.state {
            AheadState::MeanField { cells } => self.plan(MeanField::new(self, cells), watch),
            AheadState::Share { applicants } => self.plan(
                ShareChain::new(rewards(applicants), self.eta, watch)?,
                watch,
            ),
            AheadState::Theta { applicants, cells } => {
                let chain = ThetaChain::new(rewards(applicants), self.eta, cells);
                self.plan(chain, watch)
            }
        }
    }

    fn plan(
        &self,
        mut chain: impl Chain,
        watch: &PlanWatch<'_>,
    ) -> Result<LookAheadPlan, Unsolved> {
        let task = Task {
            gamma: self.gamma,
            tolerance: self.tolerance,
            watch: *watch,
            most_changes: MOST_CHANGES,
        };
        let Some(rounds) = self.horizon else {
            let solved = solve(&mut chain, &task)?;
            let choices = chain.table(self.gamma, &solved.values, watch)?;
            return Ok(LookAheadPlan::new(self, solved, choices, Vec::new()));
        };
        let (solved, choices, fewer) = go_back(&mut chain, rounds, &task)?;
        Ok(LookAheadPlan::new(self, solved, choices, fewer))
    }
}
