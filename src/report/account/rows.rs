//! The comparisons on a measure as rows of a table.

use super::super::finished::{Finished, SummaryPair};
use super::super::otherwise::Said;
use super::super::page::{VerdictRow, Verdicts};
use super::super::verdicts::{EMPTY_PLACES, apart};
use super::standing::{MeasureStanding, NOT_COMPARABLE};
use super::words::{better, digits, minus, more, quoted, signed, who};
use crate::compare::Estimand;
use crate::protocol::Ending;
use crate::score::Direction;

/// The comparisons on a measure as a table, the baseline among them at 0.
pub(super) fn verdicts(standing: &MeasureStanding<'_>, run: &Finished) -> Verdicts {
    let against = match standing.baseline {
        Some(base) => format!("policy less {}", quoted(base)),
        None => "the first less the second".into(),
    };
    let digits = standing.pairs.iter().filter_map(|pair| digits(pair)).max();
    let mut rows: Vec<(Option<f64>, VerdictRow)> = standing
        .pairs
        .iter()
        .map(|pair| {
            let is_in = pair.verdict != NOT_COMPARABLE;
            let limits = pair.lo.zip(pair.hi).filter(|_| is_in);
            let row = VerdictRow {
                who: who(pair, standing),
                difference: pair
                    .mean
                    .filter(|_| is_in)
                    .map_or(String::new(), |mean| signed(mean, digits)),
                interval: limits.map_or(String::new(), |(lo, hi)| {
                    format!("{} to {}", signed(lo, digits), signed(hi, digits))
                }),
                verdict: pair.verdict.clone(),
                note: note(pair, run),
            };
            (pair.mean.filter(|_| is_in), row)
        })
        .collect();
    if let Some(base) = standing.baseline {
        let row = VerdictRow {
            who: base.to_owned(),
            difference: "0".into(),
            verdict: "baseline".into(),
            ..VerdictRow::default()
        };
        // Best first, as the pairs are.
        let is_behind = |(mean, _): &(Option<f64>, VerdictRow)| match (mean, standing.direction) {
            (None, _) => true,
            (Some(mean), Direction::Lower) => *mean > 0.0,
            (Some(mean), _) => *mean < 0.0,
        };
        let place = rows.iter().position(is_behind).unwrap_or(rows.len());
        rows.insert(place, (Some(0.0), row));
    }
    Verdicts {
        caption: format!(
            "{}: {against}, {}",
            standing.metric,
            better(standing.direction)
        ),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    }
}

fn note(pair: &SummaryPair, run: &Finished) -> String {
    let mut parts = Vec::new();
    match pair.estimand {
        Estimand::Facts if pair.unfilled > 0 && pair.n == 0 => parts.push(EMPTY_PLACES.into()),
        Estimand::Facts => {}
        stream if stream.is_stream() && pair.n == 1 => parts.push(format!("1 {}", stream.unit())),
        stream if stream.is_stream() => parts.push(format!("{} {}", pair.n, stream.units())),
        Estimand::Replications if pair.unfilled > 0 => {
            parts.push(apart(pair.n, pair.unfilled, run.replications));
        }
        Estimand::Replications if pair.n != run.replications => {
            parts.push(format!("n {} of {}", pair.n, run.replications));
        }
        _ => {}
    }
    if pair.verdict == NOT_COMPARABLE {
        for label in [&pair.a, &pair.b] {
            let policy = run.policies.get(label);
            let endings = policy.into_iter().flat_map(|policy| &policy.endings);
            // What goes on, or was cut off, forbids no comparison of one stream.
            let is_stream = pair.estimand.is_stream();
            let tells = |ending: Ending| !(is_stream && ending == Ending::Interrupted);
            let endings: Vec<String> = endings
                .filter(|(ending, _)| tells(**ending))
                .map(|(ending, count)| format!("{ending} {count}"))
                .collect();
            if !endings.is_empty() {
                parts.push(format!("{label} ended {}", endings.join(", ")));
            }
        }
    }
    let said = Said {
        direction: run.directions.of(&pair.metric),
        method: &pair.method,
        verdict: &pair.verdict,
        margin: pair.margin,
        n: pair.n,
        se: pair.se,
        extras: &pair.extras,
    };
    parts.extend(said.by_t().map(|by_t| minus(&by_t)));
    parts.extend(said.beyond_bound());
    parts.extend(more(pair));
    parts.join("; ")
}
