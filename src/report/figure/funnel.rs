//! A line in the band of its intervals, cut at the frame.

use std::fmt::Write as _;

use super::super::markup::px;
use super::axes::Axes;
use super::look::LOOKS;
use super::series::{R, markers, upright_bar};
use super::sheet::SheetSeries;
use super::thin::merged;
use super::{FigurePoint, ValueSpan};

/// The band, with an edge where it lies within the frame; of a point alone an error bar.
pub(super) fn band(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let (mut areas, mut edges, mut bars) = (String::new(), String::new(), String::new());
    for run in &shown.runs {
        let run = merged(run, axes);
        for spanned in run.split(|point| point.y_span.is_none()) {
            match spanned {
                [] => {}
                [alone] => {
                    let span = alone.y_span.into_iter();
                    bars.extend(span.map(|span| upright_bar(&axes.y, span, axes.x.at(alone.x))));
                }
                _ => {
                    let ends: [fn(ValueSpan) -> f64; 2] = [|span| span.hi, |span| span.lo];
                    areas += &area(spanned, axes, ends);
                    edges.extend(ends.map(|end| path(spanned, axes, |point| of(point, end))));
                }
            }
        }
    }
    let mut svg = String::new();
    if !areas.is_empty() {
        let _ = write!(
            svg,
            r#"<path stroke="none" fill-opacity=".18" d="{areas}"/>"#
        );
    }
    for (path, width) in [(edges, ".75"), (bars, "1.25")] {
        if !path.is_empty() {
            let _ = write!(
                svg,
                r#"<path fill="none" stroke-width="{width}" d="{path}"/>"#
            );
        }
    }
    svg
}

/// The line where it lies within the frame, and a marker at its end.
pub(super) fn lines(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let mut line = String::new();
    for run in &shown.runs {
        line += &path(run, axes, |point| point.y);
    }
    let look = &LOOKS[shown.look];
    let last = shown.points().last();
    let last = last.filter(|point| !axes.y.is_beyond(point.y));
    let place = last.map(|point| (axes.x.at(point.x), axes.y.at(point.y)));
    format!(
        r#"<path fill="none" stroke-width="1.75" stroke-linejoin="round"{} d="{line}"/>{}"#,
        look.dash_attribute(),
        markers(look, &Vec::from_iter(place), R)
    )
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

/// From point to point, as path data; nothing of what lies beyond the frame.
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
