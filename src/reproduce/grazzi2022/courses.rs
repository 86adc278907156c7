//! How a measure goes over a run, drawn.

use super::{Estimate, Played, StudyError, name};
use crate::report::figure::{Kind, Point, Series};

/// How far a mean's span reaches to either side.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Spread {
    None,
    /// One standard deviation of the runs, as the paper draws it.
    Deviation,
    /// Two standard errors of the mean.
    Errors,
}

impl Spread {
    pub(super) fn around(self, x: f64, mean: Estimate) -> Point {
        let point = Point::new(x, mean.mean);
        let se = mean.se.unwrap_or(0.0);
        let reach = match self {
            Self::None => return point,
            Self::Deviation => se * (mean.n as f64).sqrt(),
            Self::Errors => 2.0 * se,
        };
        point.y_from(mean.mean - reach, mean.mean + reach)
    }
}

/// A line of means over the run.
pub(super) fn course(
    run: &Played,
    label: &str,
    metric: &str,
    spread: Spread,
) -> Result<Series, StudyError> {
    let moments = run.moments(label, metric)?;
    let point = |at: &u64| {
        let mean = run.mean(label, metric, Some(*at))?;
        Ok(spread.around(*at as f64, mean))
    };
    let points: Result<Vec<Point>, StudyError> = moments.iter().map(point).collect();
    Ok(Series::new(name(label), Kind::Line, points?))
}

/// The courses of some lanes.
pub(super) fn courses(
    run: &Played,
    labels: &[&str],
    metric: &str,
    spread: Spread,
) -> Result<Vec<Series>, StudyError> {
    let course = |label: &&str| course(run, label, metric, spread);
    labels.iter().map(course).collect()
}
