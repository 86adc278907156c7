//! The answer in a sentence or two.

use super::contenders::Contenders;
use super::goal_answer::GoalAnswer;
use crate::compare::RunResult;
use crate::compare::goal::Meets;
use crate::compare::judge::Judge;
use crate::score::{Direction, Directions};

/// The most labels that a list names.
const MOST: usize = 4;

/// The headline of a run.
pub(super) fn of(
    contenders: &Contenders<'_>,
    run: &RunResult,
    judge: &Judge,
    dominates: &[[&str; 2]],
    frontier: &[&str],
    goal: Option<&GoalAnswer>,
) -> String {
    let text = match goal {
        Some(goal) => of_goal(goal, &judge.directions, run.replications == 1),
        None => match uncompared(contenders, run, judge) {
            Some(why) => return why,
            None => of_contenders(contenders, dominates, frontier),
        },
    };
    let is_stream = contenders
        .pairs
        .first()
        .is_some_and(|pair| pair.estimand.is_stream());
    let text = match is_stream {
        true => format!("on this stream, {text}"),
        false => text,
    };
    let left_out = match contenders.left_out.as_slice() {
        [] => String::new(),
        out => format!("; not compared, because a lane broke off: {}", and(out)),
    };
    capital(&(text + &left_out))
}

/// Why there is no answer, where nothing could give one.
fn uncompared(contenders: &Contenders<'_>, run: &RunResult, judge: &Judge) -> Option<String> {
    match contenders.labels.len() + contenders.left_out.len() {
        0 => Some("Every policy is a yardstick: there is none to choose".into()),
        1 => {
            let label = contenders
                .labels
                .iter()
                .chain(&contenders.left_out)
                .next()?;
            let others = match run.policies.len() {
                1 => "",
                _ => "; the others are yardsticks",
            };
            Some(format!(
                "{} is the only policy to choose{others}",
                quoted(label)
            ))
        }
        _ if contenders.pairs.is_empty() => Some(
            "No policies are compared: name a baseline, or pairs = \"all\", in [report]".into(),
        ),
        _ if contenders.metrics.is_empty() => {
            let metrics = judge.metrics.join(" and ");
            Some(format!(
                "There is no better or worse in what is judged: {metrics}"
            ))
        }
        _ if contenders.labels.is_empty() => {
            Some("No policy can be compared, because a lane of each broke off".into())
        }
        _ if contenders.labels.len() == 1 => Some(format!(
            "{} is compared with no policy, because a lane of each other one broke off",
            quoted(contenders.labels[0])
        )),
        _ => None,
    }
}

fn of_contenders(
    contenders: &Contenders<'_>,
    dominates: &[[&str; 2]],
    frontier: &[&str],
) -> String {
    let mut sentences = Vec::new();
    for a in frontier {
        let below = dominates.iter().filter(|[by, _]| by == a);
        let below: Vec<&str> = below.map(|[_, b]| *b).collect();
        sentences.extend(over(contenders, a, &below));
    }
    let is_won = frontier.len() == 1 && dominates.len() + 1 >= contenders.labels.len();
    if !is_won {
        sentences.push(best_on_each(contenders));
    } else if let [metric] = contenders.metrics[..]
        && let (Some(does), [winner]) = (contenders.directions.best(metric), frontier)
    {
        // One measure: its own words say more than "is better".
        let others = contenders.labels.iter().filter(|label| label != &winner);
        let others: Vec<&str> = others.copied().collect();
        return format!(
            "{} {does}, surely ahead of {}",
            quoted(winner),
            and(&others)
        );
    }
    sentences.join("; ")
}

/// What `a` is better than: on every measure, or no worse on some.
fn over(contenders: &Contenders<'_>, a: &str, below: &[&str]) -> Vec<String> {
    let all = contenders.metrics.len();
    let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for b in below {
        let better = contenders.better_on(a, b);
        match groups.iter_mut().find(|(known, _)| *known == better) {
            Some((_, labels)) => labels.push(b),
            None => groups.push((better, vec![b])),
        }
    }
    let sentence = |(better, labels): &(Vec<&str>, Vec<&str>)| match better.len() == all {
        true => format!(
            "{} is better than {} on {}",
            quoted(a),
            and(labels),
            every(contenders)
        ),
        false => format!(
            "{} is better than {} on {} and at least as good on the rest",
            quoted(a),
            and(labels),
            better.join(" and ")
        ),
    };
    groups.iter().map(sentence).collect()
}

