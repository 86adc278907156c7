//! The keys of a sweep and their values, in the order in which a reader looks for them, and what its
//! runs say on each question.

use std::collections::BTreeSet;

use super::super::account::{self, LeadAnswer, leads, quoted};
use super::super::figure::Axis;
use super::super::finished::Finished;
use super::super::number::reach;
use super::super::page::MapMood;
use super::super::plain;
use super::super::points::PointEntry;
use kleroterion_core::protocol::YARDSTICK;
use kleroterion_core::score::{MeasureWords, Metrics};

/// The ratio of the greatest value to the least from which an axis is logarithmic.
const WIDE: f64 = 20.0;

/// The same where the values are evener on a logarithmic axis.
const GEOMETRIC: f64 = 4.0;

/// The longest name of a value in a figure; longer ones are numbered.
const NAME_LETTERS: usize = 24;

/// A key of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepAxis {
    /// The key, as written.
    pub(super) key: String,
    /// The values as written. Numbers are in increasing order, others in the sweep's order.
    pub(super) values: Vec<String>,
    /// The values as numbers, where all are.
    numbers: Option<Vec<f64>>,
    /// The values as figures name them.
    pub(super) names: Vec<String>,
}

impl SweepAxis {
    /// The keys of a sweep, in its order.
    pub(super) fn all(points: &[&PointEntry]) -> Vec<Self> {
        let keys = points.first().map_or(&[][..], |point| &point.set).iter();
        let axis = |(at, (key, _)): (usize, &(String, String))| {
            let mut values: Vec<&str> = Vec::new();
            for (_, value) in points.iter().filter_map(|point| point.set.get(at)) {
                if !values.contains(&value.as_str()) {
                    values.push(value);
                }
            }
            Self::of(key, values)
        };
        keys.enumerate().map(axis).collect()
    }

    fn of(key: &str, mut values: Vec<&str>) -> Self {
        let number = |value: &&str| number(value);
        let mut numbers: Option<Vec<f64>> = values.iter().map(number).collect();
        if let Some(numbers) = &mut numbers {
            let of = |value: &str| number(&value).unwrap_or(f64::NAN);
            values.sort_by(|a, b| of(a).total_cmp(&of(b)));
            numbers.sort_by(f64::total_cmp);
        }
        Self {
            key: plain(key),
            names: match numbers {
                Some(_) => values.iter().map(|value| plain(value)).collect(),
                None => names(&values),
            },
            values: values.into_iter().map(str::to_owned).collect(),
            numbers,
        }
    }

    /// The key for people: `seats (rules.until.accepted)`.
    pub(super) fn title(&self) -> String {
        match self.short() {
            short if short == self.key => short,
            short => format!("{short} ({})", self.key),
        }
    }

    /// The key in a word or two: `seats`, `v of “queue”`.
    pub(super) fn short(&self) -> String {
        match self.key.as_str() {
            "rules.until.accepted" => return "seats".to_owned(),
            "rules.until.rounds" => return "rounds".to_owned(),
            "rules.slate" => return "people at a time".to_owned(),
            _ => {}
        }
        let of_policy = self.key.strip_prefix("policy.");
        match of_policy.and_then(|rest| rest.rsplit_once('.')) {
            Some((label, key)) => format!("{key} of {}", quoted(label)),
            None => self.key.clone(),
        }
    }

    /// The place of a value; the values of a sweep all have one.
    pub(super) fn place(&self, value: &str) -> usize {
        let place = self.values.iter().position(|known| known == value);
        place.unwrap_or(self.values.len())
    }

    /// Returns true if its values are numbers.
    pub(super) fn is_numeric(&self) -> bool {
        self.numbers.is_some()
    }

    /// A value with its key, as figures name it: `rules.slate = 3`.
    pub(super) fn setting(&self, place: usize) -> String {
        match self.names.get(place) {
            Some(name) if name.contains('=') => name.clone(),
            name => format!("{} = {}", self.key, name.map_or("", String::as_str)),
        }
    }

    /// Returns true if figures name some values differently from the sweep.
    pub(super) fn is_renamed(&self) -> bool {
        self.values.iter().zip(&self.names).any(|(a, b)| a != b)
    }

    /// The axis of a figure.
    pub(super) fn figure_axis(&self) -> Axis {
        let Some(numbers) = &self.numbers else {
            return Axis::names(self.title(), self.names.iter().map(String::as_str));
        };
        let (least, most) = (numbers[0], numbers[numbers.len() - 1]);
        let is_log = least > 0.0 && (most / least >= WIDE || is_evener_in_logs(numbers));
        let axis = match is_log {
            true => Axis::log(self.title()),
            false => Axis::linear(self.title()),
        };
        match numbers.iter().all(|number| number.fract() == 0.0) {
            true => axis.whole(),
            false => axis,
        }
    }

