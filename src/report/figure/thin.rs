//! Fewer points where there are more than can be seen.

use std::borrow::Cow;

use super::axes::Axes;
use super::{FigurePoint, ValueSpan};

/// A line or a band with more points is thinned to what can be seen.
const MANY: usize = 250;
/// The width of a column of pixels that many points share.
const COLUMN: f64 = 2.0;

/// Places that differ by a pixel, so that a crowd costs no more than what it covers.
pub(super) fn distinct(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut cells: Vec<(i64, i64)> = places
        .iter()
        .map(|(x, y)| (x.round() as i64, y.round() as i64))
        .collect();
    cells.sort_unstable();
    cells.dedup();
    cells
        .into_iter()
        .map(|(x, y)| (x as f64, y as f64))
        .collect()
}

/// The lowest and the highest point of each column of pixels, where a line has more points than
/// that.
pub(super) fn thinned<'a>(run: &'a [FigurePoint], axes: &Axes) -> Cow<'a, [FigurePoint]> {
    if run.len() <= MANY {
        return Cow::Borrowed(run);
    }
    let mut kept: Vec<FigurePoint> = Vec::new();
    for points in columns(run, axes) {
        let indices = 0..points.len();
        let by_y = |a: &usize, b: &usize| points[*a].y.total_cmp(&points[*b].y);
        let mut ends = [indices.clone().min_by(by_y), indices.max_by(by_y)];
        ends.sort_unstable();
        kept.extend(ends.iter().flatten().map(|i| points[*i]));
        if ends[0] == ends[1] {
            kept.pop();
        }
    }
    Cow::Owned(kept)
}

/// One point for each column of pixels, its span the hull of theirs, where a band has more points
/// than that.
pub(super) fn merged<'a>(run: &'a [FigurePoint], axes: &Axes) -> Cow<'a, [FigurePoint]> {
    if run.len() <= MANY {
        return Cow::Borrowed(run);
    }
    let hull = |points: &[FigurePoint]| {
        let spans = || points.iter().filter_map(|point| point.y_span);
        let lo = spans().map(|span| span.lo).fold(f64::INFINITY, f64::min);
        let hi = spans()
            .map(|span| span.hi)
            .fold(f64::NEG_INFINITY, f64::max);
        FigurePoint {
            y_span: (lo <= hi).then_some(ValueSpan { lo, hi }),
            ..points[points.len() / 2]
        }
    };
    Cow::Owned(columns(run, axes).map(hull).collect())
}

/// Points that lie in the same column of [`COLUMN`] pixels.
fn columns<'a>(run: &'a [FigurePoint], axes: &'a Axes) -> impl Iterator<Item = &'a [FigurePoint]> {
    let column = |point: &FigurePoint| (axes.x.at(point.x) / COLUMN).floor();
    run.chunk_by(move |a, b| column(a) == column(b))
}
