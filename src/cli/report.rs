//! `klero report DIR`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::{Failure, unwritten};
use super::look;
use super::question::QuestionArgs;
use super::result::sweep_json;
use super::show;
use kleroterion::compare::Judge;
use kleroterion::config::check;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::account::RunReport;
use kleroterion::report::asked::Asked;
use kleroterion::report::files::Folder;
use kleroterion::report::files::{FIGURE_FILES, FIGURES, SUMMARY, SWEEP_FIGURE};
use kleroterion::report::finished::{Finished, SweepRuns, sweep_runs};
use kleroterion::report::json::summary_json;
use kleroterion::report::medium::Medium;
use kleroterion::report::page::{MOST_BYTES, Page};
use kleroterion::report::plain;
use kleroterion::report::points::PointEntry;
use kleroterion::report::sweep::{SweepPoint, SweepReport, links_of};
use kleroterion::report::table::table;
use kleroterion::trace::DECISIONS;
use kleroterion::watch::served::ReportPage;

/// The page of a run, and of a sweep the page that leads to those of its runs.
const PAGE: &str = "report.html";

/// Options of `klero report`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run committee-brexit-like --out brexit
  klero report brexit                              brexit/report.html, and its figures in brexit/figures
  klero report brexit --judge screened --baseline cmdp        another question, from the values that were kept
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
    /// What to print of another question [default: table]
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
    /// Its name in a sweep and what the sweep set.
    entry: Option<PointEntry>,
    run: Finished,
    page: RunReport,
    /// The answer to another question, and who judged it.
    anew: Option<(Asked, Judge)>,
}

/// Writes the report of a finished run, or of all runs of a sweep, and prints the path of its page.
///
/// # Errors
/// Where the folder holds no finished run or a broken one: then nothing is written. Where it can't
/// be written.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    if folder.is_file() {
        return Err(wrong(show::no_folder(folder, "report")));
    }
    if args.format.is_some() && args.question.is_empty() {
        let what = "--format is of the answer to another question, and none is asked";
        let help = format!(
            "give --judge, --baseline, --goal or --set; the run's own answer is in {}",
            folder.join(SUMMARY).display()
        );
        return Err(wrong(Problem::of_request(what).help(help)));
    }
    let found = match Finished::read(folder) {
        Ok(run) => vec![(None, run)],
        Err(problems) => {
            let runs = sweep(folder).unwrap_or(Err(problems)).map_err(wrong)?;
            let named = runs.into_iter().map(|(entry, run)| (Some(entry), run));
            named.collect()
        }
    };
    // All pages before any is written: a run that can't be reported leaves all as it was.
    let mut problems = Problems::default();
    let mut made = Vec::new();
    for (entry, run) in found {
        let folder = below(folder, entry.as_ref());
        match reported(&args.question, &folder, entry, run) {
            Ok(one) => made.push(one),
            Err(found) => problems.0.extend(found.0),
        }
    }
    let mut made = problems.or(made).map_err(wrong)?;
    let index = linked(&mut made);
    let index = index.map(|index| Ok((sized(&index.page)?, index.figure)));
    let index = index.transpose()?;
    let pages: Result<Vec<String>, Failure> =
        made.iter().map(|one| sized(&one.page.page)).collect();
    for (one, html) in made.iter().zip(&pages?) {
        write(&below(folder, one.entry.as_ref()), &one.page, html).map_err(partly)?;
    }
    if let Some((html, figure)) = index {
        write_index(folder, &html, figure.as_deref()).map_err(partly)?;
    }
    show::print(&printed(args, &made)).map_err(|error| {
        show::say(&format!("error: can't print: {error}"));
        Failure::Failed
    })
}

/// Writes the report of a live run whose other files have just been written; its page and figures.
///
/// # Errors
/// Where it can't be made or written.
pub fn write_own(folder: &Path) -> Result<ReportPage, Problems> {
    let run = Finished::written(folder)?;
    let made = reported(&QuestionArgs::default(), folder, None, run)?;
    let html = made.page.page.html();
    write(folder, &made.page, &html)?;
    let figures = made.page.figures.into_iter();
    Ok(ReportPage {
        html,
        figures: figures.map(|(file, svg)| (file.to_owned(), svg)).collect(),
    })
}

