//! `klero report DIR`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::{Failure, wrong};
use super::show;
use kleroterion::config::check;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::account::{RunReport, in_short};
use kleroterion::report::files::Folder;
use kleroterion::report::files::{FIGURE_FILES, FIGURES};
use kleroterion::report::finished::{Finished, SweepRuns, sweep_runs};
use kleroterion::report::page::{Link, MOST_BYTES, Page, PagePart, PageSection};
use kleroterion::report::plain;
use kleroterion::report::points::PointEntry;

/// The page of a run, and of a sweep the page that leads to those of its runs.
const PAGE: &str = "report.html";

/// Options of `klero report`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run committee-brexit-like --out brexit
  klero report brexit                              brexit/report.html, and its figures in brexit/figures

Of a sweep, every run in DIR gets its own report, and DIR a page that leads to them. A report that is there is written
anew: it holds nothing but what the run's files say.")]
pub struct ReportArgs {
    /// The folder that a run has written (--out)
    #[arg(value_name = "DIR")]
    folder: PathBuf,
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
    let (found, index) = match Finished::read(folder) {
        Ok(run) => (vec![(PathBuf::new(), run)], None),
        Err(problems) => {
            let runs = sweep(folder).unwrap_or(Err(problems)).map_err(wrong)?;
            let index = index(&runs);
            let path = |(entry, run): (PointEntry, Finished)| (entry.name.into(), run);
            (runs.into_iter().map(path).collect(), Some(index))
        }
    };
    // All pages before any is written: a run that can't be reported leaves all as it was.
    let made = found
        .iter()
        .map(|(path, run)| (path, account(&folder.join(path), run)));
    let made: Vec<(&PathBuf, RunReport)> = made.collect();
    let mut pages = Vec::new();
    for (path, account) in &made {
        pages.push((path, account, sized(&account.page)?));
    }
    let index = index.map(|index| sized(&index)).transpose()?;
    for (path, account, html) in &pages {
        write(&folder.join(path), account, html).map_err(wrong)?;
    }
    if let Some(html) = index {
        put(folder, PAGE, &html).map_err(wrong)?;
    }
    let page = folder.join(PAGE);
    show::print(&format!("{}\n", plain(&page.display().to_string()))).map_err(|error| {
        show::say(&format!("error: can't print: {error}"));
        Failure::Failed
    })
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

/// The report of a run; with what a check of its config says, where its files are still there.
fn account(folder: &Path, run: &Finished) -> RunReport {
    let plan = check(&run.config, folder);
    let notes = plan.map(|plan| plan.notes).unwrap_or_default();
    RunReport::of(run, &notes)
}

/// The page that leads to the runs of a sweep.
fn index(runs: &[(PointEntry, Finished)]) -> Page {
    let entries = runs.iter().map(|(entry, run)| {
        let link = Link {
            text: entry.settings(),
            to: format!("{}/{PAGE}", entry.name),
        };
        (link, in_short(run))
    });
    let name = runs.first().map_or("", |(_, run)| run.name.as_str());
    Page {
        title: format!("{name}: a sweep of {} runs", runs.len()),
        lead: "A report for each run, and what it says of each measure.".into(),
        links: Vec::new(),
        sections: vec![PageSection {
            heading: "Runs".into(),
            parts: vec![PagePart::Pages(entries.collect())],
        }],
    }
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

fn put(folder: &Path, name: &str, text: &str) -> Result<(), Problem> {
    Folder::at(folder).write(name, |out| out.write_all(text.as_bytes()))
}
