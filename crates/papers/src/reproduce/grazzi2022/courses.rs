//! Regrets over the rounds, drawn.

use super::lanes::{FAIR_REGRET, STANDARD, name};
use crate::reproduce::prelude::*;

/// The lines of some lanes over the run.
pub(super) fn courses(
    run: &StudyRun,
    labels: &[&str],
    metric: &str,
    spread: Spread,
) -> Result<Vec<Series>> {
    let course = |label: &&str| run.line(label, metric, name(label), spread);
    labels.iter().map(course).collect()
}

/// The fair or standard regret of some lanes over the rounds, and one standard deviation to either
/// side.
pub(super) fn regret(run: &StudyRun, title: &str, metric: &str, lanes: &[&str]) -> Result<Panel> {
    Ok(plot(
        title,
        Axis::linear("# of rounds"),
        Axis::linear("summed over the rounds"),
        courses(run, lanes, metric, Spread::Deviation)?,
    ))
}

/// The fair regret of some lanes, and their standard regret.
pub(super) fn both(run: &StudyRun, lanes: &[&str]) -> Result<[Panel; 2]> {
    Ok([
        regret(run, "fair pseudo-regret", FAIR_REGRET, lanes)?,
        regret(run, "standard pseudo-regret", STANDARD, lanes)?,
    ])
}
