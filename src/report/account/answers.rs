//! What was found on each measure, in words: who leads, by how much, how sure.

use super::super::finished::{Finished, SummaryPair};
use super::super::number::{brief, mean_and_se};
use super::super::page::{Mood, PageAnswer};
use super::given::{margin, value};
use super::standing::MeasureStanding;
use super::sure::how_sure;
use super::words::{NAMED, better, difference, list, minus, more, quoted, who};
use crate::protocol::Ending;
use crate::score::Direction;

/// The answer on a measure.
pub(super) fn answer(standing: &MeasureStanding<'_>, run: &Finished) -> PageAnswer {
    let mut answer = match (standing.leaders.as_slice(), standing.direction) {
        _ if standing.comparable.is_empty() => open("Nothing can be compared".into()),
        ([], Direction::Lower | Direction::Higher) => {
            open("Only yardsticks can be compared".into())
        }
        (_, Direction::None) => differing(standing),
        ([leader], _) => PageAnswer {
            mood: Mood::Settled,
            lines: lead(leader, standing, run),
            ..open(format!("{} leads", quoted(leader)))
        },
        (leaders, _) => several(leaders, standing, run),
    };
    answer.question = format!("{}: {}", standing.metric, better(standing.direction));
    answer.lines.extend(yardsticks(standing));
    answer.lines.extend(left_out(standing, run));
    answer
}

/// An answer in a few words.
fn open(answer: String) -> PageAnswer {
    PageAnswer {
        answer,
        ..PageAnswer::default()
    }
}

/// The answer on a measure of which neither way is better: who differs.
fn differing(standing: &MeasureStanding<'_>) -> PageAnswer {
    let differ = || standing.pairs.iter().filter(|p| p.verdict == "differs");
    let all = standing.pairs.len();
    let answer = match (differ().count(), standing.baseline) {
        (0, Some(base)) => format!("None is told apart from {}", quoted(base)),
        (0, None) => "None are told apart".into(),
        (some, Some(base)) => format!("{some} of {all} differ from {}", quoted(base)),
        (some, None) => format!("{some} of {all} pairs differ"),
    };
    let line =
        |pair: &&SummaryPair| format!("{}: {}", who(pair, standing), difference(pair, false));
    PageAnswer {
        mood: Mood::Told,
        lines: differ().take(NAMED).map(line).collect(),
        ..open(answer)
    }
}

/// The answer on a measure on which several may lead.
fn several(leaders: &[&str], standing: &MeasureStanding<'_>, run: &Finished) -> PageAnswer {
    let is_even = leaders[1..].iter().all(|other| {
        let pair = standing.pair(leaders[0], other);
        pair.is_some_and(|p| p.verdict == "identical" || p.verdict == "equivalent")
    });
    let (answer, mut lines) = match is_even {
        true => (
            format!("Even: {}", list(leaders, "and")),
            vec![even(leaders, standing, run)],
        ),
        false => (
            format!("Undecided: {}", list(leaders, "or")),
            undecided(leaders, standing, run),
        ),
    };
    lines.extend(behind(leaders, standing, run));
    let mut answer = PageAnswer {
        lines,
        ..open(answer)
    };
    if is_even {
        answer.mood = Mood::Settled;
    }
    answer
}

/// Who can be compared and can never be the answer.
fn yardsticks(standing: &MeasureStanding<'_>) -> Option<String> {
    let all = standing.comparable.iter().copied();
    let yardsticks = all.filter(|label| !standing.contenders.contains(label));
    let yardsticks: Vec<&str> = yardsticks.collect();
    let is = match yardsticks.len() {
        0 => return None,
        1 => "a yardstick",
        _ => "yardsticks",
    };
    let names = list(&yardsticks, "and");
    Some(format!("Not in the running: {names}, {is}."))
}

