//! The positions of the lanes of a row.

use super::SeriesKind;
use super::axes::Axes;
use super::panel::PanelPlan;
use super::rows::{DOT, lane, lanes};
use super::sheet::SheetSeries;

/// The distance of a lane below the middle of its row. 0 for other series.
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
