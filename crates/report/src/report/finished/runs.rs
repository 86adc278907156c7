//! The runs of a sweep, in its folder.

use std::path::Path;

use crate::report::files::{PROGRESS, SUMMARY};
use crate::report::points::{PointEntry, read_points};
use kleroterion_core::problem::Problem;

/// The runs of a sweep.
pub struct SweepRuns {
    /// The runs that were begun, in the sweep's order. Interrupted runs are included.
    pub begun: Vec<PointEntry>,
    /// The number of runs that were not begun.
    pub missing: usize,
}

/// Reads the runs of the sweep in a folder. `None` if the folder holds no sweep.
///
/// # Errors
/// A list of runs that can't be read, or a sweep of which no run was begun.
pub fn sweep_runs(folder: &Path) -> Option<Result<SweepRuns, Problem>> {
    let points = read_points(folder)?;
    let is_begun = |point: &PointEntry| {
        let run = folder.join(&point.name);
        run.join(SUMMARY).exists() || run.join(PROGRESS).exists()
    };
    Some(points.and_then(|points| {
        let (begun, missing): (Vec<_>, Vec<_>) = points.into_iter().partition(is_begun);
        let missing = missing.len();
        if begun.is_empty() {
            let problem = Problem::of_file(folder, "no run of this sweep was begun");
            return Err(problem.help("run it again with --force"));
        }
        Ok(SweepRuns { begun, missing })
    }))
}
