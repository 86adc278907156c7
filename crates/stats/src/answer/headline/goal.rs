//! The answer to a goal in a sentence.

use super::words::{Names, does, words};
use crate::RunResult;
use crate::answer::goal_answer::GoalAnswer;
use crate::estimand::Estimand;
use crate::goal::Meets;
use crate::judge::Judge;
use crate::standing::NOT_IN_THIS_RUN;
use kleroterion_core::number::parted;
use kleroterion_core::protocol::Ending;

/// The bounds of a goal in words.
struct Kept {
    /// The bounds after a space; empty without any.
    bounds: String,
    /// The words ` of those that surely keep ...`; empty without bounds.
    that_meet: String,
    has_inferred: bool,
}

fn kept(goal: &GoalAnswer, judge: &Judge) -> Kept {
    let named = |is_fact: bool| {
        let bounds = goal.bounds.iter();
        let bounds = bounds.filter(|(metric, _)| goal.is_fact(metric) == is_fact);
        let bounds = bounds.map(|(metric, bound)| words(metric, judge).bound(bound));
        bounds.collect::<Vec<_>>().join(" and ")
    };
    let (inferred, facts) = (named(false), named(true));
    let bounds = match (inferred.as_str(), facts.as_str()) {
        ("", "") => String::new(),
        (all, "") | ("", all) => format!(" {all}"),
        (inferred, facts) => format!(" {inferred} and {facts}"),
    };
    // What one stream has selected is seen so far, and no surer.
    let that_meet = match (inferred.as_str(), facts.as_str()) {
        ("", "") => String::new(),
        (inferred, "") => format!(" of those that surely keep {inferred}"),
        ("", facts) => format!(" of those that keep {facts} so far"),
        (inferred, facts) => {
            format!(" of those that surely keep {inferred}, and {facts} so far")
        }
    };
    Kept {
        has_inferred: !inferred.is_empty(),
        bounds,
        that_meet,
    }
}

/// Returns the answer to a goal, from the fullest to the shortest version.
pub(super) fn of_goal(
    goal: &GoalAnswer,
    run: &RunResult,
    judge: &Judge,
    names: Names,
) -> Vec<String> {
    let kept = kept(goal, judge);
    let short = Kept {
        bounds: String::new(),
        that_meet: match kept.that_meet.as_str() {
            "" => String::new(),
            _ if kept.has_inferred => " of those that surely meet the goal".into(),
            _ => " of those that meet the goal so far".into(),
        },
        has_inferred: kept.has_inferred,
    };
    let needed = needed(goal, run, judge);
    let rest = rest(goal, judge, names);
    let all: Vec<&String> = rest.iter().chain(&needed).collect();
    let said = |kept: &Kept, tails: &[&String]| {
        let tails = tails.iter().map(|tail| format!("; {tail}"));
        claim(goal, kept, judge, names) + &tails.collect::<String>()
    };
    let needed: Vec<&String> = needed.iter().collect();
    let tails = [all.as_slice(), needed.as_slice()];
    let versions = [&kept, &short].into_iter();
    let versions = versions.flat_map(|kept| tails.map(|tails| said(kept, tails)));
    let least = [said(&short, &[]), brief(goal, &short, names)];
    versions.chain(least).collect()
}

/// The best that meets the goal, without the words of what it asks for.
fn brief(goal: &GoalAnswer, kept: &Kept, names: Names) -> String {
    let answer: Vec<&str> = goal.answer.iter().map(String::as_str).collect();
    match (answer.as_slice(), goal.settled) {
        ([], true) => "no policy meets the goal".to_owned(),
        ([], false) => "no policy surely meets the goal yet".to_owned(),
        ([one], _) => format!("{} leads{}", names.quoted(one), kept.that_meet),
        (several, true) => format!("{} are alike{}", names.and(several), kept.that_meet),
        (several, false) => format!("open between {}{}", names.and(several), kept.that_meet),
    }
}

