//! The data between the axes: lines, bands, error bars, markers and bars.

use super::super::markup::{at, px};
use super::bars::{self, offsets};
use super::cells;
use super::look::{Marker, SeriesLook};
use super::moments;
use super::palette::{COLOURS, FAINT, MUTED, PAPER};
use super::panel::{DOT, PanelPlan};
use super::ruler::{Axes, Ruler};
use super::sheet::SheetSeries;
use super::thin::{self, corners, distinct, merged, thinned};
use super::{FigurePoint, SeriesKind, ValueSpan};

/// A series with more points shows spans as a band, and only some of its markers.
const FEW: usize = 16;
/// The number of markers that tell lines apart.
const SOME: usize = 5;
/// A scatter with more points has small markers.
const CROWD: usize = 60;
/// About half the width of a marker.
pub(super) const R: f64 = 3.6;

/// Draws all series of a panel, cells and then bands below everything else.
pub(super) fn draw(plan: &PanelPlan<'_>, axes: &Axes) -> String {
    let mut svg = cells::draw(plan.drawn, axes);
    let has_cells = !svg.is_empty();
    for shown in &plan.drawn.series {
        let bands = match shown.kind {
            SeriesKind::Line | SeriesKind::Step if shown.is_muted => lines(shown, axes, false),
            SeriesKind::Line | SeriesKind::Step if shown.points().count() > FEW => {
                bands(shown, axes)
            }
            SeriesKind::Funnel if shown.is_muted => {
                format!(r#"<path fill="none" d="{}"/>"#, thin::line(shown, axes))
            }
            SeriesKind::Funnel => bands(shown, axes) + &thin::edges(shown, axes),
            SeriesKind::Bars => bars::bars(plan, shown, axes),
            SeriesKind::Histogram => bars::bins(shown, axes),
            SeriesKind::Box => bars::boxes(shown, axes),
            SeriesKind::Guide => {
                svg.push_str(&guide(plan, shown, axes));
                continue;
            }
            _ => String::new(),
        };
        svg.push_str(&group(shown, &bands));
    }
    let is_above = |shown: &&SheetSeries<'_>| {
        !shown.kind.is_cells() && shown.kind != SeriesKind::Guide && !shown.is_muted
    };
    for shown in plan.drawn.series.iter() {
        svg.push_str(&group(shown, &moments::drop(shown, axes, &plan.plot)));
    }
    for shown in plan.drawn.series.iter().filter(is_above) {
        let mut shapes = match shown.kind {
            SeriesKind::Line | SeriesKind::Step => lines(shown, axes, has_cells),
            SeriesKind::Funnel => funnel(shown, axes),
            _ => String::new(),
        };
        if shown.kind != SeriesKind::Funnel {
            shapes.push_str(&points(plan, shown, axes));
        }
        svg.push_str(&group(shown, &shapes));
    }
    svg
}

