//! The account of a finished run: answers first, then figures, tables, and the steps to repeat it.
//! It is a pure function of the files in the run's folder, and nothing is simulated.

mod again;
mod answers;
mod chances;
mod course;
mod courses;
mod difference;
mod drawing;
mod facts;
mod further;
mod glossary;
mod leads;
mod many;
mod shares;
mod so_far;
mod spreads;
mod standing;
mod sure;
mod tradeoff;
mod verdicts;
mod words;

use self::drawing::{COLOURFUL, ReportFigure};
use self::many::foremost;
use self::standing::MeasureStanding;
use self::words::value;
use super::cohort::CohortAccount;
use super::figure::{PolicyLooks, VerdictPanel, verdict_svg};
use super::files::{FIGURE_FILES, FIGURES};
use super::finished::Finished;
use super::page::{Chart, Page, PagePart, PageSection, VerdictPicture, Verdicts};
use super::streams;
pub(crate) use drawing::{axis, interval, titled};
use kleroterion_core::score::HEADLINES;
use kleroterion_run::document::Value;
pub(crate) use leads::{LeadAnswer, leads};
pub use so_far::{MeasureSoFar, PairSoFar, SoFar};
pub use words::{list, quoted};

/// The most policies whose lines keep their colours then.
const FOREMOST: usize = 4;

/// A report: its page, and the SVG of each figure by file name.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The page.
    pub page: Page,
    /// The files of its figures, which the page links to.
    pub figures: Vec<(&'static str, String)>,
}

impl RunReport {
    /// Makes the report of a run. `notes` are those of the check of its config.
    pub fn of(run: &Finished, notes: &[String]) -> Self {
        let all = MeasureStanding::all(run);
        let some = many::shown(run, &all);
        let (whole, run) = (run, some.as_ref().unwrap_or(run));
        let standings = MeasureStanding::all(run);
        let looks = PolicyLooks::of(run.policies.keys().cloned());
        let labels: Vec<&str> = looks.labels().collect();
        let foremost = foremost(run, &standings, FOREMOST);
        let metrics = measures(run);
        let made = [
            course::figure(run, &standings),
            courses::figure(run, &labels, &metrics),
            spreads::figure(run, &labels, &metrics),
            tradeoff::figure(run, &labels, &metrics),
            shares::figure(run, &looks),
            chances::figure(run, &labels),
        ];
        let mut made: Vec<ReportFigure> = made.into_iter().flatten().collect();
        for drawn in &mut made {
            looks.dress(&mut drawn.figure);
            if labels.len() > COLOURFUL {
                drawn.figure.mute_all_but(&foremost);
            }
        }
        let tables = standings.iter();
        let tables = tables.map(|one| verdicts::verdicts(one, run, &looks));
        // What is said in words is of all policies, whichever are shown.
        let mut picture = VerdictPicture {
            tables: tables.collect(),
            about: sure::about(whole),
            file: None,
        };
        for table in &mut picture.tables {
            if let Some(one) = all.iter().find(|one| one.metric == table.measure) {
                table.notes = answers::notes(one, whole);
            }
        }
        let found = (!all.is_empty()).then(|| answers::findings(whole, &all));
        let bars = bars(&picture);
        picture.file = bars.as_ref().map(|(file, _)| format!("{FIGURES}/{file}"));
        let svgs = made.iter().map(|drawn| (drawn.file, drawn.figure.svg()));
        Self {
            figures: bars.into_iter().chain(svgs).collect(),
            page: Page {
                title: whole.name.clone(),
                lead: facts::lead(whole) + &many::said(whole, run),
                found,
                sections: sections([whole, run], notes, picture, &looks, made),
                ..Page::default()
            },
        }
    }
}

/// The sections of the page of a run, and of what it shows of the run.
fn sections(
    [whole, run]: [&Finished; 2],
    notes: &[String],
    picture: VerdictPicture,
    looks: &PolicyLooks,
    mut figures: Vec<ReportFigure>,
) -> Vec<PageSection> {
    let is_of_chances = |figure: &ReportFigure| figure.file == FIGURE_FILES[5];
    let curves = figures.iter().position(is_of_chances);
    let chart = |drawn: ReportFigure| {
        PagePart::Chart(Chart {
            file: format!("{FIGURES}/{}", drawn.file),
            figure: drawn.figure,
            table: drawn.table,
        })
    };
    let curves = curves.map(|at| chart(figures.remove(at)));
    let mut charts = Vec::new();
    if looks.pairs().len() > 1 && !figures.is_empty() {
        charts.push(PagePart::Switches(looks.pairs().to_vec()));
    }
    charts.extend(figures.into_iter().map(chart));
    let strip = Some(&run.strip).filter(|strip| !strip.columns.is_empty());
    let decisions = strip.cloned().map(PagePart::Strip).into_iter();
    let heading = match picture.tables.is_empty() {
        true => "What was found",
        false => "Verdicts",
    };
    let sections = [
        ("Who was interviewed and chosen", cohort(run)),
        (heading, compared(whole, picture)),
        ("On this stream", streams::parts(&run.policies)),
        ("Chances of respondents", chances::parts(run, curves)),
        ("Figures", charts),
        ("Decisions", decisions.collect()),
        (
            "What was run, and what is assumed",
            facts::setting(whole, notes),
        ),
        ("All measures", facts::measures(whole)),
        ("Glossary", glossary::parts(run)),
        ("How to have it again", again::again(whole)),
    ];
    PageSection::filled(sections)
}

/// Returns tables of the people interviewed and chosen, for a run of cohorts.
fn cohort(run: &Finished) -> Vec<PagePart> {
    let tables = run.cohort.iter().flat_map(CohortAccount::tables);
    let tables = tables.map(|(caption, table)| PagePart::table(caption, table));
    tables.collect()
}

/// Returns the rows of the first figure as a file. `None` if nothing can be drawn.
fn bars(picture: &VerdictPicture) -> Option<(&'static str, String)> {
    let panels: Vec<VerdictPanel> = picture.tables.iter().filter_map(Verdicts::panel).collect();
    let title = "How far apart, and how sure";
    (!panels.is_empty()).then(|| (FIGURE_FILES[0], verdict_svg(title, &picture.about, &panels)))
}

/// The comparisons of each measure, and the statistics next to them.
fn compared(run: &Finished, picture: VerdictPicture) -> Vec<PagePart> {
    if picture.tables.is_empty() {
        return vec![PagePart::Prose(facts::uncompared(run))];
    }
    let mut parts = vec![PagePart::Verdicts(picture)];
    parts.extend(answers::tests(run));
    parts.extend(further::part(run));
    parts
}

/// The measures that figures are of: what was judged, else what the config would judge, else what
/// is there.
pub(crate) fn measures(run: &Finished) -> Vec<String> {
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
