//! The account of a finished run: the answers first, then figures, tables, how to have it again. A pure function of what the
//! run's folder holds; nothing is simulated.

mod again;
mod answers;
mod assumed;
mod beside;
mod courses;
mod facts;
mod overall;
mod shares;
mod spreads;
mod standing;
mod tradeoff;
mod verdicts;
mod words;

use std::collections::BTreeSet;

use super::figure::{Axis, Figure, Table, alike, drawn_names};
use super::finished::Finished;
use super::number::brief;
use super::page::{Answer, Chart, Page, Part, Section, Verdicts};
use super::streams;
use crate::compare::t::t_interval;
use crate::document::Value;
use crate::score::{Direction, MetricInfo};
use standing::Standing;

/// The folder of the figures, beside the page.
pub const FIGURES: &str = "figures";

/// The files that figures may have in it.
pub const FIGURE_FILES: [&str; 5] = [
    "verdicts.svg",
    "courses.svg",
    "distributions.svg",
    "tradeoff.svg",
    "shares.svg",
];

/// So many policies are drawn; one look is left for what is no policy. The tables hold all.
const DRAWN: usize = 7;
/// So many panels a figure has.
const PANELS: usize = 6;
/// Pointwise intervals of figures are wrong so often.
const POINTWISE: f64 = 0.05;
/// An axis is logarithmic where its values, all above 0, span such a ratio.
const WIDE: f64 = 30.0;

/// A smaller part of the values than this is no difference worth a picture.
const SEEN: f64 = 0.03;

/// A report: its page, and the SVG of each figure by the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// The page.
    pub page: Page,
    /// The files of its figures, which the page links to.
    pub figures: Vec<(&'static str, String)>,
}

/// A figure, its file's name, and its table where its points are not what a reader wants.
struct Drawn {
    file: &'static str,
    figure: Figure,
    table: Option<Table>,
}

impl Account {
    /// The report of a run; `notes` are what a check of its config says of it.
    pub fn of(run: &Finished, notes: &[String]) -> Self {
        let standings = Standing::all(run);
        let labels = drawn(run, &standings);
        let metrics = measures(run);
        let made = [
            verdicts::figure(&standings, &labels),
            courses::figure(run, &labels, &metrics),
            spreads::figure(run, &labels, &metrics),
            tradeoff::figure(run, &labels, &metrics),
            shares::figure(run, &labels),
        ];
        let mut made: Vec<Drawn> = made.into_iter().flatten().collect();
        let mut figures: Vec<Figure> = made.iter().map(|drawn| drawn.figure.clone()).collect();
        alike(&mut figures);
        for (drawn, figure) in made.iter_mut().zip(figures) {
            drawn.figure = figure;
        }
        let svgs = made.iter().map(|drawn| (drawn.file, drawn.figure.svg()));
        Self {
            figures: svgs.collect(),
            page: page(run, notes, &standings, &labels, made),
        }
    }
}

/// What the comparisons of a run that goes on say.
pub(crate) struct SoFar {
    /// The answer over all measures.
    pub(crate) answer: Option<Answer>,
    /// An answer for each measure that is compared.
    pub(crate) answers: Vec<Answer>,
    /// The comparisons on each.
    pub(crate) verdicts: Vec<Verdicts>,
    /// The intervals, where there are some.
    pub(crate) intervals: Option<Figure>,
    /// Who is ahead by the mean on the first measure that has a better side.
    pub(crate) ahead: Option<String>,
}

impl SoFar {
    /// Of all that is compared; the figure of these policies alone. `is_over`: no round comes any more.
    pub(crate) fn of(run: &Finished, labels: &[&str], is_over: bool) -> Self {
        let standings = Standing::all(run);
        let each = || standings.iter();
        Self {
            answer: overall::card(run),
            answers: each()
                .map(
                    |standing| match standing.alike_so_far().filter(|_| !is_over) {
                        Some(rounds) => answers::alike(standing, rounds),
                        None => answers::answer(standing, run),
                    },
                )
                .collect(),
            verdicts: each()
                .map(|standing| answers::verdicts(standing, run))
                .map(|table| if is_over { table } else { table.so_far() })
                .collect(),
            intervals: verdicts::figure(&standings, labels).map(|drawn| drawn.figure),
            ahead: each()
                .find(|standing| standing.direction != Direction::None)
                .and_then(|standing| Some((*standing.contenders.first()?).to_owned())),
        }
    }
}

