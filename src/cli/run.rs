//! `klero run CONFIG`.

mod player;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::args::{ConfigArgs, FeedbackWord, OutArgs, RuntimeWord, WhichReplications, whole};
use super::broken;
use super::failure::{Failure, READ_NOBODY, failed, wrong};
use super::interrupts::watch_for_interrupts;
use super::load::{self, Job};
use super::privacy::PrivacyArgs;
use super::result::{self, Done};
use super::show;
use kleroterion::config::Keep;
use kleroterion::feed::FeedSpec;
use kleroterion::problem::Problem;
use kleroterion::protocol::Ending;
use kleroterion::report::files::{Folder, SWEEP, VERDICTS};
use kleroterion::report::flat::{FlatRun, write_summaries, write_verdicts};
use kleroterion::report::points::{POINTS, PointEntry, write_points};
use kleroterion::run::{Runtime, Settings, Traces};
use kleroterion::trace::Names;
use player::Player;

/// Options of `klero run`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run
  klero run committee-brexit-like --out brexit --replications 1000
  klero run my.toml --set rules.until.accepted=50 --only queue,cmdp --format json
  klero run my.toml --sweep rules.until.accepted=50,100,200 --sweep 'policy.greedy .05.tolerance=0.02..0.1/0.02'")]
pub struct RunArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    out: OutArgs,
    /// About how many persons a batch holds [default: 1,024, or 64 KB]; results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1_000_000))]
    batch: Option<i64>,
    /// How many threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1024))]
    threads: Option<i64>,
    /// The runtime of an arena; results do not depend on it
    #[arg(long, value_enum, default_value = "current")]
    runtime: RuntimeWord,
    /// Who opens generated answers to interviews and generated outcomes; results do not depend on
    /// it
    #[arg(long, value_enum, default_value = "lane")]
    feedback: FeedbackWord,
    /// The values that replications.csv keeps: of the judged and headline metrics at the end, all,
    /// or none; every summary is of all. The same as --set report.keep=WORD [default: judged]
    #[arg(long, value_name = "WHICH", value_parser = PossibleValuesParser::new(Keep::WORDS.map(|(word, _)| word)))]
    keep: Option<String>,
    #[command(flatten)]
    privacy: PrivacyArgs,
    /// Every measure in the table: by group, and over the run
    #[arg(long)]
    full: bool,
    /// No progress, no notes
    #[arg(long, short)]
    quiet: bool,
    /// A lane that ends disqualified, panicked or left makes the run fail
    #[arg(long)]
    strict: bool,
}

/// Runs a config.
pub fn run(mut args: RunArgs) -> Result<(), Failure> {
    let keep = args.keep.take();
    let keep = keep.map(|which| format!("report.keep={which:?}"));
    args.config.set.extend(keep);
    let jobs = load::jobs(&args.config)?;
    unkept(&jobs)?;
    let folders = folders(&jobs, &args)?;
    let mut settings = settings(&args);
    if let Some(first) = jobs.first() {
        settings.names = args.privacy.names(&first.plan, None)?;
    }
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let mut player = Player::new(&args.out, settings, args.quiet);
    let mut all = Vec::new();
    for (job, folder) in jobs.into_iter().zip(folders) {
        match player.play(job, folder.as_deref()) {
            // While a plan was worked out.
            Err(Failure::Interrupted) if all.is_empty() => {
                show::say("interrupted: nothing was run");
                forget_sweep(args.out.out.as_deref());
                return Err(Failure::Interrupted);
            }
            Err(Failure::Interrupted) => break,
            done => all.push(done.inspect_err(|_| player.say_notes())?),
        }
        if player.is_interrupted() {
            break;
        }
    }
    finish_sweep(&all, args.out.out.as_deref())?;
    let text = result::text(args.out.format, args.full, &all);
    let text = text.map_err(|error| failed(&error.to_string()))?;
    let printed = show::print(&text);
    player.say_notes();
    printed.map_err(|error| failed(&format!("can't print: {error}")))?;
    ended(&all, player.is_interrupted(), args.strict)
}

