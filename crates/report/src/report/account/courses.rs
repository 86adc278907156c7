//! Measures over the run: a line for each policy, with bands.

use std::collections::{BTreeMap, BTreeSet};

use super::super::curves::CURVES;
use super::super::figure::{Axis, Figure, FigurePoint, FigureTable, Panel, Series, SeriesKind};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::drawing::{
    PANELS, ReportFigure, axis, drawn_means, has_seen_intervals, interval, is_seen_apart, left_out,
    titled,
};
use super::words::moments;

/// The measures that are shown after the judged ones, where policies differ in them.
const FURTHER: [&str; 4] = ["screened", "cost", "pool_share", "impact_ratio"];

/// The most rows of a policy's measure in the table, where `report.at` asks for none.
const ROWS: usize = 8;

/// Makes the figure of measures over the run, with a panel for each. `None` if nothing was measured
/// during the run.
pub(super) fn figure(run: &Finished, labels: &[&str], judged: &[String]) -> Option<ReportFigure> {
    let metrics = metrics(run, judged);
    let panels = metrics
        .iter()
        .take(PANELS)
        .map(|metric| panel(run, labels, metric));
    let panels: Vec<Panel> = panels.collect();
    if panels.is_empty() {
        return None;
    }
    let what = drawn_means(run, "on the way", has_seen_intervals(&panels));
    let mut caption = format!("{what}{}", left_out(metrics.len()));
    if let Some(n) = curved(run) {
        if n < run.replications {
            caption += &format!(
                " They are of the first {n} of {} replications.",
                run.replications
            );
        }
        caption += &format!(" All steps are in {CURVES}.");
    }
    let figure = Figure {
        title: "Over the run".into(),
        caption,
        panels,
    };
    Some(ReportFigure {
        file: FIGURE_FILES[1],
        table: Some(table(run, &figure)),
        figure,
    })
}

/// The numbers where `report.at` asks for them, else at some steps: all would make the page large.
fn table(run: &Finished, figure: &Figure) -> FigureTable {
    let series = run
        .policies
        .values()
        .flat_map(|policy| policy.series.values());
    let asked: BTreeSet<u64> = series.flatten().map(|point| point.at).collect();
    let some = |points: &[FigurePoint]| {
        let every = points.len().div_ceil(ROWS).max(1);
        let last = points.len().saturating_sub(1);
        let is_row = |(at, point): &(usize, &FigurePoint)| match asked.len() > 1 {
            true => asked.contains(&(point.x as u64)),
            false => at % every == 0 || *at == last,
        };
        let rows = points.iter().enumerate().filter(is_row);
        rows.map(|(_, point)| *point).collect()
    };
    let mut fewer = figure.clone();
    for series in fewer.panels.iter_mut().flat_map(|panel| &mut panel.series) {
        series.points = some(&series.points);
    }
    fewer.table()
}

/// The judged measures that were read at least twice, and the further ones.
fn metrics(run: &Finished, judged: &[String]) -> Vec<String> {
    let read = run.policies.iter().flat_map(|(label, policy)| {
        let curves = run.curves.get(label).into_iter().flatten();
        let curves = curves.map(|(name, points)| (name, points.len()));
        let series = policy.series.iter();
        series
            .map(|(name, points)| (name, points.len()))
            .chain(curves)
    });
    // Of one point there is no line.
    let read: BTreeSet<&String> = read
        .filter_map(|(name, points)| (points > 1).then_some(name))
        .collect();
    let judged = judged.iter().filter(|name| read.contains(name));
    let mut metrics: Vec<String> = judged.cloned().collect();
    for further in FURTHER {
        // Of the groups of a pool the first: with two the other says the same.
        let is_it = |name: &&String| {
            let rest = name.strip_prefix(further);
            rest.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('.') && further == "pool_share"
            })
        };
        let name = read.iter().copied().find(is_it);
        let name = name.filter(|name| !metrics.contains(name) && is_seen_apart(run, name));
        metrics.extend(name.cloned());
    }
    metrics
}

/// The number of replications that the curves are of. `None` if there are none.
fn curved(run: &Finished) -> Option<u64> {
    let curves = run.curves.values().flat_map(|curves| curves.values());
    curves.flatten().map(|point| point.n).max()
}

/// A measure of a policy over the course of the run: at the steps of its curve, and where
/// `report.at` asks for it unless that is of other replications.
fn points(run: &Finished, label: &str, metric: &str) -> Vec<FigurePoint> {
    let curve = run
        .curves
        .get(label)
        .and_then(|curves| curves.get(metric))
        .map_or(&[][..], Vec::as_slice);
    let of_curve = curve
        .iter()
        .map(|point| (point.at, (point.mean, point.se, point.n)));
    let series = run
        .policies
        .get(label)
        .and_then(|policy| policy.series.get(metric));
    let is_of_all = curved(run).is_none_or(|n| n == run.replications);
    let series = series.into_iter().flatten();
    let series = series.filter(|_| is_of_all || curve.is_empty());
    let series = series.map(|point| (point.at, (point.mean, point.se(), point.n)));
    let all: BTreeMap<u64, (f64, Option<f64>, u64)> = of_curve.chain(series).collect();
    let drawn = all.into_iter().map(|(at, (mean, se, n))| {
        let drawn = FigurePoint::new(at as f64, mean);
        match interval(run, metric, mean, se, n) {
            Some((lo, hi)) => drawn.y_from(lo, hi),
            None => drawn,
        }
    });
    drawn.collect()
}

fn panel(run: &Finished, labels: &[&str], metric: &str) -> Panel {
    let courses = labels
        .iter()
        .map(|label| (*label, points(run, label, metric)));
    let courses: Vec<_> = courses.filter(|(_, points)| !points.is_empty()).collect();
    let means = courses
        .iter()
        .flat_map(|(_, points)| points.iter().map(|point| point.y));
    let y = axis(run, metric, means);
    let series = courses
        .iter()
        .map(|(label, points)| Series::new(*label, SeriesKind::Line, points.iter().copied()));
    Panel {
        title: titled(metric, run),
        x: Axis::linear(moments(run)).whole(),
        y,
        series: series.collect(),
        marks: vec![],
    }
}
