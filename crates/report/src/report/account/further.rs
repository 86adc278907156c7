//! Statistics besides the intervals that decide: Student's t, medians, shares of wins, and
//! e-values.

use super::super::figure::{Cell, FigureTable};
use super::super::finished::Finished;
use super::super::number::{fixed, noiseless, of_differences, p_value};
use super::super::page::PagePart;
use super::difference::size;
use super::words::{counted, signed};
use kleroterion_stats::sequence::GREATEST_E_VALUE;
use kleroterion_stats::{Pair, PairExtras, Verdict};

const HEADERS: [&str; 8] = [
    "measure",
    "first",
    "second",
    "mean of D, by t",
    "median of D",
    "first is better in",
    "e-value",
    "p, any time",
];

/// Returns the explanation of the columns. The estimand of each is named.
fn about(run: &Finished) -> String {
    let (unit, units) = counted(run);
    let rounds = match unit {
        "case" => "",
        _ => " (of a run of one, within its rounds)",
    };
    format!(
        "Of the same differences D within {units}{rounds}, each at its comparison's own share of \
         alpha. None of it is part of the joint confidence above, and no verdict rests on it.\n\n\
         The mean of D by Student's t, and the interval of its median by order statistics, where \
         the number of {units} was fixed beforehand. The median: for heavy tails, of which the \
         mean says little. How often the first has the better value in a {unit}, a tie counting \
         for half (of a measure without a better side: the higher value); its interval is valid \
         at any time. The e-value against a mean D of 0, where the measure has a declared range: \
         at most 1 in expectation if there is no difference, so that a large one speaks against \
         that. The p-value that holds whenever one looks."
    )
}

/// Rows of all comparisons that could be made. `None` if the run says nothing of them.
pub(super) fn part(run: &Finished) -> Option<PagePart> {
    let is_known = |pair: &&Pair| {
        let PairExtras {
            median, e_value, ..
        } = pair.extras;
        (median.is_some() || e_value.is_some()) && pair.verdict != Verdict::NotComparable
    };
    let pairs = run.pairs.iter().filter(is_known);
    let rows: Vec<Vec<Cell>> = pairs.map(|pair| row(run, pair)).collect();
    if rows.is_empty() {
        return None;
    }
    let is_filled = |at: usize| rows.iter().any(|row| row[at] != Cell::Empty);
    let filled: Vec<usize> = (0..HEADERS.len()).filter(|at| is_filled(*at)).collect();
    let of_row = |row: &Vec<Cell>| filled.iter().map(|at| row[*at].clone()).collect();
    let heads = filled.iter().map(|at| HEADERS[*at]);
    let table = FigureTable::of(heads, rows.iter().map(of_row));
    let table = PagePart::table("Next to the verdicts", table);
    Some(PagePart::Fold {
        summary: "Medians, how often one is better, e-values".into(),
        parts: vec![PagePart::Prose(about(run)), table],
    })
}

fn row(run: &Finished, pair: &Pair) -> Vec<Cell> {
    let PairExtras {
        t_lo,
        t_hi,
        median,
        median_lo,
        median_hi,
        beats,
        beats_lo,
        beats_hi,
        e_value,
        p_anytime,
        ..
    } = pair.extras;
    let size = size(run, pair);
    let tidy = |value: Option<f64>| value.map(|value| noiseless(value, size));
    let limits = |lo: Option<f64>, hi: Option<f64>| tidy(lo).zip(tidy(hi));
    let text = |words: String| match words.is_empty() {
        true => Cell::Empty,
        false => Cell::Text(words),
    };
    let percent = |share: f64| fixed(100.0 * share, 0);
    let often = beats.map_or(String::new(), |beats| match beats_lo.zip(beats_hi) {
        Some((lo, hi)) => format!("{} % ({} to {})", percent(beats), percent(lo), percent(hi)),
        None => format!("{} %", percent(beats)),
    });
    vec![
        Cell::Text(run.catalogue.words(&pair.metric).head()),
        Cell::text(&pair.a),
        Cell::text(&pair.b),
        text(shown(None, limits(t_lo, t_hi))),
        text(shown(tidy(median), limits(median_lo, median_hi))),
        text(often),
        e_value.map_or(Cell::Empty, e_cell),
        p_anytime.map_or(Cell::Empty, |p| Cell::Text(p_value(p))),
    ]
}

/// An e-value; of the greatest that is given, that it is more.
fn e_cell(e_value: f64) -> Cell {
    match e_value >= GREATEST_E_VALUE {
        true => Cell::Text("more than 1e300".into()),
        false => Cell::number(e_value),
    }
}

/// A number and its interval, rounded by the interval.
fn shown(value: Option<f64>, limits: Option<(f64, f64)>) -> String {
    let [_, digits] = of_differences(&[(None, limits)]);
    let within = limits.map(|(lo, hi)| format!("{} to {}", signed(lo, digits), signed(hi, digits)));
    match (value.map(|value| signed(value, digits)), within) {
        (Some(value), Some(within)) => format!("{value} ({within})"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => String::new(),
    }
}
