//! Places that tell a pointer their value: unseen circles, each with a title.

use std::fmt::Write as _;

use super::super::markup::{escape, px};
use super::super::number::brief;
use super::bars::bar_offset;
use super::panel::Plan;
use super::{Kind, Point, Scale, Span};

/// About how far from its place a value can be met, in pixels.
const REACH: f64 = 8.0;

/// A circle for each point, of at most about `most` points a series; nothing where `most` is 0. The group says by which
/// axis one goes from place to place: along x, or from row to row.
pub(super) fn draw(plan: &Plan<'_>, most: usize) -> String {
    let Some(axes) = plan.axes.as_ref().filter(|_| most > 0) else {
        return String::new();
    };
    let panel = plan.drawn.panel;
    let mut circles = String::new();
    for shown in &plan.drawn.series {
        if shown.kind == Kind::Swarm || shown.kind.is_cells() {
            continue;
        }
        let offset = bar_offset(plan, shown, axes);
        let every = shown.points().count().div_ceil(most).max(1);
        for point in shown.points().step_by(every) {
            let (x, y) = (axes.x.at(point.x) + offset, axes.y.at(point.y));
            let _ = write!(
                circles,
                r#"<circle class="n-s{}" cx="{}" cy="{}" r="{REACH}"><title>{}</title></circle>"#,
                shown.look + 1,
                px(x),
                px(y),
                escape(&told(shown.name, point, &panel.x.scale, &panel.y.scale))
            );
        }
    }
    if circles.is_empty() {
        return circles;
    }
    let by = match panel.y.scale {
        Scale::Names(_) => "y",
        _ => "x",
    };
    format!(r#"<g class="k-hits" data-by="{by}" fill="none" pointer-events="all">{circles}</g>"#)
}

/// What stands at a place: the row's or column's name or number, a bar, the series and its value.
fn told(name: &str, point: &Point, x: &Scale, y: &Scale) -> String {
    let column = |scale: &Scale, value: f64| match scale {
        Scale::Names(names) => names.get(value as usize).cloned().unwrap_or_default(),
        _ => number(value),
    };
    let (place, value) = match y {
        Scale::Names(_) => (column(y, point.y), with_span(point.x, point.x_span)),
        _ => {
            let place = match point.x_span {
                Some(_) if matches!(x, Scale::Names(_)) => column(x, point.x),
                _ => with_span_on(column(x, point.x), point.x_span),
            };
            (place, with_span(point.y, point.y_span))
        }
    };
    match name {
        "" => format!("{place} | {value}"),
        name if name == place => format!("{place} | {value}"),
        name => format!("{place} | {name}: {value}"),
    }
}

/// A value and from where to where it may be.
pub(super) fn with_span(value: f64, span: Option<Span>) -> String {
    with_span_on(number(value), span)
}

fn with_span_on(value: String, span: Option<Span>) -> String {
    match span {
        Some(span) => format!("{value} ({} to {})", number(span.lo), number(span.hi)),
        None => value,
    }
}

fn number(value: f64) -> String {
    brief(value, 4).replace('-', "\u{2212}")
}
