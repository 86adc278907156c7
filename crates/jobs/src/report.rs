//! Reports of finished runs, from their folders: pages, figures, tables.

use std::path::{Path, PathBuf};

use crate::checked::checked;
use crate::json::{runs_json, sweep_json};
use crate::question::RunQuestion;
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::trace::DECISIONS;
use kleroterion_live::watch::served::ReportPage;
use kleroterion_report::limits::MOST_PAGE_BYTES;
use kleroterion_report::report::account::RunReport;
use kleroterion_report::report::asked::{OtherAnswer, as_it_ended};
use kleroterion_report::report::files::{
    FIGURE_FILES, FIGURES, Folder, SUMMARY, SWEEP_FIGURE, TIMING,
};
use kleroterion_report::report::finished::{Finished, SweepRuns, sweep_runs};
use kleroterion_report::report::json::summary_json;
use kleroterion_report::report::medium::Medium;
use kleroterion_report::report::page::Page;
use kleroterion_report::report::points::PointEntry;
use kleroterion_report::report::sweep::{SweepPoint, SweepReport, links_of};
use kleroterion_report::report::table::table;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::document::read_text;
use kleroterion_stats::{Judge, RunResult, Summary};

/// The file name of the page of a run, and of a sweep's page that links to its runs.
pub const PAGE: &str = "report.html";

/// The reports of the finished run in a folder, or of all runs of the sweep in it.
pub struct FolderReport {
    folder: PathBuf,
    runs: Vec<ReportedRun>,
    /// The page of the sweep, if the runs belong to one.
    index: Option<SweepReport>,
    is_own: bool,
}

/// A run, and the question that its report answers.
struct ReportedRun {
    /// Its name in a sweep and the sweep's settings.
    entry: Option<PointEntry>,
    run: Finished,
    page: RunReport,
    /// The answer to print; `None` if only the page is asked for.
    answer: Option<AnsweredRun>,
}

/// The answer of a run as it is printed: to another question, or the one at the end of the run.
struct AnsweredRun {
    result: RunResult,
    summary: Summary,
    judge: Judge,
}

/// A report that could not be written in whole or in part.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Nothing was written.
    #[error("{0}")]
    Unwritten(Problems),
    /// The report is not whole.
    #[error("{0}")]
    Partly(Problem),
}

impl FolderReport {
    /// Reads the run in a folder, or all runs of the sweep in it, and makes their reports on a
    /// question. With `answers`, the answers to the runs' own questions can be printed as well.
    /// The kinds that their configs name are those of `inputs`. The watch hears which files were
    /// changed after the run.
    ///
    /// # Errors
    /// Fails if the folder holds no finished run or a broken one, or if the runs can't answer the
    /// question.
    pub fn read(
        folder: &Path,
        question: &RunQuestion,
        answers: bool,
        inputs: &ConfigInputs,
        watch: &JobWatch<'_>,
    ) -> Result<Self, Problems> {
        let found = match Finished::read(folder) {
            Ok(run) => vec![(None, run)],
            Err(problems) => {
                let runs = sweep(folder, watch).unwrap_or(Err(problems))?;
                let named = runs.into_iter().map(|(entry, run)| (Some(entry), run));
                named.collect()
            }
        };
        for (entry, run) in &found {
            let folder = below(folder, entry.as_ref());
            let changed = run.changed.iter();
            changed.for_each(|name| watch.warn(&changed_since(&folder, name)));
        }
        // All pages before any is written: a run that can't be reported leaves all as it was.
        let mut problems = Problems::default();
        let mut runs = Vec::new();
        for (entry, run) in found {
            let folder = below(folder, entry.as_ref());
            match ReportedRun::of(question, answers, &inputs.in_folder(folder), entry, run) {
                Ok(one) => runs.push(one),
                // What is wrong of every run of a sweep is said once.
                Err(found) => {
                    let known = std::mem::take(&mut problems.0);
                    let new = found.0.into_iter();
                    let new = new.filter(|problem| !known.contains(problem));
                    problems.0 = known.iter().cloned().chain(new).collect();
                }
            }
        }
        let mut runs = problems.or(runs)?;
        Ok(Self {
            index: linked(&mut runs),
            folder: folder.to_owned(),
            runs,
            is_own: question.is_empty(),
        })
    }

    /// The path of the page.
    pub fn path(&self) -> PathBuf {
        self.folder.join(PAGE)
    }

    /// The answers as JSON: the runs' own summaries, or those to another question.
    ///
    /// # Errors
    /// Fails if a run's own summary can't be read.
    pub fn json(&self) -> Result<String, Problems> {
        match self.is_own {
            true => self.own_json(),
            false => Ok(self.anew_json()),
        }
    }

