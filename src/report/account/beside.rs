//! What a report adds to the intervals that decide: Student's t, medians, how often one is better,
//! e-values.

use super::super::figure::{Cell, FigureTable};
use super::super::finished::{Finished, SummaryPair};
use super::super::number::noiseless;
use super::super::page::PagePart;
use super::standing::NOT_COMPARABLE;
use crate::compare::PairExtras;

/// What the columns are of; the estimand of each is named.
const ABOUT: &str = "Of the same differences D within replications (of a run of one, within its \
                     rounds), each at its comparison's own share of alpha. None of it is part of \
                     the joint confidence above, and no verdict rests on it.

The mean of D by Student's t, and the interval of its median by order statistics, where the number of replications was fixed beforehand. The median: for heavy tails, of which the mean says little. How often the first has the better value in a replication, a tie counting for half (of a measure without a better side: the higher value); its interval is valid at any time. The e-value against a mean D of 0, where the measure has a declared range: at most 1 in expectation if there is no difference, so that a large one speaks against that. The p-value that holds whenever one looks.";

/// Rows of all comparisons that could be made; nothing where the run says nothing of them.
pub(super) fn part(run: &Finished) -> Option<PagePart> {
    let told = |pair: &&SummaryPair| {
        let PairExtras {
            median, e_value, ..
        } = pair.extras;
        (median.is_some() || e_value.is_some()) && pair.verdict != NOT_COMPARABLE
    };
    let rows: Vec<Vec<Cell>> = run
        .pairs
        .iter()
        .filter(told)
        .map(|pair| row(run, pair))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let headers = [
        "measure",
        "first",
        "second",
        "t, low",
        "t, high",
        "median of D",
        "low",
        "high",
        "first is better",
        "low",
        "high",
        "e-value",
        "p, any time",
    ];
    let is_told = |at: usize| rows.iter().any(|row| row[at] != Cell::Empty);
    let told: Vec<usize> = (0..headers.len()).filter(|at| is_told(*at)).collect();
    let of_row = |row: &Vec<Cell>| told.iter().map(|at| row[*at].clone()).collect();
    let table = PagePart::Table {
        caption: "Next to the verdicts".into(),
        table: FigureTable {
            headers: told.iter().map(|at| headers[*at].to_owned()).collect(),
            rows: rows.iter().map(of_row).collect(),
        },
    };
    Some(PagePart::Fold {
        summary: "Medians, how often one is better, e-values".into(),
        parts: vec![PagePart::Prose(ABOUT.into()), table],
    })
}

fn row(run: &Finished, pair: &SummaryPair) -> Vec<Cell> {
    let size = size(run, pair);
    let tidy = |value: Option<f64>| value.map(|value| noiseless(value, size));
    let beside = &pair.extras;
    let names = [&pair.metric, &pair.a, &pair.b].map(|name| Cell::Text(name.clone()));
    let numbers = [
        tidy(beside.t_lo),
        tidy(beside.t_hi),
        tidy(beside.median),
        tidy(beside.median_lo),
        tidy(beside.median_hi),
        beside.beats,
        beside.beats_lo,
        beside.beats_hi,
        beside.e_value,
        beside.p_anytime,
    ];
    let known = numbers.map(|number| number.map_or(Cell::Empty, Cell::number));
    names.into_iter().chain(known).collect()
}

/// How large the values are whose differences a pair is about.
fn size(run: &Finished, pair: &SummaryPair) -> f64 {
    let of = |label: &String| run.policies.get(label)?.metrics.get(&pair.metric);
    let both = [&pair.a, &pair.b].into_iter().filter_map(of);
    let ends = both.flat_map(|stats| [stats.min, stats.max]);
    ends.fold(0.0, |size: f64, end| size.max(end.abs()))
}
