//! An explanation of the verdicts' bars, and the joint confidence of a run's intervals.

use std::collections::{BTreeMap, BTreeSet};

use super::super::finished::Finished;
use super::super::notes::by_t;
use super::super::number::brief;
use super::words::{counted, is_stopping, margin, percent, value};
use kleroterion_core::score::Direction;
use kleroterion_run::document::Value;
use kleroterion_stats::{Estimand, FILLED, LeastChance, Pair, t};

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
        let (_, units) = counted(run);
        sentences.push(format!(
            "Thick bar: the mean difference within {units}, ± one standard error."
        ));
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
        sentences.push(how_sure(run).replacen("It is right", "The comparison is right", 1));
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
        (1, _) => "It is right".to_owned(),
        (all, 0) => format!("All {all} comparisons are right together"),
        (all, others) => format!(
            "All {all} comparisons (the {shown} shown here, and {others} between other policies for \
             the answer) are right together"
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

/// Returns paragraphs on the estimand, the intervals, and the assumptions of a comparison over the
/// cases of a table.
pub(super) fn of_cases(run: &Finished) -> String {
    let inferred: Vec<&Pair> = run.comparisons().collect();
    let mut paragraphs: Vec<String> = run
        .disclosures
        .iter()
        .map(|told| format!("{told}."))
        .collect();
    if !inferred.is_empty() {
        estimated(&inferred, run, &mut paragraphs);
    }
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
        } else if pairs.iter().any(|pair| pair.estimand == Estimand::Cases) {
            "What is estimated: the mean, over all cases that might come, of the difference between \
             two policies in a case. Differences are taken within cases; cases are independent of \
             each other."
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