    /// The position of a value on that axis.
    pub(super) fn at(&self, place: usize) -> f64 {
        let known = self.numbers.as_ref().and_then(|known| known.get(place));
        known.copied().unwrap_or(place as f64)
    }
}

/// Returns true if the ratios of neighbours are more alike than their distances, as those of 50,
/// 100, 200 and 400.
fn is_evener_in_logs(numbers: &[f64]) -> bool {
    let (least, most) = (numbers[0], numbers[numbers.len() - 1]);
    let unevenness = |of: fn(f64) -> f64| {
        let gaps = numbers.windows(2).map(|pair| of(pair[1]) - of(pair[0]));
        let (lo, hi) = reach(gaps);
        hi / lo
    };
    let even = |value: f64| value;
    most / least >= GEOMETRIC && unevenness(libm::log) < unevenness(even)
}

/// A number as TOML writes it.
fn number(value: &str) -> Option<f64> {
    let bare = value.replace('_', "");
    let number: f64 = bare.parse().ok()?;
    // What Rust reads besides, such as the word "infinity", is no number of a sweep.
    let is_written = bare.contains(|c: char| c.is_ascii_digit());
    (number.is_finite() && is_written).then_some(number)
}

/// Returns short names that distinguish texts, lists and tables. Words that all have in common at
/// either end are left out, and names that are still long are numbered.
fn names(values: &[&str]) -> Vec<String> {
    let words: Vec<Vec<&str>> = values
        .iter()
        .map(|value| value.split_whitespace().collect())
        .collect();
    let is_short = |name: &String| name.chars().count() <= NAME_LETTERS;
    let whole: Vec<String> = values.iter().map(|value| plain(value)).collect();
    if whole.iter().all(is_short) {
        return whole;
    }
    let (start, end) = common(&words);
    let cut = |words: &Vec<&str>| {
        let kept = words[start..words.len() - end].join(" ");
        plain(kept.trim_end_matches([',', '}', ']', ' ']))
    };
    let cut: Vec<String> = words.iter().map(cut).collect();
    let mut known = cut.clone();
    known.sort();
    known.dedup();
    match cut.iter().all(is_short) && known.len() == values.len() {
        true => cut,
        false => (1..=values.len()).map(|n| format!("value {n}")).collect(),
    }
}

/// Returns the number of words that all begin with and that all end with. The key of the first
/// differing word is not counted.
fn common(all: &[Vec<&str>]) -> (usize, usize) {
    let least = all.iter().map(Vec::len).min().unwrap_or(0);
    let first = all.first().map_or(&[][..], Vec::as_slice);
    let begins = |n: &usize| all.iter().all(|words| words[*n] == first[*n]);
    let mut start = (0..least).take_while(begins).count();
    let last = |words: &Vec<&str>, n: usize| words[words.len() - 1 - n].to_owned();
    let ends = |n: &usize| all.iter().all(|words| last(words, *n) == last(&all[0], *n));
    let end = (0..least - start).take_while(ends).count();
    if start >= 2 && first[start - 1] == "=" {
        start -= 2;
    }
    (start, end)
}

/// The runs of a sweep, with their findings.
pub(super) struct SweepFound<'a> {
    /// The runs in the order of their values, the last key fastest.
    pub(super) runs: Vec<(&'a PointEntry, &'a Finished)>,
    /// The keys.
    pub(super) axes: Vec<SweepAxis>,
    /// The questions asked of every run, with the answer of each.
    pub(super) questions: Vec<SweepQuestion>,
    /// The measures that are shown.
    pub(super) measures: Vec<String>,
    /// The labels of all runs, in their order.
    pub(super) labels: Vec<&'a str>,
    /// The labels that can't be the answer in some run.
    pub(super) yardsticks: Vec<&'a str>,
}

/// A question, and who leads in each run.
pub(super) struct SweepQuestion {
    /// The measure, or `goal`.
    pub(super) name: String,
    /// The same for people.
    pub(super) title: String,
    /// The question in a few words.
    pub(super) words: String,
    /// The answers, a run each.
    pub(super) leads: Vec<LeadAnswer>,
}

