//! The measures of the presets, and the moments at which they are read.

use crate::reproduce::prelude::*;

/// The measures: theta, s and a of group u.
pub(super) const POOL: &str = "pool_share.u";
pub(super) const APPLICANTS: &str = "applicant_share.u";
pub(super) const ADMITTED: &str = "admitted_share.u";

/// The number of rounds after which theta counts as at rest.
pub(super) const LAST: u64 = 500;

/// The number of rounds after which the paper's Figures 1(a), 1(c) and 1(f) end.
pub(super) const SHORT: u64 = 300;

/// The distance within which a share counts as at a target; the paper gives none.
pub(super) const NEAR: f64 = 0.01;

/// Returns the moment at which theta after some rounds is read: that of the next round, whose
/// applicants it draws.
pub(super) const fn after(rounds: u64) -> u64 {
    rounds + 1
}

/// Formats a weight of fairness as the paper writes it.
pub(super) fn lambda(lambda: f64) -> String {
    format!("λ = {lambda}")
}

/// Judges that a share is at a target, within a small margin.
pub(super) fn near(share: StudyEstimate, target: f64) -> Holds {
    share.inside(target - NEAR, target + NEAR)
}

/// Returns the mean of a measure over the moments after some rounds, one value per replication.
pub(super) fn late_mean(
    run: &StudyRun,
    label: &str,
    metric: &str,
    from: u64,
) -> Result<StudyEstimate> {
    let mut moments = run.moments(label, metric)?;
    moments.retain(|at| *at > from);
    let columns: Result<Vec<_>> = moments
        .iter()
        .map(|at| run.values(label, metric, Some(*at)))
        .collect();
    let columns = columns?;
    let replications = columns.first().map_or(0, Vec::len);
    let mean = |at: usize| {
        let sum: f64 = columns.iter().map(|column| column[at]).sum();
        sum / columns.len() as f64
    };
    run.estimate((0..replications).map(mean))
}
