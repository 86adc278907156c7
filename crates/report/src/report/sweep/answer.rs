//! The answer of a sweep in a sentence or two: who leads, over which values, and by how much.

use super::super::account::{needed, quoted};
use super::super::number::{about, brief, reach};
use super::super::page::{Findings, MapMood, Mood, NextStep};
use super::axis::{SweepFound, SweepQuestion};
use super::sentence::{sentences, stretches};

/// The most questions that the answer is about.
const QUESTIONS: usize = 2;
/// A lead that changes by less than this ratio stays about the same.
const STEADY: f64 = 1.2;

/// Returns the findings. `None` for a sweep without comparisons.
pub(super) fn findings(found: &SweepFound<'_>) -> Option<Findings> {
    if found.questions.is_empty() {
        return None;
    }
    let asked = found.questions.iter().take(QUESTIONS);
    let sentences_of = asked.map(|question| answer(found, question));
    let leads = || found.questions.iter().flat_map(|question| &question.leads);
    let is_open = leads().any(|lead| lead.mood == MapMood::Open);
    Some(Findings {
        answer: sentences_of.collect::<Vec<_>>().join(". "),
        mood: match is_open {
            true => Mood::Open,
            false => Mood::Settled,
        },
        next: next(found),
        lines: sentences(found),
        ..Findings::default()
    })
}

/// Returns the answer to a question: `“queue” leads on chosen of 100 at all 4 values of seats; its
/// lead shrinks from 24 to 5.9`
fn answer(found: &SweepFound<'_>, question: &SweepQuestion) -> String {
    let title = uncapitalised(&question.title);
    let Some((leader, runs)) = surest(question) else {
        let is = match question.leads.iter().any(|lead| lead.mood == MapMood::Even) {
            true => "even or open",
            false => "open",
        };
        return format!("Who leads on {title} is {is}{}", everywhere(found));
    };
    let all = found.runs.len();
    let place = match (found.axes.as_slice(), runs.len() == all) {
        (_, true) => everywhere(found),
        ([axis], false) => format!(" for {} {}", axis.short(), stretches(axis, &runs)),
        (_, false) => format!(" in {} of {all} runs", runs.len()),
    };
    let is_other = |run: &usize| !runs.contains(run);
    let others = (0..all).filter(is_other).map(|run| &question.leads[run]);
    let rest = match others.clone().count() {
        0 => "",
        _ if others.clone().any(|lead| lead.mood == MapMood::Sure) => "; others lead elsewhere",
        _ => "; elsewhere it is open",
    };
    let lead = course(found, question, &runs);
    format!("{} leads on {title}{place}{lead}{rest}", quoted(leader))
}

/// The policy that surely leads in most runs, with these runs.
fn surest(question: &SweepQuestion) -> Option<(&str, Vec<usize>)> {
    let mut all: Vec<(&str, Vec<usize>)> = Vec::new();
    for (run, lead) in question.leads.iter().enumerate() {
        let (MapMood::Sure, [label]) = (lead.mood, lead.labels.as_slice()) else {
            continue;
        };
        match all.iter_mut().find(|(known, _)| known == label) {
            Some((_, runs)) => runs.push(run),
            None => all.push((label, vec![run])),
        }
    }
    // The first of those with the most.
    all.into_iter().rev().max_by_key(|(_, runs)| runs.len())
}

/// Returns ` at all 4 values of seats`, or ` in all 16 runs`.
fn everywhere(found: &SweepFound<'_>) -> String {
    let all = found.runs.len();
    match found.axes.as_slice() {
        [axis] => format!(" at all {all} values of {}", axis.short()),
        _ => format!(" in all {all} runs"),
    }
}

/// Returns the course of the lead from the first of these runs to the last, or from the least to
/// the most where the values have no order.
fn course(found: &SweepFound<'_>, question: &SweepQuestion, runs: &[usize]) -> String {
    let leads = runs.iter().map(|run| question.leads[*run].by);
    let Some(leads) = leads.collect::<Option<Vec<f64>>>() else {
        return String::new();
    };
    let is_along = matches!(found.axes.as_slice(), [axis] if axis.is_numeric());
    let (first, last) = (leads[0], leads[leads.len() - 1]);
    let is_level = |a: f64, b: f64| a.max(b) <= STEADY * a.min(b);
    let size = |value: f64| brief(value, 2);
    let is_falling = leads.is_sorted_by(|a, b| a >= b);
    let is_rising = leads.is_sorted();
    if is_along && leads.len() > 1 && !is_level(first, last) && (is_falling || is_rising) {
        let verb = if is_falling { "shrinks" } else { "grows" };
        return format!("; its lead {verb} from {} to {}", size(first), size(last));
    }
    let (lo, hi) = reach(leads.iter().copied());
    match size(lo) == size(hi) {
        true => format!(", by {}", size(lo)),
        false => format!(", by {} to {}", size(lo), size(hi)),
    }
}

/// Returns the next step: the replications that may decide all that is open.
fn next(found: &SweepFound<'_>) -> Option<NextStep> {
    let open = found.runs.iter().filter_map(|(_, run)| {
        let (more, estimand) = needed(run)?;
        Some((run.replications + more, more, estimand))
    });
    let (whole, more, estimand) = open.max_by_key(|(whole, ..)| *whole)?;
    let units = estimand.units();
    let command = format!("--replications {}", about(whole).replace(',', ""));
    Some(NextStep {
        words: format!(
            "about {} more {units} a run may decide what is open: the same sweep with",
            about(more)
        ),
        command: match estimand.is_stream() {
            true => return None,
            false => command,
        },
    })
}

/// The words with a small first letter, for the middle of a sentence.
fn uncapitalised(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
