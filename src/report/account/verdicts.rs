//! The intervals of the comparisons, measure by measure.

use super::super::figure::{Axis, Figure, FigurePoint, Mark, MarkAt, Panel, Series, SeriesKind};
use super::super::files::FIGURE_FILES;
use super::drawing::{PANELS, ReportFigure};
use super::standing::{MeasureStanding, NOT_COMPARABLE};
use super::words::better;
use crate::compare::Estimand;

/// Name of the row and of its series, mean, interval.
type DifferenceRow = (String, f64, Option<(f64, f64)>);

/// The most rows of a panel.
const ROWS: usize = 10;

/// A panel a measure: a row a comparison, best first, its mean difference and interval, and 0; none
/// where nothing was compared.
pub(super) fn figure(standings: &[MeasureStanding<'_>], labels: &[&str]) -> Option<ReportFigure> {
    let panels = standings
        .iter()
        .filter_map(|standing| panel(standing, labels));
    let panels: Vec<Panel> = panels.take(PANELS).collect();
    if panels.is_empty() {
        return None;
    }
    // The baseline has a row of its own.
    let made = standings
        .iter()
        .map(|standing| standing.pairs.len() + usize::from(standing.baseline.is_some()));
    let points = panels.iter().flat_map(|panel| &panel.series);
    let rest = match made.sum::<usize>() > points.map(|series| series.points.len()).sum() {
        true => " Not all are drawn; the tables hold all that were made.",
        false => "",
    };
    let pairs = standings.iter().flat_map(|standing| &standing.pairs);
    let estimands: Vec<Estimand> = pairs.map(|pair| pair.estimand).collect();
    let of = match estimands.iter().any(|estimand| estimand.is_stream()) {
        true => "Mean difference over the rounds of this one stream",
        false => "Mean difference at the end of the run, within replications",
    };
    let intervals = "and its interval; all intervals hold together. One that leaves out 0 tells \
                     two policies apart.";
    let facts = "the difference as this stream was played, without an interval";
    let are_facts = |estimand: &Estimand| estimand.is_fact();
    let caption = match (
        estimands.iter().all(are_facts),
        estimands.iter().any(are_facts),
    ) {
        (true, _) => format!("Facts: {facts}.{rest}"),
        (_, true) => format!("{of}, {intervals} Of a fact: {facts}.{rest}"),
        _ => format!("{of}, {intervals}{rest}"),
    };
    Some(ReportFigure {
        file: FIGURE_FILES[0],
        figure: Figure {
            title: "How far apart, and how sure".into(),
            caption,
            panels,
        },
        table: None,
    })
}

fn panel(standing: &MeasureStanding<'_>, labels: &[&str]) -> Option<Panel> {
    let base = standing.baseline;
    let pairs = standing.pairs.iter().filter(|pair| {
        pair.verdict != NOT_COMPARABLE && (base.is_none() || labels.contains(&pair.a.as_str()))
    });
    let mut rows: Vec<DifferenceRow> = pairs
        .filter_map(|pair| {
            let name = match base {
                Some(_) => pair.a.clone(),
                None => format!("{} \u{2212} {}", pair.a, pair.b),
            };
            Some((name, pair.mean?, pair.lo.zip(pair.hi)))
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    if let Some(base) = base {
        let by_standing =
            |label: &str| standing.comparable.iter().position(|known| *known == label);
        rows.push((base.to_owned(), 0.0, None));
        rows.sort_by_key(|(name, ..)| by_standing(name));
    }
    rows.truncate(ROWS);
    // The first is the uppermost.
    rows.reverse();
    let names: Vec<String> = rows.iter().map(|(name, ..)| name.clone()).collect();
    let points = rows.iter().enumerate().map(|(row, (name, mean, limits))| {
        let point = FigurePoint::new(*mean, row as f64);
        let point = limits.map_or(point, |(lo, hi)| point.x_from(lo, hi));
        (name.as_str(), point)
    });
    let series = match base {
        Some(_) => {
            let series =
                points.map(|(name, point)| Series::new(name, SeriesKind::Scatter, [point]));
            let mut series: Vec<_> = series.collect();
            // Looks go by the order of labels, in every figure.
            series.sort_by(|a, b| a.name.cmp(&b.name));
            series
        }
        None => {
            let points = points.map(|(_, point)| point);
            vec![Series::new("", SeriesKind::Scatter, points)]
        }
    };
    let across = match base {
        Some(base) => format!("difference from {base}"),
        None => "difference".into(),
    };
    Some(Panel {
        title: format!("{}: {}", standing.metric, better(standing.direction)),
        x: Axis::linear(across),
        y: Axis::names("", names),
        series,
        marks: vec![Mark {
            at: MarkAt::X(0.0),
            label: String::new(),
        }],
    })
}
