//! `klero report DIR`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::{Failure, print, unwritten};
use super::question::QuestionArgs;
use super::result::{runs_json, sweep_json};
use super::{folder, look, show};
use kleroterion::compare::{Judge, RunResult, Summary};
use kleroterion::config::check;
use kleroterion::document::read_text;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::account::RunReport;
use kleroterion::report::asked::{OtherAnswer, as_it_ended};
use kleroterion::report::files::{FIGURE_FILES, FIGURES, Folder, SUMMARY, SWEEP_FIGURE};
use kleroterion::report::finished::{Finished, SweepRuns, sweep_runs};
use kleroterion::report::json::summary_json;
use kleroterion::report::medium::Medium;
use kleroterion::report::page::Page;
use kleroterion::report::plain;
use kleroterion::report::points::PointEntry;
use kleroterion::report::sweep::{SweepPoint, SweepReport, links_of};
use kleroterion::report::table::table;
use kleroterion::trace::DECISIONS;
use kleroterion::watch::served::ReportPage;
use kleroterion_report::limits::MOST_PAGE_BYTES;

/// The file name of the page of a run, and of a sweep's page that links to its runs.
const PAGE: &str = "report.html";

/// Options of `klero report`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run committee-brexit-like --out brexit
  klero report brexit                              brexit/report.html, and its figures in brexit/figures
  klero report brexit --judge screened --baseline cmdp        another question, from the values that were kept
  klero report brexit --format markdown            the run's own tables, for an issue or a paper
  klero report brexit --goal 'screened where representation_loss <= 0.05'

Of a sweep, every run in DIR gets its own report, and DIR a page that leads to them. A report that is there is written
anew: it holds nothing but what the run's files say. Where another question is asked, the page and what is printed answer
that one; summary.json keeps the run's own.")]
pub struct ReportArgs {
    /// The folder that a run has written (--out)
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    question: QuestionArgs,
    /// What to print: the run's own answer, or that to another question [default: of a run's own the
    /// path of the page, of another question a table and the path]
    #[arg(long, value_enum)]
    format: Option<Printed>,
}

/// What is printed of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Printed {
    /// For people, and then the path
    Table,
    /// For papers and issues: the same as Markdown, and no path
    Markdown,
    /// What summary.json would say, and no path
    Json,
}

/// A run, and the question that its report answers.
struct Reported {
    /// Its name in a sweep and the sweep's settings.
    entry: Option<PointEntry>,
    run: Finished,
    page: RunReport,
    /// The answer to print; `None` if only the page is asked for.
    answer: Option<Answered>,
}

/// The answer of a run as it is printed: to another question, or the one at the end of the run.
struct Answered {
    result: RunResult,
    summary: Summary,
    judge: Judge,
}

/// Writes the report of a finished run, or of all runs of a sweep, and prints the path of its page.
///
/// # Errors
/// Fails without writing if the folder holds no finished run or a broken one. Fails if the report
/// can't be written.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    folder::there(
        folder,
        "report",
        "`klero run … --out DIR` or `klero live … --out DIR`",
    )
    .map_err(wrong)?;
    let found = match Finished::read(folder) {
        Ok(run) => vec![(None, run)],
        Err(problems) => {
            let runs = sweep(folder).unwrap_or(Err(problems)).map_err(wrong)?;
            let named = runs.into_iter().map(|(entry, run)| (Some(entry), run));
            named.collect()
        }
    };
    for (entry, run) in &found {
        let folder = below(folder, entry.as_ref());
        run.changed
            .iter()
            .for_each(|name| show::changed(&folder, name));
    }
    // All pages before any is written: a run that can't be reported leaves all as it was.
    let mut problems = Problems::default();
    let mut made = Vec::new();
    for (entry, run) in found {
        let folder = below(folder, entry.as_ref());
        match reported(args, &folder, entry, run) {
            Ok(one) => made.push(one),
            // What is wrong of every run of a sweep is said once.
            Err(found) => {
                let known = std::mem::take(&mut problems.0);
                let new = found
                    .0
                    .into_iter()
                    .filter(|problem| !known.contains(problem));
                problems.0 = known.iter().cloned().chain(new).collect();
            }
        }
    }
    let mut made = problems.or(made).map_err(wrong)?;
    let index = linked(&mut made);
    let index = index.map(|index| Ok((sized(&index.page)?, index.figure)));
    let index = index.transpose()?;
    let pages: Result<Vec<String>, Failure> =
        made.iter().map(|one| sized(&one.page.page)).collect();
    let text = printed(args, &made).map_err(wrong)?;
    for (one, html) in made.iter().zip(&pages?) {
        write(&below(folder, one.entry.as_ref()), &one.page, html).map_err(partly)?;
    }
    if let Some((html, figure)) = index {
        write_index(folder, &html, figure.as_deref()).map_err(partly)?;
    }
    print(&text)
}

