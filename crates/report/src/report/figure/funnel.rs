//! A line in the band of its intervals, cut at the frame.

use std::fmt::Write as _;

use super::super::markup::px;
use super::axes::Axes;
use super::sheet::SheetSeries;
use super::thin::merged;
use super::{FigurePoint, ValueSpan};

/// The band, with an edge where it lies within the frame.
pub(super) fn band(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let (mut areas, mut edges) = (String::new(), String::new());
    for run in &shown.runs {
        let run = merged(run, axes);
        for spanned in spanned(&run).filter(|spanned| spanned.len() > 1) {
            let ends: [fn(ValueSpan) -> f64; 2] = [|span| span.hi, |span| span.lo];
            areas += &area(spanned, axes, ends);
            edges.extend(ends.map(|end| path(spanned, axes, |point| of(point, end))));
        }
    }
    let mut svg = String::new();
    if !areas.is_empty() {
        let _ = write!(
            svg,
            r#"<path stroke="none" fill-opacity=".18" d="{areas}"/>"#
        );
    }
    if !edges.is_empty() {
        let _ = write!(svg, r#"<path fill="none" stroke-width=".75" d="{edges}"/>"#);
    }
    svg
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
fn spanned(run: &[FigurePoint]) -> impl Iterator<Item = &[FigurePoint]> {
    run.split(|point| point.y_span.is_none())
}

/// An end of a point's span, or its value where it has none.
fn of(point: &FigurePoint, end: fn(ValueSpan) -> f64) -> f64 {
    point.y_span.map_or(point.y, end)
}

/// The area between the ends of the spans; the ruler cuts it at the frame.
fn area(run: &[FigurePoint], axes: &Axes, ends: [fn(ValueSpan) -> f64; 2]) -> String {
    let place = |point: &FigurePoint, end| {
        let (x, y) = (axes.x.at(point.x), axes.y.at(of(point, end)));
        format!("{} {}", px(x), px(y))
    };
    let [upper, lower] = ends;
    let there = run.iter().map(|point| place(point, upper));
    let back = run.iter().rev().map(|point| place(point, lower));
    let places: Vec<String> = there.chain(back).collect();
    format!("M{}z", places.join("L"))
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
