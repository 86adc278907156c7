//! How sure the intervals of a run are together.

use std::collections::BTreeMap;

use super::super::finished::Finished;
use super::super::number::brief;
use super::given::value;
use crate::compare::FILLED;

/// How many shares of alpha are kept for `filled`: one a pair of policies, where lanes were to fill
/// committees and all did.
pub(super) fn kept(run: &Finished) -> usize {
    let mut metrics: BTreeMap<&str, usize> = BTreeMap::new();
    run.comparisons()
        .for_each(|pair| *metrics.entry(&pair.metric).or_default() += 1);
    let is_stream = run
        .pairs
        .first()
        .is_some_and(|pair| pair.estimand.is_stream());
    let fills = value(run, &["rules", "until", "accepted"]).is_some();
    match metrics.values().next() {
        Some(pairs) if fills && !is_stream && !metrics.contains_key(FILLED) => *pairs,
        _ => 0,
    }
}

/// The chance that any interval is wrong, with what is kept for `filled`.
pub(super) fn alpha(run: &Finished) -> f64 {
    let said: f64 = run.comparisons().map(|pair| pair.alpha).sum();
    let all = run.comparisons().count();
    match kept(run) {
        0 => said,
        kept => said * (all + kept) as f64 / all as f64,
    }
}

/// How sure all intervals are together.
pub(super) fn how_sure(run: &Finished) -> String {
    let sure = brief(100.0 * (1.0 - alpha(run)), 4);
    let inferred = run.comparisons().filter(|pair| !pair.estimand.is_fact());
    match inferred.count() {
        1 => format!("with {sure} % confidence"),
        all => format!("with {sure} % confidence for all {all} comparisons together"),
    }
}
