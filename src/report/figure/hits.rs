//! Places that tell a pointer their value: unseen circles, each with a title.

use std::fmt::Write as _;

use super::super::markup::{escape, px};
use super::super::number::brief;
use super::bars::bar_offset;
use super::panel::PanelPlan;
use super::rows::lane_offset;
use super::{AxisScale, FigurePoint, Panel, SeriesKind, ValueSpan};

/// About how far from its place a value can be met, in pixels.
const REACH: f64 = 8.0;

/// A circle for each point, of at most about `most` points a series; nothing where `most` is 0. The
/// group says by which axis one goes from place to place: along x, or from row to row.
pub(super) fn draw(plan: &PanelPlan<'_>, most: usize) -> String {
    let Some(axes) = plan.axes.as_ref().filter(|_| most > 0) else {
        return String::new();
    };
    let panel = plan.drawn.panel;
    let mut circles = String::new();
    for shown in &plan.drawn.series {
        if matches!(shown.kind, SeriesKind::Swarm | SeriesKind::Guide) || shown.kind.is_cells() {
            continue;
        }
        let offset = bar_offset(plan, shown, axes);
        let lane = lane_offset(plan, shown, axes);
        let every = shown.points().count().div_ceil(most).max(1);
        for point in shown.points().step_by(every) {
            let (x, y) = (axes.x.at(point.x) + offset, axes.y.at(point.y) + lane);
            let _ = write!(
                circles,
                r#"<circle class="n-s{}" cx="{}" cy="{}" r="{REACH}"><title>{}</title></circle>"#,
                shown.look + 1,
                px(x),
                px(y),
                escape(&description(shown.name, point, panel))
            );
        }
    }
    if circles.is_empty() {
        return circles;
    }
    // Rows and named columns are read from the first, a course from its end.
    let (by, start) = match (&panel.x.scale, &panel.y.scale) {
        (_, AxisScale::Names(_)) => ("y", "first"),
        (AxisScale::Names(_), _) => ("x", "first"),
        _ => ("x", "last"),
    };
    format!(
        r#"<g class="k-hits" data-by="{by}" data-start="{start}" fill="none" pointer-events="all">{circles}</g>"#
    )
}

/// The words for a place: the row's or column's name or number, a bar, the series and its value.
fn description(name: &str, point: &FigurePoint, panel: &Panel) -> String {
    let (place, value) = match (&panel.x.scale, &panel.y.scale) {
        (_, AxisScale::Names(rows)) => (
            rows.get(point.y as usize).cloned().unwrap_or_default(),
            with_span(point.x, point.x_span),
        ),
        (AxisScale::Names(columns), _) => (
            columns.get(point.x as usize).cloned().unwrap_or_default(),
            with_span(point.y, point.y_span),
        ),
        _ => (
            format!("{} {}", panel.x.label, with_span(point.x, point.x_span)),
            with_span(point.y, point.y_span),
        ),
    };
    match name {
        "" => format!("{place} | {value}"),
        name if name == place => format!("{place} | {value}"),
        name => format!("{place} | {name}: {value}"),
    }
}

/// A value and from where to where it may be.
pub(super) fn with_span(value: f64, span: Option<ValueSpan>) -> String {
    match span {
        Some(span) => format!(
            "{} ({} to {})",
            number(value),
            number(span.lo),
            number(span.hi)
        ),
        None => number(value),
    }
}

fn number(value: f64) -> String {
    brief(value, 4).replace('-', "\u{2212}")
}
