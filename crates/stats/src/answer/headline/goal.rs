//! The answer to a goal in a sentence.

use super::words::{and, does, or, quoted};
use crate::RunResult;
use crate::answer::goal_answer::GoalAnswer;
use crate::estimand::Estimand;
use crate::goal::Meets;
use crate::judge::Judge;
use crate::standing::NOT_IN_THIS_RUN;
use kleroterion_core::protocol::Ending;

/// The bounds of a goal in words.
struct Kept {
    bounds: String,
    /// The words ` of those that surely keep ...`; empty without bounds.
    that_meet: String,
    has_inferred: bool,
}

fn kept(goal: &GoalAnswer) -> Kept {
    let named = |is_fact: bool| {
        let bounds = goal.bounds.iter();
        let bounds = bounds.filter(|(metric, _)| goal.is_fact(metric) == is_fact);
        let bounds = bounds.map(|(metric, bound)| format!("{metric} {bound}"));
        bounds.collect::<Vec<_>>().join(" and ")
    };
    let (inferred, facts) = (named(false), named(true));
    let bounds = match (inferred.as_str(), facts.as_str()) {
        (all, "") | ("", all) => all.to_owned(),
        (inferred, facts) => format!("{inferred} and {facts}"),
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

/// Returns the answer to a goal in a sentence.
pub(super) fn of_goal(goal: &GoalAnswer, run: &RunResult, judge: &Judge) -> String {
    let (directions, is_stream) = (&judge.directions, run.replications == 1);
    let is = |what: Meets| {
        let those = goal.meets.iter().filter(move |(_, meets)| *meets == what);
        those.map(|(label, _)| label.as_str()).collect::<Vec<_>>()
    };
    let (open, fail) = (is(Meets::Open), is(Meets::SurelyNot));
    let Kept {
        bounds,
        that_meet,
        has_inferred,
    } = kept(goal);
    let answer: Vec<&str> = goal.answer.iter().map(String::as_str).collect();
    let mut text = match answer.as_slice() {
        [] if open.is_empty() => format!("no policy meets the goal {bounds}"),
        [] if !has_inferred => format!("no policy meets the goal {bounds} so far"),
        [] => format!("no policy surely meets the goal {bounds} yet"),
        [one] => format!(
            "{} {}{that_meet}",
            quoted(one),
            does(&goal.best, directions)
        ),
        several => format!(
            "{} {}{that_meet}: {} {}",
            or(several),
            does(&goal.best, directions),
            match goal.settled {
                true => "they are alike on",
                false => "which of them is open on",
            },
            goal.best
        ),
    };
    if !fail.is_empty() {
        let fails = if fail.len() == 1 { "fails" } else { "fail" };
        let (surely, so_far) = match fail.iter().any(|label| goal.fails_a_fact(label)) {
            true => ("", " so far"),
            false => ("surely ", ""),
        };
        text += &format!("; {} {surely}{fails}{so_far}", and(&fail));
    }
    if let [one] = answer.as_slice() {
        text += &since_of_tests(goal, one, judge);
    }
    if !open.is_empty() {
        let back = open.iter().map(|label| since_of_tests(goal, label, judge));
        text += &format!("; open for {}{}", and(&open), back.collect::<String>());
    }
    if let Some(needed) = goal.needed.filter(|_| !goal.settled) {
        let needed = two_digits(needed);
        let estimand = match is_stream {
            true => Estimand::Rounds,
            false => Estimand::Replications,
        };
        let (unit, units) = judge.units(estimand);
        let unit = if needed == 1 { unit } else { units };
        text += &format!("; about {needed} more {unit} may settle it");
    } else if !goal.settled && is_stream && !open.is_empty() && is_over(run) {
        text += &format!("; {NOT_IN_THIS_RUN}");
    }
    text
}

/// Returns the moment since which a policy's constraints on running averages are sure: that of the
/// one that changed last.
fn since_of_tests(goal: &GoalAnswer, label: &str, judge: &Judge) -> String {
    let tests = goal.tests.iter().filter(|test| test.label == label);
    let last = tests.max_by_key(|test| test.since.max(test.open_at));
    let said = last.and_then(|test| test.when(judge.units(Estimand::Rounds).0));
    said.map_or(String::new(), |said| format!(" ({said})"))
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