    /// The runs' own summaries, from their folders.
    fn own_json(&self) -> Result<String, Problems> {
        if let [ReportedRun { entry: None, .. }] = &self.runs[..] {
            return Ok(read_text(&self.folder.join(SUMMARY))?);
        }
        let mut runs = Vec::new();
        for entry in self.runs.iter().filter_map(|one| one.entry.as_ref()) {
            let path = below(&self.folder, Some(entry)).join(SUMMARY);
            let summary = serde_json::from_str(&read_text(&path)?).unwrap_or_default();
            runs.push((entry.clone(), summary));
        }
        Ok(runs_json(runs.into_iter()))
    }

    /// The answers to another question.
    fn anew_json(&self) -> String {
        let answers = self.runs.iter();
        let answers = answers.filter_map(|one| Some((one.entry.clone(), one.answer.as_ref()?)));
        let mut points = Vec::new();
        for (entry, answer) in answers {
            let summary = answer.summary.clone();
            match entry {
                None => return summary_json(&summary),
                Some(entry) => points.push(SweepPoint { entry, summary }),
            }
        }
        sweep_json(points)
    }

    /// The tables of the answers, each with the sweep's settings.
    pub fn tables(&self, medium: &Medium) -> String {
        let table = |one: &ReportedRun| {
            let AnsweredRun {
                result,
                summary,
                judge,
            } = one.answer.as_ref()?;
            let title = one.entry.as_ref().map(PointEntry::settings);
            let title = title.map(|title| medium.finished(&medium.title(&title)));
            Some(title.unwrap_or_default() + &table(result, summary, judge, false, medium))
        };
        let tables = self.runs.iter().filter_map(table);
        tables.collect::<Vec<_>>().join("\n")
    }

    /// Writes the pages and their figures into the folders of the runs, and the page of the sweep.
    ///
    /// # Errors
    /// Fails if a page is too large, in which case nothing is written, or if a file can't be
    /// written.
    pub fn write(&self) -> Result<(), ReportError> {
        let index = self.index.as_ref();
        let index = index.map(|index| Ok((sized(&index.page)?, index.figure.as_deref())));
        let index = index.transpose()?;
        let pages = self.runs.iter().map(|one| sized(&one.page.page));
        let pages: Vec<String> = pages.collect::<Result<_, ReportError>>()?;
        for (one, html) in self.runs.iter().zip(&pages) {
            let folder = below(&self.folder, one.entry.as_ref());
            write(&folder, &one.page, html).map_err(ReportError::Partly)?;
        }
        if let Some((html, figure)) = index {
            write_index(&self.folder, &html, figure).map_err(ReportError::Partly)?;
        }
        Ok(())
    }
}

impl ReportedRun {
    /// A run with its report, on the requested question or else on its own.
    fn of(
        question: &RunQuestion,
        answers: bool,
        inputs: &ConfigInputs,
        entry: Option<PointEntry>,
        run: Finished,
    ) -> Result<Self, Problems> {
        let inputs = inputs.clone().unplayed();
        if question.is_empty() {
            let plan = answers.then(|| checked(&run.config, &inputs)).transpose()?;
            let answer = plan.map(|plan| {
                let (result, summary) = as_it_ended(&run, &plan);
                AnsweredRun {
                    result,
                    summary,
                    judge: plan.judge.clone(),
                }
            });
            return Ok(Self {
                page: own_page(&run, &inputs),
                entry,
                run,
                answer,
            });
        }
        let mut config = run.config.clone();
        question.put(&mut config)?;
        let plan = checked(&config, &inputs)?;
        let asked = OtherAnswer::of(&run, config, &plan, inputs.folder())?;
        Ok(Self {
            page: RunReport::of(&asked.run, &plan.notes),
            entry,
            run: asked.run,
            answer: Some(AnsweredRun {
                result: asked.result,
                summary: asked.summary,
                judge: plan.judge.clone(),
            }),
        })
    }
}

/// Writes the report of a run whose other files have just been written. Returns its page and
/// figures.
///
/// # Errors
/// Fails if the report can't be made or written.
pub fn write_own(folder: &Path, inputs: &ConfigInputs) -> Result<ReportPage, Problems> {
    let page = own_page(&Finished::written(folder)?, &inputs.in_folder(folder));
    let html = page.page.html();
    write(folder, &page, &html)?;
    Ok(page_of(page, html))
}

/// The report of a run whose other files have just been written. It is not written itself.
///
/// # Errors
/// Fails if the report can't be made.
pub(crate) fn written_report(folder: &Path, inputs: &ConfigInputs) -> Result<ReportPage, Problems> {
    let page = own_page(&Finished::written(folder)?, &inputs.in_folder(folder));
    let html = page.page.html();
    Ok(page_of(page, html))
}

