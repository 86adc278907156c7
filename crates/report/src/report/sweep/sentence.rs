//! The findings of a sweep, in one sentence for each question: the best policy by ranges of values.

use super::super::account::{list, quoted};
use super::super::number::brief;
use super::super::page::MapMood;
use super::axis::{SweepAxis, SweepFound, SweepQuestion};
use kleroterion_core::nearest::joined;

/// The sentences; of a sweep without comparisons, from where to where its measures run.
pub(super) fn sentences(found: &SweepFound<'_>) -> Vec<String> {
    if found.questions.is_empty() {
        return found
            .measures
            .iter()
            .filter_map(|m| range(found, m))
            .collect();
    }
    let sentence = |question: &SweepQuestion| {
        let groups = match found.axes.as_slice() {
            [axis] => along(found, axis, question),
            _ => counted(found, question),
        };
        format!("{}: {}.", question.words, groups.join("; "))
    };
    let sentences = found.questions.iter().map(sentence);
    sentences.chain(left_out(found)).collect()
}

/// Returns a sentence on the yardsticks, which the others leave out.
fn left_out(found: &SweepFound<'_>) -> Option<String> {
    let names = list(&found.yardsticks, "and");
    match found.yardsticks.len() {
        0 => None,
        1 => Some(format!("{names} is left out: it is a yardstick.")),
        _ => Some(format!("{names} are left out: they are yardsticks.")),
    }
}

/// The runs by answer, in the order in which the answers are met, the open ones last.
fn by_answer(question: &SweepQuestion) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(u8, String, Vec<usize>)> = Vec::new();
    for (at, lead) in question.leads.iter().enumerate() {
        let names = list(&lead.labels, "and");
        let (rank, words) = match lead.mood {
            MapMood::Sure => (0, format!("{names} is surely best")),
            MapMood::Even => (1, format!("{names} are even")),
            MapMood::Open => (2, "it is undecided".to_owned()),
            MapMood::Nothing => (3, "nothing can be compared".to_owned()),
        };
        match groups.iter_mut().find(|(_, known, _)| *known == words) {
            Some((_, _, runs)) => runs.push(at),
            None => groups.push((rank, words, vec![at])),
        }
    }
    groups.sort_by_key(|(rank, ..)| *rank);
    let bare = groups.into_iter().map(|(_, words, runs)| (words, runs));
    bare.collect()
}

/// Returns the sentence for a sweep over one key. An example is `screened (less is better): “queue”
/// is surely best at 100 and from 250 to 1000; it is undecided at 50`.
fn along(found: &SweepFound<'_>, axis: &SweepAxis, question: &SweepQuestion) -> Vec<String> {
    let groups = by_answer(question).into_iter().map(|(words, runs)| {
        let ahead = ahead(question, &runs);
        if runs.len() == found.runs.len() {
            return format!("{words} at every value of {}{ahead}", axis.short());
        }
        format!("{words} {}{ahead}", stretches(axis, &runs))
    });
    groups.collect()
}

/// Places along an axis in words: `at 100 and from 250 to 1000`.
pub(super) fn stretches(axis: &SweepAxis, places: &[usize]) -> String {
    let name = |place: usize| axis.names.get(place).map_or("", String::as_str);
    let (mut alone, mut parts) = (Vec::new(), Vec::new());
    let runs = places.chunk_by(|a, b| axis.is_numeric() && a + 1 == *b);
    for run in runs {
        let (first, last) = (run[0], run[run.len() - 1]);
        match run.len() {
            1 | 2 => alone.extend(run.iter().map(|place| name(*place).to_owned())),
            _ => parts.push(format!("from {} to {}", name(first), name(last))),
        }
    }
    if !alone.is_empty() {
        parts.insert(0, format!("at {}", joined(&alone)));
    }
    joined(&parts)
}

