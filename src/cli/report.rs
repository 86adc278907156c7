//! `klero report DIR`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::args::{Printed, inputs};
use super::failure::{Failure, print, unwritten};
use super::question::QuestionArgs;
use super::watched::watched;
use kleroterion::jobs::{FolderReport, RunQuestion, there};
use kleroterion::problem::Problems;
use kleroterion::report::plain;

/// Options of `klero report`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run committee-brexit-like --out brexit
  klero report brexit                              brexit/report.html, and its figures in brexit/figures
  klero report brexit --judge screened --baseline cmdp        another question, from the values that were kept
  klero report brexit --format markdown            the run's own tables, for an issue or a paper
  klero report brexit --format latex               the same for a paper in LaTeX
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
    /// What to print: the run's own answer, or that to another question. A table is followed by the
    /// path of the page [default: of a run's own the path, of another question a table and the path]
    #[arg(long, value_enum)]
    format: Option<Printed>,
}

/// Writes the report of a finished run, or of all runs of a sweep, and prints the path of its page.
///
/// # Errors
/// Fails without writing if the folder holds no finished run or a broken one. Fails if the report
/// can't be written.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let wrong = |problems: Problems| unwritten(problems, "nothing was written");
    let wrote = "`klero run … --out DIR` or `klero live … --out DIR`";
    there(&args.folder, "report", wrote).map_err(|problem| wrong(problem.into()))?;
    let question = RunQuestion::from(args.question.clone());
    let is_own = question.is_empty();
    let answers = args.format.is_some_and(|format| format != Printed::Json);
    let watch = watched(true, &Arc::default());
    let report = FolderReport::read(&args.folder, &question, answers, &inputs(), &watch);
    let report = report.map_err(wrong)?;
    let path = format!("{}\n", plain(&report.path().display().to_string()));
    let text = match args.format {
        None if is_own => path,
        Some(Printed::Json) => report.json().map_err(wrong)?,
        Some(format @ (Printed::Markdown | Printed::Latex)) => report.tables(&format.medium()),
        Some(Printed::Table) | None => report.tables(&Printed::Table.medium()) + "\n" + &path,
    };
    report.write()?;
    print(&text)
}
