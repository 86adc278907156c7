//! A line in the band of its intervals, cut at the frame.

use std::fmt::Write as _;

use super::super::markup::px;
use super::ruler::Axes;
use super::sheet::SheetSeries;
use super::thin::merged;
use super::{FigurePoint, ValueSpan};

/// The edges of its band, where they lie within the frame.
pub(super) fn edges(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let ends: [fn(ValueSpan) -> f64; 2] = [|span| span.hi, |span| span.lo];
    let mut edges = String::new();
    for run in &shown.runs {
        let run = merged(run, axes);
        for spanned in spanned(&run).filter(|spanned| spanned.len() > 1) {
            let edge = |end: fn(ValueSpan) -> f64| {
                path(spanned, axes, |point| point.y_span.map_or(point.y, end))
            };
            edges.extend(ends.map(edge));
        }
    }
    match edges.as_str() {
        "" => String::new(),
        edges => format!(r#"<path fill="none" stroke-width=".75" d="{edges}"/>"#),
    }
}

/// The spans that have no neighbour, each with its x: no band can be drawn of one.
pub(super) fn alone(shown: &SheetSeries<'_>) -> Vec<(f64, ValueSpan)> {
    let runs = shown.runs.iter().flat_map(|run| spanned(run));
    let alone = runs.filter_map(|spanned| match spanned {
        [point] => Some((point.x, point.y_span?)),
        _ => None,
    });
    alone.collect()
}

/// The line where it lies within the frame, as path data.
pub(super) fn line(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let runs = shown.runs.iter();
    runs.map(|run| path(run, axes, |point| point.y)).collect()
}

/// The place of the last point, where it lies within the frame.
pub(super) fn end(shown: &SheetSeries<'_>, axes: &Axes) -> Option<(f64, f64)> {
    let last = shown.points().last()?;
    let is_within = !axes.y.is_beyond(last.y);
    is_within.then(|| (axes.x.at(last.x), axes.y.at(last.y)))
}

/// Neighbours that have spans.
pub(super) fn spanned(run: &[FigurePoint]) -> impl Iterator<Item = &[FigurePoint]> {
    run.split(|point| point.y_span.is_none())
}

/// Returns the path from point to point, without the parts beyond the frame.
fn path(run: &[FigurePoint], axes: &Axes, y: impl Fn(&FigurePoint) -> f64) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for point in run {
        let y = y(point);
        if axes.y.is_beyond(y) {
            pen = 'M';
            continue;
        }
        let _ = write!(path, "{pen}{} {}", px(axes.x.at(point.x)), px(axes.y.at(y)));
        pen = 'L';
    }
    path
}
