//! The numbers below the answer, the next step, and the title of the page's tab.

use super::super::finished::Finished;
use super::super::number::{about, fixed};
use super::super::page::{AnswerNumber, NextStep};
use super::standing::MeasureStanding;
use super::sure;
use super::verdicts::mean_of;
use super::words::{percent, quoted, units};
use kleroterion_core::score::Direction;
use kleroterion_stats::{Answer, Estimand, Pair, Standing};

/// The most characters of a tab's title.
const TAB: usize = 40;
/// The most measures whose sizes are given.
const MEASURES: usize = 2;

/// The policy that leads all others, if one does and no goal is asked for.
fn leader(run: &Finished) -> Option<&str> {
    let answer = run.answer.as_ref().filter(|answer| answer.goal.is_none())?;
    match answer.frontier.as_slice() {
        [one] if !answer.dominates.is_empty() => Some(one),
        _ => None,
    }
}

/// Returns the title of the tab: who leads, and the name of the run.
pub(super) fn tab(run: &Finished) -> String {
    let is_open = run.answer.as_ref().is_some_and(|answer| answer.open > 0);
    let said = match leader(run) {
        Some(leader) => format!("{leader} leads \u{b7} "),
        None if is_open => "open \u{b7} ".to_owned(),
        None => String::new(),
    };
    let whole = said + &run.name;
    match whole.chars().count() > TAB {
        true => whole.chars().take(TAB - 1).chain(['\u{2026}']).collect(),
        false => whole,
    }
}

/// Returns the numbers of the leader against the policy it is held against: its size on the first
/// measures, how often it is better, and how sure that is. Empty if no policy leads.
pub(super) fn numbers(run: &Finished, all: &[MeasureStanding<'_>]) -> Vec<AnswerNumber> {
    let Some(leader) = leader(run) else {
        return Vec::new();
    };
    let sided = all.iter().filter(|one| {
        one.direction != Direction::None && !one.is_fact() && one.contenders.contains(&leader)
    });
    let sided: Vec<&MeasureStanding<'_>> = sided.take(MEASURES).collect();
    let Some(rival) = sided.first().and_then(|one| rival(leader, one)) else {
        return Vec::new();
    };
    let sizes = sided.iter().filter_map(|one| {
        Some(AnswerNumber {
            value: mean_of(leader, one, run)?,
            aside: format!("instead of {}", mean_of(rival, one, run)?),
            below: one.words.head(),
        })
    });
    let mut numbers: Vec<AnswerNumber> = sizes.collect();
    numbers.extend(wins(leader, rival, &sided));
    let comparisons = run.comparisons().filter(|pair| !pair.estimand.is_fact());
    // A line must not end between a number and its sign.
    let confidence = percent(1.0 - sure::alpha(run)).replace(' ', "\u{a0}");
    numbers.push(AnswerNumber {
        value: "\u{2713} sure".into(),
        aside: String::new(),
        below: match comparisons.count() {
            1 => format!("with {confidence} confidence"),
            many => format!("{many} comparisons right together, with {confidence} confidence"),
        },
    });
    numbers
}

/// The contender that the leader is held against: the baseline, or else the next best.
fn rival<'a>(leader: &str, standing: &MeasureStanding<'a>) -> Option<&'a str> {
    let contenders = || standing.contenders.iter().copied();
    let mut others = contenders().filter(|label| *label != leader);
    let base = contenders().find(|label| Some(*label) == standing.baseline && *label != leader);
    base.or_else(|| others.next())
}

/// The number of replications in which the leader is better, on each measure.
fn wins(leader: &str, rival: &str, sided: &[&MeasureStanding<'_>]) -> Option<AnswerNumber> {
    let share = |one: &&MeasureStanding<'_>| {
        let pair = one.pair(leader, rival)?;
        let beats = pair.extras.beats.filter(|_| !pair.estimand.is_stream())?;
        let share = if pair.a == leader { beats } else { 1.0 - beats };
        Some((fixed(100.0 * share, 0), pair.estimand.units()))
    };
    let shares: Option<Vec<(String, &str)>> = sided.iter().map(share).collect();
    let shares = shares.filter(|shares| !shares.is_empty())?;
    let values: Vec<&str> = shares.iter().map(|(share, _)| share.as_str()).collect();
    Some(AnswerNumber {
        value: values.join(" and "),
        aside: "of 100".into(),
        below: format!(
            "{} in which it is better than {}",
            shares[0].1,
            quoted(rival)
        ),
    })
}

/// Returns the next step of a run that is open or decided. `None` where nothing is compared.
pub(super) fn next(run: &Finished) -> Option<NextStep> {
    let answer = run.answer.as_ref()?;
    if let Some(goal) = &answer.goal {
        return match (goal.settled, goal.needed) {
            (true, _) => Some(done()),
            (false, needed) => more(run, needed?, Estimand::Replications),
        };
    }
    if answer.open > 0 {
        let (needed, estimand) = needed(run)?;
        return more(run, needed, estimand);
    }
    match answer.frontier.as_slice() {
        [] => None,
        [_] => Some(done()),
        _ => Some(NextStep {
            words: "say what matters most, as `goal` in [report].".into(),
            command: String::new(),
        }),
    }
}

/// Returns the number of further replications or rounds that may decide all that is open between
/// policies that may be the answer. `None` if nothing is open, or if the number is unknown.
pub(crate) fn needed(run: &Finished) -> Option<(u64, Estimand)> {
    let open: Vec<&Pair> = open(run, run.answer.as_ref()?).collect();
    let needed: Option<Vec<u64>> = open.iter().map(|pair| pair.needed).collect();
    Some((needed?.into_iter().max()?, open[0].estimand))
}

fn done() -> NextStep {
    NextStep {
        words: "nothing more to run.".into(),
        command: String::new(),
    }
}

/// The open comparisons between policies that may be the answer.
fn open<'a>(run: &'a Finished, answer: &'a Answer) -> impl Iterator<Item = &'a Pair> {
    let is_ahead = |label: &String| answer.frontier.contains(label);
    run.comparisons().filter(move |pair| {
        let is_sided = run.directions.of(&pair.metric) != Direction::None;
        pair.standing == Standing::Open && is_sided && is_ahead(&pair.a) && is_ahead(&pair.b)
    })
}

/// The command that plays this many more.
fn more(run: &Finished, needed: u64, estimand: Estimand) -> Option<NextStep> {
    let (_, units) = units(run, estimand);
    let is_resumed = estimand == Estimand::Replications && run.replications > 1;
    let whole = about(run.replications.saturating_add(needed));
    let words = format!("about {} more {units} may decide it", about(needed));
    Some(match is_resumed {
        true => NextStep {
            words: format!("{words}, {whole} in all."),
            command: format!("klero resume . --replications {}", whole.replace(',', "")),
        },
        false => NextStep {
            words: words + ".",
            command: String::new(),
        },
    })
}
