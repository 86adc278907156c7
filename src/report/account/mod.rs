//! The account of a finished run: the answers first, then figures, tables, how to have it again. A
//! pure function of what the run's folder holds; nothing is simulated.

mod again;
mod answers;
mod assumed;
mod beside;
mod chances;
mod course;
mod courses;
mod drawing;
mod facts;
mod given;
mod overall;
mod rows;
mod shares;
mod spreads;
mod standing;
mod sure;
mod tradeoff;
mod verdicts;
mod words;

use std::collections::BTreeSet;

use self::drawing::ReportFigure;
use self::given::value;
use self::standing::MeasureStanding;
use super::figure::{Figure, alike, drawn_names};
use super::files::{FIGURE_FILES, FIGURES};
use super::finished::Finished;
use super::page::{Chart, Page, PageAnswer, PagePart, PageSection, Verdicts};
use super::streams;
use crate::document::Value;
use crate::score::{Direction, HEADLINES};
pub(crate) use drawing::{axis, titled};
pub(crate) use words::quoted;

/// The most policies drawn; one look is left for what is no policy. The tables hold all.
const DRAWN: usize = 7;

/// A report: its page, and the SVG of each figure by the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The page.
    pub page: Page,
    /// The files of its figures, which the page links to.
    pub figures: Vec<(&'static str, String)>,
}

impl RunReport {
    /// The report of a run; `notes` are what a check of its config says of it.
    pub fn of(run: &Finished, notes: &[String]) -> Self {
        let standings = MeasureStanding::all(run);
        let labels = drawn(run, &standings);
        let metrics = measures(run);
        let made = [
            verdicts::figure(&standings, &labels),
            course::figure(run, &standings, &labels),
            courses::figure(run, &labels, &metrics),
            spreads::figure(run, &labels, &metrics),
            tradeoff::figure(run, &labels, &metrics),
            shares::figure(run, &labels),
            chances::figure(run, &labels),
        ];
        let mut made: Vec<ReportFigure> = made.into_iter().flatten().collect();
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
    pub(crate) answer: Option<PageAnswer>,
    /// An answer for each measure that is compared.
    pub(crate) answers: Vec<PageAnswer>,
    /// The comparisons on each.
    pub(crate) verdicts: Vec<Verdicts>,
    /// The intervals, where there are some.
    pub(crate) intervals: Option<Figure>,
    /// Their courses, where there are some.
    pub(crate) course: Option<Figure>,
    /// Who is ahead by the mean on the first measure that has a better side.
    pub(crate) ahead: Option<String>,
}

impl SoFar {
    /// Of all that is compared; the figure of these policies alone. `is_over`: no round comes any
    /// more.
    pub(crate) fn of(run: &Finished, labels: &[&str], is_over: bool) -> Self {
        let standings = MeasureStanding::all(run);
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
                .map(|standing| rows::verdicts(standing, run))
                .map(|table| if is_over { table } else { table.so_far() })
                .collect(),
            intervals: verdicts::figure(&standings, labels).map(|drawn| drawn.figure),
            course: course::figure(run, &standings, labels).map(|drawn| drawn.figure),
            ahead: each()
                .find(|standing| standing.direction != Direction::None)
                .and_then(|standing| Some((*standing.contenders.first()?).to_owned())),
        }
    }
}

/// What a run says of itself in a line or two, for a list of runs.
pub fn in_short(run: &Finished) -> Vec<String> {
    let standings = MeasureStanding::all(run);
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
    standings: &[MeasureStanding<'_>],
    labels: &[&str],
    mut figures: Vec<ReportFigure>,
) -> Page {
    let looks = looks(&figures, labels);
    let is_first = |figure: &ReportFigure| figure.file == FIGURE_FILES[0];
    let has_forest = figures.first().is_some_and(is_first);
    let forest = has_forest.then(|| figures.remove(0));
    let is_of_chances = |figure: &ReportFigure| figure.file == FIGURE_FILES[5];
    let curves = figures.iter().position(is_of_chances);
    let curves = curves.map(|at| chart(figures.remove(at)));
    let mut charts = Vec::new();
    if looks.len() > 1 && !figures.is_empty() {
        charts.push(PagePart::Switches(looks));
    }
    charts.extend(figures.into_iter().map(chart));
    let heading = match standings {
        [] => "What was found",
        _ => "Verdicts",
    };
    let sections = [
        (heading, found(run, standings, forest)),
        ("On this stream", streams::parts(&run.policies)),
        ("Chances of respondents", chances::parts(run, curves)),
        ("Figures", charts),
        (
            "What was run, and what is assumed",
            facts::setting(run, notes),
        ),
        ("All measures", facts::measures(run)),
        ("How to have it again", again::again(run)),
    ];
    let sections = sections.into_iter().filter(|(_, parts)| !parts.is_empty());
    let sections = sections.map(|(heading, parts)| PageSection {
        heading: heading.into(),
        parts,
    });
    Page {
        title: run.name.clone(),
        lead: facts::lead(run),
        links: Vec::new(),
        sections: sections.collect(),
    }
}

/// What was found: the answers, the intervals as a figure, the comparisons as tables.
fn found(
    run: &Finished,
    standings: &[MeasureStanding<'_>],
    forest: Option<ReportFigure>,
) -> Vec<PagePart> {
    let mut parts = Vec::new();
    if standings.is_empty() {
        parts.push(PagePart::Prose(facts::uncompared(run)));
    } else {
        parts.extend(overall::parts(run));
        let answers = standings.iter().map(|one| answers::answer(one, run));
        parts.push(PagePart::Answers(answers.collect()));
    }
    parts.extend(forest.map(chart));
    let tables = standings.iter().map(|one| rows::verdicts(one, run));
    parts.extend(tables.map(PagePart::Verdicts));
    parts.extend(beside::part(run));
    parts
}

/// The look of each policy that a figure draws.
fn looks(figures: &[ReportFigure], labels: &[&str]) -> Vec<(String, usize)> {
    let mut looks: Vec<(String, usize)> = Vec::new();
    for (name, look) in figures.iter().flat_map(|one| drawn_names(&one.figure)) {
        if labels.contains(&name) && !looks.iter().any(|(known, _)| known == name) {
            looks.push((name.to_owned(), look));
        }
    }
    looks
}

fn chart(drawn: ReportFigure) -> PagePart {
    PagePart::Chart(Chart {
        file: format!("{FIGURES}/{}", drawn.file),
        figure: drawn.figure,
        table: drawn.table,
    })
}

/// The policies that are drawn, in label order: all, or of many the baseline and the best on each
/// measure that has a better side, in turns.
fn drawn<'a>(run: &'a Finished, standings: &[MeasureStanding<'a>]) -> Vec<&'a str> {
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

/// The measures that figures are of: what was judged, else what the config would judge, else what
/// is there.
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
        HEADLINES.into_iter().for_each(&mut add);
    }
    metrics
}

#[cfg(test)]
mod tests;
