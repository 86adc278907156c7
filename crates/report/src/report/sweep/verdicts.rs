//! The verdicts of all runs of a sweep: a row for each run and comparison, a column for each
//! metric.

use super::super::grid::{GridColumn, render, under_points};
use super::super::medium::Medium;
use super::super::number::{brief, fixed, of_differences};
use super::super::plain;
use super::super::points::PointEntry;
use kleroterion_stats::{Judge, Pair, Summary, Verdict};

/// A run and two policies of it.
type Row<'a> = (&'a SweepPoint, &'a str, &'a str);

/// The verdicts of these points, of a sweep of `all` runs. `None` if nothing is compared.
pub(super) fn verdicts(
    points: &[SweepPoint],
    all: usize,
    judge: &Judge,
    medium: &Medium,
) -> Option<String> {
    let pairs = || points.iter().flat_map(|point| &point.summary.pairs);
    let first = pairs().next()?;
    let rows = rows(points);
    let mut lead = lead(rows.iter().map(|(point, ..)| *point));
    let of_rows = |cell: fn(&Row<'_>) -> String| rows.iter().map(cell).collect();
    lead.push(GridColumn::words("policy", of_rows(|row| plain(row.1))));
    let against = if pairs().all(|pair| pair.b == first.b) {
        format!(" against {}", plain(&first.b))
    } else {
        lead.push(GridColumn::words("against", of_rows(|row| plain(row.2))));
        String::new()
    };
    let mut metrics: Vec<&str> = Vec::new();
    for pair in pairs() {
        if !metrics.contains(&pair.metric.as_str()) {
            metrics.push(&pair.metric);
        }
    }
    let columns = metrics.into_iter().map(|metric| {
        let pairs: Vec<_> = rows.iter().map(|row| pair_of(row, metric)).collect();
        let head = judge.catalogue.words(metric).head();
        GridColumn::words(&plain(&head), cells(&pairs))
    });
    let head = format!(
        "Verdicts{against}: the difference of means and its interval. The comparisons of one run \
         are right together; over the {all} runs of the sweep they do not."
    );
    let table = render(&lead, &columns.collect::<Vec<_>>(), medium);
    Some(format!("{}\n\n{table}", medium.title(&head)))
}

/// The comparisons of each run, in the run's order.
fn rows(points: &[SweepPoint]) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for point in points {
        let start = rows.len();
        for pair in &point.summary.pairs {
            let is_known = |row: &Row<'_>| (row.1, row.2) == (pair.a.as_str(), pair.b.as_str());
            if !rows[start..].iter().any(is_known) {
                rows.push((point, &pair.a, &pair.b));
            }
        }
    }
    rows
}

fn pair_of<'a>((point, a, b): &Row<'a>, metric: &str) -> Option<&'a Pair> {
    let mut pairs = point.summary.pairs.iter();
    pairs.find(|pair| pair.metric == metric && pair.a == *a && pair.b == *b)
}

/// Verdict, difference and interval, each under those above it.
fn cells(pairs: &[Option<&Pair>]) -> Vec<String> {
    let words = pairs.iter().map(|pair| pair.map_or(String::new(), word));
    let words: Vec<String> = words.collect();
    let wide = words.iter().map(String::len).max().unwrap_or(0);
    let compared = pairs.iter().flatten();
    let compared = compared.filter(|pair| pair.verdict != Verdict::NotComparable);
    let column = compared.map(|pair| (pair.se, pair.lo.zip(pair.hi)));
    let digits = of_differences(&column.collect::<Vec<_>>());
    let means = pairs.iter().map(|pair| {
        pair.and_then(|pair| mean(pair, digits[0]))
            .unwrap_or_default()
    });
    let means = under_points(means.collect());
    let cells = words.iter().zip(&means).zip(pairs);
    let cell = |((word, mean), pair): ((&String, &String), &Option<&Pair>)| {
        let limits = pair.and_then(|pair| limits(pair, digits[1]));
        let limits = limits.unwrap_or_default();
        format!("{word:wide$}  {mean}  {limits}")
            .trim_end()
            .to_owned()
    };
    cells.map(cell).collect()
}

fn word(pair: &Pair) -> String {
    pair.standing.with(pair.verdict.word())
}

/// The mean. `None` if nothing can be compared.
fn mean(pair: &Pair, decimals: Option<i32>) -> Option<String> {
    let mean = pair
        .mean
        .filter(|_| pair.verdict != Verdict::NotComparable)?;
    Some(number(mean, decimals))
}

fn limits(pair: &Pair, decimals: Option<i32>) -> Option<String> {
    let limits = pair.lo.zip(pair.hi);
    let (lo, hi) = limits.filter(|_| pair.verdict != Verdict::NotComparable)?;
    Some(format!(
        "[{}, {}]",
        number(lo, decimals),
        number(hi, decimals)
    ))
}

fn number(value: f64, decimals: Option<i32>) -> String {
    decimals.map_or_else(|| brief(value, 4), |decimals| fixed(value, decimals))
}

/// One run of a sweep: its name, its settings and its result.
pub struct SweepPoint {
    /// The name of the run and its settings.
    pub entry: PointEntry,
    /// The run's summary.
    pub summary: Summary,
}

/// A column for each key of the sweep, a cell for each row's run.
pub(super) fn lead<'a>(of_rows: impl Iterator<Item = &'a SweepPoint> + Clone) -> Vec<GridColumn> {
    let first = of_rows.clone().next();
    let keys = first
        .map_or(&[][..], |point| &point.entry.set)
        .iter()
        .enumerate();
    let column = |(at, (key, _)): (usize, &(String, String))| {
        let values = of_rows.clone().map(|point| plain(&point.entry.set[at].1));
        GridColumn::words(&plain(key), values.collect())
    };
    keys.map(column).collect()
}