fn page_of(page: RunReport, html: String) -> ReportPage {
    let figures = page.figures.into_iter();
    ReportPage {
        html,
        figures: figures.map(|(file, svg)| (file.to_owned(), svg)).collect(),
    }
}

/// The warning that a file of a run was changed after the run.
pub fn changed_since(folder: &Path, name: &str) -> String {
    let file = folder.join(name);
    let what = format!("{} was changed after the run", file.display());
    format!("{what}: {TIMING} has another hash of it")
}

/// The folder of a run, within its sweep's folder if it has one.
fn below(folder: &Path, entry: Option<&PointEntry>) -> PathBuf {
    entry.map_or_else(|| folder.to_owned(), |entry| folder.join(&entry.name))
}

/// The report of a run on its own question, with the notes of a check of its config if its files
/// still exist.
fn own_page(run: &Finished, inputs: &ConfigInputs) -> RunReport {
    let plan = checked(&run.config, &inputs.clone().unplayed());
    let notes = plan.map(|plan| plan.notes.clone()).unwrap_or_default();
    RunReport::of(run, &notes)
}

/// The runs of a sweep; `None` if the folder holds no sweep.
fn sweep(
    folder: &Path,
    watch: &JobWatch<'_>,
) -> Option<Result<Vec<(PointEntry, Finished)>, Problems>> {
    let SweepRuns { begun, missing } = match sweep_runs(folder)? {
        Ok(runs) => runs,
        Err(problem) => return Some(Err(problem.into())),
    };
    let mut problems = Problems::default();
    if missing > 0 {
        let what =
            format!("{missing} of the sweep's runs were not begun, and are not in the report");
        watch.alert(JobAlert::Note(&what));
    }
    let mut runs = Vec::new();
    for entry in begun {
        match Finished::read(&folder.join(&entry.name)) {
            Ok(run) => runs.push((entry, run)),
            Err(found) => problems.0.extend(found.0),
        }
    }
    Some(problems.or(runs))
}

/// The report of the sweep, if the runs belong to one. The page of each run then names the run and
/// links to the sweep's page.
fn linked(made: &mut [ReportedRun]) -> Option<SweepReport> {
    let runs = made.iter();
    let runs = runs.filter_map(|one| Some((one.entry.as_ref()?, &one.run)));
    let runs: Vec<_> = runs.collect();
    if runs.is_empty() {
        return None;
    }
    let (index, links) = (SweepReport::of(&runs), links_of(&runs));
    for one in made {
        let Some(entry) = &one.entry else {
            continue;
        };
        let page = &mut one.page.page;
        page.title = format!("{}: {}", page.title, entry.settings());
        if let Some((_, links)) = links.iter().find(|(known, _)| *known == entry.name) {
            page.links.clone_from(links);
        }
    }
    Some(index)
}

/// The HTML of a page, or an error if it exceeds the size limit.
fn sized(page: &Page) -> Result<String, ReportError> {
    let html = page.html();
    if html.len() <= MOST_PAGE_BYTES {
        return Ok(html);
    }
    let what = format!(
        "the page of {} would take {} bytes, and {MOST_PAGE_BYTES} are the most",
        page.title,
        html.len()
    );
    let help = "report a run of fewer policies or shorter labels: klero run … --only LABEL,…";
    let problem = Problem::of_request(what).help(help);
    Err(ReportError::Unwritten(problem.into()))
}

/// Writes a run's figures and then its page, so that all links work.
fn write(folder: &Path, account: &RunReport, html: &str) -> Result<(), Problem> {
    let figures = Folder::at(folder).within(FIGURES)?;
    for name in FIGURE_FILES {
        match account.figures.iter().find(|(file, _)| *file == name) {
            Some((file, svg)) => figures.write(file, |out| out.write_all(svg.as_bytes()))?,
            None => figures.remove(name)?,
        }
    }
    put(folder, PAGE, html)
}

/// Writes the figure of a sweep and then its page.
fn write_index(folder: &Path, html: &str, figure: Option<&str>) -> Result<(), Problem> {
    let figures = Folder::at(folder).within(FIGURES)?;
    match figure {
        Some(svg) => figures.write(SWEEP_FIGURE, |out| out.write_all(svg.as_bytes()))?,
        None => figures.remove(SWEEP_FIGURE)?,
    }
    put(folder, PAGE, html)
}

/// Writes a page. Only its user may read it if decisions were traced, since it then names chosen
/// people.
fn put(folder: &Path, name: &str, text: &str) -> Result<(), Problem> {
    let folder = Folder::at(folder);
    match folder.file(DECISIONS).exists() {
        true => folder.write_own(name, |out| out.write_all(text.as_bytes())),
        false => folder.write(name, |out| out.write_all(text.as_bytes())),
    }
}
