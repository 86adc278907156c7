//! The rows of an axis of names: their height, and the distance between lanes.

use super::sheet::{SheetPanel, SheetSeries};
use super::{AxisScale, SeriesKind};

/// About half the width of a lane's dot.
pub(super) const DOT: f64 = 3.0;
/// The height of a row of boxes.
const ROW: f64 = 26.0;
/// The distance between lanes of a row: for few lanes, and at least.
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

/// The distance between lanes, for this number of lanes.
pub(super) fn lane(count: usize) -> f64 {
    (HIGHEST / count as f64).clamp(LEAST_LANE, LANE)
}

/// The series that are lanes.
pub(super) fn lanes<'s, 'a>(
    drawn: &'s SheetPanel<'a>,
) -> impl Iterator<Item = &'s SheetSeries<'a>> {
    let series = drawn.series.iter();
    series.filter(|shown| shown.kind == SeriesKind::Lanes)
}