/// A guide. It goes when a script hides a policy whose point it runs through, because without this
/// policy it is another line.
fn guide(plan: &PanelPlan<'_>, shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let path = course(shown, axes);
    let line = format!(r#"<path class="l-muted" fill="none" stroke="{MUTED}" d="{path}"/>"#);
    let is_through = |point: &FigurePoint| {
        shown
            .points()
            .any(|end| (end.x, end.y) == (point.x, point.y))
    };
    let through = plan.drawn.of_kind(SeriesKind::Scatter);
    let through = through.filter(|other| other.points().any(is_through));
    through.fold(line, |inner, other| {
        format!(r#"<g class="n-{}">{inner}</g>"#, other.look + 1)
    })
}

/// A group in the colours of a look.
pub(super) fn coloured(look: usize, shapes: &str) -> String {
    let (n, paint) = (look + 1, SeriesLook::of(look).paint);
    let (class, colour) = (paint.class, paint.light);
    format!(
        r#"<g class="f-{class} l-{class} n-{n}" fill="{colour}" stroke="{colour}">{shapes}</g>"#
    )
}

/// A marker of a look at some places, with a rim of paper around it.
pub(super) fn markers(look: SeriesLook, places: &[(f64, f64)], r: f64) -> String {
    let outlines: String = places
        .iter()
        .map(|(x, y)| look.marker.outline(*x, *y, r))
        .collect();
    if outlines.is_empty() {
        String::new()
    } else if look.marker.is_hollow() {
        format!(r#"<path class="f-paper" fill="{PAPER}" stroke-width="1.75" d="{outlines}"/>"#)
    } else {
        format!(r#"<path class="l-paper" stroke="{PAPER}" stroke-width="1" d="{outlines}"/>"#)
    }
}

fn group(shown: &SheetSeries<'_>, shapes: &str) -> String {
    match shapes {
        "" => String::new(),
        shapes if shown.is_muted => {
            let n = shown.look + 1;
            format!(r#"<g class="l-faint n-{n}" stroke="{FAINT}">{shapes}</g>"#)
        }
        shapes => coloured(shown.look, shapes),
    }
}

/// Returns the path from point to point.
fn course(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let mut path = String::new();
    for run in &shown.runs {
        let run = thinned(run, axes);
        let places = run.iter();
        let places = places.map(|point| (axes.x.at(point.x), axes.y.at(point.y)));
        for (i, (x, y)) in bends(places.collect(), shown).into_iter().enumerate() {
            let (x, y) = (px(x), px(y));
            path += &match (i, shown.kind) {
                (0, _) => format!("M{x} {y}"),
                (_, SeriesKind::Step) => format!("H{x}V{y}"),
                _ => format!("L{x} {y}"),
            };
        }
    }
    path
}

/// A line, on a rim of paper where it runs over cells.
fn lines(shown: &SheetSeries<'_>, axes: &Axes, has_cells: bool) -> String {
    let path = course(shown, axes);
    if shown.is_muted {
        return format!(r#"<path fill="none" stroke-linejoin="round" d="{path}"/>"#);
    }
    let dash = SeriesLook::of(shown.look).dash_attribute();
    let rim = match has_cells {
        true => format!(
            r#"<path class="l-paper" fill="none" stroke="{PAPER}" stroke-width="4.5" d="{path}"/>"#
        ),
        false => String::new(),
    };
    format!(
        r#"{rim}<path fill="none" stroke-width="1.75" stroke-linejoin="round"{dash} d="{path}"/>"#
    )
}

/// The line of a funnel, a marker at its end, and error bars where there is no band.
fn funnel(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let look = SeriesLook::of(shown.look);
    let (dash, line) = (look.dash_attribute(), thin::line(shown, axes));
    let alone = thin::alone(shown).into_iter();
    let bars: String = alone
        .map(|(x, span)| error_bar(&axes.y, span, axes.x.at(x), Way::Upright))
        .collect();
    let bars = match bars.as_str() {
        "" => String::new(),
        bars => format!(r#"<path fill="none" stroke-width="1.25" d="{bars}"/>"#),
    };
    let end = Vec::from_iter(thin::end(shown, axes));
    let ring = moments::ring(shown, axes);
    format!(
        r#"{bars}<path fill="none" stroke-width="1.75" stroke-linejoin="round"{dash} d="{line}"/>{}{ring}"#,
        markers(look, &end, R)
    )
}

/// The spans of y of neighbouring points as one area.
fn bands(shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let mut path = String::new();
    for run in &shown.runs {
        let run = merged(run, axes);
        for spanned in thin::spanned(&run).filter(|part| part.len() > 1) {
            let edge = |end: fn(ValueSpan) -> f64| {
                let place = |point: &FigurePoint| {
                    let end = point.y_span.map_or(point.y, end);
                    (axes.x.at(point.x), axes.y.at(end))
                };
                let places: Vec<(f64, f64)> = spanned.iter().map(place).collect();
                match shown.kind {
                    SeriesKind::Step => stepped(&places),
                    _ => bends(places, shown),
                }
            };
            let mut places = edge(|span| span.hi);
            places.extend(edge(|span| span.lo).into_iter().rev());
            let places: Vec<String> = places.iter().map(|(x, y)| at(*x, *y)).collect();
            path += &format!("M{}z", places.join("L"));
        }
    }
    match path.as_str() {
        "" => String::new(),
        path => format!(r#"<path stroke="none" fill-opacity=".18" d="{path}"/>"#),
    }
}

/// Returns the corners of a line with many points. For stairs and lines with few points it returns
/// all of them.
fn bends(places: Vec<(f64, f64)>, shown: &SheetSeries<'_>) -> Vec<(f64, f64)> {
    match shown.kind {
        SeriesKind::Line if places.len() > FEW => corners(&places),
        _ => places,
    }
}

/// The corners of a staircase in which each value holds until the next.
fn stepped(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners = places[..1].to_vec();
    for pair in places.windows(2) {
        corners.extend([(pair[1].0, pair[0].1), pair[1]]);
    }
    corners
}

/// Markers and error bars.
fn points(plan: &PanelPlan<'_>, shown: &SheetSeries<'_>, axes: &Axes) -> String {
    let count = shown.points().count();
    let is_line = matches!(shown.kind, SeriesKind::Line | SeriesKind::Step);
    let is_dense = is_line && count > FEW;
    let has_x_bars = is_line || shown.kind == SeriesKind::Scatter;
    let mut errors = String::new();
    let mut places = Vec::new();
    let (aside, below) = offsets(plan, shown, axes);
    for point in shown.points() {
        let (x, y) = (axes.x.at(point.x) + aside, axes.y.at(point.y) + below);
        places.push((x, y));
        if let Some(span) = point.x_span.filter(|_| shown.kind == SeriesKind::Lanes) {
            errors += &thin_span(&axes.x, span, y);
        }
        if let Some(span) = point.x_span.filter(|_| has_x_bars) {
            errors += &error_bar(&axes.x, span, y, Way::Level);
        }
        if let Some(span) = point.y_span.filter(|_| !is_dense) {
            errors += &error_bar(&axes.y, span, x, Way::Upright);
        }
    }
    let errors = match errors.as_str() {
        "" => String::new(),
        path => format!(r#"<path fill="none" stroke-width="1.25" d="{path}"/>"#),
    };
    let is_alone = plan.drawn.series.len() == 1;
    let look = SeriesLook::of(shown.look);
    let markers = match shown.kind {
        SeriesKind::Bars | SeriesKind::Histogram if is_alone => String::new(),
        SeriesKind::Swarm => bars::swarm(&places, axes),
        SeriesKind::Lanes => markers(look, &places, DOT),
        SeriesKind::Scatter if count > CROWD => crowd(look, &distinct(&places)),
        SeriesKind::Scatter => markers(look, &places, R + 0.6),
        // One marker, on the highest bin: all of them would hide the outline.
        SeriesKind::Histogram => {
            let highest = places.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
            markers(look, &Vec::from_iter(highest), R)
        }
        _ if count > FEW => markers(look, &some(&places, shown.look), R),
        _ => markers(look, &places, R),
    };
    errors + &markers
}

/// The way of an error bar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Level,
    Upright,
}

/// An error bar at a place across its axis: a cap at each end, or an arrow where the span goes on
/// beyond the axis.
fn error_bar(axis: &Ruler, span: ValueSpan, across: f64, way: Way) -> String {
    let place = |along: f64, across: f64| match way {
        Way::Level => at(along, across),
        Way::Upright => at(across, along),
    };
    // Places grow to the right, and down.
    let (line, cap, inward) = match way {
        Way::Level => ('H', 'v', 4.0),
        Way::Upright => ('V', 'h', -4.0),
    };
    let (lo, hi) = (axis.at(span.lo), axis.at(span.hi));
    let mut path = format!("M{}{line}{}", place(lo, across), px(hi));
    for (end, tip, inward) in [(span.lo, lo, inward), (span.hi, hi, -inward)] {
        let (left, right) = (across - 3.0, across + 3.0);
        if axis.is_beyond(end) {
            let back = tip + inward;
            let [one, tip, other] = [place(back, left), place(tip, across), place(back, right)];
            path += &format!("M{one}L{tip}L{other}");
        } else if !axis.is_below(end) {
            path += &format!("M{}{cap}6", place(tip, left));
        }
    }
    path
}

/// A thin bar along x without end caps, with an arrow where it goes on beyond the axis.
fn thin_span(axis: &Ruler, span: ValueSpan, y: f64) -> String {
    if axis.is_beyond(span.lo) || axis.is_beyond(span.hi) {
        return error_bar(axis, span, y, Way::Level);
    }
    format!("M{}H{}", at(axis.at(span.lo), y), px(axis.at(span.hi)))
}

/// Small markers of a look at many places.
fn crowd(look: SeriesLook, places: &[(f64, f64)]) -> String {
    if look.marker == Marker::Disc {
        // A line without length under a round pen is the shortest disc.
        let dot = |(x, y): &(f64, f64)| format!("M{}h0", at(*x, *y));
        let path: String = places.iter().map(dot).collect();
        return format!(
            r#"<path stroke-width="4" stroke-linecap="round" opacity=".7" d="{path}"/>"#
        );
    }
    // No rim of paper: where markers touch, it would cover them.
    let path: String = places
        .iter()
        .map(|(x, y)| look.marker.outline(*x, *y, 2.0))
        .collect();
    let ink = if look.marker.is_hollow() {
        r#"fill="none""#
    } else {
        r#"stroke="none""#
    };
    format!(r#"<path {ink} opacity=".7" d="{path}"/>"#)
}

/// A few places spread over a line, those of one series between those of another.
fn some(places: &[(f64, f64)], look: usize) -> Vec<(f64, f64)> {
    let between = places.len() as f64 / SOME as f64;
    let first = between * (0.5 + look as f64 / COLOURS as f64) % between;
    (0..SOME)
        .map(|i| (first + i as f64 * between) as usize)
        .filter_map(|i| places.get(i).copied())
        .collect()
}
