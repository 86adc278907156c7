//! Values spread along the rows of an axis of names: boxes of the middle half, and a dot for each
//! value.

use std::fmt::Write as _;

use super::super::markup::px;
use super::ruler::Axes;
use super::sheet::SheetSeries;

/// The most that half a box is high, in pixels.
const HIGHEST: f64 = 11.0;
/// The part of its row that a box or a swarm fills.
const FILL: f64 = 0.72;
/// Dots nearer to each other than this, in pixels, are moved apart.
const APART: f64 = 3.0;
/// About half the width of a dot.
const DOT: f64 = 1.4;

/// Half the height of what is drawn in a row.
fn half(axes: &Axes) -> f64 {
    let row = (axes.y.at(0.0) - axes.y.at(1.0)).abs();
    (row * FILL / 2.0).min(HIGHEST)
}

/// A box over each span of x.
pub(super) fn boxes(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let half = half(axes);
    let mut path = String::new();
    for point in shown.points() {
        let y = axes.y.at(point.y);
        if let Some(span) = point.x_span {
            let (left, right) = (axes.x.at(span.lo), axes.x.at(span.hi));
            let (top, bottom) = (px(y - half), px(y + half));
            let _ = write!(path, "M{} {bottom}V{top}H{}V{bottom}z", px(left), px(right));
        }
        let _ = write!(
            path,
            "M{} {}v{}",
            px(axes.x.at(point.x)),
            px(y - half),
            px(2.0 * half)
        );
    }
    format!(r#"<path fill-opacity=".16" stroke-width="1.25" d="{path}"/>"#)
}

/// Dots at some places, those that would cover each other one above and one below the row in turns.
pub(super) fn swarm(places: &[(f64, f64)], axes: &Axes) -> String {
    let half = half(axes);
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
    let mut path = String::new();
    let mut first = (f64::NEG_INFINITY, f64::NAN);
    let mut crowd = 0_u32;
    for (x, y) in sorted {
        // Equal rows have equal places to the bit.
        if x - first.0 < APART && y == first.1 {
            crowd += 1;
        } else {
            (first, crowd) = ((x, y), 0);
        }
        let steps = f64::from(crowd.div_ceil(2)) * APART;
        let aside = if half > 0.0 { steps % half } else { 0.0 };
        let side = if crowd.is_multiple_of(2) { 1.0 } else { -1.0 };
        let _ = write!(path, "M{} {}h0", px(x), px(y + side * aside));
    }
    let width = px(2.0 * DOT);
    format!(r#"<path stroke-width="{width}" stroke-linecap="round" opacity=".65" d="{path}"/>"#)
}
