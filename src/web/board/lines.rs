//! The figures: how the differences came about, and a line a policy for each measure that is
//! judged.

use maud::{Markup, PreEscaped, html};

use super::moment::Moment;
use super::seats::shares;
use crate::compare::Versus;
use crate::report::account::{LaneEnd, axis, mark_ends, titled};
use crate::report::figure::{Axis, Figure, FigurePoint, Panel, PolicyLooks, Series, SeriesKind};
use crate::report::markup::text;
use crate::report::number::brief;
use crate::score::MetricInfo;
use crate::watch::ALPHA;
use crate::watch::courses::CoursePoint;

/// The most measures with a panel.
const PANELS: usize = 6;
/// The most policies drawn.
const DRAWN: usize = 8;
/// Where there are more, only two of them have bands: all would hide each other.
const BANDED: usize = 4;
/// The first 1/EARLY of the rounds may lie beyond the panel, because early means jump.
const EARLY: u64 = 8;
/// By this part of the lines' breadth a panel reaches above and below them.
const ROOM: f64 = 0.6;
/// Lines nearer to each other than this part of their bands are not drawn farther apart.
const LEAST: f64 = 0.1;

/// The figures, and the look of each policy that is drawn.
pub(super) struct Figures {
    /// The differences over time.
    pub(super) course: Option<Figure>,
    pub(super) courses: Option<Figure>,
    /// Whom the policies select, against the target.
    pub(super) shares: Option<Figure>,
    pub(super) looks: Vec<(String, usize)>,
}

/// The figures of a moment.
pub(super) fn figures(moment: &Moment<'_>) -> Figures {
    let looks = PolicyLooks::of(moment.order.iter().map(|lane| moment.label(*lane)));
    let dressed = |mut figure: Figure| {
        looks.dress(&mut figure);
        figure
    };
    Figures {
        courses: courses(moment).map(dressed),
        course: moment.so_far.course.clone().map(dressed),
        shares: shares(moment, &looks),
        looks: looks.pairs().to_vec(),
    }
}

/// A figure on the page; nothing where there is none.
pub(super) fn figure_html(name: &str, figure: Option<&Figure>) -> Markup {
    html! {
        @if let Some(figure) = figure {
            figure aria-labelledby={ (name) "-caption" } {
                figcaption id={ (name) "-caption" } {
                    b { (text(&figure.title)) } " " (text(&figure.full_caption()))
                }
                (PreEscaped(figure.inline(name)))
            }
        }
    }
}

fn courses(moment: &Moment<'_>) -> Option<Figure> {
    let metrics = moment.watched.courses.metrics();
    let banded = banded(moment);
    let panels = metrics.iter().take(PANELS).enumerate();
    let panels: Vec<Panel> = panels
        .map(|(at, (metric, range))| panel(moment, &banded, at, metric, range.is_some()))
        .filter(|panel| panel.series.iter().any(|series| !series.points.is_empty()))
        .collect();
    if panels.is_empty() {
        return None;
    }
    let has_bands = !banded.is_empty() && metrics.iter().any(|(_, range)| range.is_some());
    let sure = brief(100.0 * (1.0 - ALPHA), 4);
    let of = match moment.order.len() > BANDED {
        true => " (drawn of two: who is ahead, and the baseline or the next)",
        false => "",
    };
    let alike = match moment.order.len() > 1 {
        true => " All see the same people, so that differences are known better than that.",
        false => "",
    };
    let bands = match has_bands {
        true => format!(
            "Where a round has a value of its own: the mean so far, in its {sure} % interval that \
             holds at any time, each policy's on its own{of}.{alike} "
        ),
        false => String::new(),
    };
    let rest = match (moment.order.len() > DRAWN, metrics.len() > PANELS) {
        (true, _) => format!("Drawn are the first {DRAWN} policies."),
        (_, true) => format!("Drawn are the first {PANELS} measures."),
        _ => String::new(),
    };
    Some(Figure {
        title: "Over the rounds".into(),
        caption: format!("{bands}{rest}").trim_end().to_owned(),
        panels,
    })
}

/// The lanes that have bands: none where the differences have theirs, which say how sure it is.
fn banded(moment: &Moment<'_>) -> Vec<usize> {
    if moment.so_far.course.is_some() {
        return Vec::new();
    }
    let order = moment.order.iter().copied();
    if moment.order.len() <= BANDED {
        return order.collect();
    }
    let is = |label: Option<&str>| {
        order
            .clone()
            .find(|lane| Some(moment.label(*lane)) == label)
    };
    let baseline = match &moment.watched.judge.versus {
        Versus::Baseline(label) => Some(label.as_str()),
        _ => None,
    };
    let chosen = is(moment.so_far.ahead.as_deref())
        .into_iter()
        .chain(is(baseline))
        .chain(order.clone());
    let mut lanes: Vec<usize> = Vec::new();
    for lane in chosen {
        if lanes.len() < 2 && !lanes.contains(&lane) {
            lanes.push(lane);
        }
    }
    lanes
}