/// Who can't be compared, and why.
fn left_out(standing: &MeasureStanding<'_>, run: &Finished) -> Vec<String> {
    let left_out = standing.left_out.iter();
    let (bad, alone): (Vec<&str>, Vec<&str>) = left_out.partition(|label| ended_badly(label, run));
    let mut lines = Vec::new();
    if !bad.is_empty() {
        lines.push(format!(
            "Not compared: {}, whose lanes did not all end as they were to.",
            list(&bad, "and")
        ));
    }
    if !alone.is_empty() {
        let other = match standing.baseline.is_some_and(|base| bad.contains(&base)) {
            true => {
                " Another baseline may say more: --baseline LABEL of klero report, replay or resume."
            }
            false => "",
        };
        lines.push(format!(
            "Then {} had no policy to be compared with.{other}",
            list(&alone, "and")
        ));
    }
    lines
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
    let mut endings = policy.into_iter().flat_map(|policy| policy.endings());
    // One stream is not ended short by an interrupt: the rounds played were played.
    let is_stream = run
        .pairs
        .first()
        .is_some_and(|pair| pair.estimand.is_stream());
    let cut = |ending| is_stream && ending == Ending::Interrupted;
    endings.any(|ending| !ending.is_comparable(is_counted) && !cut(*ending))
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

/// How those who lead are even.
fn even(leaders: &[&str], standing: &MeasureStanding<'_>, run: &Finished) -> String {
    let is_identical = |other: &&str| {
        let pair = standing.pair(leaders[0], other);
        pair.is_some_and(|pair| pair.verdict == "identical")
    };
    match margin(run, standing.metric) {
        _ if standing.is_fact() => "They have the same value on this stream.".into(),
        _ if leaders[1..].iter().all(is_identical) => {
            format!("They have the same value in every {}.", unit(standing))
        }
        Some(margin) => format!(
            "No difference is seen, and none beyond the margin of {}.",
            brief(margin, 3)
        ),
        None => "No difference beyond the margin is left.".into(),
    }
}

/// What is known of those who may lead: who is ahead by the mean, and the comparisons with the
/// baseline or else with the first.
fn undecided(leaders: &[&str], standing: &MeasureStanding<'_>, run: &Finished) -> Vec<String> {
    let first = standing.pair(leaders[0], leaders[1]);
    let means = means(leaders[0], leaders[1], standing, run);
    let mut lines = vec![match first.is_some_and(|pair| pair.mean == Some(0.0)) {
        true => format!("By the mean none is ahead{means}."),
        false => format!(
            "By the mean {} is ahead, but the intervals leave it open{means}.",
            quoted(leaders[0])
        ),
    }];
    if first.is_none() {
        lines.push(
            "The two were not compared with each other: pairs = \"all\" in [report] asks for it."
                .into(),
        );
    }
    let Some(base) = standing.baseline else {
        let others = leaders[1..].iter().take(NAMED);
        lines.extend(others.filter_map(|other| against(leaders[0], other, standing)));
        return lines;
    };
    let others = || leaders.iter().filter(|leader| **leader != base);
    let named = others().take(NAMED);
    lines.extend(named.filter_map(|leader| against(leader, base, standing)));
    if others().count() > NAMED {
        lines.push("The table below holds the others.".into());
    }
    lines
}

/// The comparison of `a` with `b`, where there is one, and how many more rounds may decide it.
fn against(a: &str, b: &str, standing: &MeasureStanding<'_>) -> Option<String> {
    let pair = standing.pair(a, b)?;
    let more = more(pair).map_or(String::new(), |more| format!("; {more}"));
    let amount = difference(pair, pair.a != a);
    Some(format!(
        "{} against {}: {amount}{more}.",
        quoted(a),
        quoted(b)
    ))
}

/// Who is behind those who may lead.
fn behind(leaders: &[&str], standing: &MeasureStanding<'_>, run: &Finished) -> Option<String> {
    let contenders = standing.contenders.iter().copied();
    let behind: Vec<&str> = contenders
        .filter(|label| !leaders.contains(label))
        .collect();
    if behind.is_empty() {
        return None;
    }
    let names = list(&behind, "and");
    Some(match standing.is_fact() {
        true => format!("Behind on this stream: {names}."),
        false => format!("Surely behind: {names}, {}.", how_sure(run)),
    })
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
