//! The comparisons: a table of a few, a matrix of more. Each number is one text, wherever it is
//! shown.

use super::model::{Model, Rows, Words};
use super::moment::Moment;
use crate::watch::Watched;
use kleroterion_report::report::account::{MeasureSoFar, PairSoFar};
use kleroterion_stats::{Standing, Versus};

/// The most pairs in a table if all policies are compared with all.
const FEW: usize = 3;
/// The most policies in a matrix. It has the best of more.
const WIDE: usize = 16;

/// Fills the comparisons on each measure, with their notes.
pub(super) fn pairs(model: &mut Model, moment: &Moment<'_>) {
    let is_compared = moment.compared > Some(0);
    for (at, metric) in moment.watched.judge.metrics.iter().enumerate() {
        let measures = moment.so_far.measures.iter();
        let mut measures = measures.filter(|measure| is_compared && measure.metric == *metric);
        let measure = measures.next();
        let rows = measure.map_or_else(Vec::new, |measure| match is_matrix(moment.watched) {
            true => matrix(measure),
            false => table(measure),
        });
        model.table(format!("pairs-{at}"), rows);
        let notes = measure.map_or_else(Vec::new, |measure| {
            let about = format!(
                "{}; {}.",
                moment.watched.judge.info(metric).about,
                measure.about
            );
            let cut = is_matrix(moment.watched) && measure.order.len() > WIDE;
            let cut = cut.then(|| {
                let all = measure.order.len();
                format!(
                    "The table has the {WIDE} best of {all} policies; summary.json will have all."
                )
            });
            std::iter::once(about)
                .chain(cut)
                .chain(measure.notes.iter().cloned())
                .collect()
        });
        model.list(&format!("notes-{at}"), notes);
    }
    let about = if is_compared {
        &*moment.so_far.about
    } else {
        ""
    };
    model.text("pairs-about", about);
}

/// Returns true if too many policies are compared with each other for a table.
pub(super) fn is_matrix(watched: &Watched) -> bool {
    let lanes = watched.labels.len();
    matches!(watched.judge.versus, Versus::Everyone) && lanes * lanes.saturating_sub(1) / 2 > FEW
}

/// The rows of the table, one per pair, the largest difference first.
fn table(measure: &MeasureSoFar) -> Rows {
    let heads = ["ahead, against", "difference", "interval", "stands", ""].map(Words::from);
    let row = |pair: &PairSoFar| {
        vec![
            format!("{} against {}", pair.a, pair.b).into(),
            Words::from(&*pair.number).looking("number"),
            pair.interval.as_str().into(),
            Words::from(&*pair.says).looking(format!("chip {}", pair.standing.word())),
            pair.note.as_str().into(),
        ]
    };
    let rows = measure.pairs.iter().map(row);
    std::iter::once(heads.into()).chain(rows).collect()
}

/// The matrix of the pairs, with rows and columns best first. A pair is in the row of the policy
/// that is ahead.
///
/// The corner says "so far" if all pairs are. An empty cell is open.
fn matrix(measure: &MeasureSoFar) -> Rows {
    let is_fact = |pair: &PairSoFar| pair.standing == Standing::SoFar;
    let corner = match measure.pairs.first().is_some_and(is_fact) {
        true => Words::from(Standing::SoFar.words()).looking(Standing::SoFar.word()),
        false => Words::default(),
    };
    let order = &measure.order[..measure.order.len().min(WIDE)];
    let names = order.iter().map(|label| Words::from(&**label));
    let heads = std::iter::once(corner).chain(names).collect();
    let cell = |row: &str, column: &str| {
        let pair = measure.pair(row, column).filter(|pair| pair.a == row);
        let Some(pair) = pair else {
            return Words::default();
        };
        let number = Words::from(&*pair.number);
        match pair.standing {
            Standing::SoFar => number,
            Standing::Open => number.below(&*pair.says).tip(&*pair.interval),
            Standing::Sure => {
                let sure = number.looking(Standing::Sure.word());
                sure.below(&*pair.says).tip(&*pair.interval)
            }
        }
    };
    let row = |row: &String| {
        let cells = order.iter().map(|column| cell(row, column));
        std::iter::once(Words::from(&**row)).chain(cells).collect()
    };
    let rows = order.iter().map(row);
    std::iter::once(heads).chain(rows).collect()
}
