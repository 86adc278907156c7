//! `klero replay`: replays a live run's journal, perhaps with other policies added to its own.

use std::path::PathBuf;

use clap::Args;

use super::args::{FeedbackWord, Format, RuntimeWord, TraceWord};
use super::failure::Failure;
use super::live::{FilesMaker, HowArgs, KeptOptions, Opening, config_of, job, play};
use super::load::join;
use super::output::{RunFiles, Written};
use super::privacy::keep_to_user;
use super::question::QuestionArgs;
use kleroterion::live::session::Origin;

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
    let mut config = config_of(&args.folder, "replay")?;
    config.question = args.question;
    let joined = match &args.policies {
        Some(path) => join(&mut config, path)?.1,
        None => 0,
    };
    let job = job(&mut config)?;
    let names = KeptOptions::read(&args.folder)?.names();
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
    let written = Written::of(&job.plan, &names, how.traces());
    let files = args.out.map(|out| -> FilesMaker<'_> {
        let force = args.force;
        Box::new(move |job| RunFiles::create(&out, force, &job.config(), written))
    });
    let origin = Origin::Again(&args.folder);
    let opening = Opening {
        joined,
        ..Opening::of(origin, names)
    };
    play(job, files, &how, opening)
}
