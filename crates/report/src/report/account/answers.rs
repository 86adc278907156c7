//! The findings on each measure, in words: the leader and the difference in a line, and further
//! notes.

use super::super::figure::{Cell, FigureTable};
use super::super::finished::Finished;
use super::super::notes::{better, bounds, filling};
use super::super::number::{brief, shown};
use super::super::page::{Findings, MeasureFinding, Mood, PagePart};
use super::difference::{progress, turned};
use super::order::{is_drawn, pairs_in_the_running};
use super::standing::MeasureStanding;
use super::words::{NAMED, list, margin, quoted, units, value};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{Direction, Metrics};
use kleroterion_stats::{Answer, GoalAnswer, Pair, Standing, Tested, Verdict};

/// Returns the finding on a measure: its leaders.
pub(super) fn finding(standing: &MeasureStanding<'_>, run: &Finished) -> MeasureFinding {
    let found = match (standing.leaders.as_slice(), standing.direction) {
        _ if standing.comparable.is_empty() => found(Mood::Open, "Nothing can be compared"),
        _ if standing.is_fact() => seen(standing, run),
        ([], Direction::Lower | Direction::Higher) => {
            found(Mood::Open, "Only yardsticks can be compared")
        }
        (_, Direction::None) => differing(standing, run),
        ([leader], _) => MeasureFinding {
            detail: lead(leader, standing, run),
            ..found(Mood::Settled, format!("{} leads", quoted(leader)))
        },
        (leaders, _) if is_even(leaders, standing) => {
            found(Mood::Settled, format!("Even: {}", list(leaders, "and")))
        }
        (leaders, _) if standing.alike().is_some() => found(
            Mood::Open,
            format!("No difference seen: {}", list(leaders, "and")),
        ),
        (leaders, _) => MeasureFinding {
            detail: ahead(leaders, standing, run),
            ..found(Mood::Open, format!("Open: {}", list(leaders, "or")))
        },
    };
    MeasureFinding {
        measure: standing.words.title.to_string(),
        side: better(standing.direction).to_owned(),
        ..found
    }
}

/// Returns a sentence on the number of rounds or replications in which the leaders have been alike.
fn alike_note(standing: &MeasureStanding<'_>, many: u64, run: &Finished) -> String {
    let (unit, units) = units(run, standing.estimand());
    match many {
        1 => format!("They had the same value in the one {unit}."),
        _ => format!("They had the same value in each of {many} {units}."),
    }
}

/// Returns the values observed in one stream, best first. They are a fact, and no policy is better
/// by it.
fn seen(standing: &MeasureStanding<'_>, run: &Finished) -> MeasureFinding {
    let value = |label: &&&str| {
        let stats = run.policies.get(**label)?.metrics.get(standing.metric)?;
        let value = shown(stats.mean, None);
        Some(format!("{} {value}", quoted(label)))
    };
    let all = standing.comparable.iter();
    let values: Vec<String> = all.take(NAMED).filter_map(|label| value(&label)).collect();
    let rest = match standing.comparable.len() > NAMED {
        true => ", …",
        false => "",
    };
    MeasureFinding {
        detail: format!(": {}{rest}, a fact of this one stream", values.join(", ")),
        ..found(Mood::SoFar, "So far")
    }
}

/// Returns the notes on a measure. They are on equal leaders, comparisons left out, policies that
/// are behind, and those that cannot be the answer.
pub(super) fn notes(standing: &MeasureStanding<'_>, run: &Finished) -> Vec<String> {
    let leaders = standing.leaders.as_slice();
    let mut notes = Vec::new();
    if let [first, second, ..] = leaders {
        if standing.is_fact() {
            // What was seen is all there is to be said.
        } else if is_even(leaders, standing) {
            notes.push(even(leaders, standing, run));
        } else if let Some(many) = standing.alike() {
            notes.push(alike_note(standing, many, run));
        } else if standing.pair(first, second).is_none() {
            notes.push(format!(
                "{} and {} were not compared with each other: pairs = \"all\" in [report] asks \
                 for it.",
                quoted(first),
                quoted(second)
            ));
        }
        notes.extend(behind(leaders, standing));
    }
    notes.extend(left_out(standing, run));
    notes
}

/// A finding in a few words.
fn found(mood: Mood, answer: impl Into<String>) -> MeasureFinding {
    MeasureFinding {
        answer: answer.into(),
        mood,
        ..MeasureFinding::default()
    }
}

/// Returns the policies compared.
fn who(pair: &Pair, standing: &MeasureStanding<'_>) -> String {
    match standing.baseline {
        Some(_) => pair.a.clone(),
        None => format!("{} against {}", pair.a, pair.b),
    }
}