impl<'a> SweepFound<'a> {
    pub(super) fn of(runs: &[(&'a PointEntry, &'a Finished)]) -> Self {
        let entries: Vec<&PointEntry> = runs.iter().map(|(entry, _)| *entry).collect();
        let axes = SweepAxis::all(&entries);
        let mut runs = runs.to_vec();
        runs.sort_by_cached_key(|(entry, _)| places(&axes, entry));
        let mut measures: Vec<String> = Vec::new();
        for (_, run) in &runs {
            for measure in account::measures(run) {
                if !measures.contains(&measure) {
                    measures.push(measure);
                }
            }
        }
        let labels = runs.iter().flat_map(|(_, run)| run.policies.keys());
        let labels: BTreeSet<&str> = labels.map(String::as_str).collect();
        let is_yardstick = |label: &&str| runs.iter().any(|(_, run)| !run.is_contender(label));
        Self {
            yardsticks: labels.iter().copied().filter(is_yardstick).collect(),
            questions: questions(&runs),
            labels: labels.into_iter().collect(),
            runs,
            axes,
            measures,
        }
    }

    /// The places of a run's values along the axes.
    pub(super) fn places(&self, run: usize) -> Vec<usize> {
        places(&self.axes, self.runs[run].0)
    }

    /// The name, the unit and the format of a measure.
    pub(super) fn words(&self, measure: &str) -> MeasureWords {
        let run = self.runs.iter().find_map(|(_, run)| {
            let mut policies = run.policies.values();
            policies
                .any(|policy| policy.metrics.contains_key(measure))
                .then_some(run)
        });
        run.map_or_else(
            || Metrics::default().words(measure),
            |run| run.catalogue.words(measure),
        )
    }

    /// A policy as figures name it.
    pub(super) fn shown_name(&self, label: &str) -> String {
        match self.yardsticks.contains(&label) {
            true => format!("{label} ({YARDSTICK})"),
            false => label.to_owned(),
        }
    }

    /// Returns the values that a run was set to, as figures name them.
    pub(super) fn settings(&self, run: usize) -> String {
        let axes = self.axes.iter().zip(self.places(run));
        let parts = axes.map(|(axis, place)| axis.setting(place));
        parts.collect::<Vec<_>>().join(", ")
    }
}

fn places(axes: &[SweepAxis], entry: &PointEntry) -> Vec<usize> {
    let values = axes.iter().zip(&entry.set);
    values.map(|(axis, (_, value))| axis.place(value)).collect()
}

fn questions(runs: &[(&PointEntry, &Finished)]) -> Vec<SweepQuestion> {
    let mut questions: Vec<SweepQuestion> = Vec::new();
    for (at, (_, run)) in runs.iter().enumerate() {
        for asked in leads(run) {
            let known = questions.iter().position(|known| known.name == asked.name);
            let known = known.unwrap_or_else(|| {
                questions.push(SweepQuestion {
                    name: asked.name.clone(),
                    title: run.catalogue.words(&asked.name).title.into_owned(),
                    words: asked.words.clone(),
                    leads: vec![LeadAnswer::default(); runs.len()],
                });
                questions.len() - 1
            });
            questions[known].leads[at] = asked.lead;
        }
    }
    questions.retain(|question| {
        let mut leads = question.leads.iter();
        leads.any(|lead| lead.mood != MapMood::Nothing)
    });
    questions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_their_order_and_all_else_in_that_of_the_sweep() {
        let axis = SweepAxis::of("k", vec!["100", "200", "400", "50", "1_000"]);
        assert_eq!(axis.values, ["50", "100", "200", "400", "1_000"]);
        assert_eq!((axis.place("400"), axis.at(3)), (3, 400.0));
        let axis = SweepAxis::of("k", vec!["1e1", "0.5", "2"]);
        assert_eq!(axis.values, ["0.5", "2", "1e1"]);
        for words in [
            vec!["b", "a"],
            vec!["true", "false"],
            vec!["10", "all"],
            vec!["inf", "nan"],
        ] {
            let axis = SweepAxis::of("k", words.clone());
            assert_eq!((&axis.values, axis.is_numeric()), (&axis.names, false));
            assert_eq!(axis.values, words);
            assert_eq!(axis.at(1), 1.0);
        }
    }

    #[test]
    fn long_values_are_named_by_what_tells_them_apart() {
        let target = |m: &str, f: &str| format!("{{ gender = {{ M = {m}, F = {f} }} }}");
        let [a, b] = [target("0.1", "0.9"), target("0.2", "0.8")];
        assert_eq!(names(&[&a, &b]), ["M = 0.1, F = 0.9", "M = 0.2, F = 0.8"]);
        let far = |n: usize| format!("[ {} {n} {} ]", "x".repeat(n), "y".repeat(40 - n));
        assert_eq!(names(&[&far(1), &far(2)]), ["value 1", "value 2"]);
        assert_eq!(names(&["one", "two"]), ["one", "two"]);
        let same = "a b c d e f g h i j k l m n o p q r s t";
        assert_eq!(names(&[same, "a t"]), ["value 1", "value 2"]);
    }
}
