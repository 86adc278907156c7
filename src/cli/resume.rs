//! `klero resume`: continues a stopped run, a live one from its journal.

use std::path::{Path, PathBuf};

use chrono::DateTime;
use clap::Args;

use super::failure::{Failure, failed, journal_wrong, live_in, wrong};
use super::live::{FilesMaker, HowArgs, KeptOptions, Opening, config_of, job, play};
use super::load::{Job, join};
use super::output::{RunFiles, Written};
use super::privacy::keep_to_user;
use super::question::{self, QuestionArgs};
use super::{folder, promise, run};
use kleroterion::document::meant;
use kleroterion::journal::{Copied, HEAD, JOURNAL, JournalError, is_unbegun, stays_in_use};
use kleroterion::live::session::Origin;
use kleroterion::nearest::{listed, nearest};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::files::Folder;

/// Options of `klero resume`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero resume run1            goes on where it was stopped, or cut off; a live run listens again
  klero resume run1 --policies more.toml   other policies join, from the first person on
  klero resume run1 --baseline challenger  another question from here on, which config.toml keeps
  klero resume run1 --no-board")]
pub struct ResumeArgs {
    /// The --out folder of a run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A file with more `[[policy]]` sections: they join the run for good, and play from the first
    /// person on
    #[arg(long, value_name = "FILE")]
    policies: Option<PathBuf>,
    /// Where the program of this policy can't play again what it had played, its lane ends there
    /// for good (repeatable)
    #[arg(long, value_name = "LABEL")]
    without: Vec<String>,
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    how: HowArgs,
}

impl ResumeArgs {
    /// Refuses options that only live runs have.
    fn of_a_live_run(&self) -> Result<(), Problems> {
        let given = [
            ("--policies", self.policies.is_some()),
            ("--without", !self.without.is_empty()),
            (
                "--judge, --baseline, --goal and --set",
                !self.question.is_empty(),
            ),
            ("--stay", self.how.stay),
            ("--trace", self.how.trace.is_some()),
            ("--people", self.how.people),
        ];
        let problems = given.into_iter().filter(|(_, is_given)| *is_given);
        let problems = problems.map(|(option, _)| {
            let what = "this is for live runs, and this run is none: it goes on as it was begun";
            Problem::of_option(option, what)
                .help("leave it out; `klero report DIR` asks a finished run other questions")
        });
        Problems(problems.collect()).or(())
    }
}

/// Resumes an interrupted run.
pub fn resume(mut args: ResumeArgs) -> Result<(), Failure> {
    folder::there(
        &args.folder,
        "resume",
        "`klero run … --out DIR` or `klero live … --out DIR`",
    )
    .map_err(wrong)?;
    if run::was_played(&args.folder) && !args.folder.join(JOURNAL).exists() {
        args.of_a_live_run().map_err(wrong)?;
        return run::again(&args.folder, &args.how);
    }
    let is_begun = |name: &str| args.folder.join(name).exists();
    if [JOURNAL, HEAD].into_iter().any(is_begun)
        && is_unbegun(&args.folder)
        && KeptOptions::read(&args.folder).is_err()
    {
        return Err(never_began(&args.folder));
    }
    if !live_in(&args.folder)? {
        return Err(wrong(folder::not_to_resume(&args.folder)));
    }
    keep_to_user();
    // Told before its own addresses are found to be taken, as they would be.
    if stays_in_use(&args.folder) {
        return Err(journal_wrong(&JournalError::InUse));
    }
    of_a_copy(&args.folder, &args.how)?;
    let mut config = config_of(&args.folder, "resume")?;
    let kept = KeptOptions::read(&args.folder)?;
    let (joins, joined) = match &args.policies {
        Some(path) => join(&mut config, path).map(|(text, many)| (Some(text), many))?,
        None => (None, 0),
    };
    config.question = args.question;
    let job = job(&mut config)?;
    question::keep(&args.folder, &config.question).map_err(wrong)?;
    check_labels(&job, &args.without).map_err(wrong)?;
    kept.again(&mut args.how);
    // One server of several may be down where a run is taken up again.
    promise::known(&job.plan)?;
    let names = kept.names();
    let written = Written::of(&job.plan, &names, args.how.traces());
    let folder = args.folder.clone();
    let files: FilesMaker<'_> = Box::new(move |_| RunFiles::resume(&folder, written));
    let origin = Origin::Resumed(&args.folder);
    let opening = Opening {
        joins,
        joined,
        without: args.without,
        ..Opening::of(origin, names)
    };
    play(job, Some(files), &args.how, opening)
}

/// Reports that a run was killed before it began, and makes room for a new start. A service can
/// therefore restart the run.
fn never_began(path: &Path) -> Failure {
    match Folder::at(path).clear_unbegun() {
        Err(problems) => wrong(problems),
        Ok(()) => failed(&format!(
            "the run in {path} was killed before it began: nothing was acknowledged, and nothing is \
             lost; begin it: klero live CONFIG --out {path}",
            path = path.display()
        )),
    }
}

/// Reports that a run is a copy of another, and refuses it while the other goes on.
fn of_a_copy(folder: &Path, how: &HowArgs) -> Result<(), Failure> {
    let Some(copied) = Copied::of(folder).map_err(|error| journal_wrong(&error))? else {
        return Ok(());
    };
    let (shown, from) = (folder.display(), copied.from.display());
    if copied.original_goes_on(folder) {
        let what = format!("{shown} is a copy of {from}, and that run is under way");
        let help = format!(
            "both would decide of the same people: go on with one of them; `klero replay {shown}` \
             plays the copy and changes nothing"
        );
        return Err(wrong(Problem::of_request(what).help(help)));
    }
    let at = DateTime::from_timestamp(copied.at as i64, 0).unwrap_or_default();
    how.note(&format!(
        "this run is a copy of {from}, made {} with {} people; who came there later is not in it. \
         Never go on with both",
        at.format("%Y-%m-%d %H:%M UTC"),
        copied.people
    ));
    Ok(())
}

/// Refuses labels that no policy of the run has.
fn check_labels(job: &Job, labels: &[String]) -> Result<(), Problems> {
    let lanes = || job.plan.lanes.iter().map(|lane| &*lane.label);
    let mut problems = Problems::default();
    for label in labels {
        if lanes().any(|known| known == label) {
            continue;
        }
        let near = nearest(label, lanes()).map(|near| format!("{near:?}"));
        let help = meant(near, format!("policies: {}", listed(lanes())));
        let what = format!("there is no policy {label:?}");
        problems.push(Problem::of_option(format!("--without {label}"), what).help(help));
    }
    problems.or(())
}
