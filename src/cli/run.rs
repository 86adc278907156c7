//! `klero run CONFIG`.

use std::io::IsTerminal;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::load::{self, Job};
use super::output::{RunFiles, Timing};
use super::{ConfigArgs, Failure, Format, OutArgs, RuntimeWord, WhichReplications, show};
use kleroterion::compare::Summary;
use kleroterion::problem::{Problem, Problems};
use kleroterion::protocol::Ending;
use kleroterion::report::csv::write_replications;
use kleroterion::report::json::summary_json;
use kleroterion::report::sweep::{SweepPoint, sweep_table};
use kleroterion::report::table::table;
use kleroterion::run::{Runtime, Settings, Traces, run as play};
use kleroterion::score::RunResult;

/// Options of `klero run`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run
  klero run configs/committee-brexit-like.toml --out brexit --replications 1000
  klero run my.toml --set rules.until.accepted=50 --only queue,cmdp --format json")]
pub struct RunArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    out: OutArgs,
    /// About how many persons a batch holds [default: 1,024, or 64 KB]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    batch: Option<usize>,
    /// How many threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    threads: Option<usize>,
    /// The runtime of an arena; results do not depend on it
    #[arg(long, value_enum, default_value = "current")]
    runtime: RuntimeWord,
    /// No progress, no notes
    #[arg(long, short)]
    quiet: bool,
    /// A lane that ends disqualified, panicked or left makes the run fail
    #[arg(long)]
    strict: bool,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a whole number of at least 1".into()),
        Ok(number) => Ok(number),
    }
}

/// What came of one job.
struct Done {
    result: RunResult,
    summary: Summary,
}

/// Runs a config.
pub fn run(args: RunArgs) -> Result<(), Failure> {
    let jobs = load::jobs(&args.config)?;
    let settings = settings(&args);
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let mut all = Vec::new();
    for job in &jobs {
        all.push(one(job, &args, &settings)?);
        if settings.interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    let text = match (args.out.format, &jobs[..]) {
        (Format::Json, [_]) => summary_json(&all[0].summary),
        (Format::Json, _) => sweep_json(&jobs, &all),
        (Format::Csv, _) => csv(&jobs, &all).map_err(|error| failed(&error.to_string()))?,
        (Format::Table, [job]) => table(&all[0].result, &all[0].summary, &job.plan.judge),
        (Format::Table, [first, ..]) => {
            let points = jobs.iter().zip(&all).map(|(job, done)| SweepPoint {
                set: job.set.clone(),
                summary: done.summary.clone(),
            });
            sweep_table(&points.collect::<Vec<_>>(), &first.plan.judge)
        }
        (Format::Table, []) => String::new(),
    };
    show::print(&text).map_err(|error| failed(&format!("can't print: {error}")))?;
    if settings.interrupt.load(Ordering::Relaxed) {
        show::say("interrupted: the result holds the replications that were finished");
        return Err(Failure::Interrupted);
    }
    strict(&args, &all)
}

fn failed(words: &str) -> Failure {
    show::say(&format!("error: {words}"));
    Failure::Failed
}

fn settings(args: &RunArgs) -> Settings {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    Settings {
        batch: args.batch,
        threads: args.threads.unwrap_or(cores),
        runtime: match args.runtime {
            RuntimeWord::Current => Runtime::Current,
            RuntimeWord::Multi => Runtime::Multi,
        },
        traces: Traces {
            selected: args.out.out.is_some(),
            decisions: args.out.trace.is_some(),
            all_replications: args.out.trace_replications == WhichReplications::All,
        },
        interrupt: Arc::new(AtomicBool::new(false)),
    }
}

/// Plays one job and writes its files.
fn one(job: &Job, args: &RunArgs, settings: &Settings) -> Result<Done, Failure> {
    let plan = &job.plan;
    let started = Instant::now();
    if !args.quiet {
        for note in &plan.notes {
            show::say(&format!("note: {note}"));
        }
    }
    let wrong = |problems: Problems| {
        show::problems(&problems, None);
        Failure::Wrong
    };
    let attributes = plan
        .world
        .schema
        .attributes()
        .iter()
        .map(|a| a.name.clone());
    let attributes: Vec<String> = attributes.collect();
    let mut files = match folder(job, args) {
        None => None,
        Some(folder) => {
            let config = job.document.to_toml();
            let force = args.out.force;
            let decisions = settings.traces.decisions;
            Some(RunFiles::create(&folder, force, &config, &attributes, decisions).map_err(wrong)?)
        }
    };
    let bar = progress_bar(plan.replications, args.quiet);
    let played = play(plan, settings, |replication| {
        bar.inc(1);
        files
            .as_mut()
            .map_or(Ok(()), |files| files.record(replication))
    });
    bar.finish_and_clear();
    let result = played.map_err(|error| failed(&error.to_string()))?;
    let summary = Summary::of(&result, &plan.judge);
    if let Some(files) = files {
        if files.left_over() > 0 && !args.quiet {
            let left = files.left_over();
            show::say(&format!(
                "note: {left} persons did not fill a last slate and were not shown"
            ));
        }
        let timing = Timing::new(started.elapsed(), settings.threads, settings.batch);
        let written = files.finish(&result, &summary, &timing);
        written.map_err(|problem: Problem| failed(&problem.to_string()))?;
    }
    Ok(Done { result, summary })
}

/// Where a job's files go: the folder, and in a sweep a folder a key in it.
fn folder(job: &Job, args: &RunArgs) -> Option<PathBuf> {
    let mut folder = args.out.out.clone()?;
    for (key, value) in &job.set {
        let name = format!("{key}={value}");
        let safe = |c: char| {
            if c == '/' || c == '\\' || c.is_control() {
                '_'
            } else {
                c
            }
        };
        folder.push(name.chars().map(safe).collect::<String>());
    }
    Some(folder)
}

fn progress_bar(replications: u64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
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

/// The first interrupt ends the run early with what there is; the second ends the program.
fn watch_for_interrupts(interrupt: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if interrupt.swap(true, Ordering::Relaxed) {
                    std::process::exit(130);
                }
            }
        });
    });
}

