//! The comparisons on a measure as rows of its table. The baseline is among them at 0.

use super::super::figure::{PolicyLooks, VerdictBar};
use super::super::finished::Finished;
use super::super::notes::{EMPTY_PLACES, apart, better, beyond_bound, by_t, common, shown_apart};
use super::super::number::{brief, fixed, minus, of_column, shown};
use super::super::page::{PolicyName, VerdictRow, Verdicts};
use super::answers::{is_bad, notes};
use super::difference::progress;
use super::standing::MeasureStanding;
use super::words::{margin, quoted, units};
use kleroterion_core::score::Direction;
use kleroterion_stats::{Estimand, Pair, Stats, Verdict};

/// The table of a measure.
pub(super) fn verdicts(
    standing: &MeasureStanding<'_>,
    run: &Finished,
    looks: &PolicyLooks,
) -> Verdicts {
    let against = match standing.baseline {
        Some(base) => format!("against {}", quoted(base)),
        None => "difference of the two".into(),
    };
    let pairs = standing.pairs.iter();
    let rows = pairs.map(|pair| row(&standing.better_first(pair), standing, run, looks));
    let mut rows: Vec<VerdictRow> = rows.collect();
    let mean = |row: &VerdictRow| row.bar.map(|bar| bar.mean);
    if let Some(base) = standing.baseline {
        // Best first, as the pairs are.
        let is_behind = |row: &VerdictRow| match (mean(row), standing.direction) {
            (None, _) => true,
            (Some(mean), Direction::Lower) => mean > 0.0,
            (Some(mean), _) => mean < 0.0,
        };
        let place = rows.iter().position(is_behind).unwrap_or(rows.len());
        rows.insert(place, baseline(base, standing, run, looks));
    } else {
        // The largest difference first.
        let size = |row: &VerdictRow| mean(row).map_or(-1.0, f64::abs);
        rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    }
    let is_yardstick = |row: &VerdictRow| row.against.is_none() && row.who.is_yardstick;
    rows.sort_by_key(is_yardstick);
    let has_means = rows.iter().any(|row| !row.mean.is_empty());
    let means = if standing.is_fact() { "Value" } else { "Mean" };
    Verdicts {
        measure: standing.metric.to_owned(),
        title: standing.words.head(),
        // No side of a fact is the better one.
        direction: match standing.is_fact() {
            true => Direction::None,
            false => standing.direction,
        },
        about: about_of(standing, run),
        against,
        means: has_means.then_some(means),
        margin: margin(run, standing.metric).filter(|margin| *margin > 0.0),
        rows,
        policies: match standing.baseline {
            Some(_) => Vec::new(),
            None => policies(standing, run, looks),
        },
        notes: notes(standing, run),
    }
}

/// The policies, best first; yardsticks come last, then those that can't be compared.
fn policies(
    standing: &MeasureStanding<'_>,
    run: &Finished,
    looks: &PolicyLooks,
) -> Vec<PolicyName> {
    let all = standing.comparable.iter().chain(&standing.left_out);
    let mut all: Vec<PolicyName> = all.map(|label| name(label, run, looks)).collect();
    all.sort_by_key(|name| name.is_yardstick);
    all
}

/// Returns the better direction, the methods of the intervals, and the margin.
pub(super) fn about_of(standing: &MeasureStanding<'_>, run: &Finished) -> String {
    let margin = margin(run, standing.metric).filter(|margin| *margin > 0.0);
    let margin = margin.map(|margin| format!("margin \u{b1}{}", brief(margin, 3)));
    let words = [better(standing.direction).to_owned(), methods(standing)];
    words
        .into_iter()
        .chain(margin)
        .collect::<Vec<_>>()
        .join("; ")
}

/// Returns the methods of a measure's intervals.
fn methods(standing: &MeasureStanding<'_>) -> String {
    let mut methods: Vec<&str> = Vec::new();
    for pair in standing
        .pairs
        .iter()
        .filter(|pair| !pair.estimand.is_fact())
    {
        if !methods.contains(&&*pair.method) {
            methods.push(&pair.method);
        }
    }
    match methods.is_empty() {
        true => "a fact of this stream as it was played".into(),
        false => format!("interval by {}", methods.join(", ")),
    }
}

/// The row of a pair.
fn row(
    pair: &Pair,
    standing: &MeasureStanding<'_>,
    run: &Finished,
    looks: &PolicyLooks,
) -> VerdictRow {
    let shown = standing.shown(pair, run);
    let is_pair = standing.baseline.is_none();
    VerdictRow {
        who: name(&pair.a, run, looks),
        against: is_pair.then(|| name(&pair.b, run, looks)),
        mean: match is_pair || pair.verdict == Verdict::NotComparable {
            true => String::new(),
            false => mean(&pair.a, standing, run),
        },
        bar: shown.bar,
        difference: shown.with_error(),
        interval: shown.interval(),
        counted: match pair.verdict {
            Verdict::NotComparable => String::new(),
            _ => many(pair, run),
        },
        wins: wins(pair),
        verdict: pair.verdict.word().into(),
        standing: Some(pair.standing),
        progress: progress(pair, run),
        note: brief_note(pair, run),
        aside: aside(pair).join("; "),
    }
}

/// The share of replications in which the first is better, in percent. Empty if none is known.
fn wins(pair: &Pair) -> String {
    let beats = pair.extras.beats.filter(|_| !pair.estimand.is_stream());
    beats.map_or(String::new(), |share| fixed(100.0 * share, 0))
}

/// The number of rounds, people or replications compared.
fn many(pair: &Pair, run: &Finished) -> String {
    let (unit, units) = units(run, pair.estimand);
    format!("{} {}", pair.n, if pair.n == 1 { unit } else { units })
}

