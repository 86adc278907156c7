//! The selection of policies shown on the page of a run with many.

use std::collections::BTreeSet;

use super::super::finished::Finished;
use super::standing::MeasureStanding;
use kleroterion_core::score::Direction;

/// The most policies that a page shows row by row: of more it could not be read, nor kept small.
const SHOWN: usize = 50;

/// The run with the policies alone that its page shows: the baseline and the best on each measure in
/// turns; none of a run of few.
pub(super) fn shown(run: &Finished, standings: &[MeasureStanding<'_>]) -> Option<Finished> {
    if run.policies.len() <= SHOWN {
        return None;
    }
    let baseline = standings.iter().find_map(|standing| standing.baseline);
    let best = foremost(run, standings, SHOWN - 1);
    let mut shown: BTreeSet<&str> = baseline.into_iter().chain(best).collect();
    let mut rest = run.policies.keys();
    while shown.len() < SHOWN {
        shown.extend(rest.next().map(String::as_str));
    }
    Some(run.only(|label| shown.contains(label)))
}

/// Returns a note that the page shows only some policies. Empty if it shows all.
pub(super) fn said(run: &Finished, shown: &Finished) -> String {
    if shown.policies.len() == run.policies.len() {
        return String::new();
    }
    format!(
        " This page shows {} of the {} policies, the baseline and the best on each measure in \
         turns; `summary.json` has all.",
        shown.policies.len(),
        run.policies.len()
    )
}

/// The policies that matter most, `most` of them at most: the best on each measure that has a better
/// side, in turns. Those that cannot be the answer come after all others.
pub(super) fn foremost<'a>(
    run: &'a Finished,
    standings: &[MeasureStanding<'a>],
    most: usize,
) -> Vec<&'a str> {
    let ranked = || {
        let sided = standings.iter();
        sided.filter(|standing| standing.direction != Direction::None)
    };
    let best = (0..run.policies.len())
        .flat_map(|place| ranked().filter_map(move |standing| standing.comparable.get(place)));
    let mut chosen: Vec<&str> = Vec::new();
    for label in best.copied() {
        if !chosen.contains(&label) {
            chosen.push(label);
        }
    }
    chosen.sort_by_key(|label| !run.is_contender(label));
    chosen.truncate(most);
    chosen
}
