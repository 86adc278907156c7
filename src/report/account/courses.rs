//! Measures over the run: a line a policy, with bands.

use super::super::figure::{Axis, Figure, FigurePoint, Panel, Series, SeriesKind};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::drawing::{
    PANELS, ReportFigure, axis, drawn_means, has_seen_intervals, interval, is_seen_apart, left_out,
    titled,
};
use super::given::moments;

/// A measure shown besides the judged ones, where policies differ in it.
const BESIDE: [&str; 4] = ["screened", "cost", "pool_share", "impact_ratio"];

/// A panel a measure; none where nothing was read on the way.
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
    let caption = format!("{what}{}", left_out(metrics.len()));
    Some(ReportFigure {
        file: FIGURE_FILES[1],
        figure: Figure {
            title: "Over the run".into(),
            caption,
            panels,
        },
        table: None,
    })
}

/// The judged measures that were read at least twice, and those shown besides.
fn metrics(run: &Finished, judged: &[String]) -> Vec<String> {
    let policies = || run.policies.values();
    let is_read = |name: &str| policies().any(|p| p.series.get(name).is_some_and(|s| s.len() > 1));
    let mut metrics: Vec<String> = judged
        .iter()
        .filter(|name| is_read(name))
        .cloned()
        .collect();
    for beside in BESIDE {
        let names = policies().flat_map(|policy| policy.series.keys());
        // Of the groups of a pool the first: with two the other says the same.
        let name = names.into_iter().find(|name| {
            *name == beside
                || name
                    .strip_prefix(beside)
                    .is_some_and(|rest| rest.starts_with('.') && beside == "pool_share")
        });
        let Some(name) = name.filter(|name| is_read(name) && !metrics.contains(name)) else {
            continue;
        };
        if is_seen_apart(run, name) {
            metrics.push(name.clone());
        }
    }
    metrics
}

fn panel(run: &Finished, labels: &[&str], metric: &str) -> Panel {
    let courses = labels.iter().filter_map(|label| {
        let policy = run.policies.get(*label)?;
        Some((*label, policy.series.get(metric)?))
    });
    let courses: Vec<_> = courses.collect();
    let means = courses
        .iter()
        .flat_map(|(_, points)| points.iter().map(|point| point.mean));
    let y = axis(metric, means);
    let series = courses.iter().map(|(label, points)| {
        let points = points.iter().map(|point| {
            let drawn = FigurePoint::new(point.at as f64, point.mean);
            match interval(run, metric, point.mean, point.se(), point.n) {
                Some((lo, hi)) => drawn.y_from(lo, hi),
                None => drawn,
            }
        });
        Series::new(*label, SeriesKind::Line, points)
    });
    Panel {
        title: titled(metric, &run.directions),
        x: Axis::linear(moments(run)).whole(),
        y,
        series: series.collect(),
        marks: vec![],
    }
}