/// Returns the policies that differ on a measure without a better direction.
fn differing(standing: &MeasureStanding<'_>, run: &Finished) -> MeasureFinding {
    let differ = || {
        standing
            .pairs
            .iter()
            .filter(|p| p.verdict == Verdict::Differs)
    };
    let is_settled = |pair: &&Pair| pair.standing == Standing::Sure;
    let all = standing.pairs.len();
    let from = standing.baseline.map(quoted);
    match (differ().count(), from) {
        (0, from) if standing.pairs.iter().all(is_settled) => {
            let from = from.map_or(String::new(), |from| format!(" from {from}"));
            found(Mood::Settled, format!("No policy differs{from}"))
        }
        (0, Some(from)) => found(Mood::Open, format!("No difference from {from} is sure yet")),
        (0, None) => found(Mood::Open, "No difference is sure yet"),
        (some, from) => {
            let answer = match from {
                Some(from) => format!("{some} of {all} differ from {from}"),
                None => format!("{some} of {all} pairs differ"),
            };
            let by = |pair: &&Pair| {
                let shown = standing.shown(pair, run);
                format!(
                    "{} by {}",
                    who(pair, standing),
                    with_unit(&shown.words(), standing)
                )
            };
            let by: Vec<String> = differ().take(NAMED).map(by).collect();
            let rest = if some > NAMED { ", …" } else { "" };
            MeasureFinding {
                detail: format!(": {}{rest}", by.join(", ")),
                ..found(Mood::Differs, answer)
            }
        }
    }
}

/// Returns a phrase on the lead of a sole leader over the baseline or else the next best, with the
/// number compared.
fn lead(leader: &str, standing: &MeasureStanding<'_>, run: &Finished) -> String {
    let others = standing.contenders.len() - 1;
    let next = standing.contenders.iter().find(|label| **label != leader);
    let Some(next) = next else {
        return ": the others are yardsticks".into();
    };
    let base = standing.baseline.filter(|base| *base != leader);
    let other = base.unwrap_or(next);
    let amount = standing.pair(leader, other).map(|pair| {
        let shown = match pair.a == leader {
            true => standing.shown(pair, run),
            false => standing.shown(&turned(pair), run),
        };
        let role = if base.is_some() { ", the baseline" } else { "" };
        let words = with_unit(&shown.words(), standing);
        format!(": {words} against {}{role}", quoted(other))
    });
    let all = match others {
        1 => String::new(),
        2 => " of both others".to_owned(),
        others => format!(" of all {others} others"),
    };
    let sure = match others {
        1 => ", surely".to_owned(),
        _ => format!(", surely ahead{all}"),
    };
    let when = standing.pair(leader, other).and_then(|pair| {
        let (unit, _) = units(run, pair.estimand);
        match pair.a == leader {
            true => pair.when(unit),
            false => turned(pair).when(unit),
        }
    });
    let when = when.map_or(String::new(), |when| format!(" ({when})"));
    amount.unwrap_or_default() + &sure + &when
}

/// Returns a phrase on the contender that is ahead by the mean, the difference, and the number of
/// replications or rounds that may decide.
fn ahead(leaders: &[&str], standing: &MeasureStanding<'_>, run: &Finished) -> String {
    let Some(pair) = standing.pair(leaders[0], leaders[1]) else {
        return format!(". By the mean {} is ahead", quoted(leaders[0]));
    };
    let more = progress(pair, run).map_or_else(String::new, |more| format!("; {}", more.words));
    let when = pair.when(units(run, pair.estimand).0);
    let more = when.map_or(String::new(), |when| format!("; {when}")) + &more;
    match standing.shown(pair, run).size() {
        None => format!(". By the mean none is ahead{more}"),
        Some(size) => format!(
            ". By the mean {} is ahead of {} by {}{more}",
            quoted(leaders[0]),
            quoted(leaders[1]),
            with_unit(&size, standing)
        ),
    }
}

/// A difference with the unit of the measure.
fn with_unit(number: &str, standing: &MeasureStanding<'_>) -> String {
    format!("{number} {}", standing.words.unit_of_differences())
        .trim_end()
        .to_owned()
}

fn is_even(leaders: &[&str], standing: &MeasureStanding<'_>) -> bool {
    leaders[1..].iter().all(|other| {
        let pair = standing.pair(leaders[0], other);
        pair.is_some_and(|pair| pair.standing == Standing::Sure)
    })
}

/// Returns a sentence on the equality of the leaders.
fn even(leaders: &[&str], standing: &MeasureStanding<'_>, run: &Finished) -> String {
    let is_identical = |other: &&str| {
        let pair = standing.pair(leaders[0], other);
        pair.is_some_and(|pair| pair.verdict == Verdict::Identical)
    };
    match margin(run, standing.metric) {
        _ if leaders[1..].iter().all(is_identical) => {
            format!(
                "They have the same value in every {}.",
                standing.estimand().unit()
            )
        }
        Some(margin) => format!(
            "No difference is seen, and none beyond the margin of {}.",
            brief(margin, 3)
        ),
        None => "No difference beyond the margin is left.".into(),
    }
}