/// A place of a line.
struct LinePlace {
    round: u64,
    value: f64,
    band: Option<(f64, f64)>,
}

fn place(point: &CoursePoint, by_round: bool) -> Option<LinePlace> {
    let (value, band) = match point.mean.filter(|_| by_round) {
        Some(mean) => (mean.value, mean.interval),
        None if by_round => return None,
        None => (point.value?, None),
    };
    Some(LinePlace {
        round: point.round,
        value,
        band,
    })
}

fn panel(moment: &Moment<'_>, banded: &[usize], at: usize, metric: &str, by_round: bool) -> Panel {
    let places = |lane: usize| -> Vec<LinePlace> {
        let points = moment.watched.line(&moment.cut, lane, at);
        let places = points.iter().filter_map(|point| place(point, by_round));
        places.collect()
    };
    let lanes = moment.order.iter().take(DRAWN);
    let lines: Vec<(usize, Vec<LinePlace>)> = lanes.map(|lane| (*lane, places(*lane))).collect();
    let is_sum = MetricInfo::of(metric).cumulative && !by_round;
    let window = if is_sum { None } else { window(&lines, banded) };
    let series = lines.iter().map(|(lane, places)| {
        let is_in = |place: &&LinePlace| {
            window.is_none_or(|(lo, hi)| lo <= place.value && place.value <= hi)
        };
        let is_banded = banded.contains(lane);
        let points = places.iter().filter(is_in).map(|place| {
            let point = FigurePoint::new(place.round as f64, place.value);
            match place.band.filter(|_| is_banded) {
                Some((lo, hi)) => point.y_from(lo, hi),
                None => point,
            }
        });
        let kind = match is_banded {
            true => SeriesKind::Funnel,
            false => SeriesKind::Line,
        };
        Series::new(moment.label(*lane), kind, points)
    });
    let mut panel = Panel {
        title: titled(metric, &moment.watched.judge.directions),
        x: Axis::linear("round").whole(),
        y: upright(metric, by_round, window, &lines),
        series: series.collect(),
        marks: vec![],
    };
    let is_drawn = |end: &&LaneEnd| {
        lines
            .iter()
            .any(|(lane, _)| moment.label(*lane) == end.label)
    };
    mark_ends(
        &mut panel,
        lines.len(),
        moment.ended.iter().filter(is_drawn),
    );
    panel
}

/// The axis of a measure's values.
fn upright(
    metric: &str,
    by_round: bool,
    window: Option<(f64, f64)>,
    lines: &[(usize, Vec<LinePlace>)],
) -> Axis {
    let Some((least, most)) = window else {
        let values = lines.iter().flat_map(|(_, places)| places);
        return axis(metric, values.map(|place| place.value));
    };
    let info = MetricInfo::of(metric);
    let (possible, label) = match by_round {
        true => (info.by_round, format!("{metric} a round, mean so far")),
        false => (info.range, metric.to_owned()),
    };
    let (lo, hi) = possible.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    Axis::linear(label).within(least.max(lo), most.min(hi))
}

/// From where to where a panel reaches: around the lines but for their first rounds, not so near
/// that lines which are the same seem apart, and around the intervals of now.
fn window(lines: &[(usize, Vec<LinePlace>)], banded: &[usize]) -> Option<(f64, f64)> {
    let all = || lines.iter().flat_map(|(_, places)| places);
    let newest = all().map(|place| place.round).max()?;
    let late = || all().filter(|place| place.round >= newest / EARLY);
    let lo = late()
        .map(|place| place.value)
        .fold(f64::INFINITY, f64::min);
    let hi = late()
        .map(|place| place.value)
        .fold(f64::NEG_INFINITY, f64::max);
    let last = lines.iter().filter_map(|(_, places)| places.last()?.band);
    let widest = last.map(|(lo, hi)| hi - lo).fold(0.0, f64::max);
    let breadth = (hi - lo)
        .max(LEAST * widest)
        .max(1e-9 * hi.abs().max(lo.abs()));
    let room = if breadth > 0.0 { ROOM * breadth } else { 0.5 };
    let drawn = lines.iter().filter(|(lane, _)| banded.contains(lane));
    let drawn = drawn.filter_map(|(_, places)| places.last()?.band);
    let around = (lo - room, hi + room);
    Some(drawn.fold(around, |(least, most), (lo, hi)| {
        (least.min(lo), most.max(hi))
    }))
}
