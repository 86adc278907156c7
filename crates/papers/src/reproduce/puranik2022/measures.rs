//! The measures of the presets, and when they are read.

use crate::reproduce::prelude::*;

/// The measures: theta, s and a of group u.
pub(super) const POOL: &str = "pool_share.u";
pub(super) const APPLICANTS: &str = "applicant_share.u";
pub(super) const ADMITTED: &str = "admitted_share.u";

/// After how many rounds theta is taken for where it comes to rest.
pub(super) const LAST: u64 = 500;

/// After how many rounds the paper's Figures 1(a), 1(c) and 1(f) end.
pub(super) const SHORT: u64 = 300;

/// A share is at a target where it is so near; the paper does not say how near.
pub(super) const NEAR: f64 = 0.01;

/// The moment at which theta after some rounds is read: that of the next round, whose applicants it
/// draws.
pub(super) const fn after(rounds: u64) -> u64 {
    rounds + 1
}

/// A weight of fairness, as the paper writes it.
pub(super) fn lambda(lambda: f64) -> String {
    format!("λ = {lambda}")
}

/// Judges that a share is at a target, within a small margin.
pub(super) fn near(share: StudyEstimate, target: f64) -> Holds {
    share.inside(target - NEAR, target + NEAR)
}

/// The mean of a measure over the moments after some rounds, a value a replication.
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
