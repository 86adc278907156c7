//! An explanation of the verdicts' bars, and the joint confidence of a run's intervals.

use std::collections::{BTreeMap, BTreeSet};

use super::super::finished::Finished;
use super::super::number::brief;
use super::super::notes::by_t;
use super::given::{margin, value};
use kleroterion_core::score::Direction;
use kleroterion_stats::{FILLED, LeastChance, Pair, t};

/// Returns the number of shares of alpha that are kept for `filled`. There is one for each pair of
/// policies if all lanes filled their committees.
pub(super) fn kept(run: &Finished) -> usize {
    let mut metrics: BTreeMap<&str, usize> = BTreeMap::new();
    run.comparisons()
        .for_each(|pair| *metrics.entry(&pair.metric).or_default() += 1);
    let is_stream = run
        .pairs
        .first()
        .is_some_and(|pair| pair.estimand.is_stream());
    let fills = value(run, &["rules", "until", "accepted"]).is_some();
    if metrics.is_empty() || !fills || is_stream || metrics.contains_key(FILLED) {
        return 0;
    }
    (metrics.values().sum::<usize>() + unlisted(run)) / metrics.len()
}

/// Returns the number of intervals that hold jointly and are not listed.
fn unlisted(run: &Finished) -> usize {
    run.answer
        .as_ref()
        .map_or(0, |answer| answer.unlisted as usize)
}

/// The chance that any interval is wrong, with what is kept for `filled`.
pub(super) fn alpha(run: &Finished) -> f64 {
    let said: f64 = run.comparisons().map(|pair| pair.alpha).sum();
    let inferred = run.comparisons().filter(|pair| !pair.estimand.is_fact());
    let all = inferred.count();
    match kept(run) + unlisted(run) {
        0 => said,
        more => said * (all + more) as f64 / all as f64,
    }
}

const RUNNING: &str = "A running average is another quantity at each round: what was sure of it \
                       may be open again, and both are dated.";
const FACT: &str =
    "So far: a fact of this one stream. It has no interval, and says nothing of others.";

/// Returns the explanation of the verdicts' bars, and the joint confidence of all intervals.
pub(super) fn about(run: &Finished) -> String {
    let pairs = || run.pairs.iter();
    let inferred = || pairs().filter(|pair| !pair.estimand.is_fact());
    let mut sentences: Vec<String> = Vec::new();
    if inferred().any(|pair| pair.estimand.is_stream()) {
        sentences.push("Mark: the difference over the rounds of this one stream.".into());
    } else if inferred().any(|pair| pair.se.is_some()) {
        sentences.push(
            "Thick bar: the mean difference within replications, ± one standard error.".into(),
        );
    }
    let has_side = |pair: &Pair| run.directions.of(&pair.metric) != Direction::None;
    if inferred().any(has_side) {
        sentences.push("Green: the better side.".into());
    }
    if inferred().any(|pair| pair.dated.is_some()) {
        sentences.push(RUNNING.into());
    }
    if inferred().any(|pair| pair.lo.is_some()) {
        sentences.push("Thin bar: its interval; an arrow where it goes on.".into());
        sentences.push(how_sure(run));
    }
    if pairs().any(|pair| by_t(pair).is_some()) {
        sentences.push(
            "Where t (fixed n) says more, it holds at one look that was planned beforehand, and so \
             needs less."
                .into(),
        );
    }
    if pairs().any(|pair| pair.estimand.is_fact()) {
        sentences.push(FACT.into());
    }
    let mut named = pairs().flat_map(|pair| [&pair.a, &pair.b]);
    if named.any(|label| !run.is_contender(label)) {
        sentences.push(
            "A yardstick is compared with the others, and is never the answer: its verdict is grey."
                .into(),
        );
    }
    let metrics: BTreeSet<&str> = pairs().map(|pair| &*pair.metric).collect();
    if metrics.iter().any(|metric| margin(run, metric).is_some()) {
        sentences.push(
            "Grey band: the margin, within which a difference is too small to matter.".into(),
        );
    }
    sentences.join(" ")
}

/// Returns the joint confidence without an explanation of bars, for numbers without a picture.
pub(super) fn without_bars(run: &Finished) -> String {
    let (facts, inferred): (Vec<_>, Vec<_>) =
        run.pairs.iter().partition(|pair| pair.estimand.is_fact());
    let mut sentences = Vec::new();
    if inferred.iter().any(|pair| pair.lo.is_some()) {
        sentences.push(how_sure(run).replacen("It holds", "The interval holds", 1));
        sentences.push(RUNNING.into());
    }
    if !facts.is_empty() {
        sentences.push(FACT.into());
    }
    sentences.join(" ")
}

/// Returns sentences on the joint confidence of all intervals, and on looking at them during a run.
fn how_sure(run: &Finished) -> String {
    let sure = brief(100.0 * (1.0 - alpha(run)), 4);
    let inferred = || run.comparisons().filter(|pair| !pair.estimand.is_fact());
    let shown = run.pairs.iter().filter(|pair| !pair.estimand.is_fact());
    let shown = shown.count();
    let all = inferred().count() + unlisted(run);
    let hold = match (all, all - shown) {
        (1, _) => "It holds".to_owned(),
        (all, 0) => format!("All {all} intervals hold together"),
        (all, others) => format!(
            "All {all} intervals (the {shown} shown here, and {others} between other policies for \
             the answer) hold together"
        ),
    };
    let fixed = [(t::METHOD, "by t"), (LeastChance::METHOD, "of chances")];
    let many = |method: &str| inferred().filter(|pair| pair.method == method).count();
    let fixed = fixed.map(|(method, words)| (many(method), words));
    let when = match fixed.iter().map(|(many, _)| many).sum::<usize>() {
        0 => ", valid at every look".to_owned(),
        all if all == inferred().count() => ", valid at one look, planned beforehand".to_owned(),
        _ => {
            let named = fixed.iter().filter(|(many, _)| *many > 0);
            let named: Vec<&str> = named.map(|(_, words)| *words).collect();
            let named = named.join(" and ");
            format!(
                ", those {named} valid at one look, planned beforehand, the others at every look"
            )
        }
    };
    format!("{hold} with {sure} % confidence{when}.")
}
