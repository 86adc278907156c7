//! `klero run CONFIG`.

mod again;
mod kept;
mod player;
mod runs;

pub use again::again;
pub use kept::was_played;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::args::{ConfigArgs, FeedbackWord, OutArgs, RuntimeWord, settings, whole, word_of};
use super::failure::{Failure, failed, wrong};
use super::load::{self, Job};
use super::privacy::{PrivacyArgs, random_key};
use kept::RunOptions;
use kleroterion::config::Keep;
use kleroterion::feed::FeedSpec;
use kleroterion::problem::Problem;
use kleroterion::report::files::{Folder, HeldFolder, KEPT};
use kleroterion::report::points::{POINTS, PointEntry, write_points};
use kleroterion::run::{Played, PlayedFile, PlayedWriter, Settings};
use player::{Before, Beginning};
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
    let (args, out) = (&args.play, args.play.out.out.as_deref());
    play(jobs, args, out, args.out.force, Before::Nothing)
}

/// Checks that the results of these jobs may go into a folder. Returns true if files there may be
/// overwritten: by `--force`, or because a merge of these jobs was cut off.
///
/// # Errors
/// Fails if the folder holds something else.
pub fn may_write(jobs: &[Job], args: &PlayArgs, out: &Path) -> Result<bool, Failure> {
    let cut_off = PlayedFile::open(&out.join(KEPT)).ok().filter(|file| {
        let configs = jobs.iter().map(Job::config);
        let header = file.header();
        file.replications() == 0
            && header.version == env!("CARGO_PKG_VERSION")
            && configs.eq(header.configs.iter().cloned())
    });
    let force = args.out.force || cut_off.is_some();
    drop(cut_off);
    Folder::check(out, force).map_err(wrong)?;
    Ok(force)
}

/// Folds the replications of jobs that were played, writes their files and prints the results.
/// `played` returns the replications of a job by its place.
pub fn merged(
    jobs: Vec<Job>,
    played: Box<dyn Fn(u32) -> Played>,
    args: &PlayArgs,
    out: &Path,
) -> Result<(), Failure> {
    let force = may_write(&jobs, args, out)?;
    play(jobs, args, Some(out), force, Before::Units(played))
}

/// Plays jobs as the options say.
fn play(
    jobs: Vec<Job>,
    args: &PlayArgs,
    out: Option<&Path>,
    force: bool,
    before: Before,
) -> Result<(), Failure> {
    let key = args.privacy.hide_identities.then(random_key);
    let options = RunOptions::of(&args.out, &args.privacy, key);
    let (folders, sweep) = folders(&jobs, out, force, &options)?;
    let mut settings = args.settings();
    settings.traces = options.traces(out.is_some());
    if let Some(first) = jobs.first() {
        settings.names = args.privacy.names(&first.plan, key)?;
    }
    let runs = Runs {
        jobs,
        folders,
        out: out.map(Path::to_owned),
        sweep,
        beginning: Beginning {
            options,
            force,
            before,
        },
    };
    runs.play(&RunHow {
        settings,
        format: args.out.format,
        full: args.full,
        quiet: args.quiet,
        strict: args.strict,
    })
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