/// Who is best on each measure, where no policy is best on all.
fn best_on_each(contenders: &Contenders<'_>) -> String {
    let leaders: Vec<(&str, Vec<&str>)> = contenders
        .metrics
        .iter()
        .map(|metric| (*metric, contenders.leaders(metric)))
        .collect();
    let some: Vec<String> = leaders
        .iter()
        .filter(|(_, leaders)| leaders.len() < contenders.labels.len())
        .map(|(metric, leaders)| format!("{} {}", or(leaders), does(metric, contenders.directions)))
        .collect();
    if some.is_empty() {
        return format!(
            "no policy is surely better than another on {} yet",
            any(contenders)
        );
    }
    let is_leading = |label: &&&str| leaders.iter().all(|(_, all)| all.contains(*label));
    let head = match contenders.metrics.len() {
        1 => return some.join(", "),
        // Whoever may lead on every measure may turn out to be best on all.
        _ if contenders.labels.iter().any(|label| is_leading(&label)) => {
            format!("which policy is best on {} is open", every(contenders))
        }
        _ => format!("no policy is best on {}", every(contenders)),
    };
    format!("{head}: {}", some.join(", "))
}

fn of_goal(goal: &GoalAnswer, directions: &Directions, is_stream: bool) -> String {
    let is = |what: Meets| {
        let those = goal.meets.iter().filter(move |(_, meets)| *meets == what);
        those.map(|(label, _)| label.as_str()).collect::<Vec<_>>()
    };
    let (open, fail) = (is(Meets::Open), is(Meets::SurelyNot));
    let bounds = goal
        .bounds
        .iter()
        .map(|(metric, bound)| format!("{metric} {bound}"));
    let bounds: Vec<String> = bounds.collect();
    let bounds = bounds.join(" and ");
    let that_meet = match bounds.is_empty() {
        true => String::new(),
        false => format!(" of those that surely keep {bounds}"),
    };
    let answer: Vec<&str> = goal.answer.iter().map(String::as_str).collect();
    let mut text = match answer.as_slice() {
        [] if open.is_empty() => format!("no policy meets the goal {bounds}"),
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
        text += &format!(
            "; {} surely {}",
            and(&fail),
            match fail.len() {
                1 => "fails",
                _ => "fail",
            }
        );
    }
    if !open.is_empty() {
        text += &format!("; open for {}", and(&open));
    }
    if let Some(needed) = goal.needed.filter(|_| !goal.settled) {
        let needed = two_digits(needed);
        let unit = match (is_stream, needed) {
            (true, 1) => "round",
            (true, _) => "rounds",
            (false, 1) => "replication",
            (false, _) => "replications",
        };
        text += &format!("; about {needed} more {unit} may settle it");
    }
    text
}

/// A number of which the first two digits are meant, rounded up.
fn two_digits(number: u64) -> u64 {
    let digits = number.max(1).ilog10();
    let unit = 10_u64.pow(digits.saturating_sub(1));
    number.div_ceil(unit).saturating_mul(unit)
}

/// What the best policy on a metric does.
fn does(metric: &str, directions: &Directions) -> String {
    match (directions.best(metric), directions.of(metric)) {
        (Some(does), _) => does.to_owned(),
        (None, Direction::Lower) => format!("has the least {metric}"),
        (None, _) => format!("has the most {metric}"),
    }
}

/// `both measures`, or the one.
fn every(contenders: &Contenders<'_>) -> String {
    match contenders.metrics.as_slice() {
        [one] => (*one).to_owned(),
        [_, _] => "both measures".into(),
        all => format!("all {} measures", all.len()),
    }
}

fn any(contenders: &Contenders<'_>) -> String {
    match contenders.metrics.as_slice() {
        [one] => (*one).to_owned(),
        [_, _] => "either measure".into(),
        _ => "any measure".into(),
    }
}

fn quoted(label: &str) -> String {
    format!("\u{201c}{label}\u{201d}")
}

fn and(labels: &[&str]) -> String {
    joined(labels, "and")
}

fn or(labels: &[&str]) -> String {
    joined(labels, "or")
}

/// `“a”, “b” and “c”`; of many the first ones and how many others.
fn joined(labels: &[&str], word: &str) -> String {
    let shown = match labels.len() {
        all if all > MOST => MOST - 1,
        all => all,
    };
    let mut names: Vec<String> = labels[..shown].iter().map(|label| quoted(label)).collect();
    if shown < labels.len() {
        names.push(format!("{} others", labels.len() - shown));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