/// The best that meets the goal.
fn claim(goal: &GoalAnswer, kept: &Kept, judge: &Judge, names: Names) -> String {
    let open = goal.meets.iter().any(|(_, meets)| *meets == Meets::Open);
    let bounds = &kept.bounds;
    let answer: Vec<&str> = goal.answer.iter().map(String::as_str).collect();
    let does = does(&goal.best, judge);
    match answer.as_slice() {
        [] if !open => format!("no policy meets the goal{bounds}"),
        [] if !kept.has_inferred => format!("no policy meets the goal{bounds} so far"),
        [] => format!("no policy surely meets the goal{bounds} yet"),
        [one] => format!("{} {does}{}", names.quoted(one), kept.that_meet),
        several => format!(
            "{} {does}{}: {}",
            names.or(several),
            kept.that_meet,
            match goal.settled {
                true => "they are alike",
                false => "which of them is open",
            }
        ),
    }
}

/// Those that fail the goal, and those of whom it is open.
fn rest(goal: &GoalAnswer, judge: &Judge, names: Names) -> Vec<String> {
    let is = |what: Meets| {
        let those = goal.meets.iter().filter(move |(_, meets)| *meets == what);
        those.map(|(label, _)| label.as_str()).collect::<Vec<_>>()
    };
    let (open, fail) = (is(Meets::Open), is(Meets::SurelyNot));
    let mut tails = Vec::new();
    if !fail.is_empty() {
        let fails = if fail.len() == 1 { "fails" } else { "fail" };
        let (surely, so_far) = match fail.iter().any(|label| goal.fails_a_fact(label)) {
            true => ("", " so far"),
            false => ("surely ", ""),
        };
        tails.push(format!("{} {surely}{fails}{so_far}", names.and(&fail)));
    }
    if let [one] = goal.answer.as_slice() {
        tails.extend(since_of_tests(goal, one, judge));
    }
    if !open.is_empty() {
        let back = open
            .iter()
            .filter_map(|label| since_of_tests(goal, label, judge));
        let back: String = back.map(|when| format!(" ({when})")).collect();
        tails.push(format!("open for {}{back}", names.and(&open)));
    }
    tails
}

/// The number of further replications that may settle the goal.
fn needed(goal: &GoalAnswer, run: &RunResult, judge: &Judge) -> Option<String> {
    let is_stream = run.replications == 1;
    let has_open = goal.meets.iter().any(|(_, meets)| *meets == Meets::Open);
    if let Some(needed) = goal.needed.filter(|_| !goal.settled) {
        let needed = two_digits(needed);
        let estimand = match is_stream {
            true => Estimand::Rounds,
            false => Estimand::Replications,
        };
        let (unit, units) = judge.units(estimand);
        let unit = if needed == 1 { unit } else { units };
        let needed = parted(&needed.to_string());
        return Some(format!("about {needed} more {unit} may settle it"));
    }
    let is_late = !goal.settled && is_stream && has_open && is_over(run);
    is_late.then(|| NOT_IN_THIS_RUN.to_owned())
}

/// Returns the moment since which a policy's constraints on running averages are sure: that of the
/// one that changed last.
fn since_of_tests(goal: &GoalAnswer, label: &str, judge: &Judge) -> Option<String> {
    let tests = goal.tests.iter().filter(|test| test.label == label);
    let last = tests.max_by_key(|test| test.since.max(test.open_at))?;
    last.when(judge.units(Estimand::Rounds).0)
}

/// Returns true if every lane has ended.
fn is_over(run: &RunResult) -> bool {
    let mut endings = run.policies.iter().flat_map(|policy| policy.endings());
    endings.all(|ending| *ending != Ending::Interrupted)
}

/// A number of which the first two digits are meant, rounded up.
pub(super) fn two_digits(number: u64) -> u64 {
    let digits = number.max(1).ilog10();
    let unit = 10_u64.pow(digits.saturating_sub(1));
    number.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests;
