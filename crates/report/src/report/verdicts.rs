//! The verdicts, by metric and best first, with differences and confidence.

mod metric;
mod row;

use std::collections::BTreeSet;

use self::metric::on_metric;
use super::medium::Medium;
use super::notes::filling;
use super::number::brief;
use super::plain;
use kleroterion_stats::sequence::Catoni;
use kleroterion_stats::{Estimand, FILLED, Judge, Pair, Summary, Verdict, Versus, t};

/// A table per judged metric: a row per comparison, the best mean difference first; against a
/// baseline, it is among the others at its difference of 0. None where nothing is compared.
pub(super) fn verdicts(summary: &Summary, judge: &Judge, medium: &Medium) -> Vec<String> {
    let pairs = &summary.pairs;
    let Some(first) = pairs.first() else {
        return Vec::new();
    };
    let of = match first.estimand {
        Estimand::Replications => "the mean over replications of",
        Estimand::Cases => "the mean over cases of",
        Estimand::LeastChances => "the least chance of a respondent under",
        Estimand::Rounds if pairs.iter().all(|pair| pair.estimand == Estimand::Rounds) => {
            "the running average over the rounds of this one stream of"
        }
        _ => "this one stream, by",
    };
    let whom = match &judge.versus {
        Versus::Baseline(label) => format!("against {0}, on {of} policy - {0}", plain(label)),
        _ => format!("on a vs b, on {of} a - b"),
    };
    let (facts, inferred): (Vec<&Pair>, Vec<&Pair>) =
        pairs.iter().partition(|pair| pair.estimand.is_fact());
    let title = format!("Verdicts {whom}, best first");
    let mut head = medium.title(&title) + "\n";
    if !facts.is_empty() {
        head +=
            "So far: a fact of this one stream as it was played, from which nothing is inferred\n";
    }
    if let Some(first) = inferred.first() {
        let of_answer = summary.answer.between.iter();
        let of_answer = of_answer.filter(|pair| !pair.estimand.is_fact()).count()
            + summary.answer.unlisted as usize;
        let between = match of_answer {
            0 => String::new(),
            between => format!(" ({between} among the others, for the answer)"),
        };
        let hold = match inferred.len() + of_answer {
            1 => "The comparison is right".to_owned(),
            2 => format!("Both comparisons{between} are right together"),
            many => format!("All {many} comparisons{between} are right together"),
        };
        let sure = brief(100.0 * (1.0 - judge.difference_alpha()), 4);
        let alone = brief(first.alpha, 3);
        head += &format!(
            "{hold} with {sure} % confidence, alpha {alone} each{}{}\n",
            kept(first, inferred.len() + of_answer, judge),
            validity(&inferred)
        );
    }
    if let Some(filling) = filling(&summary.policies) {
        head += &(plain(&filling) + "\n");
    }
    let mut sections = vec![head];
    let is_open = |pair: &Pair| pair.verdict == Verdict::Undecided;
    if judge.until_decided && !judge.of_cases && judge.goal.is_none() && pairs.iter().any(is_open) {
        let (many, unit) = (summary.replications, Estimand::Replications);
        let unit = if many == 1 { unit.unit() } else { unit.units() };
        sections.push(format!(
            "The run was to stop when every pair is decided. \
             It ended before that, after its {many} {unit}: for more, raise `replications`.\n",
        ));
    }
    let added = judge.adds_filled().then_some(FILLED);
    let metrics = judge.metrics.iter().map(String::as_str).chain(added);
    sections.extend(metrics.filter_map(|metric| on_metric(metric, summary, judge, medium)));
    sections
}

/// The assumption of Catoni's method.
const BOUNDED: &str =
    "Catoni's method too, where differences vary no more than [report] difference_variance states";

/// Returns a note on the shares of alpha that are kept for `filled`. Every lane filled its
/// committee in that case, so no verdict on it is shown.
fn kept(first: &Pair, shown: usize, judge: &Judge) -> String {
    let all = (judge.difference_alpha() / first.alpha).round() as usize;
    match all.saturating_sub(shown) {
        kept if kept > 0 && judge.adds_filled() && !first.estimand.is_stream() => {
            format!(" ({kept} more kept for {FILLED})")
        }
        _ => String::new(),
    }
}

/// Returns a sentence on which intervals may be looked at while replications go on.
fn validity(pairs: &[&Pair]) -> String {
    let (chances, pairs): (Vec<&Pair>, Vec<&Pair>) = pairs
        .iter()
        .partition(|pair| pair.estimand == Estimand::LeastChances);
    let of_chances = "limits of chances are exact, for a number of replications fixed beforehand";
    match (chances.is_empty(), pairs.is_empty()) {
        (true, _) => of_means(&pairs),
        (false, true) => format!(":\n{of_chances}"),
        (false, false) => format!("{};\n{of_chances}", of_means(&pairs)),
    }
}

/// Returns the sentence for intervals of mean differences.
fn of_means(pairs: &[&Pair]) -> String {
    let fixed = || pairs.iter().filter(|pair| pair.method == t::METHOD);
    let named: BTreeSet<_> = fixed().map(|pair| plain(&pair.metric)).collect();
    let named = named.into_iter().collect::<Vec<_>>().join(", ");
    let units = pairs[0].estimand.units();
    match fixed().count() {
        0 if pairs[0].estimand.is_stream() => {
            ", however often you look:\nof this one stream as far as it was played, since policies \
             learn and pools move"
                .into()
        }
        0 => {
            let catoni = pairs.iter().filter(|pair| pair.method == Catoni::METHOD);
            match catoni.count() {
                0 => ", however often you look:\nbetting is valid at any time".into(),
                all if all == pairs.len() => {
                    ", however often you look,\nif differences vary no more than [report] \
                     difference_variance states"
                        .into()
                }
                _ => format!(", however often you look:\nbetting is valid at any time; {BOUNDED}"),
            }
        }
        all if all == pairs.len() => format!(
            ":\nt is valid for a number of {units} fixed beforehand, not if you stop when you like \
             what you see"
        ),
        _ => format!(
            ":\nbetting is valid at any time; t for a number of {units} fixed beforehand (no \
             declared range: {named})"
        ),
    }
}

#[cfg(test)]
mod tests;