/// Returns a sentence on the contenders that are behind the leaders.
fn behind(leaders: &[&str], standing: &MeasureStanding<'_>) -> Option<String> {
    let contenders = standing.contenders.iter().copied();
    let behind: Vec<&str> = contenders
        .filter(|label| !leaders.contains(label))
        .collect();
    let names = list(&behind, "and");
    (!behind.is_empty()).then(|| format!("Surely behind: {names}."))
}

/// Returns sentences on the policies that can't be compared, with the reasons.
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
        let other = if standing.baseline.is_some_and(|base| bad.contains(&base)) {
            " Another baseline may say more: --baseline LABEL of klero report, replay or resume."
        } else {
            ""
        };
        lines.push(format!(
            "Then {} had no policy to be compared with.{other}",
            list(&alone, "and")
        ));
    }
    lines
}

/// Returns true if a lane of a policy did not end as planned.
fn ended_badly(label: &str, run: &Finished) -> bool {
    let policy = run.lanes.iter().find(|policy| policy.label == label);
    let mut endings = policy.into_iter().flat_map(|policy| policy.endings());
    endings.any(|ending| is_bad(*ending, run))
}

/// Returns true if a lane with this ending forbids comparisons.
pub(super) fn is_bad(ending: Ending, run: &Finished) -> bool {
    let is_counted = value(run, &["rules", "until", "rounds"]).is_some();
    // One stream is not ended short by an interrupt: the rounds played were played.
    let is_stream = run
        .pairs
        .first()
        .is_some_and(|pair| pair.estimand.is_stream());
    let is_cut = is_stream && ending == Ending::Interrupted;
    !ending.is_comparable(is_counted) && !is_cut
}

/// Returns the findings: the answer over all measures, and a line for each. Runs of older versions
/// have no answer.
pub(super) fn findings(run: &Finished, standings: &[MeasureStanding<'_>]) -> Findings {
    let mut found = run
        .answer
        .as_ref()
        .map(|answer| answered(answer, &run.catalogue))
        .unwrap_or_default();
    found
        .lines
        .extend(filling(&run.policies).map(|said| said + "."));
    found.measures = standings.iter().map(|one| finding(one, run)).collect();
    found
}

/// The tests of a goal as a table.
pub(super) fn tests(run: &Finished) -> Option<PagePart> {
    let goal = run.answer.as_ref()?.goal.as_ref()?;
    (!goal.tests.is_empty()).then(|| tests_of(goal, &run.catalogue))
}

fn answered(answer: &Answer, metrics: &Metrics) -> Findings {
    let mut lines = Vec::new();
    if answer.frontier.len() > 2 && answer.goal.is_none() && !is_drawn(answer) {
        lines.push(format!(
            "In the running: {}; {}.",
            list(&answer.frontier, "and"),
            pairs_in_the_running(answer)
        ));
    }
    if let Some(goal) = &answer.goal {
        let alpha: f64 = goal.tests.iter().map(|test| test.alpha).sum();
        if alpha > 0.0 {
            lines.push(format!(
                "What is said of the goal's constraints is wrong with a chance of at most {} %.",
                brief(100.0 * alpha, 4)
            ));
        }
    }
    let is_settled = match &answer.goal {
        Some(goal) => goal.settled,
        None => answer.open == 0 && !answer.frontier.is_empty(),
    };
    Findings {
        question: match &answer.goal {
            Some(goal) => {
                let best = metrics.words(&goal.best).short;
                match bounds(goal, metrics).as_str() {
                    "" => format!("The goal: best {best}"),
                    bounds => format!("The goal: best {best}, where {bounds}"),
                }
            }
            None => String::new(),
        },
        answer: answer.headline.clone(),
        mood: if is_settled {
            Mood::Settled
        } else {
            Mood::Open
        },
        lines,
        ..Findings::default()
    }
}

/// A row for each policy and constraint.
fn tests_of(goal: &GoalAnswer, metrics: &Metrics) -> PagePart {
    let heads = ["policy", "constraint", "mean", "n", "met", "more needed"];
    let row = |test: &Tested| {
        vec![
            Cell::text(&test.label),
            Cell::Text(metrics.words(&test.metric).bound(&test.bound)),
            Cell::known(test.mean),
            Cell::number(test.n as f64),
            Cell::text(test.words()),
            Cell::known(test.needed.map(|more| more as f64)),
        ]
    };
    PagePart::table(
        "Whether each policy meets the goal's constraints, however often one looks",
        FigureTable::of(heads, goal.tests.iter().map(row)),
    )
}
