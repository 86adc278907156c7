//! The verdicts on one metric: a row for each comparison.

use std::collections::BTreeSet;

use super::super::bar::{bars, cells};
use super::super::grid::{GAP, GridColumn, render_with_notes, spread, under_points, wide};
use super::super::medium::{Medium, Weight};
use super::super::notes::better;
use super::super::number::of_differences;
use super::super::plain;
use super::row::PairRow;
use kleroterion_core::score::Direction;
use kleroterion_stats::{Judge, Pair, Summary, Versus};

/// The verdicts on one metric. `None` if nothing is compared by it.
pub(super) fn on_metric(
    metric: &str,
    summary: &Summary,
    judge: &Judge,
    medium: &Medium,
) -> Option<String> {
    let direction = judge.directions.of(metric);
    let pairs = summary.pairs.iter().filter(|pair| pair.metric == metric);
    let pairs: Vec<_> = pairs.collect();
    let is_fact = pairs.first()?.estimand.is_fact();
    let rows = rows(&pairs, direction, summary, judge);
    let who = GridColumn::words("policy", words(&rows, |row| &row.who)).weighing(weights(&rows));
    let mut columns = columns(&rows, direction, is_fact);
    add_bars(&who, &mut columns, &rows, direction, medium);
    let of = match is_fact {
        true => "a fact of this one stream".to_owned(),
        false => methods(&pairs),
    };
    let name = judge.catalogue.words(metric).head();
    let name = match name == metric {
        true => name,
        false => match name.strip_suffix(')') {
            Some(unit) => format!("{unit}; {metric})"),
            None => format!("{name} ({metric})"),
        },
    };
    let head = format!("{}: {}; {of}", plain(&name), better(direction));
    let notes = words(&rows, |row| &row.note);
    let table = render_with_notes(&[who], &columns, &notes, medium);
    Some(format!("{}\n{table}", medium.title(&head)))
}

/// Returns the methods of a metric's intervals.
fn methods(pairs: &[&Pair]) -> String {
    let methods: BTreeSet<_> = pairs.iter().map(|pair| &*pair.method).collect();
    methods.into_iter().collect::<Vec<_>>().join(", ")
}

/// The rows, best first.
fn rows(pairs: &[&Pair], direction: Direction, summary: &Summary, judge: &Judge) -> Vec<PairRow> {
    // As many for all as the narrowest needs: differences are read down the column.
    let column = pairs.iter().map(|pair| {
        let error = pair.se.zip(pair.mean).map(|(se, mean)| spread(se, mean));
        (error, pair.lo.zip(pair.hi))
    });
    let digits = of_differences(&column.collect::<Vec<_>>());
    let rows = pairs
        .iter()
        .map(|pair| PairRow::of(pair, digits, summary, judge));
    let mut rows: Vec<PairRow> = rows.collect();
    if let Versus::Baseline(label) = &judge.versus {
        rows.push(PairRow::baseline(label, judge));
    }
    rows.sort_by(|a, b| direction.best_first(a.mean, b.mean));
    rows
}

/// The columns after the names; those that no row fills are left out.
fn columns(rows: &[PairRow], direction: Direction, is_fact: bool) -> Vec<GridColumn> {
    let with_se = rows.iter().any(|row| !row.interval[1].is_empty());
    let has_limits = rows.iter().any(|row| !row.interval[2].is_empty());
    let difference = match (with_se, has_limits) {
        (true, _) => "difference \u{b1} se, interval",
        (false, false) if is_fact => "difference",
        _ => "difference, interval",
    };
    let beats = match direction {
        Direction::None => "higher in",
        _ => "better in",
    };
    let others = [
        ("p", words(rows, |row| &row.further[0])),
        ("median, interval", words(rows, |row| &row.further[1])),
        (beats, words(rows, |row| &row.further[2])),
    ];
    let is_filled = |cells: &[String]| cells.iter().any(|cell| !cell.is_empty());
    let others = others.into_iter().filter(|(_, cells)| is_filled(cells));
    let mut columns = vec![
        GridColumn::words("verdict", words(rows, |row| &row.verdict)).weighing(weights(rows)),
        GridColumn::words(difference, intervals(rows, with_se)),
    ];
    columns.extend(others.map(|(head, cells)| GridColumn::words(head, cells)));
    columns
}

/// Adds the intervals as bars behind their numbers, where the width has room.
fn add_bars(
    who: &GridColumn,
    columns: &mut Vec<GridColumn>,
    rows: &[PairRow],
    direction: Direction,
    medium: &Medium,
) {
    let drawn: Vec<_> = rows.iter().map(|row| row.drawn).collect();
    let head = match direction {
        Direction::Lower => "< better, 0 is |",
        Direction::Higher => "0 is |, better >",
        Direction::None => "0 is |",
    };
    let cells = cells(medium.width());
    let Some(bars) = bars(&drawn, cells).filter(|_| !medium.is_markup()) else {
        return;
    };
    if wide(std::iter::once(who).chain(&*columns)) + GAP.len() + cells <= medium.width() {
        columns.insert(2, GridColumn::words(head, bars));
    }
}

fn words(rows: &[PairRow], cell: fn(&PairRow) -> &str) -> Vec<String> {
    rows.iter().map(|row| cell(row).to_owned()).collect()
}

fn weights(rows: &[PairRow]) -> Vec<Weight> {
    rows.iter().map(|row| row.weight).collect()
}

/// The means with their standard errors and limits, each under the point of the others.
fn intervals(rows: &[PairRow], with_se: bool) -> Vec<String> {
    let number =
        |at: usize| under_points(rows.iter().map(|row| row.interval[at].clone()).collect());
    let [mean, se, low, high] = [number(0), number(1), number(2), number(3)];
    let intervals = rows.iter().enumerate().map(|(at, row)| {
        let mut cell = mean[at].clone();
        if with_se {
            let sign = match row.interval[1].as_str() {
                "" => ' ',
                _ => '\u{b1}',
            };
            cell += &format!(" {sign} {}", se[at]);
        }
        if !row.interval[2].is_empty() {
            cell += &format!("  [{}, {}]", low[at], high[at]);
        }
        cell
    });
    intervals.collect()
}
