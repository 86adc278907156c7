//! Runs over a grid of s, a strong interview's gain, and j, its cost; and weak interviews alone on
//! the same applicants and draws.

use super::lanes::{COST, WEAK};
use crate::reproduce::prelude::*;

/// The runs of the weak looks, which know neither s nor j.
const ALONE: &str = "schumann2019-fig3-weak";

/// A pair of s and j.
pub(super) struct GridCell<'a> {
    pub s: u64,
    pub j: u64,
    pub run: &'a StudyRun,
}

/// All pairs, and the cost of weak interviews alone, one value per replication.
pub(super) struct GainGrid<'a> {
    pub cells: Vec<GridCell<'a>>,
    weak: Vec<f64>,
}

impl<'a> GainGrid<'a> {
    /// Returns the grid that a preset swept over.
    pub(super) fn of(runs: &'a StudyRuns, preset: &str) -> Result<Self> {
        let cell = |run: &'a StudyRun| {
            let s = run.swept("rules.interviews.1.gain")?;
            let j = run.swept("rules.interviews.1.cost")?;
            Ok(GridCell { s, j, run })
        };
        let cells: Result<_> = runs.of(preset)?.iter().map(cell).collect();
        Ok(Self {
            cells: cells?,
            weak: runs.one(ALONE)?.values(WEAK, COST, None)?,
        })
    }

    /// Returns the cells of an s, by j.
    pub(super) fn row(&self, s: u64) -> Vec<&GridCell<'a>> {
        let mut row: Vec<&GridCell<'a>> = self.cells.iter().filter(|cell| cell.s == s).collect();
        row.sort_by_key(|cell| cell.j);
        row
    }

    /// Returns the values of s, in order.
    pub(super) fn gains(&self) -> Vec<u64> {
        let mut gains: Vec<u64> = self.cells.iter().map(|cell| cell.s).collect();
        gains.sort_unstable();
        gains.dedup();
        gains
    }

    /// Returns the statement on the instance.
    pub(super) fn instance(&self) -> Result<String> {
        Ok(format!(
            "The paper draws its applicants at random and gives neither n, K, δ nor σ; ours are n \
             = 50 at the quantiles of N(200, 50), K = 7, σ = 5, δ = 0.5. Few looks are needed: \
             weak ones alone cost {:.0}. Where s ≤ j, SWAP's Eq. 3 gives no probability and is \
             taken to be 0: SWAP is weak looks alone.",
            self.weak_mean()?
        ))
    }

    /// Returns the mean cost of weak interviews alone.
    pub(super) fn weak_mean(&self) -> Result<f64> {
        let mean = StudyEstimate::of(&self.weak).map(|weak| weak.mean);
        mean.ok_or_else(|| StudyError::Missing("weak looks alone were not played".into()))
    }

    /// Returns the cost of a policy in a cell less that of weak interviews alone, one value per
    /// replication.
    pub(super) fn beyond_weak(&self, cell: &GridCell<'_>, label: &str) -> Result<Vec<f64>> {
        let costs = cell.run.values(label, COST, None)?;
        Ok(costs.iter().zip(&self.weak).map(|(a, b)| a - b).collect())
    }

    /// Returns the mean of [`GainGrid::beyond_weak`].
    pub(super) fn mean_beyond_weak(
        &self,
        cell: &GridCell<'_>,
        label: &str,
    ) -> Result<StudyEstimate> {
        cell.run.estimate(self.beyond_weak(cell, label)?)
    }
}
