//! The texts of a panel's points, for the script that shows them under the pointer and by keys.

use std::collections::BTreeMap;

use super::super::markup::{escape, px};
use super::super::number::{brief, decimals, fixed, minus};
use super::bars::offsets;
use super::panel::PanelPlan;
use super::ruler::Axes;
use super::sheet::SheetSeries;
use super::{AxisScale, FigurePoint, Panel, SeriesKind, ValueSpan};

/// A place along the axis by which a panel is read.
#[derive(Default)]
struct Stop {
    /// The sum of where its points are, in pixels.
    sum: f64,
    points: Vec<StopPoint>,
}

/// The number of a look, a place in pixels, and what is said of it.
type StopPoint = (usize, f64, f64, String);

/// The attributes of a panel: `data-by` says along which axis it is read (`x`, or `y` from row to
/// row), `data-x` what that axis shows, `data-names` the names by the numbers of their looks, and
/// `data-stops` the places in order, each with what it is called, where it is and its points. Rows
/// that are policies are in `data-rows`, by the numbers of their looks.
pub(super) fn attributes(plan: &PanelPlan<'_>, most: usize) -> String {
    let Some(axes) = &plan.axes else {
        return String::new();
    };
    let panel = plan.drawn.panel;
    let is_read = |shown: &&SheetSeries<'_>| {
        !matches!(shown.kind, SeriesKind::Swarm | SeriesKind::Guide) && !shown.kind.is_cells()
    };
    let by_row = matches!(panel.y.scale, AxisScale::Names(_));
    let mut stops: BTreeMap<String, Stop> = BTreeMap::new();
    let mut names: BTreeMap<usize, &str> = BTreeMap::new();
    for shown in plan.drawn.series.iter().filter(is_read) {
        names.insert(shown.look, shown.name);
        let (aside, below) = offsets(plan, shown, axes);
        for point in thinned(shown, most) {
            let (x, y) = (axes.x.at(point.x) + aside, axes.y.at(point.y) + below);
            let (called, said) = description(point, panel);
            let stop = stops.entry(called).or_default();
            stop.sum += if by_row { y } else { x };
            stop.points.push((shown.look, x, y, said));
        }
    }
    if stops.is_empty() {
        return String::new();
    }
    let mut stops: Vec<(String, f64, Vec<StopPoint>)> = stops
        .into_iter()
        .map(|(called, stop)| (called, stop.sum / stop.points.len() as f64, stop.points))
        .collect();
    stops.sort_by(|a, b| a.1.total_cmp(&b.1));
    let stops = stops.iter().map(|(called, at, points)| {
        let points = points.iter().map(|(look, x, y, said)| {
            format!("[{},{},{},{}]", look + 1, px(*x), px(*y), quoted(said))
        });
        let points = points.collect::<Vec<_>>().join(",");
        format!("[{},{},[{points}]]", quoted(called), px(*at))
    });
    let names = names
        .iter()
        .map(|(look, name)| format!("\"{}\":{}", look + 1, quoted(name)));
    // Rows and named columns are read from the first, a course from its end.
    let from_end = !by_row && !matches!(panel.x.scale, AxisScale::Names(_));
    format!(
        r#" data-by="{}" data-from="{}" data-x="{}" data-panel="{}" data-names='{{{}}}' data-stops='[{}]'{}"#,
        if by_row { "y" } else { "x" },
        if from_end { "end" } else { "start" },
        escape(&panel.x.words()),
        escape(&panel.title),
        names.collect::<Vec<_>>().join(","),
        stops.collect::<Vec<_>>().join(","),
        rows(plan, axes)
    )
}

/// The looks of a panel's rows from top to bottom and the height of one, where each is a policy.
fn rows(plan: &PanelPlan<'_>, axes: &Axes) -> String {
    let AxisScale::Names(names) = &plan.drawn.panel.y.scale else {
        return String::new();
    };
    let looks: Option<Vec<String>> = names
        .iter()
        .rev()
        .map(|name| Some((plan.drawn.look_of(name)? + 1).to_string()))
        .collect();
    match looks {
        Some(looks) => format!(
            r#" data-rows="{}" data-row="{}""#,
            looks.join(" "),
            px((axes.y.at(0.0) - axes.y.at(1.0)).abs())
        ),
        None => String::new(),
    }
}

/// Returns about `most` points at even steps, always with the first and the last.
fn thinned<'s>(shown: &'s SheetSeries<'_>, most: usize) -> impl Iterator<Item = &'s FigurePoint> {
    let last = shown.points().count().saturating_sub(1);
    let every = (last + 1).div_ceil(most.max(1)).max(1);
    let points = shown.points().enumerate();
    points
        .filter(move |(at, _)| at % every == 0 || *at == last)
        .map(|(_, point)| point)
}

/// Returns the name of a point's position, and its value with its span.
fn description(point: &FigurePoint, panel: &Panel) -> (String, String) {
    let name = |names: &[String], at: f64| names.get(at as usize).cloned().unwrap_or_default();
    match (&panel.x.scale, &panel.y.scale) {
        (_, AxisScale::Names(rows)) => (name(rows, point.y), with_span(point.x, point.x_span)),
        (AxisScale::Names(columns), _) => {
            (name(columns, point.x), with_span(point.y, point.y_span))
        }
        _ => (
            format!("{} {}", panel.x.label, with_span(point.x, point.x_span)),
            with_span(point.y, point.y_span),
        ),
    }
}

/// A text as JSON in an attribute between single quotes.
fn quoted(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    // Double quotes need no escape there, and would take most of the room.
    escape(&quoted).replace("&quot;", "\"")
}

/// A value and from where to where it may be, in the digits that the span is worth.
pub(super) fn with_span(value: f64, span: Option<ValueSpan>) -> String {
    let Some(span) = span else {
        return minus(&brief(value, 4));
    };
    let number = |value: f64| match decimals(Some((span.hi - span.lo) / 2.0)) {
        Some(decimals) => minus(&fixed(value, decimals)),
        None => minus(&brief(value, 4)),
    };
    format!(
        "{} ({} to {})",
        number(value),
        number(span.lo),
        number(span.hi)
    )
}