/// How the command ends, once its results are printed.
fn ended(all: &[Done], is_interrupted: bool, strict: bool) -> Result<(), Failure> {
    let any = |ending| {
        let mut policies = all.iter().flat_map(|done| done.summary.policies.values());
        policies.any(|policy| policy.endings.contains_key(&ending))
    };
    if is_interrupted {
        show::say(match any(Ending::Interrupted) {
            false => "interrupted: the result holds the replications that were finished",
            true => "interrupted: the result holds the first replication as far as it came",
        });
        return Err(Failure::Interrupted);
    }
    if any(Ending::SourceFailed) {
        return Err(failed(
            "the stream broke off; the results are of what came before",
        ));
    }
    if all.iter().any(|done| done.read_nobody) {
        return Err(failed(READ_NOBODY));
    }
    broken::unstarted(all)?;
    match strict {
        true => broken::strict(all),
        false => Ok(()),
    }
}

fn settings(args: &RunArgs) -> Settings {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    Settings {
        batch: args.batch.map(|persons| persons as usize),
        threads: args.threads.map_or(cores, |threads| threads as usize),
        runtime: match args.runtime {
            RuntimeWord::Current => Runtime::Current,
            RuntimeWord::Multi => Runtime::Multi,
        },
        carrier: args.feedback.into(),
        traces: Traces {
            selected: args.out.out.is_some(),
            people: args.out.people,
            decisions: args.out.trace.is_some(),
            curves: args.out.out.is_some(),
            all_replications: args.out.trace_replications == WhichReplications::All,
        },
        names: Names::default(),
        folds: true,
        interrupt: Arc::new(AtomicBool::new(false)),
    }
}

/// Refuses feeds that tell their senders what is kept, and people who answer, where nothing is kept.
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

/// Where each job's files go, where any go. A folder in use refuses them all, before anything is
/// run.
fn folders(jobs: &[Job], args: &RunArgs) -> Result<Vec<Option<PathBuf>>, Failure> {
    let Some(out) = &args.out.out else {
        return Ok(vec![None; jobs.len()]);
    };
    let force = args.out.force;
    let entries: Vec<PointEntry> = jobs.iter().filter_map(|job| job.entry.clone()).collect();
    if entries.is_empty() {
        Folder::check(out, force).map_err(wrong)?;
        return Ok(vec![Some(out.clone()); jobs.len()]);
    }
    // What a sweep is of is written before its first run: the list of its folders.
    let folder = Folder::create(out, force).map_err(wrong)?;
    let written = folder.write(POINTS, |to| write_points(&entries, to));
    written.map_err(wrong)?;
    Ok(entries
        .iter()
        .map(|entry| Some(out.join(&entry.name)))
        .collect())
}

/// Takes back the list of a sweep of which nothing was run, and the folder where nothing else is in
/// it.
fn forget_sweep(out: Option<&Path>) {
    if let Some(out) = out {
        // The first word, that nothing was run, is the one to say.
        drop(Folder::at(out).remove(POINTS));
        drop(std::fs::remove_dir(out));
    }
}

/// Writes what there is of a sweep as a whole: `sweep.csv` and `verdicts.csv`.
fn finish_sweep(all: &[Done], out: Option<&Path>) -> Result<(), Failure> {
    let runs = all
        .iter()
        .filter_map(|done| Some((done.job.entry.as_ref()?, done)));
    let runs: Vec<(&PointEntry, &Done)> = runs.collect();
    let (Some(out), Some((first, _))) = (out, runs.first()) else {
        return Ok(());
    };
    let keys = first.set.iter().map(|(key, _)| key.as_str());
    let lead: Vec<&str> = std::iter::once("point").chain(keys).collect();
    let names: Vec<_> = runs
        .iter()
        .map(|(_, done)| done.job.plan.metric_names())
        .collect();
    let flat = runs.iter().zip(&names).map(|((entry, done), names)| {
        let values = entry.set.iter().map(|(_, value)| value.as_str());
        FlatRun {
            lead: std::iter::once(entry.name.as_str()).chain(values).collect(),
            summary: &done.summary,
            names,
        }
    });
    let flat: Vec<FlatRun<'_>> = flat.collect();
    let folder = Folder::at(out);
    folder
        .write(SWEEP, |to| write_summaries(&lead, &flat, to))
        .and_then(|()| folder.write(VERDICTS, |to| write_verdicts(&lead, &flat, to)))
        .map_err(|problem| failed(&problem.to_string()))
}