/// Writes the report of a live run whose other files have just been written. Returns its page and
/// figures.
///
/// # Errors
/// Fails if the report can't be made or written.
pub fn write_own(folder: &Path) -> Result<ReportPage, Problems> {
    let run = Finished::written(folder)?;
    let page = own_page(&run, folder);
    let html = page.page.html();
    write(folder, &page, &html)?;
    let figures = page.figures.into_iter();
    Ok(ReportPage {
        html,
        figures: figures.map(|(file, svg)| (file.to_owned(), svg)).collect(),
    })
}

/// The folder of a run, within its sweep's folder if it has one.
fn below(folder: &Path, entry: Option<&PointEntry>) -> PathBuf {
    entry.map_or_else(|| folder.to_owned(), |entry| folder.join(&entry.name))
}

/// The report of a run on its own question, with the notes of a check of its config if its files
/// still exist.
fn own_page(run: &Finished, folder: &Path) -> RunReport {
    let plan = check(&run.config, folder);
    let notes = plan.map(|plan| plan.notes).unwrap_or_default();
    RunReport::of(run, &notes)
}

/// A run with its report, on the requested question or else on its own.
fn reported(
    args: &ReportArgs,
    folder: &Path,
    entry: Option<PointEntry>,
    run: Finished,
) -> Result<Reported, Problems> {
    if args.question.is_empty() {
        let is_table = matches!(args.format, Some(Printed::Table | Printed::Markdown));
        let plan = is_table.then(|| check(&run.config, folder)).transpose()?;
        let answer = plan.map(|plan| {
            let (result, summary) = as_it_ended(&run, &plan);
            let judge = plan.judge;
            Answered {
                result,
                summary,
                judge,
            }
        });
        return Ok(Reported {
            page: own_page(&run, folder),
            entry,
            run,
            answer,
        });
    }
    let mut config = run.config.clone();
    args.question.put(&mut config)?;
    let plan = check(&config, folder)?;
    let asked = OtherAnswer::of(&run, config, &plan, folder)?;
    Ok(Reported {
        page: RunReport::of(&asked.run, &plan.notes),
        entry,
        run: asked.run,
        answer: Some(Answered {
            result: asked.result,
            summary: asked.summary,
            judge: plan.judge,
        }),
    })
}

/// The text to print: the requested answers, and the path of the page.
///
/// # Errors
/// Fails if a run's own summary can't be read.
fn printed(args: &ReportArgs, made: &[Reported]) -> Result<String, Problems> {
    let path = args.folder.join(PAGE);
    let path = format!("{}\n", plain(&path.display().to_string()));
    let is_own = args.question.is_empty();
    Ok(match args.format {
        None if is_own => path,
        Some(Printed::Json) if is_own => own_json(args, made)?,
        Some(Printed::Json) => anew_json(made),
        Some(Printed::Markdown) => tables(made, &Medium::markdown()),
        Some(Printed::Table) | None => tables(made, &look::of_stdout()) + "\n" + &path,
    })
}

/// The runs' own summaries, from their folders.
fn own_json(args: &ReportArgs, made: &[Reported]) -> Result<String, Problems> {
    if let [Reported { entry: None, .. }] = made {
        return Ok(read_text(&args.folder.join(SUMMARY))?);
    }
    let mut runs = Vec::new();
    for entry in made.iter().filter_map(|one| one.entry.as_ref()) {
        let path = below(&args.folder, Some(entry)).join(SUMMARY);
        let summary = serde_json::from_str(&read_text(&path)?).unwrap_or_default();
        runs.push((entry.clone(), summary));
    }
    Ok(runs_json(runs.into_iter()))
}

/// The answers to another question.
fn anew_json(made: &[Reported]) -> String {
    let answers = made.iter();
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
fn tables(made: &[Reported], medium: &Medium) -> String {
    let table = |one: &Reported| {
        let Answered {
            result,
            summary,
            judge,
        } = one.answer.as_ref()?;
        let title = one.entry.as_ref().map(PointEntry::settings);
        let title = title.map(|title| medium.finished(&medium.title(&title)));
        Some(title.unwrap_or_default() + &table(result, summary, judge, false, medium))
    };
    made.iter().filter_map(table).collect::<Vec<_>>().join("\n")
}

/// The failure if there is no report.
fn wrong(problems: impl Into<Problems>) -> Failure {
    unwritten(problems, "nothing was written")
}

/// The failure if a report is not whole.
fn partly(problem: Problem) -> Failure {
    unwritten(problem, "the report is not whole")
}

/// The runs of a sweep; `None` if the folder holds no sweep.
fn sweep(folder: &Path) -> Option<Result<Vec<(PointEntry, Finished)>, Problems>> {
    let SweepRuns { begun, missing } = match sweep_runs(folder)? {
        Ok(runs) => runs,
        Err(problem) => return Some(Err(problem.into())),
    };
    let mut problems = Problems::default();
    if missing > 0 {
        show::say(&format!(
            "note: {missing} of the sweep's runs were not begun, and are not in the report"
        ));
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
fn linked(made: &mut [Reported]) -> Option<SweepReport> {
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

/// The HTML of a page, or a failure if it exceeds the size limit.
fn sized(page: &Page) -> Result<String, Failure> {
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
    Err(wrong(Problem::of_request(what).help(help)))
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