fn strict(args: &RunArgs, all: &[Done]) -> Result<(), Failure> {
    let bad = [Ending::Disqualified, Ending::Panicked, Ending::Left];
    let policies = all.iter().flat_map(|done| done.summary.policies.values());
    let broken = policies
        .flat_map(|policy| policy.endings.keys())
        .any(|ending| bad.contains(ending));
    if args.strict && broken {
        return Err(failed(
            "a lane was disqualified, panicked or left (--strict)",
        ));
    }
    Ok(())
}

fn sweep_json(jobs: &[Job], all: &[Done]) -> String {
    let runs = jobs.iter().zip(all).map(|(job, done)| {
        let set: serde_json::Map<_, _> = job
            .set
            .iter()
            .map(|(k, v)| (k.clone(), v.clone().into()))
            .collect();
        serde_json::json!({ "set": set, "summary": done.summary })
    });
    let runs: Vec<_> = runs.collect();
    format!("{:#}\n", serde_json::json!({ "schema": 1, "runs": runs }))
}

/// `replications.csv`; of a sweep, with a column for each of its keys first.
fn csv(jobs: &[Job], all: &[Done]) -> std::io::Result<String> {
    let mut out = csv::Writer::from_writer(Vec::new());
    for (place, (job, done)) in jobs.iter().zip(all).enumerate() {
        let mut rows = Vec::new();
        write_replications(&done.result, &mut rows)?;
        let mut rows = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(&rows[..]);
        for (row, record) in rows.records().enumerate() {
            let record = record?;
            let lead: Vec<&str> = match row {
                0 if place > 0 => continue,
                0 => job.set.iter().map(|(key, _)| key.as_str()).collect(),
                _ => job.set.iter().map(|(_, value)| value.as_str()).collect(),
            };
            out.write_record(lead.into_iter().chain(record.iter()))?;
        }
    }
    let bytes = out.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
