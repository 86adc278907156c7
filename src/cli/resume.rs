//! `klero resume`: a live run that was stopped goes on from its journal.

use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, journal_wrong, wrong};
use super::live::{FilesMaker, HowArgs, KeptOptions, Opening, config_of, job, play};
use super::load::Job;
use super::load::join;
use super::output::{RunFiles, Written};
use super::privacy::keep_to_user;
use super::question::{self, QuestionArgs};
use kleroterion::journal::{JournalError, is_in_use};
use kleroterion::live::session::Origin;
use kleroterion::nearest::nearest;
use kleroterion::problem::{Place, Problem, Problems};

/// Options of `klero resume`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero resume run1            listens again, and goes on where it was stopped, or cut off
  klero resume run1 --policies more.toml   other policies join, from the first person on
  klero resume run1 --baseline challenger  another question from here on, which config.toml keeps
  klero resume run1 --no-board")]
pub struct ResumeArgs {
    /// The --out folder of a live run
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

/// Takes a live run up again.
pub fn resume(mut args: ResumeArgs) -> Result<(), Failure> {
    keep_to_user();
    // Told before its own addresses are found to be taken, as they would be.
    if is_in_use(&args.folder) {
        return Err(journal_wrong(&JournalError::InUse));
    }
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
    let names = kept.names();
    let written = Written::of(&job.plan, &names, args.how.traces());
    let folder = args.folder.clone();
    let files: FilesMaker<'_> = Box::new(move |_| RunFiles::resume(&folder, &written));
    let origin = Origin::Resumed(&args.folder);
    let opening = Opening {
        joins,
        joined,
        without: args.without,
        ..Opening::of(origin, names)
    };
    play(job, Some(files), &args.how, opening)
}

/// Refuses labels that no policy of the run has.
fn check_labels(job: &Job, labels: &[String]) -> Result<(), Problems> {
    let lanes = || job.plan.lanes.iter().map(|lane| &*lane.label);
    let mut problems = Problems::default();
    for label in labels {
        if lanes().any(|known| known == label) {
            continue;
        }
        let all = lanes().collect::<Vec<_>>().join(", ");
        let help = match nearest(label, lanes()) {
            Some(near) => format!("did you mean {near:?}? policies: {all}"),
            None => format!("policies: {all}"),
        };
        let place = Place::Option(format!("--without {label}"));
        let what = format!("there is no policy {label:?}");
        problems.push(Problem::new(place, what).help(help));
    }
    problems.or(())
}
