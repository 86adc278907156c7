//! Rows of an axis of names: how high they are, and dots of several lanes within one.

use super::super::markup::px;
use super::axes::Axes;
use super::panel::PanelPlan;
use super::ruler::Ruler;
use super::series::level_bar;
use super::sheet::{SheetPanel, SheetSeries};
use super::{AxisScale, SeriesKind, ValueSpan};

/// About half the width of a dot of a lane.
pub(super) const DOT: f64 = 3.0;
/// The height of a row of boxes.
const ROW: f64 = 26.0;
/// From lane to lane within a row: of few, and at least.
const LANE: f64 = 7.0;
const LEAST_LANE: f64 = 3.0;
/// The room between the lanes of two rows.
const BETWEEN: f64 = 9.0;
/// The most that the lanes of a row take before they draw nearer to each other.
const HIGHEST: f64 = 56.0;
/// The least height of an area between axes.
const LEAST: f64 = 56.0;

/// The height of the area between the axes of a panel whose y axis bears names; `None` of another.
pub(super) fn height(drawn: &SheetPanel<'_>) -> Option<f64> {
    let AxisScale::Names(names) = &drawn.panel.y.scale else {
        return None;
    };
    if drawn.series.iter().any(|shown| shown.kind.is_cells()) {
        return None;
    }
    let row = match lanes(drawn).count() {
        0 => ROW,
        count => count as f64 * lane(count) + BETWEEN,
    };
    Some((names.len() as f64 * row.max(LANE + BETWEEN)).max(LEAST))
}

/// How far below the middle of its row a lane is; 0 for all that is no lane.
pub(super) fn lane_offset(plan: &PanelPlan<'_>, shown: &SheetSeries<'_>, axes: &Axes) -> f64 {
    if shown.kind != SeriesKind::Lanes {
        return 0.0;
    }
    let count = lanes(plan.drawn).count();
    let row = (axes.y.at(0.0) - axes.y.at(1.0)).abs();
    let apart = lane(count).min((row - 2.0 * DOT).max(0.0) / count as f64);
    let place = lanes(plan.drawn).position(|other| std::ptr::eq(other, shown));
    (place.unwrap_or(0) as f64 - (count as f64 - 1.0) / 2.0) * apart
}

/// A thin bar along x without end caps, with an arrow where it goes on beyond the axis.
pub(super) fn thin_span(axis: &Ruler, span: ValueSpan, y: f64) -> String {
    if axis.is_beyond(span.lo) || axis.is_beyond(span.hi) {
        return level_bar(axis, span, y);
    }
    format!(
        "M{} {}H{}",
        px(axis.at(span.lo)),
        px(y),
        px(axis.at(span.hi))
    )
}

/// From lane to lane where there are so many.
fn lane(count: usize) -> f64 {
    (HIGHEST / count as f64).clamp(LEAST_LANE, LANE)
}

fn lanes<'s, 'a>(drawn: &'s SheetPanel<'a>) -> impl Iterator<Item = &'s SheetSeries<'a>> {
    let series = drawn.series.iter();
    series.filter(|shown| shown.kind == SeriesKind::Lanes)
}
