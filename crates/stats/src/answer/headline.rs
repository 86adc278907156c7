//! The answer in a sentence or two.

mod goal;
mod words;

use std::collections::BTreeMap;

use self::goal::of_goal;
use self::words::{and, does, or, quoted};
use super::contenders::Contenders;
use super::goal_answer::GoalAnswer;
use super::uncompared::reasons;
use crate::RunResult;
use crate::judge::Judge;
use crate::pair::Pair;
use crate::standing::Dated;
use kleroterion_core::score::Direction;

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
        Some(goal) => of_goal(goal, run, judge),
        None => match uncompared(contenders, run, judge) {
            Some(why) => return why,
            None => of_contenders(contenders, judge, dominates, frontier),
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

/// Returns the reason why there is no answer, if nothing could give one.
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
        _ if contenders.pairs.is_empty() => Some(format!(
            "No policies are compared: {}",
            reasons(run, judge, &judged(judge))
                .unwrap_or_else(|| "name a baseline, or pairs = \"all\", in [report]".into())
        )),
        _ if contenders.metrics.is_empty() && !contenders.facts.is_empty() => {
            Some(of_facts(&contenders.facts))
        }
        _ if contenders.metrics.is_empty() => {
            let is_sided = |metric: &&str| judge.directions.of(metric) != Direction::None;
            let sided: Vec<&str> = judged(judge).into_iter().filter(is_sided).collect();
            if let Some(why) = reasons(run, judge, &sided) {
                let of = sided.join(" and ");
                return Some(format!("No policies are compared on {of}: {why}"));
            }
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

/// The answer where all that is judged was seen of one stream.
fn of_facts(facts: &[&str]) -> String {
    let are = match facts.len() {
        1 => "is a fact",
        _ => "are facts",
    };
    let facts = facts.join(" and ");
    format!("Nothing is inferred from this one stream: {facts} {are} of it so far")
}

fn judged(judge: &Judge) -> Vec<&str> {
    judge.metrics.iter().map(String::as_str).collect()
}

fn of_contenders(
    contenders: &Contenders<'_>,
    judge: &Judge,
    dominates: &[[&str; 2]],
    frontier: &[&str],
) -> String {
    let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for [a, b] in dominates {
        below.entry(a).or_default().push(b);
    }
    let ahead = frontier.iter().filter_map(|a| Some((*a, below.get(a)?)));
    let ahead: Vec<(&str, &Vec<&str>)> = ahead.collect();
    let named = ahead.iter().take(AHEAD);
    let named = named.flat_map(|(a, below)| over(contenders, judge, a, below));
    let mut sentences: Vec<String> = named.collect();
    match ahead.len().saturating_sub(AHEAD) {
        0 => {}
        1 => sentences.push("1 more is better than others".into()),
        more => sentences.push(format!("{more} more are better than others")),
    }
    let is_won = frontier.len() == 1 && dominates.len() + 1 >= contenders.labels.len();
    if !is_won {
        let back = taken_back(contenders, judge);
        let until = if back.is_empty() { "yet" } else { "now" };
        sentences.push(best_on_each(contenders, until));
        sentences.extend(back);
    } else if let [metric] = contenders.metrics[..]
        && let (Some(does), [winner]) = (contenders.directions.best(metric), frontier)
    {
        // One measure: its own words say more than "is better".
        let others = contenders.labels.iter().filter(|label| label != &winner);
        let others: Vec<&str> = others.copied().collect();
        return format!(
            "{} {does}, surely ahead of {}{}",
            quoted(winner),
            and(&others),
            since(contenders, judge, winner, &others, &[metric])
        );
    }
    sentences.join("; ")
}

/// Returns the moment since which a policy is surely better than others, on a running average: the
/// latest of all.
fn since(
    contenders: &Contenders<'_>,
    judge: &Judge,
    a: &str,
    others: &[&str],
    metrics: &[&str],
) -> String {
    let pairs = others.iter().flat_map(|b| {
        let pair = move |metric: &&str| contenders.pair(a, b, metric);
        metrics.iter().filter_map(pair)
    });
    let latest = pairs.max_by_key(|(pair, _)| pair.dated.and_then(|dated| dated.since));
    let said = latest.and_then(|(pair, from_a)| {
        // As the winner sees it: better.
        let seen = match from_a {
            true => pair.clone(),
            false => Pair {
                dated: pair.dated.map(Dated::turned),
                verdict: pair.verdict.turned(),
                ..pair.clone()
            },
        };
        seen.when(judge.units(pair.estimand).0)
    });
    said.map_or(String::new(), |said| format!(" ({said})"))
}

/// The most policies of the frontier of which it is said whom they are better than.
const AHEAD: usize = 4;
/// The most comparisons that are named of those that were sure once and are open again.
const TAKEN_BACK: usize = 2;

/// The comparisons that were sure once and are open again.
fn taken_back(contenders: &Contenders<'_>, judge: &Judge) -> Vec<String> {
    let mut said = Vec::new();
    for metric in &contenders.metrics {
        for a in &contenders.labels {
            let others = contenders.labels.iter().filter(|b| *b != a);
            said.extend(others.filter_map(|b| {
                let pair = contenders.taken_back(a, b, metric)?;
                let when = pair.when(judge.units(pair.estimand).0)?;
                let (a, b) = (quoted(a), quoted(b));
                Some(format!("{a} ahead of {b} on {metric} {when}"))
            }));
        }
    }
    let more = said.len().saturating_sub(TAKEN_BACK);
    said.truncate(TAKEN_BACK);
    if more > 0 {
        said.push(format!("{more} more were sure and are open again"));
    }
    said
}

/// Returns, in words, the policies below `a` and the measures on which `a` is better: every
/// measure, or no worse on some.
fn over(contenders: &Contenders<'_>, judge: &Judge, a: &str, below: &[&str]) -> Vec<String> {
    let all = contenders.metrics.len();
    let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for b in below {
        let better = contenders.better_on(a, b);
        match groups.iter_mut().find(|(known, _)| *known == better) {
            Some((_, labels)) => labels.push(b),
            None => groups.push((better, vec![b])),
        }
    }
    let sentence = |(better, labels): &(Vec<&str>, Vec<&str>)| {
        let on = match better.len() == all {
            true => every(contenders),
            false => format!("{} and at least as good on the rest", better.join(" and ")),
        };
        let since = since(contenders, judge, a, labels, better);
        format!(
            "{} is better than {} on {on}{since}",
            quoted(a),
            and(labels)
        )
    };
    groups.iter().map(sentence).collect()
}

/// Names the best policy on each measure, if no policy is best on all. `until` says how long
/// nothing is sure.
fn best_on_each(contenders: &Contenders<'_>, until: &str) -> String {
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
            "no policy is surely better than another on {} {until}",
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

/// Returns `both measures`, or the name of the one; only those that are inferred, if some are
/// facts.
fn every(contenders: &Contenders<'_>) -> String {
    let inferred = inferred(contenders);
    match contenders.metrics.as_slice() {
        [one] => (*one).to_owned(),
        [_, _] => format!("both {inferred}measures"),
        all => format!("all {} {inferred}measures", all.len()),
    }
}

fn any(contenders: &Contenders<'_>) -> String {
    let inferred = inferred(contenders);
    match contenders.metrics.as_slice() {
        [one] => (*one).to_owned(),
        [_, _] => format!("either {inferred}measure"),
        _ => format!("any {inferred}measure"),
    }
}

fn inferred(contenders: &Contenders<'_>) -> &'static str {
    match contenders.facts.is_empty() {
        true => "",
        false => "inferred ",
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
