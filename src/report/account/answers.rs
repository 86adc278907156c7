//! What was found on each measure, in words: who leads, by how much, how sure.

use std::collections::BTreeMap;

use super::super::finished::{Finished, SummaryPair};
use super::super::number::{brief, mean_and_se};
use super::super::otherwise::Said;
use super::super::page::{Mood, PageAnswer, VerdictRow, Verdicts};
use super::super::verdicts::{EMPTY_PLACES, apart};
use super::given::{margin, value};
use super::standing::{MeasureStanding, NOT_COMPARABLE};
use super::words::quoted;
use super::words::{NAMED, better, difference, digits, list, minus, more, signed, who};
use crate::compare::{Estimand, FILLED};
use crate::protocol::Ending;
use crate::score::Direction;

/// The answer on a measure.
pub(super) fn answer(standing: &MeasureStanding<'_>, run: &Finished) -> PageAnswer {
    let mut answer = PageAnswer {
        question: format!("{}: {}", standing.metric, better(standing.direction)),
        ..PageAnswer::default()
    };
    let lines = &mut answer.lines;
    match (standing.leaders.as_slice(), standing.direction) {
        _ if standing.comparable.is_empty() => {
            answer.answer = "Nothing can be compared".into();
        }
        ([], Direction::Lower | Direction::Higher) => {
            answer.answer = "Only yardsticks can be compared".into();
        }
        (_, Direction::None) => {
            let differ: Vec<&str> = standing
                .pairs
                .iter()
                .filter(|p| p.verdict == "differs")
                .map(|p| p.a.as_str())
                .collect();
            let all = standing.pairs.len();
            answer.answer = match (differ.len(), standing.baseline) {
                (0, Some(base)) => format!("None is told apart from {}", quoted(base)),
                (0, None) => "None are told apart".into(),
                (some, Some(base)) => format!("{some} of {all} differ from {}", quoted(base)),
                (some, None) => format!("{some} of {all} pairs differ"),
            };
            answer.mood = Mood::Told;
            lines.extend(
                standing
                    .pairs
                    .iter()
                    .filter(|pair| pair.verdict == "differs")
                    .take(NAMED)
                    .map(|pair| format!("{}: {}", who(pair, standing), difference(pair, false))),
            );
        }
        ([leader], _) => {
            answer.answer = format!("{} leads", quoted(leader));
            answer.mood = Mood::Settled;
            lines.extend(lead(leader, standing, run));
        }
        (leaders, _) => {
            let even = leaders[1..].iter().all(|other| {
                let pair = standing.pair(leaders[0], other);
                pair.is_some_and(|p| p.verdict == "identical" || p.verdict == "equivalent")
            });
            if even {
                answer.mood = Mood::Settled;
            }
            answer.answer = match even {
                true => format!("Even: {}", list(leaders, "and")),
                false => format!("Undecided: {}", list(leaders, "or")),
            };
            lines.extend(between(leaders, even, standing, run));
        }
    }
    let yardsticks = standing.comparable.iter().copied();
    let yardsticks = yardsticks.filter(|label| !standing.contenders.contains(label));
    let yardsticks: Vec<&str> = yardsticks.collect();
    if !yardsticks.is_empty() {
        let is = if yardsticks.len() == 1 {
            "a yardstick"
        } else {
            "yardsticks"
        };
        lines.push(format!(
            "Not in the running: {}, {is}.",
            list(&yardsticks, "and")
        ));
    }
    let (bad, alone): (Vec<&str>, Vec<&str>) = standing
        .left_out
        .iter()
        .partition(|label| ended_badly(label, run));
    if !bad.is_empty() {
        lines.push(format!(
            "Not compared: {}, whose lanes did not all end as they were to.",
            list(&bad, "and")
        ));
    }
    if !alone.is_empty() {
        let other = match standing.baseline.is_some_and(|base| bad.contains(&base)) {
            true => " Another baseline tells more: --set report.baseline=…",
            false => "",
        };
        lines.push(format!(
            "With that, {} had nobody to be compared with.{other}",
            list(&alone, "and")
        ));
    }
    answer
}

/// The answer on a measure in which all that may lead have been alike for `rounds` rounds and may
/// yet differ.
pub(super) fn alike(standing: &MeasureStanding<'_>, rounds: u64) -> PageAnswer {
    let times = match rounds {
        _ if standing.is_fact() => {
            "What they have selected so far is the same by this measure.".to_owned()
        }
        1 => "They had the same value in the one round so far.".to_owned(),
        _ => format!("They had the same value in each of {rounds} rounds."),
    };
    PageAnswer {
        question: format!("{}: {}", standing.metric, better(standing.direction)),
        answer: format!("No difference so far: {}", list(&standing.leaders, "and")),
        mood: Mood::Open,
        lines: vec![times],
    }
}

/// Whether a lane of a policy did not do what it was to do.
fn ended_badly(label: &str, run: &Finished) -> bool {
    let is_counted = value(run, &["rules", "until", "rounds"]).is_some();
    let policy = run.lanes.iter().find(|policy| policy.label == label);
    let mut lanes = policy.into_iter().flat_map(|policy| &policy.lanes);
    // One stream is not ended short by an interrupt: the rounds played were played.
    let is_stream = run
        .pairs
        .first()
        .is_some_and(|pair| pair.estimand.is_stream());
    let cut = |ending| is_stream && ending == Ending::Interrupted;
    lanes.any(|lane| !lane.ending.is_comparable(is_counted) && !cut(lane.ending))
}

