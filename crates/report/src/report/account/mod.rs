//! The account of a finished run: answers first, then figures, tables, and the steps to repeat it.
//! It is a pure function of the files in the run's folder, and nothing is simulated.

mod again;
mod answers;
mod cases;
mod chances;
mod course;
mod courses;
mod difference;
mod drawing;
mod drawn;
mod facts;
mod further;
mod glossary;
mod leads;
mod many;
mod next;
mod order;
mod shares;
mod so_far;
mod spreads;
mod standing;
mod sure;
mod tradeoff;
mod verdicts;
mod words;

use self::drawing::ReportFigure;
use self::drawn::DrawnRun;
use super::cohort::CohortAccount;
use super::figure::{PolicyLooks, VerdictPanel, verdict_svg};
use super::files::{FIGURE_FILES, FIGURES};
use super::finished::Finished;
use super::page::{Chart, Findings, Mood, Page, PagePart, PageSection, VerdictPicture, Verdicts};
use super::{streams, units};
pub use cases::case_page;
pub(crate) use drawing::{axis, interval, titled};
pub(crate) use drawn::measures;
pub(crate) use leads::{LeadAnswer, leads};
pub(crate) use next::needed;
pub use so_far::{MeasureSoFar, PairSoFar, SoFar};
pub use words::{capital, list, quoted};

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
        let run = &units::of_run(run);
        let DrawnRun {
            run: shown,
            looks,
            mut picture,
            figures: made,
            found,
        } = DrawnRun::of(run);
        let bars = bars(&picture);
        picture.file = bars.as_ref().map(|(file, _)| format!("{FIGURES}/{file}"));
        let svgs = made.iter().map(|drawn| (drawn.file, drawn.figure.svg()));
        Self {
            figures: bars.into_iter().chain(svgs).collect(),
            page: Page {
                title: run.name.clone(),
                tab: next::tab(run),
                lead: facts::lead(run) + &many::said(run, &shown),
                found: proposed(run).or(found),
                sections: sections([run, &shown], notes, picture, &looks, made),
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
            file: Some(format!("{FIGURES}/{}", drawn.file)),
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
        (cohort_heading(run), cohort(run)),
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

/// Returns whom the policy of a hiring round proposes, before all else. `None` for other runs.
fn proposed(run: &Finished) -> Option<Findings> {
    let (answer, decides) = run.cohort.as_ref()?.proposal()?;
    Some(Findings {
        question: "What the policy proposes".into(),
        answer,
        mood: Mood::SoFar,
        lines: vec![decides],
        ..Findings::default()
    })
}

fn cohort_heading(run: &Finished) -> &'static str {
    match run.cohort.as_ref().is_some_and(|cohort| cohort.proposes) {
        true => "Who is proposed",
        false => "Who was interviewed and chosen",
    }
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

#[cfg(test)]
mod tests;
