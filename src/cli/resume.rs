//! `klero resume`: continues a stopped run, a live one from its journal.

use std::path::{Path, PathBuf};

use chrono::DateTime;
use clap::Args;

use super::args::inputs;
use super::failure::{Failure, failed};
use super::live::{HowArgs, play};
use super::privacy::keep_to_user;
use super::promise;
use super::question::QuestionArgs;
use super::run::{self, PrintArgs};
use super::watched::watched;
use kleroterion::jobs::{
    Job, LiveChanges, LiveJob, LiveOptions, RunQuestion, journal_wrong, live_in, not_to_resume,
    there, was_played,
};
use kleroterion::journal::{Copied, HEAD, JOURNAL, JournalError, is_unbegun, stays_in_use};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::files::Folder;
use kleroterion::run::{Runtime, Settings};

/// Options of `klero resume`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero resume run1            goes on where it was stopped, or cut off; a live run listens again
  klero resume run1 --replications 1000    1,000 in all; a finished run too, where it kept all values
  klero resume run1 --policies more.toml   other policies join, from the first person on
  klero resume run1 --baseline challenger  another question from here on, which config.toml keeps
  klero resume run1 --no-board")]
pub struct ResumeArgs {
    /// The --out folder of a run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The number of replications in all, more than there are: those that are missing are played.
    /// A finished run must have been played with --keep all
    #[arg(long, value_name = "N")]
    replications: Option<u64>,
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
    fn of_a_live_run(&self, asks: bool) -> Result<(), Problems> {
        let given = [
            ("--policies", self.policies.is_some()),
            ("--without", !self.without.is_empty()),
            ("--judge, --baseline, --goal and --set", asks),
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
pub fn resume(args: ResumeArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    let wrote = "`klero run … --out DIR` or `klero live … --out DIR`";
    there(folder, "resume", wrote)?;
    let question = RunQuestion::from(args.question.clone());
    let is_live = folder.join(JOURNAL).exists();
    if !is_live && (was_played(folder) || args.replications.is_some()) {
        args.of_a_live_run(!question.is_empty())?;
        return again(folder, args.replications, &args.how);
    }
    if args.replications.is_some() {
        let what = "a live run plays one replication: what comes, comes once";
        let help = "leave it out; `klero replay` plays what came again";
        return Err(Problem::of_option("--replications", what).help(help).into());
    }
    let is_begun = |name: &str| folder.join(name).exists();
    if [JOURNAL, HEAD].into_iter().any(is_begun)
        && is_unbegun(folder)
        && LiveOptions::read(folder).is_err()
    {
        return Err(never_began(folder));
    }
    if !live_in(folder)? {
        return Err(not_to_resume(folder).into());
    }
    keep_to_user();
    // Told before its own addresses are found to be taken, as they would be.
    if stays_in_use(folder) {
        return Err(journal_wrong(&JournalError::InUse).into());
    }
    of_a_copy(folder, &args.how)?;
    let changes = LiveChanges {
        policies: args.policies,
        question,
        without: args.without,
        inputs: inputs(),
    };
    let settings = args.how.settings();
    let watch = watched(args.how.quiet, &settings.interrupt);
    let mut job = LiveJob::resume(folder, changes, &watch)?;
    args.how.add_to(&mut job.options);
    job.settings = settings.clone();
    // One server of several may be down where a run is taken up again.
    promise::known(&job.run.plan)?;
    play(job, &args.how)
}

/// Resumes a run that is not live, or a sweep.
fn again(folder: &Path, replications: Option<u64>, how: &HowArgs) -> Result<(), Failure> {
    let mut job = match replications {
        Some(replications) => Job::extend(folder, replications, &inputs())?,
        None => Job::resume(folder, &inputs())?,
    };
    job.settings = Settings {
        // The runtime that is asked for is that of live runs.
        runtime: Runtime::Current,
        folds: true,
        ..how.settings()
    };
    let print = PrintArgs {
        format: how.format,
        full: how.full,
        quiet: how.quiet,
        strict: false,
    };
    run::play(job, Some(folder), print)
}

/// Reports that a run was killed before it began, and makes room for a new start. A service can
/// therefore restart the run.
fn never_began(path: &Path) -> Failure {
    match Folder::at(path).clear_unbegun() {
        Err(problems) => problems.into(),
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
        return Err(Problem::of_request(what).help(help).into());
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
