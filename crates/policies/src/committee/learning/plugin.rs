//! Certainty equivalence: the known-p program on the counts, as if they were the law. Ours, for
//! comparison: no optimism.

use super::super::program::{self, ProgramError};
use super::{CellGrid, Counts, Learner, Planner};
use kleroterion_core::protocol::Law;
use std::sync::Arc;

/// A planner that solves program (2) at `p^ = n_t / t`.
///
/// Cells not seen yet have `p^ = 0`. As long as some value has not been seen at all (or those seen
/// allow no mixture that keeps the targets, or none that is certified), program (2) has no solution
/// but to accept no one; then one imaginary candidate, spread evenly over all the cells, is added
/// to the counts: `p^ = (n_t + 1/|X|) / (t + 1)`, which is uniform at t = 0, always allows a
/// solution, and fades like 1/t. Where only cells, not values, are unseen, p^ stays as it is: an
/// unseen cell is answered by the fit's formula where the program was fitted, and accepted where a
/// solver decided (see [`AcceptanceRule`](super::super::program::AcceptanceRule)).
#[derive(Clone, Debug)]
pub struct CertaintyEquivalence {
    grid: Arc<CellGrid>,
    imagined: u64,
}

/// Algorithm 1's episodes, planned by certainty equivalence.
pub type PluginCmdp = Learner<CertaintyEquivalence>;

impl PluginCmdp {
    /// Makes a learner for `levels[i]` values of attribute i and targets `rho[i][j]`.
    ///
    /// # Errors
    /// [`ProgramError::Malformed`], with all that is wrong, where these are no targets on those
    /// levels.
    pub fn new(levels: &[usize], rho: &[Vec<f64>]) -> Result<Self, ProgramError> {
        let grid = Arc::new(CellGrid::new(levels, rho)?);
        let planner = CertaintyEquivalence::new(Arc::clone(&grid));
        Ok(Self::with(planner, &grid))
    }
}

impl CertaintyEquivalence {
    /// Makes the planner for these cells and targets.
    pub fn new(grid: Arc<CellGrid>) -> Self {
        Self { grid, imagined: 0 }
    }

    /// The number of plans that needed the imaginary candidate, including the plan at t = 0.
    pub fn imagined(&self) -> u64 {
        self.imagined
    }

    /// ExtendedProgram (2) at the counts plus `extra` in every cell; `total` is what they sum to.
    fn solve(&self, counts: &Counts, extra: f64, total: f64) -> Result<Vec<f64>, ProgramError> {
        let cells = counts.by_cell().iter().zip(0..);
        let masses = cells.map(|(&n, cell)| (cell, (n as f64 + extra) / total));
        let law = Law::Cells(masses.filter(|&(_, p)| p > 0.0).collect());
        let solution = program::solve(self.grid.levels(), &law, self.grid.rho())?;
        Ok(solution.acceptance.table(self.grid.levels()))
    }
}

impl Planner for CertaintyEquivalence {
    fn plan(&mut self, counts: &Counts) -> Result<Vec<f64>, ProgramError> {
        let t = counts.screened() as f64;
        if t > 0.0
            && let Ok(pi) = self.solve(counts, 0.0, t)
        {
            return Ok(pi);
        }
        self.imagined += 1;
        self.solve(counts, 1.0 / self.grid.cells() as f64, t + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gender_and_age() -> Arc<CellGrid> {
        // Example 2 of the paper: Table 1 with eps' = 1/6, all targets 1/2.
        let half = vec![0.5, 0.5];
        Arc::new(CellGrid::new(&[2, 2], &[half.clone(), half]).unwrap())
    }

    fn counted(cells: &[u64]) -> Counts {
        let mut counts = Counts::new(cells.len());
        for (cell, &n) in cells.iter().enumerate() {
            (0..n).for_each(|_| counts.observe(cell as u32));
        }
        counts
    }

    #[test]
    fn counts_in_the_proportions_of_example_2_give_its_policy() {
        // M/S 1/3, M/J 1/4, F/S 1/4, F/J 1/6: senior males with probability 1/2, all others 1.
        let mut planner = CertaintyEquivalence::new(gender_and_age());
        let pi = planner.plan(&counted(&[4, 3, 3, 2])).unwrap();
        for (pi, expected) in pi.iter().zip([0.5, 1.0, 1.0, 1.0]) {
            assert!((pi - expected).abs() < 1e-9, "{pi} {expected}");
        }
        assert_eq!(planner.imagined(), 0);
    }

    #[test]
    fn an_imaginary_candidate_helps_until_every_value_is_seen() {
        let mut planner = CertaintyEquivalence::new(gender_and_age());
        assert!(planner.plan(&counted(&[0; 4])).is_ok());
        // No woman yet: (6.25, 3.25, .25, .25) / 10 in effect, so men are rare in the plan and
        // women are accepted.
        let pi = planner.plan(&counted(&[6, 3, 0, 0])).unwrap();
        assert_eq!(planner.imagined(), 2);
        assert!(pi[0] < 0.1 && pi[1] < 0.1, "{pi:?}");
        assert!(pi[2] > 0.9 && pi[3] > 0.9, "{pi:?}");
        // Men are senior and women junior: every value is seen, and a committee of halves is made
        // of these two cells.
        let pi = planner.plan(&counted(&[6, 0, 0, 3])).unwrap();
        assert_eq!(planner.imagined(), 2);
        assert!((pi[0] - 0.5).abs() < 1e-9 && (pi[3] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn values_seen_that_go_together_in_no_committee_are_imagined_too() {
        // Targets .8 M and .5 S, but so far every M is S and every F is J.
        let rho = [vec![0.8, 0.2], vec![0.5, 0.5]];
        let grid = Arc::new(CellGrid::new(&[2, 2], &rho).unwrap());
        let mut planner = CertaintyEquivalence::new(grid);
        let pi = planner.plan(&counted(&[5, 0, 0, 5])).unwrap();
        assert_eq!(planner.imagined(), 1);
        assert!(pi[1] > 0.9, "{pi:?}");
    }
}
