//! `klero run CONFIG`.

mod printed;

pub use printed::{PrintArgs, play, text};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::args::{
    ConfigArgs, FeedbackWord, OutArgs, RuntimeWord, WhichReplications, settings, whole, word_of,
};
use super::failure::Failure;
use super::privacy::PrivacyArgs;
use kleroterion::config::Keep;
use kleroterion::jobs::{Job, JobRequest, RunOptions};
use kleroterion::run::Settings;

/// Options of `klero run`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run
  klero run committee-brexit-like --out brexit --replications 1000
  klero run my.toml --set rules.until.accepted=50 --only queue,cmdp --format json
  klero run my.toml --sweep rules.until.accepted=50,100,200 --sweep 'policy.greedy .05.tolerance=0.02..0.1/0.02'")]
pub struct RunArgs {
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    /// The values that replications.csv keeps: of the judged and headline metrics at the end, all,
    /// or none; every summary is of all. The same as --set report.keep=WORD [default: judged]
    #[arg(long, value_name = "WHICH", value_parser = PossibleValuesParser::new(Keep::WORDS.map(|(word, _)| word)))]
    pub(super) keep: Option<String>,
    #[command(flatten)]
    pub(super) play: PlayArgs,
}

/// How runs are played, and where their results go.
#[derive(Args)]
pub struct PlayArgs {
    #[command(flatten)]
    pub(super) out: OutArgs,
    /// About how many persons a batch holds [default: 1,024, or 64 KB]; results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1_000_000))]
    batch: Option<i64>,
    /// How many threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1024))]
    threads: Option<i64>,
    /// The runtime of an arena; results do not depend on it
    #[arg(long, value_enum, default_value = "current")]
    runtime: RuntimeWord,
    /// Who draws generated answers to interviews and generated outcomes; results do not depend on
    /// it
    #[arg(long, value_enum, default_value = "task")]
    feedback: FeedbackWord,
    #[command(flatten)]
    pub(super) privacy: PrivacyArgs,
    /// Every measure in the table: by group, and over the run
    #[arg(long)]
    full: bool,
    /// No progress, no notes
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// A lane that ends disqualified, panicked or left makes the run fail
    #[arg(long)]
    strict: bool,
}

impl RunArgs {
    /// The request for the config.
    pub(super) fn request(&self) -> JobRequest {
        JobRequest {
            keep: self.keep.clone(),
            ..self.config.request()
        }
    }
}

/// Runs a config.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let out = &args.play.out;
    let mut job = args.play.equipped(Job::load(args.request())?);
    job.check()?;
    if let Some(folder) = &out.out {
        job = job.into_folder(folder, out.force)?;
    }
    play(job, out.out.as_deref(), args.play.print())
}

impl PlayArgs {
    /// A job as it is played by these options.
    pub(super) fn equipped(&self, mut job: Job) -> Job {
        job.options = RunOptions {
            key: self.privacy.key(),
            dropped: self.privacy.drop_attributes.clone(),
            people: self.out.people,
            decisions: self.out.trace.is_some(),
            all_replications: self.out.trace_replications == WhichReplications::All,
            for_spreadsheet: self.out.for_program.is_some(),
        };
        job.settings = self.settings();
        job.keeps_tables = false;
        job
    }

    /// The form in which results are printed.
    pub(super) fn print(&self) -> PrintArgs {
        PrintArgs {
            format: self.out.format,
            full: self.full,
            quiet: self.quiet,
            strict: self.strict,
        }
    }

    /// The number of threads requested.
    pub(super) fn threads(&self) -> Option<usize> {
        self.threads.map(|threads| threads as usize)
    }

    /// The options that a shard takes from the command that starts it.
    pub(super) fn for_shards(&self) -> Vec<String> {
        let mut options = vec![
            format!("--runtime={}", word_of(&self.runtime)),
            format!("--feedback={}", word_of(&self.feedback)),
        ];
        options.extend(self.batch.map(|batch| format!("--batch={batch}")));
        options
    }

    /// The settings of these options, without traces.
    pub(super) fn settings(&self) -> Settings {
        let batch = self.batch.map(|persons| persons as usize);
        Settings {
            folds: true,
            ..settings(batch, self.threads(), self.runtime, self.feedback)
        }
    }

    /// The options that a merge takes from the command that starts it.
    pub(super) fn for_merge(&self) -> Vec<String> {
        let dropped = &self.privacy.drop_attributes;
        let given = [
            (self.out.people, "--people".to_owned()),
            (self.out.trace.is_some(), "--trace=decisions".to_owned()),
            (self.privacy.hide_identities, "--hide-identities".to_owned()),
            (
                !dropped.is_empty(),
                format!("--drop-attributes={}", dropped.join(",")),
            ),
            (
                self.out.for_program.is_some(),
                "--for=spreadsheet".to_owned(),
            ),
            (self.full, "--full".to_owned()),
            (self.quiet, "--quiet".to_owned()),
            (self.strict, "--strict".to_owned()),
        ];
        let words = given.into_iter().filter(|(is_given, _)| *is_given);
        words.map(|(_, word)| word).collect()
    }
}