/// Where a run of a sweep, or a run alone, lies.
fn below(folder: &Path, entry: Option<&PointEntry>) -> PathBuf {
    entry.map_or_else(|| folder.to_owned(), |entry| folder.join(&entry.name))
}

/// A run with its report: on the question that is asked, else on its own.
fn reported(
    question: &QuestionArgs,
    folder: &Path,
    entry: Option<PointEntry>,
    run: Finished,
) -> Result<Reported, Problems> {
    if question.is_empty() {
        // With what a check of its config says, where its files are still there.
        let plan = check(&run.config, folder);
        let notes = plan.map(|plan| plan.notes).unwrap_or_default();
        return Ok(Reported {
            page: RunReport::of(&run, &notes),
            entry,
            run,
            anew: None,
        });
    }
    let mut config = run.config.clone();
    question.put(&mut config)?;
    let plan = check(&config, folder)?;
    let asked = Asked::of(&run, config, &plan, folder)?;
    Ok(Reported {
        page: RunReport::of(&asked.run, &plan.notes),
        entry,
        run: asked.run.clone(),
        anew: Some((asked, plan.judge)),
    })
}

/// What is printed: the answers to another question, where one is asked, and the path of the page.
fn printed(args: &ReportArgs, made: &[Reported]) -> String {
    let path = args.folder.join(PAGE);
    let path = format!("{}\n", plain(&path.display().to_string()));
    let anew = made.iter();
    let anew = anew.filter_map(|one| Some((one.entry.as_ref(), one.anew.as_ref()?)));
    let anew: Vec<_> = anew.collect();
    match (args.format, anew.as_slice()) {
        (_, []) => path,
        (Some(Printed::Json), [(None, (asked, _))]) => summary_json(&asked.summary),
        (Some(Printed::Json), all) => {
            let point = |(entry, (asked, _)): &(Option<&PointEntry>, &(Asked, Judge))| {
                Some(SweepPoint {
                    entry: (*entry)?.clone(),
                    summary: asked.summary.clone(),
                })
            };
            sweep_json(all.iter().filter_map(point).collect())
        }
        (Some(Printed::Markdown), all) => tables(all, &Medium::markdown()),
        (_, all) => tables(all, &look::of_stdout()) + "\n" + &path,
    }
}

/// The tables of the answers, each with what a sweep set.
fn tables(all: &[(Option<&PointEntry>, &(Asked, Judge))], medium: &Medium) -> String {
    let table = |(entry, (asked, judge)): &(Option<&PointEntry>, &(Asked, Judge))| {
        let title = entry.map(|entry| medium.finished(&medium.title(&entry.settings())));
        let table = table(&asked.result, &asked.summary, judge, false, medium);
        title.unwrap_or_default() + &table
    };
    all.iter().map(table).collect::<Vec<_>>().join("\n")
}

/// Says why there is no report.
fn wrong(problems: impl Into<Problems>) -> Failure {
    unwritten(problems, "nothing was written")
}

/// Says why a report is not whole.
fn partly(problem: Problem) -> Failure {
    unwritten(problem, "the report is not whole")
}

/// The runs of a sweep; none where the folder holds no sweep.
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

/// The report of the sweep where the runs are of one; the page of each says which it is, and
/// leads to it.
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

/// The page, which must not be larger than pages may be.
fn sized(page: &Page) -> Result<String, Failure> {
    let html = page.html();
    if html.len() <= MOST_BYTES {
        return Ok(html);
    }
    let what = format!(
        "the page of {} would take {} bytes, and {MOST_BYTES} are the most",
        page.title,
        html.len()
    );
    let help = "report a run of fewer policies or shorter labels: klero run … --only LABEL,…";
    Err(wrong(Problem::of_request(what).help(help)))
}

/// Writes a run's figures and then its page, so that all it links to is there.
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

/// Writes a page. Where decisions were traced it names who was chosen, and is its user's alone.
fn put(folder: &Path, name: &str, text: &str) -> Result<(), Problem> {
    let folder = Folder::at(folder);
    match folder.file(DECISIONS).exists() {
        true => folder.write_own(name, |out| out.write_all(text.as_bytes())),
        false => folder.write(name, |out| out.write_all(text.as_bytes())),
    }
}