fn baseline(
    label: &str,
    standing: &MeasureStanding<'_>,
    run: &Finished,
    looks: &PolicyLooks,
) -> VerdictRow {
    let zero = VerdictBar {
        mean: 0.0,
        se: None,
        limits: None,
    };
    VerdictRow {
        who: name(label, run, looks),
        mean: mean(label, standing, run),
        bar: Some(zero),
        difference: "0".into(),
        verdict: "baseline".into(),
        ..VerdictRow::default()
    }
}

/// A policy, with its look among all of the run.
fn name(label: &str, run: &Finished, looks: &PolicyLooks) -> PolicyName {
    PolicyName {
        label: label.to_owned(),
        look: looks.look(label).unwrap_or_default(),
        is_yardstick: !run.is_contender(label),
    }
}

/// The decimals of a measure's means.
fn decimals(standing: &MeasureStanding<'_>, run: &Finished) -> Option<i32> {
    let all = standing.comparable.iter();
    let all = all.filter_map(|label| run.policies.get(*label)?.metrics.get(standing.metric)?.se);
    of_column(all)
}

/// The mean of a policy. Empty if what is compared is not the difference of two means.
fn mean(label: &str, standing: &MeasureStanding<'_>, run: &Finished) -> String {
    let decimals = decimals(standing, run);
    let error = |stats: &Stats| {
        let error = stats.se.filter(|se| *se > 0.0);
        let error = error.map(|se| format!(" ± {}", shown(se, decimals)));
        error.unwrap_or_default()
    };
    let shown =
        stats(label, standing, run).map(|stats| shown(stats.mean, decimals) + &error(stats));
    shown.unwrap_or_default()
}

/// The mean of a policy without its error, with the decimals of its column.
pub(super) fn mean_of(
    label: &str,
    standing: &MeasureStanding<'_>,
    run: &Finished,
) -> Option<String> {
    let stats = stats(label, standing, run)?;
    Some(shown(stats.mean, decimals(standing, run)))
}

/// The statistics of a policy, if what is compared is the difference of two means.
fn stats<'a>(label: &str, standing: &MeasureStanding<'_>, run: &'a Finished) -> Option<&'a Stats> {
    let estimand = standing.estimand();
    // Where committees were left unfilled the means of all lanes are of other replications than
    // those compared, and the running averages of a stream are of other rounds.
    let is_other = estimand.is_stream() && !estimand.is_fact() || standing.has_unfilled;
    let stats = run.policies.get(label);
    let stats = stats.and_then(|policy| policy.metrics.get(standing.metric));
    stats.filter(|_| !is_other)
}

/// Returns the notes on a pair.
pub(super) fn note(pair: &Pair, run: &Finished) -> String {
    let brief = Some(brief_note(pair, run)).filter(|note| !note.is_empty());
    let all: Vec<String> = brief.into_iter().chain(aside(pair)).collect();
    all.join("; ")
}

/// Returns the notes on a pair's method.
fn aside(pair: &Pair) -> Vec<String> {
    let by_t = by_t(pair).map(|by_t| minus(&by_t));
    by_t.into_iter().chain(beyond_bound(pair)).collect()
}

/// Returns the note on a pair: the people it is about, and the time at which it was sure.
fn brief_note(pair: &Pair, run: &Finished) -> String {
    let mut parts = Vec::new();
    let is_open = progress(pair, run).is_some_and(|progress| progress.whole.is_some());
    match pair.estimand {
        Estimand::Facts if pair.unfilled > 0 && pair.n == 0 => parts.push(EMPTY_PLACES.into()),
        // One that had ended is held against others who went on.
        Estimand::Facts => parts.extend(
            shown_apart(pair, &run.policies).map(|(a, b)| format!("after {a} and {b} people")),
        ),
        // Its progress says so.
        stream if stream.is_stream() && is_open => {}
        stream if stream.is_stream() => parts.push(compared(pair, run)),
        Estimand::Replications if pair.unfilled > 0 => {
            parts.push(apart(pair.n, pair.unfilled, run.replications));
        }
        Estimand::Replications | Estimand::Cases if pair.n != run.replications => {
            parts.push(format!("n {} of {}", pair.n, run.replications));
        }
        _ => {}
    }
    if pair.verdict == Verdict::NotComparable {
        parts.extend(
            [&pair.a, &pair.b]
                .into_iter()
                .filter_map(|label| ended(label, run)),
        );
    }
    parts.extend(pair.when(units(run, pair.estimand).0));
    parts.join("; ")
}

/// Returns a phrase with the number of rounds over which two lanes are compared on one stream.
/// These are the rounds that both played, if one ended before the other.
fn compared(pair: &Pair, run: &Finished) -> String {
    let many = many(pair, run);
    match shown_apart(pair, &run.policies) {
        Some(_) if pair.estimand == Estimand::Rounds => common(&many),
        _ => many,
    }
}

/// Returns the endings of a policy's lanes that forbid its comparisons, with counts if there are
/// several lanes.
fn ended(label: &str, run: &Finished) -> Option<String> {
    let endings = &run.policies.get(label)?.endings;
    let all: u64 = endings.values().sum();
    let bad = endings.iter().filter(|(ending, _)| is_bad(**ending, run));
    let bad = bad.map(|(ending, lanes)| {
        let word = ending.word().replace('_', " ");
        match all {
            1 => word,
            _ => format!("{word} ({lanes} of {all} lanes)"),
        }
    });
    let bad: Vec<String> = bad.collect();
    (!bad.is_empty()).then(|| format!("{} ended: {}", quoted(label), bad.join(", ")))
}