/// Returns the sentence for a sweep over several keys. An example is `“queue” is surely best in 12
/// of 30 runs, only where v is from 2 to 8; it is undecided in 18`.
fn counted(found: &SweepFound<'_>, question: &SweepQuestion) -> Vec<String> {
    let all = found.runs.len();
    let groups = by_answer(question).into_iter().enumerate();
    let groups = groups.map(|(at, (words, runs))| {
        let of = if at == 0 {
            format!(" of {all} runs")
        } else {
            String::new()
        };
        let ahead = ahead(question, &runs);
        match runs.len() == all {
            true => format!("{words} in all {all} runs{ahead}"),
            false => format!("{words} in {}{of}{}{ahead}", runs.len(), only(found, &runs)),
        }
    });
    groups.collect()
}

/// Returns the policies that are ahead by the mean in undecided runs, with the number of runs. An
/// example is ` (by the mean “queue” is ahead in 11, “cmdp” in 7)`.
fn ahead(question: &SweepQuestion, runs: &[usize]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for run in runs {
        let lead = &question.leads[*run];
        if lead.mood != MapMood::Open {
            return String::new();
        }
        let Some(first) = lead.labels.first() else {
            continue;
        };
        match counts.iter_mut().find(|(known, _)| known == first) {
            Some((_, count)) => *count += 1,
            None => counts.push((first, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let names = counts.iter().enumerate().map(|(at, (label, count))| {
        let verb = if at == 0 { " is ahead" } else { "" };
        match *count == runs.len() {
            true => format!("{}{verb}", quoted(label)),
            false => format!("{}{verb} in {count}", quoted(label)),
        }
    });
    format!(" (by the mean {})", names.collect::<Vec<_>>().join(", "))
}

/// Returns the ranges of the numeric keys that some runs are confined to.
fn only(found: &SweepFound<'_>, runs: &[usize]) -> String {
    let mut bounds: Vec<String> = Vec::new();
    for (at, axis) in found.axes.iter().enumerate() {
        let places = || runs.iter().map(|run| found.places(*run)[at]);
        let (Some(first), Some(last)) = (places().min(), places().max()) else {
            continue;
        };
        let is_whole = first == 0 && last + 1 == axis.values.len();
        if is_whole || !axis.is_numeric() {
            continue;
        }
        let name = |place: usize| axis.names[place].as_str();
        bounds.push(match (first, last) {
            (first, last) if first == last => format!("{} is {}", axis.short(), name(first)),
            (0, last) => format!("{} is at most {}", axis.short(), name(last)),
            (first, last) if last + 1 == axis.values.len() => {
                format!("{} is at least {}", axis.short(), name(first))
            }
            (first, last) => format!("{} is from {} to {}", axis.short(), name(first), name(last)),
        });
    }
    match bounds.is_empty() {
        true => String::new(),
        false => format!(", only where {}", bounds.join(" and ")),
    }
}

/// A mean, its run and its policy.
type RunMean<'a> = Option<(f64, usize, &'a String)>;

/// Returns the range of a measure over all policies and runs.
fn range(found: &SweepFound<'_>, measure: &str) -> Option<String> {
    let means = (0..found.runs.len()).flat_map(|at| {
        let policies = found.runs[at].1.policies.iter();
        policies
            .filter_map(move |(label, policy)| Some((policy.metrics.get(measure)?.mean, at, label)))
    });
    let (mut least, mut most): (RunMean<'_>, RunMean<'_>) = (None, None);
    for mean in means {
        least = Some(least.filter(|known| known.0 <= mean.0).unwrap_or(mean));
        most = Some(most.filter(|known| known.0 >= mean.0).unwrap_or(mean));
    }
    let at = |(mean, run, label): (f64, usize, &String)| {
        let who = match found.labels.len() {
            1 => String::new(),
            _ => format!("{}, ", quoted(label)),
        };
        format!("{} ({who}{})", brief(mean, 3), found.settings(run))
    };
    let (least, most) = (least?, most?);
    let head = found.words(measure).head();
    Some(match least.0 == most.0 {
        true => format!("{head} is {} in every run.", brief(least.0, 3)),
        false => format!("{head} is from {} to {}.", at(least), at(most)),
    })
}
