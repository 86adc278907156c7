//! The trade-off between two measures: a point for each policy, and the frontier.

use super::super::figure::{
    Axis, Cell, Figure, FigurePoint, FigureTable, Panel, Series, SeriesKind,
};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::drawing::{ReportFigure, axis, drawn_means, interval, is_seen_apart};
use kleroterion_core::score::Direction;
use kleroterion_stats::Stats;

/// Pairs that are worth a picture where a run has both: what is spent, and what it buys.
const PAIRS: [(&str, &str); 4] = [
    ("screened", "representation_loss"),
    ("cost", "cohort_value"),
    ("greedy_reward", "fairness_loss"),
    ("reward_regret", "fair_regret"),
];

/// A policy, and its statistics on the measure across and on the one upwards.
type Place<'a> = (&'a str, &'a Stats, &'a Stats);

/// Makes the figure of the trade-off, with a point for each policy. `None` if no two measures are
/// at odds in this run.
pub(super) fn figure(run: &Finished, labels: &[&str], judged: &[String]) -> Option<ReportFigure> {
    let (across, up) = measures(run, judged)?;
    let places: Vec<Place<'_>> = labels
        .iter()
        .filter_map(|label| {
            let metrics = &run.policies.get(*label)?.metrics;
            Some((*label, metrics.get(&across)?, metrics.get(&up)?))
        })
        .collect();
    let [sideways, upwards] = [&across, &up].map(|metric| run.directions.of(metric));
    let chosen = places.iter().filter(|(label, ..)| run.is_contender(label));
    let ends = frontier(&chosen.copied().collect::<Vec<_>>(), sideways, upwards);
    let word = |direction| match direction {
        Direction::Lower => ("less", "Less"),
        _ => ("more", "More"),
    };
    let sided = |mut axis: Axis, direction| {
        axis.label += &format!(" ({} is better)", word(direction).0);
        axis
    };
    let names = [&across, &up].map(|metric| run.catalogue.words(metric));
    let caption = format!(
        "{} {} {} and {} {} is better; the thin line, the frontier, \
         joins the policies that no other is ahead of in both{}.",
        drawn_means(run, "at the end of the run", true),
        word(sideways).1,
        names[0].short,
        word(upwards).0,
        names[1].short,
        match places.iter().all(|(label, ..)| run.is_contender(label)) {
            true => "",
            false => ", yardsticks aside",
        }
    );
    let panel = Panel {
        title: String::new(),
        x: sided(
            axis(run, &across, places.iter().map(|(_, x, _)| x.mean)),
            sideways,
        ),
        y: sided(
            axis(run, &up, places.iter().map(|(_, _, y)| y.mean)),
            upwards,
        ),
        series: series(run, &places, &ends, [&across, &up]),
        marks: vec![],
    };
    Some(ReportFigure {
        file: FIGURE_FILES[3],
        figure: Figure {
            title: format!("Trade-off: {} against {}", names[0].title, names[1].title),
            caption,
            panels: vec![panel],
        },
        table: Some(table(run, &places, &ends, [&across, &up])),
    })
}

/// The interval of a mean.
fn limits(run: &Finished, metric: &str, stats: &Stats) -> Option<(f64, f64)> {
    interval(run, metric, stats.mean, stats.se, stats.n)
}

/// The frontier, and a point for each policy.
fn series(
    run: &Finished,
    places: &[Place<'_>],
    ends: &[(f64, f64)],
    [across, up]: [&str; 2],
) -> Vec<Series> {
    let mut series = Vec::new();
    if ends.len() > 1 {
        let line = ends.iter().map(|(x, y)| FigurePoint::new(*x, *y));
        series.push(Series::new("frontier", SeriesKind::Guide, line));
    }
    for (label, x, y) in places {
        let mut point = FigurePoint::new(x.mean, y.mean);
        if let Some((lo, hi)) = limits(run, across, x) {
            point = point.x_from(lo, hi);
        }
        if let Some((lo, hi)) = limits(run, up, y) {
            point = point.y_from(lo, hi);
        }
        series.push(Series::new(*label, SeriesKind::Scatter, [point]));
    }
    series
}

/// The means with their intervals, a row for each policy.
fn table(
    run: &Finished,
    places: &[Place<'_>],
    ends: &[(f64, f64)],
    metrics: [&str; 2],
) -> FigureTable {
    let cells = |metric: &str, stats: &Stats| {
        let (lo, hi) = limits(run, metric, stats).unwrap_or((f64::NAN, f64::NAN));
        [stats.mean, lo, hi].map(Cell::number)
    };
    let rows = places.iter().map(|(label, x, y)| {
        let is_end = run.is_contender(label) && ends.contains(&(x.mean, y.mean));
        let mut row = vec![Cell::text(*label)];
        row.extend(cells(metrics[0], x));
        row.extend(cells(metrics[1], y));
        row.push(Cell::text(if is_end { "yes" } else { "no" }));
        row
    });
    let of = |metric| {
        let head = run.catalogue.words(metric).head();
        ["", ", low", ", high"].map(|end| format!("{head}{end}"))
    };
    let mut headers = vec!["policy".to_owned()];
    headers.extend(metrics.into_iter().flat_map(of));
    headers.push("on the frontier".to_owned());
    FigureTable::of(headers, rows)
}

/// Two measures that have better sides and in both of which policies differ: a known pair, else the
/// first two judged.
fn measures(run: &Finished, judged: &[String]) -> Option<(String, String)> {
    let differs = |name: &str| is_seen_apart(run, name);
    let has_side = |name: &str| run.directions.of(name) != Direction::None;
    let is_judged = |name: &str| judged.iter().any(|judged| judged == name);
    let known = PAIRS
        .iter()
        .find(|(a, b)| differs(a) && differs(b) && (is_judged(a) || is_judged(b)));
    if let Some((a, b)) = known {
        return Some(((*a).to_owned(), (*b).to_owned()));
    }
    let beside = ["impact_ratio", "screened", "cost"].map(str::to_owned);
    let mut all = judged
        .iter()
        .chain(&beside)
        .filter(|name| differs(name) && has_side(name));
    let first = all.next()?;
    let second = all.find(|name| *name != first)?;
    Some((first.clone(), second.clone()))
}

/// The means of those that none is ahead of in both, from left to right.
fn frontier(places: &[Place<'_>], sideways: Direction, upwards: Direction) -> Vec<(f64, f64)> {
    let good = |value: f64, direction| {
        if direction == Direction::Lower {
            -value
        } else {
            value
        }
    };
    let goods = |x: &Stats, y: &Stats| (good(x.mean, sideways), good(y.mean, upwards));
    let is_ahead = |a: (f64, f64), b: (f64, f64)| a.0 >= b.0 && a.1 >= b.1 && a != b;
    let mut ends: Vec<(f64, f64)> = places
        .iter()
        .filter(|(_, x, y)| {
            !places
                .iter()
                .any(|(_, u, v)| is_ahead(goods(u, v), goods(x, y)))
        })
        .map(|(_, x, y)| (x.mean, y.mean))
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    ends.dedup();
    ends
}
