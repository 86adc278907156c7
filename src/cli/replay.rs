//! `klero replay`: replays a live run's journal, perhaps with other policies added to its own.

use std::path::PathBuf;

use clap::Args;

use super::args::{FeedbackWord, Format, RuntimeWord, TraceWord, inputs};
use super::failure::Failure;
use super::live::{HowArgs, play};
use super::privacy::keep_to_user;
use super::question::QuestionArgs;
use super::watched::watched;
use kleroterion::jobs::{LiveChanges, LiveJob};

/// Options of `klero replay`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero replay run1                              the same decisions once more
  klero replay run1 --policies more.toml         what other policies would have done, from the first person on
  klero replay run1 --policies more.toml --out again --trace decisions
  klero replay run1 --judge impact_ratio --baseline challenger       another question")]
pub struct ReplayArgs {
    /// The --out folder of a live run, which may be under way
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A file with more `[[policy]]` sections
    #[arg(long, value_name = "FILE")]
    policies: Option<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs,
    /// Write the files of this run into another folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite a run that is in that folder
    #[arg(long, requires = "out")]
    force: bool,
    /// What to write down besides the scores
    #[arg(long, value_enum, requires = "out")]
    trace: Option<TraceWord>,
    /// Write people.csv: all who were shown, and whom each policy selected
    #[arg(long, requires = "out")]
    people: bool,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Every measure in the table
    #[arg(long)]
    full: bool,
    /// No notes
    #[arg(long, short)]
    quiet: bool,
}

/// Replays a journal.
pub fn replay(args: ReplayArgs) -> Result<(), Failure> {
    keep_to_user();
    let how = HowArgs {
        no_board: true,
        stay: false,
        trace: args.trace,
        people: args.people,
        format: args.format,
        batch: None,
        threads: None,
        runtime: RuntimeWord::Multi,
        feedback: FeedbackWord::default(),
        full: args.full,
        quiet: args.quiet,
    };
    let changes = LiveChanges {
        policies: args.policies,
        question: args.question.into(),
        without: Vec::new(),
        inputs: inputs(),
    };
    let out = args.out.map(|out| (out, args.force));
    let watch = watched(how.quiet, &how.settings().interrupt);
    let mut job = LiveJob::replay(&args.folder, changes, out, &watch)?;
    how.add_to(&mut job.options);
    job.settings = how.settings();
    play(job, &how)
}
