//! `klero run CONFIG`.

mod again;
mod kept;
mod merged;
mod merging;
mod player;
mod runs;

pub use again::again;
pub use kept::was_played;
pub use merged::{may_write, merged};
pub use merging::Merging;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::args::{ConfigArgs, FeedbackWord, OutArgs, RuntimeWord, whole};
use super::failure::{Failure, failed, wrong};
use super::load::{self, Job};
use super::privacy::{PrivacyArgs, random_key};
use kept::RunOptions;
use kleroterion::config::Keep;
use kleroterion::feed::FeedSpec;
use kleroterion::problem::Problem;
use kleroterion::report::files::{Folder, HeldFolder, KEPT};
use kleroterion::report::points::{POINTS, PointEntry, write_points};
use kleroterion::run::{PlayedWriter, Runtime, Settings, Traces};
use kleroterion::trace::Names;
use player::Before;
use runs::{RunHow, Runs};

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

/// Runs a config.
pub fn run(args: RunArgs) -> Result<(), Failure> {
    let jobs = jobs(args.config, args.keep)?;
    unkept(&jobs)?;
    let play = args.play;
    let key = play.privacy.hide_identities.then(random_key);
    let options = RunOptions::of(&play.out, &play.privacy, key);
    let (folders, sweep) = folders(&jobs, play.out.out.as_deref(), play.out.force, &options)?;
    let mut settings = play.settings();
    settings.traces = options.traces(play.out.out.is_some());
    if let Some(first) = jobs.first() {
        settings.names = play.privacy.names(&first.plan, key)?;
    }
    let runs = Runs {
        jobs,
        folders,
        out: play.out.out.clone(),
        sweep,
        options,
        force: play.out.force,
        before: Before::Nothing,
    };
    runs.play(&play.how(settings))
}

/// The runs of a config.
pub(super) fn jobs(mut config: ConfigArgs, keep: Option<String>) -> Result<Vec<Job>, Failure> {
    let keep = keep.map(|which| format!("report.keep={which:?}"));
    config.set.extend(keep);
    load::jobs(&config)
}

impl PlayArgs {
    /// The number of threads requested.
    pub(super) fn threads(&self) -> Option<usize> {
        self.threads.map(|threads| threads as usize)
    }

    /// The options that a shard takes from the command that starts it.
    pub(super) fn for_shards(&self) -> Vec<String> {
        let runtime = match self.runtime {
            RuntimeWord::Current => "current",
            RuntimeWord::Multi => "multi",
        };
        let feedback = match self.feedback {
            FeedbackWord::Lane => "lane",
            FeedbackWord::Task => "task",
        };
        let mut options = vec![
            format!("--runtime={runtime}"),
            format!("--feedback={feedback}"),
        ];
        options.extend(self.batch.map(|batch| format!("--batch={batch}")));
        options
    }

    /// The settings of these options, without traces.
    pub(super) fn settings(&self) -> Settings {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Settings {
            batch: self.batch.map(|persons| persons as usize),
            threads: self.threads.map_or(cores, |threads| threads as usize),
            runtime: match self.runtime {
                RuntimeWord::Current => Runtime::Current,
                RuntimeWord::Multi => Runtime::Multi,
            },
            carrier: self.feedback.into(),
            traces: Traces::default(),
            names: Names::default(),
            folds: true,
            interrupt: Arc::new(AtomicBool::new(false)),
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

    fn how(&self, settings: Settings) -> RunHow {
        RunHow {
            settings,
            format: self.out.format,
            full: self.full,
            quiet: self.quiet,
            strict: self.strict,
        }
    }
}

/// Refuses feeds that acknowledge records, and people who answer interviews, since `klero run`
/// keeps no journal.
fn unkept(jobs: &[Job]) -> Result<(), Failure> {
    let live = "`klero live CONFIG --out DIR` keeps one";
    if jobs.iter().any(|job| job.plan.live.asks_people()) {
        let what = "people answer while a run goes on, and `klero run` keeps no journal of it";
        return Err(wrong(Problem::of_request(what).help(live)));
    }
    let feeds = jobs.iter().filter_map(|job| job.plan.world.feed.as_ref());
    if !feeds.into_iter().any(FeedSpec::acknowledges) {
        return Ok(());
    }
    let what =
        "http and tcp acknowledge candidates once they are kept, and `klero run` keeps no journal";
    Err(wrong(Problem::of_request(what).help(live)))
}

/// The folder of each job's files, if any are written, and the folder of a sweep. A folder in use
/// is refused before any job is run.
fn folders(
    jobs: &[Job],
    out: Option<&Path>,
    force: bool,
    options: &RunOptions,
) -> Result<(Vec<Option<PathBuf>>, Option<HeldFolder>), Failure> {
    let Some(out) = out else {
        return Ok((vec![None; jobs.len()], None));
    };
    let entries: Vec<PointEntry> = jobs.iter().filter_map(|job| job.entry.clone()).collect();
    if entries.is_empty() {
        Folder::check(out, force).map_err(wrong)?;
        return Ok((vec![Some(out.to_owned()); jobs.len()], None));
    }
    // What a sweep is of is written before its first run: the list of its folders.
    let folder = Folder::create(out, force).map_err(wrong)?;
    let header = options.header(jobs.iter().map(Job::config).collect())?;
    let played = PlayedWriter::create(&folder.file(KEPT), &header);
    played.map_err(|error| failed(&format!("{KEPT} can't be written: {error}")))?;
    let written = folder.write(POINTS, |to| write_points(&entries, to));
    written.map_err(wrong)?;
    let folders = entries.iter().map(|entry| Some(out.join(&entry.name)));
    Ok((folders.collect(), Some(folder)))
}