/// What a run says of itself in a line or two, for a list of runs.
pub fn in_short(run: &Finished) -> Vec<String> {
    let standings = Standing::all(run);
    let headline = run.answer.iter().map(|answer| answer.headline.clone());
    let headline = headline.filter(|_| !run.pairs.is_empty());
    let lines = standings.iter().map(|standing| {
        let side = words::better(standing.direction);
        let answer = answers::answer(standing, run).answer;
        format!("{} ({side}): {answer}", standing.metric)
    });
    headline.chain(lines).collect()
}

fn page(
    run: &Finished,
    notes: &[String],
    standings: &[Standing<'_>],
    labels: &[&str],
    mut made: Vec<Drawn>,
) -> Page {
    let mut first = Vec::new();
    match standings {
        [] => first.push(Part::Prose(facts::uncompared(run))),
        standings => {
            first.extend(overall::parts(run));
            let answers = standings
                .iter()
                .map(|standing| answers::answer(standing, run));
            first.push(Part::Answers(answers.collect()));
        }
    }
    let is_first = made
        .first()
        .is_some_and(|drawn| drawn.file == FIGURE_FILES[0]);
    let forest = is_first.then(|| made.remove(0));
    let mut looks: Vec<(String, usize)> = Vec::new();
    for drawn in forest.iter().chain(&made) {
        for (name, look) in drawn_names(&drawn.figure) {
            if labels.contains(&name) && !looks.iter().any(|(known, _)| known == name) {
                looks.push((name.to_owned(), look));
            }
        }
    }
    first.extend(forest.map(chart));
    let tables = standings
        .iter()
        .map(|standing| Part::Verdicts(answers::verdicts(standing, run)));
    first.extend(tables);
    first.extend(beside::part(run));
    let mut figures = Vec::new();
    if looks.len() > 1 && !made.is_empty() {
        figures.push(Part::Switches(looks));
    }
    figures.extend(made.into_iter().map(chart));
    let heading = if standings.is_empty() {
        "What was found"
    } else {
        "Verdicts"
    };
    let sections = [
        (heading, first),
        ("On this stream", streams::parts(&run.policies)),
        ("Figures", figures),
        (
            "What was run, and what is assumed",
            facts::setting(run, notes),
        ),
        ("All measures", facts::measures(run)),
        ("How to have it again", again::again(run)),
    ];
    let sections = sections.into_iter().filter(|(_, parts)| !parts.is_empty());
    Page {
        title: run.name.clone(),
        lead: facts::lead(run),
        links: Vec::new(),
        sections: sections
            .map(|(heading, parts)| Section {
                heading: heading.into(),
                parts,
            })
            .collect(),
    }
}

fn chart(drawn: Drawn) -> Part {
    Part::Chart(Chart {
        file: format!("{FIGURES}/{}", drawn.file),
        figure: drawn.figure,
        table: drawn.table,
    })
}

/// The policies that are drawn, in label order: all, or of many the baseline and the best on each measure that has a better
/// side, in turns.
fn drawn<'a>(run: &'a Finished, standings: &[Standing<'a>]) -> Vec<&'a str> {
    let all = || run.policies.keys().map(String::as_str);
    let mut chosen: BTreeSet<&str> = BTreeSet::new();
    let baseline = standings.iter().find_map(|standing| standing.baseline);
    let ranked = || {
        let sided = standings.iter();
        sided.filter(|standing| standing.direction != Direction::None)
    };
    let best = (0..run.policies.len())
        .flat_map(|place| ranked().filter_map(move |standing| standing.comparable.get(place)));
    for label in baseline.into_iter().chain(best.copied()).chain(all()) {
        if chosen.len() < DRAWN {
            chosen.insert(label);
        }
    }
    chosen.into_iter().collect()
}

/// The measures that figures are of: what was judged, else what the config would judge, else what is there.
fn measures(run: &Finished) -> Vec<String> {
    let mut metrics: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        let has = run
            .policies
            .values()
            .any(|policy| policy.metrics.contains_key(name));
        if has && !metrics.iter().any(|known| known == name) {
            metrics.push(name.to_owned());
        }
    };
    run.pairs.iter().for_each(|pair| add(&pair.metric));
    if let Some(Value::List(judged)) = value(run, &["report", "judge"]) {
        for node in judged {
            if let Value::Text(name) = &node.value {
                add(name);
            }
        }
    }
    if run.pairs.is_empty() {
        for name in [
            "representation_loss",
            "cohort_value",
            "fair_regret",
            "fairness_loss",
            "greedy_reward",
            "screened",
            "cost",
        ] {
            add(name);
        }
    }
    metrics
}

/// A value of the config.
fn value<'a>(run: &'a Finished, path: &[&str]) -> Option<&'a Value> {
    let (last, sections) = path.split_last()?;
    let mut table = run.config.root();
    for section in sections {
        match &table.get(section)?.value {
            Value::Table(inner) => table = inner,
            _ => return None,
        }
    }
    Some(&table.get(last)?.value)
}

