//! `klero run CONFIG`.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::ahead::Ahead;
use super::args::{ConfigArgs, OutArgs, RuntimeWord, WhichReplications, whole};
use super::broken;
use super::failure::{Failure, failed, wrong};
use super::interrupts::watch_for_interrupts;
use super::live;
use super::load::{self, Job};
use super::log;
use super::output::{RunFiles, RunTiming};
use super::privacy::PrivacyArgs;
use super::result::{self, Done};
use super::show;
use kleroterion::compare::{PolicySummary, Summary, Verdict};
use kleroterion::feed::FeedSpec;
use kleroterion::live::session::{self, LiveError, Options, Origin};
use kleroterion::problem::{Problem, Problems};
use kleroterion::protocol::Ending;
use kleroterion::report::files::Folder;
use kleroterion::report::forecast::StationaryForecast;
use kleroterion::report::plain;
use kleroterion::run::{Replication, Runtime, Settings, Traces, run as play};
use kleroterion::trace::Names;

/// Options of `klero run`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run
  klero run committee-brexit-like --out brexit --replications 1000
  klero run my.toml --set rules.until.accepted=50 --only queue,cmdp --format json")]
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
pub fn run(args: RunArgs) -> Result<(), Failure> {
    let jobs = load::jobs(&args.config)?;
    unkept(&jobs)?;
    let folders = folders(&jobs, &args)?;
    let mut settings = settings(&args);
    if let Some(first) = jobs.first() {
        settings.names = args.privacy.names(&first.plan, None)?;
    }
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let mut notes = NotePrinter::default();
    let interrupt = Arc::clone(&settings.interrupt);
    let mut ahead = Ahead::new(args.out.out.as_deref(), args.quiet, interrupt);
    let mut all = Vec::new();
    for (job, folder) in jobs.into_iter().zip(folders) {
        match one(job, folder, &args, &settings, &mut ahead, &mut notes) {
            // While a plan was worked out.
            Err(Failure::Interrupted) if all.is_empty() => {
                show::say("interrupted: nothing was run");
                return Err(Failure::Interrupted);
            }
            Err(Failure::Interrupted) => break,
            done => all.push(done?),
        }
        if settings.interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    let text = result::text(args.out.format, args.full, &all);
    let text = text.map_err(|error| failed(&error.to_string()))?;
    show::print(&text).map_err(|error| failed(&format!("can't print: {error}")))?;
    if settings.interrupt.load(Ordering::Relaxed) {
        let mut policies = all.iter().flat_map(|done| done.summary.policies.values());
        let cut = |policy: &PolicySummary| policy.endings.contains_key(&Ending::Interrupted);
        show::say(match policies.any(cut) {
            false => "interrupted: the result holds the replications that were finished",
            true => "interrupted: the result holds the first replication as far as it came",
        });
        return Err(Failure::Interrupted);
    }
    let mut policies = all.iter().flat_map(|done| done.summary.policies.values());
    if policies.any(|policy| policy.endings.contains_key(&Ending::SourceFailed)) {
        return Err(failed(
            "the stream broke off; the results are of what came before",
        ));
    }
    if all.iter().any(|done| done.read_nobody) {
        return Err(failed("no record could be read: the results are of nobody"));
    }
    broken::unstarted(&all)?;
    match args.strict {
        true => broken::strict(&all),
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
        traces: Traces {
            selected: args.out.out.is_some(),
            decisions: args.out.trace.is_some(),
            all_replications: args.out.trace_replications == WhichReplications::All,
        },
        names: Names::default(),
        interrupt: Arc::new(AtomicBool::new(false)),
    }
}

/// Says each note once, whatever the number of runs that have it.
#[derive(Default)]
struct NotePrinter(BTreeSet<String>);

impl NotePrinter {
    fn say(&mut self, note: &str, args: &RunArgs) {
        if !args.quiet && self.0.insert(note.to_owned()) {
            show::say(&format!("note: {}", plain(note)));
        }
    }
}

/// Refuses feeds that tell their senders what is kept, where nothing is.
fn unkept(jobs: &[Job]) -> Result<(), Failure> {
    let feeds = jobs.iter().filter_map(|job| job.plan.world.feed.as_ref());
    if !feeds.into_iter().any(FeedSpec::acknowledges) {
        return Ok(());
    }
    let what = "people who come by http or tcp are told that they are kept, and `klero run` keeps no journal";
    let help = "`klero live CONFIG --out DIR` keeps one";
    Err(wrong(Problem::of_request(what).help(help)))
}

/// Plays one job and writes its files.
fn one(
    job: Job,
    folder: Option<PathBuf>,
    args: &RunArgs,
    settings: &Settings,
    ahead: &mut Ahead,
    notes: &mut NotePrinter,
) -> Result<Done, Failure> {
    let plan = &job.plan;
    let started = Instant::now();
    for note in &plan.notes {
        notes.say(note, args);
    }
    ahead.supply(plan, |note| notes.say(note, args))?;
    let attributes = live::attributes(&job, &settings.names);
    let mut files = match &folder {
        None => None,
        Some(folder) => {
            let force = args.out.force;
            let decisions = settings.traces.decisions;
            let files = RunFiles::create(folder, force, &job.config(), &attributes, decisions);
            Some(files.map_err(wrong)?)
        }
    };
    ahead.keep();
    // Of a sweep it would be said of every run; `klero explain` says it there.
    if job.point.set.is_empty() && !args.quiet && plan.outlook.is_some() {
        let found = StationaryForecast::of(plan, true).ok().flatten();
        for sentence in found.iter().flat_map(StationaryForecast::sentences) {
            notes.say(&sentence, args);
        }
    }
    let bar = progress_bar(plan.replications, args.quiet);
    let (mut left_over, mut read_nobody) = (0, false);
    let each = |replication: &mut Replication| {
        bar.inc(1);
        left_over += replication.left_over;
        files
            .as_mut()
            .map_or(Ok(()), |files| files.record(replication))
    };
    let played = match &plan.world.feed {
        None => play(plan, settings, each).map_err(LiveError::from),
        Some(feed) => {
            let mut options = Options::unkept(settings);
            options.bad = folder.as_ref().map(|folder| folder.join("bad.ndjson"));
            let played = session::play(plan, options, Origin::Unkept, each);
            played.map(|played| {
                let place = folder.as_deref().map_or_else(
                    || " (with --out DIR they are kept, in DIR/bad.ndjson)".to_owned(),
                    live::kept_in,
                );
                let sentence = live::left_out(&played, &place);
                let refusals = live::refusals(&played, feed);
                for sentence in sentence.iter().chain(&refusals) {
                    notes.say(sentence, args);
                }
                read_nobody |= played.refused > 0 && played.accepted == 0 && played.left_out == 0;
                if let Some(halted) = &played.halted {
                    show::say(&format!("error: {}", plain(halted)));
                }
                played.result
            })
        }
    };
    bar.finish_and_clear();
    let result = played.map_err(|error| failed(&error.to_string()))?;
    let summary = Summary::of(&result, &plan.judge).disclosing(&plan.world.disclosures);
    let interrupted = settings.interrupt.load(Ordering::Relaxed);
    if plan.judge.until_decided && !summary.pairs.is_empty() && !interrupted {
        let (played, most) = (result.replications, plan.replications);
        notes.say(&match summary.pairs.iter().any(|pair| pair.verdict == Verdict::Undecided) {
            true => format!("not every pair is decided after {played} replications, the most there were to be"),
            false => format!("every pair is decided after {played} replications, of {most} at most"),
        }, args);
    }
    if left_over > 0 {
        let note = match left_over {
            1 => "1 person did not fill a last slate and was not shown".to_owned(),
            many => format!("{many} persons did not fill a last slate and were not shown"),
        };
        notes.say(&note, args);
    }
    if let Some(files) = files {
        let timing = RunTiming::new(started.elapsed(), settings.threads, settings.batch);
        let written = files.finish(&result, &summary, &timing);
        written.map_err(|problem| failed(&problem.to_string()))?;
    }
    Ok(Done {
        job,
        result,
        summary,
        read_nobody,
    })
}

/// Where each job's files go, where any go. One folder in use refuses them all, before anything is run.
fn folders(jobs: &[Job], args: &RunArgs) -> Result<Vec<Option<PathBuf>>, Failure> {
    let Some(out) = &args.out.out else {
        return Ok(vec![None; jobs.len()]);
    };
    let mut problems = Problems::default();
    let mut folders = Vec::new();
    for job in jobs {
        let folder = folder(out, job);
        if let Err(found) = Folder::check(&folder, args.out.force) {
            problems.0.extend(found.0);
        }
        folders.push(Some(folder));
    }
    problems.or(folders).map_err(wrong)
}

/// Where a job's files go: the folder, and in a sweep a folder a key in it. Values that differ have names that differ.
fn folder(out: &Path, job: &Job) -> PathBuf {
    let mut folder = out.to_owned();
    for (key, value) in job.point.named() {
        let mut name = String::new();
        for c in format!("{key}={value}").chars() {
            match c {
                '/' | '\\' | '%' | '\0'..='\x1f' => name += &format!("%{:02X}", u32::from(c)),
                _ => name.push(c),
            }
        }
        folder.push(name);
    }
    folder
}

fn progress_bar(replications: u64, quiet: bool) -> ProgressBar {
    if quiet || !log::shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(replications);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} replications, {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
