//! The reduction of points where there are more than can be seen, and the parts of a line in the
//! band of its intervals, cut at the frame.

use std::borrow::Cow;

use super::super::markup::at;
use super::ruler::Axes;
use super::sheet::SheetSeries;
use super::{FigurePoint, ValueSpan};

/// A line or a band with more points is thinned to what can be seen.
const MANY: usize = 250;
/// The width of a column of pixels that many points share.
const COLUMN: f64 = 2.0;

/// The deviation of a path, in pixels, that cannot be seen.
const UNSEEN: f64 = 0.25;

/// Returns the corners of a path from left to right (Ramer 1972). Places on the straight line
/// between others are left out. They enlarge a page and change nothing.
pub(super) fn corners(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut is_corner = vec![false; places.len()];
    let mut open = vec![(0, places.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        for end in [first, last] {
            if let Some(is_corner) = is_corner.get_mut(end) {
                *is_corner = true;
            }
        }
        if last < first + 2 {
            continue;
        }
        let ((x0, y0), (x1, y1)) = (places[first], places[last]);
        let slope = if x1 > x0 { (y1 - y0) / (x1 - x0) } else { 0.0 };
        let off = |at: &usize| (places[*at].1 - y0 - slope * (places[*at].0 - x0)).abs();
        let farthest = (first + 1..last).max_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(at) = farthest.filter(|at| off(at) > UNSEEN) {
            open.extend([(first, at), (at, last)]);
        }
    }
    let kept = places.iter().zip(is_corner);
    kept.filter_map(|(place, is_corner)| is_corner.then_some(*place))
        .collect()
}

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

/// Merges the points in each column of pixels to one, if a band has more points than columns. Its
/// span is the hull of theirs.
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
        path.push(pen);
        path += &at(axes.x.at(point.x), axes.y.at(y));
        pen = 'L';
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_corners_and_nothing_leaves_it_by_more_than_is_seen() {
        assert_eq!(corners(&[]), []);
        assert_eq!(corners(&[(1.0, 2.0)]), [(1.0, 2.0)]);
        let flat: Vec<(f64, f64)> = (0..40).map(|x| (f64::from(x), 3.0)).collect();
        assert_eq!(corners(&flat), [(0.0, 3.0), (39.0, 3.0)]);
        let bent: Vec<(f64, f64)> = (0..40)
            .map(|x| (f64::from(x), if x < 30 { 3.0 } else { f64::from(x) }))
            .collect();
        let known = [(0.0, 3.0), (29.0, 3.0), (30.0, 30.0), (39.0, 39.0)];
        assert_eq!(corners(&bent), known);
        let curve: Vec<(f64, f64)> = (1..60)
            .map(|x| (f64::from(x), 200.0 / f64::from(x)))
            .collect();
        let kept = corners(&curve);
        assert!(kept.len() < 40, "{}", kept.len());
        for (x, y) in curve {
            let after = kept.iter().position(|place| place.0 >= x).unwrap();
            let (from, to) = (kept[after.saturating_sub(1)], kept[after]);
            let share = if to.0 > from.0 {
                (x - from.0) / (to.0 - from.0)
            } else {
                0.0
            };
            assert!((from.1 + share * (to.1 - from.1) - y).abs() <= UNSEEN);
        }
    }
}
