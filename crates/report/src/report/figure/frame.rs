//! A panel around its data: titles, grid, ticks, reference lines, labels.

use super::super::markup::{at, escape, px};
use super::look::SeriesLook;
use super::palette::{GRID, INK, MUTED, PAPER};
use super::panel::PanelPlan;
use super::places::{Rect, cut, width};
use super::ruler::{Axes, SIZE};
use super::series;
use super::{AxisScale, MarkAt};

/// The attributes of texts that start, have their middle or end at their place.
pub(super) const START: &str = "";
const MIDDLE: &str = r#" text-anchor="middle""#;
pub(super) const END: &str = r#" text-anchor="end""#;

/// Draws a whole panel, with its upper left corner at 0, 0.
pub(super) fn draw(plan: &PanelPlan<'_>) -> String {
    let mut svg = heads(plan);
    let Some(axes) = &plan.axes else {
        let (x, y) = plan.plot.middle();
        let d = plan.plot.outline();
        svg += &format!(r#"<path class="l-grid" fill="none" stroke="{GRID}" d="{d}"/>"#);
        svg.push_str(&muted("no data", x, y, MIDDLE));
        return svg;
    };
    svg.push_str(&grid(plan, axes));
    svg.push_str(&tick_labels(plan, axes));
    svg.push_str(&marks(plan, axes));
    svg.push_str(&series::draw(plan, axes));
    svg.push_str(&labels(plan));
    svg
}

/// Text in the second ink.
pub(super) fn muted(text: &str, x: f64, y: f64, anchor: &str) -> String {
    let (x, y, text) = (px(x), px(y), escape(text));
    format!(r#"<text class="f-muted" fill="{MUTED}" x="{x}" y="{y}"{anchor}>{text}</text>"#)
}

/// The width of bold letters, as a multiple of that of others.
const BOLD: f64 = 1.15;

/// Title, label of the y axis above the plot, label of the x axis below it.
fn heads(plan: &PanelPlan<'_>) -> String {
    let (panel, room) = (plan.drawn.panel, plan.drawn.width);
    let mut svg = String::new();
    let y = plan.plot.top - 12.0 - plan.moments;
    let has_label = panel.is_labelled(&panel.y);
    if !panel.title.is_empty() {
        let y = if has_label { y - 20.0 } else { y };
        let title = escape(&cut(&panel.title, BOLD * SIZE, room - 8.0));
        let y = px(y);
        svg += &format!(
            r#"<text class="f-ink" fill="{INK}" font-weight="600" x="0" y="{y}">{title}</text>"#
        );
    }
    if has_label {
        let words = cut(&panel.y.words(), SIZE, room - 8.0);
        svg.push_str(&muted(&words, 0.0, y, START));
    }
    if panel.is_labelled(&panel.x) {
        let words = cut(&panel.x.words(), SIZE, room - 8.0);
        // Below the middle of the plot, or as near as the panel has room for.
        let half = (width(&words, SIZE) / 2.0).min(room / 2.0);
        let x = plan.plot.middle().0.clamp(half, room - half);
        let label = muted(&words, x, plan.height - 8.0, MIDDLE);
        svg += &format!(r#"<g class="k-below">{label}</g>"#);
    }
    svg
}

/// Lines of the grid, small ticks, and the x axis.
fn grid(plan: &PanelPlan<'_>, axes: &Axes) -> String {
    let Rect {
        left,
        right,
        bottom,
        ..
    } = plan.plot;
    let (mut rows, mut level, mut small) = (String::new(), String::new(), String::new());
    for (row, tick) in axes.y_ticks.iter().enumerate() {
        let y = px(axes.y.at(tick.value));
        let line = format!("M{} {y}H{}", px(left), px(right));
        match (&tick.label, row_look(plan, row).map(|look| look + 1)) {
            (Some(_), Some(n)) => {
                rows += &format!(
                    r#"<path class="l-grid n-{n}" fill="none" stroke="{GRID}" d="{line}"/>"#
                );
            }
            (Some(_), None) => level += &line,
            (None, _) => small += &format!("M{} {y}h4", px(left)),
        }
    }
    for tick in &axes.x_ticks {
        let length = if tick.label.is_some() { 5 } else { 3 };
        small += &format!("M{}v{length}", at(axes.x.at(tick.value), bottom));
    }
    // The ground is drawn where 0 lies within, else at the foot.
    let ground = axes.y.ground();
    small += &format!("M{}H{}", at(left, bottom), px(right));
    let has_rows = matches!(plan.drawn.panel.y.scale, AxisScale::Names(_));
    if ground < bottom - 0.5 && ground > plan.plot.top && !has_rows {
        small += &format!("M{}H{}", at(left, ground), px(right));
    }
    format!(
        r#"{rows}<path class="l-grid" fill="none" stroke="{GRID}" d="{level}"/><path class="l-muted k-below" fill="none" stroke="{MUTED}" d="{small}"/>"#
    )
}

/// The look of the policy whose row it is, where rows are policies.
fn row_look(plan: &PanelPlan<'_>, row: usize) -> Option<usize> {
    let AxisScale::Names(names) = &plan.drawn.panel.y.scale else {
        return None;
    };
    plan.drawn.look_of(names.get(row)?)
}

fn tick_labels(plan: &PanelPlan<'_>, axes: &Axes) -> String {
    let (mut across, mut upright) = (String::new(), String::new());
    for (row, tick) in axes.y_ticks.iter().enumerate() {
        if let Some(label) = &tick.label {
            let class = row_look(plan, row).map(|look| format!(r#" class="n-{}""#, look + 1));
            let class = class.unwrap_or_default();
            let (x, y) = (
                px(plan.plot.left - 6.0),
                px(axes.y.at(tick.value) + SIZE * 0.35),
            );
            let label = escape(label);
            upright += &format!(r#"<text{class} x="{x}" y="{y}">{label}</text>"#);
        }
    }
    for tick in &axes.x_ticks {
        let Some(label) = &tick.label else {
            continue;
        };
        let (x, y) = (axes.x.at(tick.value), plan.plot.bottom + 18.0);
        let label = escape(label);
        across += &match axes.is_slanted {
            true => format!(
                r#"<text transform="translate({})rotate(-35)">{label}</text>"#,
                at(x + 4.0, y - 2.0)
            ),
            false => format!(r#"<text x="{}" y="{}">{label}</text>"#, px(x), px(y)),
        };
    }
    let anchor = if axes.is_slanted { END } else { MIDDLE };
    format!(
        r#"<g class="f-muted" fill="{MUTED}"><g{}>{upright}</g><g class="k-below"{}>{across}</g></g>"#,
        END, anchor
    )
}

/// The level areas among the reference marks.
fn areas(plan: &PanelPlan<'_>, axes: &Axes) -> String {
    let Rect { left, right, .. } = plan.plot;
    let mut path = String::new();
    for mark in &plan.drawn.marks {
        if let MarkAt::Band(lo, hi) = mark.at {
            let (lo, hi) = (px(axes.y.at(lo)), px(axes.y.at(hi)));
            path += &format!("M{} {lo}H{}V{hi}H{}z", px(left), px(right), px(left));
        }
    }
    match path.as_str() {
        "" => String::new(),
        path => format!(
            r#"<path class="f-muted" fill="{MUTED}" fill-opacity=".14" stroke="none" d="{path}"/>"#
        ),
    }
}

fn marks(plan: &PanelPlan<'_>, axes: &Axes) -> String {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = plan.plot;
    let mut path = String::new();
    for mark in &plan.drawn.marks {
        match mark.at {
            MarkAt::X(x) => path += &format!("M{}V{}", at(axes.x.at(x), top), px(bottom)),
            MarkAt::Y(y) => path += &format!("M{}H{}", at(left, axes.y.at(y)), px(right)),
            MarkAt::Band(..) => {}
        }
    }
    let areas = areas(plan, axes);
    match path.as_str() {
        "" => areas,
        path => format!(r#"{areas}<path class="l-ink" fill="none" stroke="{INK}" d="{path}"/>"#),
    }
}

/// Names and reference labels, on a rim of paper so that they are read over lines; names in the
/// first ink, for the palest colours are too pale for text.
fn labels(plan: &PanelPlan<'_>) -> String {
    let mut svg = String::new();
    for label in &plan.labels {
        if let Some((look, [(x0, y0), (x1, y1)])) = label.leader {
            let (n, paint) = (look + 1, SeriesLook::of(look).paint);
            let (class, colour) = (paint.class, paint.light);
            let path = format!("M{}L{}", at(x0, y0), at(x1, y1));
            svg += &format!(
                r#"<path class="l-{class} n-{n}" fill="none" stroke="{colour}" d="{path}"/>"#
            );
        }
        let anchor = if label.is_end { END } else { START };
        let name = label
            .look
            .map_or(String::new(), |look| format!(" n-{}", look + 1));
        let (x, y, text) = (px(label.x), px(label.y), escape(label.text));
        svg += &format!(
            r#"<text class="f-ink l-paper{name}" fill="{INK}" stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke" x="{x}" y="{y}"{anchor}>{text}</text>"#
        );
    }
    svg
}