/// By how much a sole leader leads: on the baseline, and on the next best.
fn lead(leader: &str, standing: &MeasureStanding<'_>, run: &Finished) -> Vec<String> {
    let next = standing
        .contenders
        .iter()
        .copied()
        .find(|label| *label != leader);
    let Some(next) = next else {
        return vec!["The others are yardsticks.".into()];
    };
    let mut lines = Vec::new();
    let base = standing.baseline.filter(|base| *base != leader);
    for other in base.into_iter().chain((base != Some(next)).then_some(next)) {
        let means = means(leader, other, standing, run);
        lines.push(match standing.pair(leader, other) {
            Some(pair) => {
                let amount = difference(pair, pair.a != leader);
                format!("{amount} against {}{means}.", quoted(other))
            }
            None => format!("The next best is {}{means}.", quoted(other)),
        });
    }
    let others = standing.contenders.len() - 1;
    let all = match others {
        2 => "both others".to_owned(),
        others => format!("all {others} others"),
    };
    if standing.is_fact() {
        let of = if others > 1 {
            format!(" of {all}")
        } else {
            String::new()
        };
        lines.push(format!(
            "It is ahead{of} on this stream as it was played: a fact, no estimate."
        ));
    } else if others > 1 {
        lines.push(format!("It is surely ahead of {all}, {}.", how_sure(run)));
    } else {
        lines.push(format!("This is sure, {}.", how_sure(run)));
    }
    lines
}

/// What is to be said where several may lead.
fn between(
    leaders: &[&str],
    even: bool,
    standing: &MeasureStanding<'_>,
    run: &Finished,
) -> Vec<String> {
    let mut lines = Vec::new();
    if even {
        let is_identical = |other: &&str| {
            let pair = standing.pair(leaders[0], other);
            pair.is_some_and(|pair| pair.verdict == "identical")
        };
        lines.push(match margin(run, standing.metric) {
            _ if standing.is_fact() => "They have the same value on this stream.".into(),
            _ if leaders[1..].iter().all(is_identical) => {
                format!("They have the same value in every {}.", unit(standing))
            }
            Some(margin) => format!(
                "No difference is seen, and none beyond the margin of {}.",
                brief(margin, 3)
            ),
            None => "No difference beyond the margin is left.".into(),
        });
    } else {
        let means = means(leaders[0], leaders[1], standing, run);
        let is_level = standing
            .pair(leaders[0], leaders[1])
            .is_some_and(|pair| pair.mean == Some(0.0));
        lines.push(match is_level {
            true => format!("By the mean none is ahead{means}."),
            false => format!(
                "By the mean {} is ahead, but the intervals leave it open{means}.",
                quoted(leaders[0])
            ),
        });
        if standing.pair(leaders[0], leaders[1]).is_none() {
            lines.push(
                "The two were not compared with each other: pairs = \"all\" in [report] asks for it."
                    .into(),
            );
        }
        if let Some(base) = standing.baseline {
            let others = || leaders.iter().filter(|leader| **leader != base);
            for leader in others().take(NAMED) {
                if let Some(pair) = standing.pair(leader, base) {
                    let more = more(pair).map_or(String::new(), |more| format!("; {more}"));
                    lines.push(format!(
                        "{} against {}: {}{more}.",
                        quoted(leader),
                        quoted(base),
                        difference(pair, pair.a != **leader)
                    ));
                }
            }
            if others().count() > NAMED {
                lines.push("The table below holds the others.".into());
            }
        } else {
            for other in leaders[1..].iter().take(NAMED) {
                if let Some(pair) = standing.pair(leaders[0], other) {
                    let more = more(pair).map_or(String::new(), |more| format!("; {more}"));
                    lines.push(format!(
                        "{} against {}: {}{more}.",
                        quoted(leaders[0]),
                        quoted(other),
                        difference(pair, pair.a != leaders[0])
                    ));
                }
            }
        }
    }
    let behind: Vec<&str> = standing
        .contenders
        .iter()
        .copied()
        .filter(|label| !leaders.contains(label))
        .collect();
    if !behind.is_empty() && standing.is_fact() {
        lines.push(format!("Behind on this stream: {}.", list(&behind, "and")));
    } else if !behind.is_empty() {
        lines.push(format!(
            "Surely behind: {}, {}.",
            list(&behind, "and"),
            how_sure(run)
        ));
    }
    lines
}

/// What values are compared in.
fn unit(standing: &MeasureStanding<'_>) -> &'static str {
    standing.estimand().unit()
}

/// The two means, where both are known and what is compared is their difference.
fn means(a: &str, b: &str, standing: &MeasureStanding<'_>, run: &Finished) -> String {
    let estimand = standing.estimand();
    let is_inferred = estimand.is_stream() && !estimand.is_fact();
    // Where committees were left unfilled the means of all lanes are of other replications than
    // those compared.
    if is_inferred || standing.pairs.iter().any(|pair| pair.unfilled > 0) {
        return String::new();
    }
    let mean = |label: &str| {
        let stats = run.policies.get(label)?.metrics.get(standing.metric)?;
        Some(match stats.se {
            Some(_) => mean_and_se(stats.mean, stats.se),
            None => brief(stats.mean, 4),
        })
    };
    match (mean(a), mean(b)) {
        (Some(a), Some(b)) => {
            let what = if a.contains('±') {
                " (± standard error)"
            } else {
                ""
            };
            let values = if estimand.is_fact() {
                "values"
            } else {
                "means"
            };
            minus(&format!("; {values} {a} and {b}{what}"))
        }
        _ => String::new(),
    }
}

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
        metric: &pair.metric,
        method: &pair.method,
        verdict: &pair.verdict,
        margin: pair.margin,
        n: pair.n,
        se: pair.se,
        beside: &pair.beside,
    };
    parts.extend(said.by_t().map(|by_t| minus(&by_t)));
    parts.extend(said.beyond_bound());
    parts.extend(more(pair));
    parts.join("; ")
}
