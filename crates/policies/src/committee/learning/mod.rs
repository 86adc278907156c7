//! Committees while the law p of the candidates is learned: Do, Atif, Lang and Usunier (IJCAI
//! 2021), section 5.
//!
//! Algorithm 1 (RL-CMDP) proceeds in episodes. At the start of each it makes a plan from what it
//! has counted (the probabilities pi(x) of accepting) and keeps to it until some type of candidate
//! has been seen twice as often as at the start: `O(|X| log t)` plans in t steps. [`Learner`] is
//! that machine; what it plans with is a [`Planner`]: [`Optimist`] (the extended linear program
//! (5)) makes it [`RlCmdp`], [`CertaintyEquivalence`] (the known-p program, as if the counts were
//! the law) makes it [`PluginCmdp`].
//!
//! Neither knows the size K of the committee, so one pass serves every K.
//!
//! Where we differ from the paper. Line 5 of Algorithm 1 reads `n_t(x_t) < 2 n_{tau_l - 1}(x_t)`,
//! which is false for a type not seen before, and it divides by t = 0: an episode here ends when
//! some count reaches `max(1, 2 n_start(x))`, and before the first candidate p^ is uniform and the
//! confidence set everything. A zero target (the paper has none) is kept by accepting no one who
//! has that value.
//!
//! Cells are numbered as in [`program`](super::program): mixed radix, the first attribute most
//! significant.

mod confidence;
mod counts;
pub mod extended;
mod grid;
mod optimist;
mod plugin;
#[cfg(test)]
mod tests;

pub use confidence::{ConfidenceReach, ConfidenceSet, radius, tight_radius};
pub use counts::Counts;
pub use grid::CellGrid;
pub use optimist::{Optimist, Parameters, RlCmdp, ZeroRule};
pub use plugin::{CertaintyEquivalence, PluginCmdp};

use super::program::ProgramError;

/// A planner of episodes.
pub trait Planner {
    /// Returns `pi(x)` by cell, within [0, 1], from the counts so far.
    ///
    /// # Errors
    /// Returns an error if no plan could be made.
    fn plan(&mut self, counts: &Counts) -> Result<Vec<f64>, ProgramError>;
}

/// Algorithm 1: accepts by a plan, counts, and makes a new plan at the start of each episode.
///
/// Where a plan fails (a solver may), the plan of the episode before stays in force for another
/// episode, and the failure is [counted](Learner::unsolved). Before the first plan, all are
/// accepted whose values have positive targets.
#[derive(Clone, Debug)]
pub struct Learner<P> {
    planner: P,
    counts: Counts,
    /// The plan pi, by cell.
    pi: Vec<f64>,
    unsolved: u64,
    failure: Option<ProgramError>,
}

impl<P: Planner> Learner<P> {
    /// Makes a learner that has seen no candidate.
    pub fn with(planner: P, grid: &CellGrid) -> Self {
        let open = grid.open().iter();
        Self {
            planner,
            counts: Counts::new(grid.cells()),
            pi: open.map(|&open| f64::from(u8::from(open))).collect(),
            unsolved: 0,
            failure: None,
        }
    }

    /// Returns the probability of accepting a candidate of this cell, under the plan of the
    /// episode. Makes a plan first if an episode begins.
    ///
    /// # Panics
    /// Panics if there is no cell of this number.
    #[inline]
    pub fn probability(&mut self, cell: u32) -> f64 {
        if self.counts.begins() {
            self.begin();
        }
        self.pi[cell as usize]
    }

    /// Counts a candidate, accepted or not, after the decision.
    ///
    /// # Panics
    /// Panics if there is no cell of this number.
    #[inline]
    pub fn observe(&mut self, cell: u32) {
        self.counts.observe(cell);
    }

    /// The counts of screened candidates.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The number of plans that failed. After each, the plan before it stays in force.
    pub fn unsolved(&self) -> u64 {
        self.unsolved
    }

    /// The error of the last plan that failed.
    pub fn failure(&self) -> Option<&ProgramError> {
        self.failure.as_ref()
    }

    /// The planner.
    pub fn planner(&self) -> &P {
        &self.planner
    }

    #[cold]
    fn begin(&mut self) {
        match self.planner.plan(&self.counts) {
            Ok(pi) => self.pi = pi,
            Err(error) => {
                self.unsolved += 1;
                self.failure = Some(error);
            }
        }
        self.counts.begin();
    }
}
