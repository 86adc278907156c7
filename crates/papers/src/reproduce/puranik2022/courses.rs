//! Theta, and the shares of applicants and admitted, over the rounds.

use super::limits::PoolLimit;
use super::measures::{ADMITTED, APPLICANTS, LAST, POOL, lambda};
use super::setting::StudyPool;
use crate::reproduce::prelude::*;

/// The moments of the run as rounds that are over: the applicants of round t + 1 come of theta
/// after t rounds.
fn rounds(run: &StudyRun, label: &str) -> Result<Vec<u64>> {
    let mut moments = run.moments(label, POOL)?;
    moments.retain(|at| *at <= LAST + 1);
    Ok(moments)
}

/// The mean of theta over the replications, and two standard errors to either side.
pub(super) fn mean(run: &StudyRun, label: &str, name: String) -> Result<Series> {
    let point = |at: u64| Ok(run.mean(label, POOL, Some(at))?.at((at - 1) as f64));
    series_of(
        name,
        SeriesKind::Line,
        rounds(run, label)?.into_iter().map(point),
    )
}

/// The first replication: theta_t, s_t and a_t.
pub(super) fn one_run(run: &StudyRun, label: &str) -> Result<Vec<Series>> {
    let moments = rounds(run, label)?;
    let line = |(metric, name): (&str, &str)| {
        let point = |at: &u64| {
            let values = run.values(label, metric, Some(*at))?;
            let first = values.first().ok_or_else(|| run.lacks("any replication"))?;
            Ok(FigurePoint::new((at - 1) as f64, *first))
        };
        series_of(name, SeriesKind::Line, moments.iter().map(point))
    };
    let all = [
        (POOL, "θ"),
        (APPLICANTS, "s, applicants"),
        (ADMITTED, "a, admitted"),
    ];
    all.into_iter().map(line).collect()
}

/// A panel of shares over rounds, with the target and the paper's last round where ours is later.
pub(super) fn panel(
    title: impl Into<String>,
    series: Vec<Series>,
    target: f64,
    paper: u64,
) -> Panel {
    let mut marks = vec![level(target, "target")];
    if paper < LAST {
        marks.push(upright(paper as f64, "the paper ends"));
    }
    Panel {
        marks,
        ..plot(
            title,
            Axis::linear("round"),
            Axis::linear("share of group u"),
            series,
        )
    }
}

/// The courses of all lanes of a run, by lambda.
pub(super) fn by_lambda(run: &StudyRun) -> Result<Vec<Series>> {
    let lanes = StudyPool::all(run)?.into_iter();
    lanes
        .map(|(label, setting)| mean(run, label, lambda(setting.large.lambda)))
        .collect()
}

/// Draws the final theta by lambda, with the closed form and the zero of the drift at N.
pub(super) fn rests(limits: &[PoolLimit]) -> Option<Panel> {
    let (first, last) = (limits.first()?, limits.last()?);
    let setting = first.setting;
    const STEPS: u32 = 80;
    let [low, high] = [first, last].map(|limit| libm::log(limit.setting.large.lambda));
    let step = |n: u32| {
        let part = f64::from(n) / f64::from(STEPS);
        libm::exp(low + part * (high - low))
    };
    let line = |rest: &dyn Fn(StudyPool) -> Option<f64>| -> Vec<FigurePoint> {
        let lambdas = (0..=STEPS).map(step);
        let point = |x| rest(setting.weighing(x)).map(|y| FigurePoint::new(x, y));
        lambdas.filter_map(point).collect()
    };
    let measured = limits.iter();
    let measured = measured.map(|limit| limit.theta.at(limit.setting.large.lambda));
    Some(Panel {
        marks: vec![level(setting.large.target, "target")],
        ..plot(
            format!("after {LAST} rounds"),
            Axis::log("λ"),
            Axis::linear("share of group u"),
            [
                Series::new(
                    "s*, many applicants",
                    SeriesKind::Line,
                    line(&|setting| setting.large.fixed_point()),
                ),
                Series::new(
                    format!("rest at N = {}", setting.applicants),
                    SeriesKind::Line,
                    line(&|setting| setting.finite().drift_zero()),
                ),
                Series::new("measured", SeriesKind::Scatter, measured),
            ],
        )
    })
}
