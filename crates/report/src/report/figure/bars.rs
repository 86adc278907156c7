//! Bars and the touching bars of histograms.

use super::super::markup::{at, px};
use super::look::SeriesLook;
use super::panel::{DOT, PanelPlan, lane};
use super::ruler::Axes;
use super::sheet::SheetSeries;
use super::{AxisScale, SeriesKind};

/// The share of its slot that a group of bars fills.
const FILL: f64 = 0.8;

/// Bars of one series, next to those of the others.
pub(super) fn bars(plan: &PanelPlan<'_>, shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let half = bar_width(plan, axes) / 2.0;
    let (offset, _) = offsets(plan, shown, axes);
    let ground = px(axes.y.ground());
    let path: String = shown
        .points()
        .map(|point| {
            let x = axes.x.at(point.x) + offset;
            let (left, right, top) = (px(x - half), px(x + half), px(axes.y.at(point.y)));
            format!("M{left} {ground}V{top}H{right}V{ground}z")
        })
        .collect();
    match path.as_str() {
        "" => String::new(),
        path => format!(r#"<path fill-opacity=".3" stroke-width="1.25" d="{path}"/>"#),
    }
}

/// The touching bars of a histogram: filled areas under one outline.
pub(super) fn bins(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let ground = px(axes.y.ground());
    let mut path = String::new();
    let mut end = f64::NAN;
    for point in shown.points() {
        let Some(span) = point.x_span else {
            continue;
        };
        let (left, right) = (axes.x.at(span.lo), axes.x.at(span.hi));
        let (top, is_apart) = (
            px(axes.y.at(point.y)),
            (left - end).abs() > 0.01 || end.is_nan(),
        );
        match is_apart {
            true if end.is_nan() => path += &format!("M{} {ground}", px(left)),
            true => path += &format!("V{ground}M{} {ground}", px(left)),
            false => {}
        }
        path += &format!("V{top}H{}", px(right));
        end = right;
    }
    if path.is_empty() {
        return String::new();
    }
    let dash = SeriesLook::of(shown.look).dash_attribute();
    format!(r#"<path fill-opacity=".25" stroke-width="1.5"{dash} d="{path}V{ground}"/>"#)
}

/// The width of one bar: its part of the least distance between neighbouring bars.
fn bar_width(plan: &PanelPlan<'_>, axes: &Axes) -> f64 {
    let bars = || plan.drawn.of_kind(SeriesKind::Bars);
    let points = bars().flat_map(SheetSeries::points);
    let mut xs: Vec<f64> = points.map(|point| axes.x.at(point.x)).collect();
    xs.sort_by(f64::total_cmp);
    let apart = xs.windows(2).map(|pair| pair[1] - pair[0]);
    let slot = match &plan.drawn.panel.x.scale {
        AxisScale::Names(names) => (plan.plot.right - plan.plot.left) / names.len().max(1) as f64,
        _ => apart.filter(|gap| *gap > 0.01).fold(60.0, f64::min),
    };
    (FILL * slot / bars().count().max(1) as f64).clamp(0.5, 48.0)
}

/// Returns the distances at which the points of a series are drawn to the right of their position
/// and below it: series of bars are next to each other, and so are lanes of a row.
pub(super) fn offsets(plan: &PanelPlan<'_>, shown: &SheetSeries<'_>, axes: &Axes) -> (f64, f64) {
    let alike = || plan.drawn.of_kind(shown.kind);
    let count = alike().count();
    let rank = alike().position(|other| std::ptr::eq(other, shown));
    let from_middle = rank.unwrap_or(0) as f64 - (count as f64 - 1.0) / 2.0;
    match shown.kind {
        SeriesKind::Bars => (from_middle * bar_width(plan, axes), 0.0),
        SeriesKind::Lanes => {
            let row = (axes.y.at(0.0) - axes.y.at(1.0)).abs();
            let apart = lane(count).min((row - 2.0 * DOT).max(0.0) / count as f64);
            (0.0, from_middle * apart)
        }
        _ => (0.0, 0.0),
    }
}

/// The most that half a box is high, in pixels.
const HIGHEST: f64 = 11.0;
/// The part of its row that a box or a swarm fills.
const BOX_FILL: f64 = 0.72;
/// Dots nearer to each other than this, in pixels, are moved apart.
const APART: f64 = 3.0;
/// About half the width of a dot.
const SWARM_DOT: f64 = 1.4;

/// Half the height of what is drawn in a row.
fn half(axes: &Axes) -> f64 {
    let row = (axes.y.at(0.0) - axes.y.at(1.0)).abs();
    (row * BOX_FILL / 2.0).min(HIGHEST)
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
            path += &format!("M{} {bottom}V{top}H{}V{bottom}z", px(left), px(right));
        }
        let middle = at(axes.x.at(point.x), y - half);
        path += &format!("M{middle}v{}", px(2.0 * half));
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
        path += &format!("M{}h0", at(x, y + side * aside));
    }
    let width = px(2.0 * SWARM_DOT);
    format!(r#"<path stroke-width="{width}" stroke-linecap="round" opacity=".65" d="{path}"/>"#)
}