/// A number of the config.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(whole) => Some(*whole as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// The margin stated for a measure.
fn margin(run: &Finished, metric: &str) -> Option<f64> {
    let mut pairs = run.pairs.iter().filter(|pair| pair.metric == metric);
    let told = pairs.find_map(|pair| pair.margin);
    told.or_else(|| number(value(run, &["report", "margin", metric])?))
}

/// What series run over.
fn moments(run: &Finished) -> &'static str {
    let by = |path: &[&str]| value(run, path).is_some();
    let accepted = match value(run, &["report", "at"]) {
        Some(Value::Table(_)) => by(&["report", "at", "accepted"]),
        _ => by(&["rules", "until", "accepted"]),
    };
    if accepted { "accepted" } else { "round" }
}

/// A label in quotes, so that it is seen where it ends.
pub(crate) fn quoted(label: &str) -> String {
    format!("\u{201c}{label}\u{201d}")
}

/// Whether a run was to stop when all was decided: its number of replications was not fixed beforehand, which t needs.
fn is_stopping(run: &Finished) -> bool {
    value(run, &["report", "until"]).is_some()
}

/// The interval of a mean that figures draw.
fn interval(run: &Finished, mean: f64, se: Option<f64>, n: u64) -> Option<(f64, f64)> {
    t_interval(mean, se.filter(|_| !is_stopping(run))?, n, POINTWISE)
}

/// What figures draw of each measure: `of` their values.
fn drawn_means(run: &Finished, of: &str) -> String {
    match run.replications {
        1 => format!("The values {of} in the one replication."),
        _ if is_stopping(run) => {
            format!("Means {of} over the replications, whose number was not fixed beforehand.")
        }
        _ => format!(
            "Means {of} over the replications, each with its pointwise 95 % interval (Student's t)."
        ),
    }
}

/// An axis over values of a metric: logarithmic where they are all above 0 and far apart, and no longer than the metric can reach.
pub(crate) fn axis(metric: &str, values: impl Iterator<Item = f64> + Clone) -> Axis {
    let lo = values.clone().fold(f64::INFINITY, f64::min);
    let hi = values.fold(f64::NEG_INFINITY, f64::max);
    let (least, most) = MetricInfo::possible(metric);
    let axis = match lo > 0.0 && hi / lo >= WIDE {
        true => Axis::log(metric),
        false => Axis::linear(metric),
    };
    axis.within(least, most)
}

/// Whether policies' means of a measure differ by more than a picture's breadth of a hair.
fn is_seen_apart(run: &Finished, metric: &str) -> bool {
    let stats = run
        .policies
        .values()
        .filter_map(|policy| policy.metrics.get(metric));
    let means = stats.map(|stats| stats.mean);
    let lo = means.clone().fold(f64::INFINITY, f64::min);
    let hi = means.fold(f64::NEG_INFINITY, f64::max);
    hi - lo > SEEN * hi.abs().max(lo.abs())
}

/// A label of a measure with which way is better.
pub(crate) fn titled(metric: &str) -> String {
    match MetricInfo::of(metric).direction {
        Direction::Lower => format!("{metric} (less is better)"),
        Direction::Higher => format!("{metric} (more is better)"),
        Direction::None => metric.to_owned(),
    }
}

/// What a figure has no room for.
fn left_out(run: &Finished, labels: &[&str], metrics: usize) -> String {
    let mut words = String::new();
    if labels.len() < run.policies.len() {
        words += &format!(
            " Drawn are {} of {} policies; the tables hold all.",
            labels.len(),
            run.policies.len()
        );
    }
    if metrics > PANELS {
        words += &format!(" Drawn are the first {PANELS} of {metrics} measures.");
    }
    words
}

/// So many percent.
fn percent(share: f64) -> String {
    format!("{} %", brief(100.0 * share, 4))
}

#[cfg(test)]
mod tests;
