//! The quantities that a run's verdicts estimate, their intervals, and the assumptions.

use std::collections::BTreeSet;

use super::super::finished::Finished;
use super::given::{is_stopping, value};
use super::sure::{alpha, kept};
use super::words::percent;
use kleroterion_run::document::Value;
use kleroterion_stats::{Estimand, Pair};

/// Returns paragraphs on the estimand, the intervals, and their assumptions.
pub(super) fn assumed(run: &Finished) -> String {
    let mut paragraphs = Vec::new();
    let (facts, inferred): (Vec<&Pair>, Vec<&Pair>) =
        run.comparisons().partition(|pair| pair.estimand.is_fact());
    if !facts.is_empty() {
        let metrics: BTreeSet<&str> = facts.iter().map(|pair| pair.metric.as_str()).collect();
        let metrics: Vec<&str> = metrics.into_iter().collect();
        paragraphs.push(format!(
            "What each policy has selected of this one stream is a fact: on {} policies are \
             compared as they were played, without an interval. What other streams would give \
             takes replications.",
            metrics.join(", ")
        ));
    }
    if !inferred.is_empty() {
        estimated(&inferred, run, &mut paragraphs);
    }
    if !run.pairs.is_empty() {
        paragraphs.push(
            "A policy is not compared where one of its lanes ended `disqualified`, `panicked` or \
             `left`, or where the source ended short of the rounds that were asked for."
                .to_owned(),
        );
        if value(run, &["rules", "until", "accepted"]).is_some() {
            paragraphs.push(unfilled(run));
        }
    }
    paragraphs.push(
        if is_stopping(run) {
            "The run was to stop with the first replication by which every pair is \
                     decided. Student's t is for a number of replications fixed beforehand, so no \
                     interval is by t, and the figures show none."
        } else {
            "The intervals of the figures over the run, of the trade-off and of the \
                      shares are pointwise: they do not hold together."
        }
        .to_owned(),
    );
    paragraphs.join("\n\n")
}

/// Adds paragraphs on the quantities estimated and their intervals.
fn estimated(pairs: &[&Pair], run: &Finished, paragraphs: &mut Vec<String>) {
    let is_one_stream = pairs.iter().any(|pair| pair.estimand.is_stream());
    paragraphs.push(
        if is_one_stream {
            "What is estimated: the average, over the rounds that both policies played of this \
                 one stream, of what the difference between them was to be expected to be in each \
                 round, given all that came before. Policies learn and pools move, so there is no \
                 mean beyond the rounds played; only measures that have a value in each round can \
                 be compared so. Replications would tell more."
        } else {
            "What is estimated: the mean, over runs of this config, of the difference between \
                  two policies at the end of the run. Both meet the same people and the same draws \
                  in each replication, so that differences are taken within replications; \
                  replications are independent of each other."
        }
        .to_owned(),
    );
    let methods: BTreeSet<&str> = pairs.iter().map(|pair| &*pair.method).collect();
    let methods: Vec<String> = methods
        .into_iter()
        .map(|method| format!("`{method}`"))
        .collect();
    let all = pairs.len();
    let asked = run.pairs.iter().filter(|pair| !pair.estimand.is_fact());
    let between = match all - asked.count() {
        0 => String::new(),
        between => format!(", {between} of them between policies that only the answer compares"),
    };
    let kept = match kept(run) {
        0 => String::new(),
        kept => {
            format!(
                "; {kept} more shares are kept for `filled`, in which all committees were alike"
            )
        }
    };
    paragraphs.push(format!(
        "The intervals of the verdicts are by {}. The chance that any of them is wrong is at most \
         {}, split over the {all} comparisons{between}{kept}.",
        methods.join(", "),
        percent(alpha(run)),
    ));
    let said = EXPLANATIONS.iter();
    let said = said.filter(|(is_of, _)| pairs.iter().any(|pair| is_of(pair)));
    paragraphs.extend(said.map(|(_, text)| (*text).to_owned()));
}

/// The assumption behind an interval, with the test for comparisons that it applies to.
type Explanation = (fn(&Pair) -> bool, &'static str);

const EXPLANATIONS: [Explanation; 6] = [
    (
        |pair| pair.method.contains("any time"),
        "Intervals marked `any time` are valid at every look, whatever makes one stop, of values that lie within their declared range, or vary no more \
         than was stated.",
    ),
    (
        |pair| pair.method.contains("Catoni"),
        "`Catoni` is for measures without a range: it holds where the variance of the difference \
         in a replication is at most what `difference_variance` in `[report]` states. The program \
         can't prove that; the notes of the table say where the differences seen vary more.",
    ),
    (
        |pair| pair.method.contains("fixed n"),
        "`t (fixed n)` is Student's t: valid at one look, planned beforehand, for means that are about \
         normal. It does not hold for a run that was looked at and then prolonged.",
    ),
    (
        |pair| pair.estimand == Estimand::LeastChances,
        "The least chance is that of one respondent among all who can be on a panel. A lottery states \
         it exactly. Of any other policy there is a limit by counts (Clopper and Pearson), at a share \
         of alpha for each respondent, because who was chosen least often is known only afterwards. \
         A policy is better where its least chance lies above the other's limit.",
    ),
    (
        |pair| pair.estimand == Estimand::Outcomes,
        "The interval of a difference of mean outcomes is joined from the sequences of both \
         policies: half of the comparison's share of alpha is each policy's. The policies select \
         other people, so outcomes are not paired.",
    ),
    (
        |pair| pair.estimand == Estimand::Ratios,
        "The interval of a difference of ratios is joined from the sequences of both policies' \
         groups: each ratio lies between the lowest lower end over the highest upper end and the \
         lowest upper end over the highest lower end. Half of the comparison's share of alpha is \
         each policy's, split over its attributes and then over their groups.",
    ),
];

/// Returns a sentence on the comparison of committees with empty places.
fn unfilled(run: &Finished) -> String {
    let others = match value(run, &["report", "unfilled"]) {
        Some(Value::Text(how)) if how == "worst" => {
            "in every other measure it counts with the worst value of the measure's range"
        }
        _ => {
            "every other measure is compared over the replications in which both policies filled \
             theirs"
        }
    };
    let mut pairs = run.pairs.iter();
    let share = match pairs.any(|pair| pair.estimand.is_stream()) {
        true => "",
        false => ", with its own share of that chance",
    };
    format!(
        "A lane that stalled, or ran out of people, left places of its committee empty. Then \
         `filled` is judged by itself{share}. An unfilled committee counts as 0 in `filled` and \
         `quotas_kept`; {others}."
    )
}
