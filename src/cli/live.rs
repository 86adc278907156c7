//! `klero live`: policies on a stream as it comes, its journal in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;

use super::ahead::Ahead;
use super::load::{self, Job};
use super::output::{RunFiles, Timing};
use super::result::{self, Done};
use super::run::{failed, watch_for_interrupts};
use super::{ConfigArgs, Failure, Format, RuntimeWord, TraceWord, show, whole};
use kleroterion::compare::Summary;
use kleroterion::live::session::{self, Listening, LiveError, Options, Origin};
use kleroterion::problem::{Problem, Problems};
use kleroterion::protocol::Ending;
use kleroterion::report::plain;
use kleroterion::run::{Runtime, Settings, Traces};
use kleroterion::trace::Names;

/// Options of `klero live`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero live live-generated --out show            a paced stream; look at http://127.0.0.1:7717
  klero live live-http --out run1                 people by HTTP; then, from another terminal:
  curl -d '{\"id\":\"ann\",\"groups\":{\"gender\":\"F\"}}' http://127.0.0.1:8090/v1/candidates
  klero live live-stdin --out run2 < people.ndjson
  klero resume run1                               it goes on where it was stopped
  klero replay run1 --policies more.toml          what others would have done")]
pub struct LiveArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// The folder of the run: its journal, and its results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite a run that is in the folder; the journal of a live run is never overwritten
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    how: HowArgs,
}

/// How a live run is carried out.
#[derive(Args, Clone, Debug)]
pub struct HowArgs {
    /// No board
    #[arg(long)]
    pub no_board: bool,
    /// The board stays when no lane plays any more, until Ctrl-C; so it does anyway where people come by HTTP
    #[arg(long)]
    pub stay: bool,
    /// What to write down beside the scores
    #[arg(long, value_enum)]
    pub trace: Option<TraceWord>,
    /// What to print on stdout at the end
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// About how many persons a batch holds at most; results do not depend on it
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000))]
    pub batch: Option<i64>,
    /// How many threads the lanes have [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    pub threads: Option<i64>,
    /// The runtime of the lanes; results do not depend on it
    #[arg(long, value_enum, default_value = "multi")]
    pub runtime: RuntimeWord,
    /// Every measure in the table
    #[arg(long)]
    pub full: bool,
    /// No notes
    #[arg(long, short)]
    pub quiet: bool,
}

impl HowArgs {
    /// Of a journal that is played once more.
    pub fn replaying(trace: Option<TraceWord>, format: Format, full: bool, quiet: bool) -> Self {
        Self {
            no_board: true,
            stay: false,
            trace,
            format,
            batch: None,
            threads: None,
            runtime: RuntimeWord::Multi,
            full,
            quiet,
        }
    }

    /// As of any run.
    pub fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            batch: self.batch.map(|persons| persons as usize),
            threads: self.threads.map_or(default.threads, |n| n as usize),
            runtime: match self.runtime {
                RuntimeWord::Current => Runtime::Current,
                RuntimeWord::Multi => Runtime::Multi,
            },
            traces: Traces {
                selected: true,
                decisions: self.trace.is_some(),
                all_replications: false,
            },
            interrupt: Arc::new(AtomicBool::new(false)),
        }
    }
}

/// Runs a config live.
pub fn live(mut args: LiveArgs) -> Result<(), Failure> {
    let job = job(&mut args.config)?;
    let attributes = attributes(&job);
    let traced = args.how.trace.is_some();
    let files = RunFiles::create(&args.out, args.force, &job.config(), &attributes, traced);
    let files = files.map_err(wrong)?;
    play(job, Some(files), &args.how, Origin::New(&args.out))
}

/// The one run that a config asks for, of one replication.
pub fn job(config: &mut ConfigArgs) -> Result<Job, Failure> {
    if config.replications.is_some_and(|n| n != 1) {
        return Err(wrong(
            Problem::of_request("a live run plays one replication: what comes, comes once")
                .help("leave --replications out, or use `klero run`")
                .into(),
        ));
    }
    config.replications = Some(1);
    let mut jobs = load::jobs(config)?;
    match (jobs.pop(), jobs.is_empty()) {
        (Some(job), true) => Ok(job),
        _ => Err(wrong(
            Problem::of_request("a live run plays one config, and a sweep is many")
                .help("leave [sweep] out")
                .into(),
        )),
    }
}

/// The names of the attributes.
pub fn attributes(job: &Job) -> Vec<String> {
    let attributes = job.plan.world.schema.attributes();
    attributes.iter().map(|a| a.name.clone()).collect()
}

/// Plays, writes the files where there are any, and prints the result.
pub fn play(
    job: Job,
    mut files: Option<RunFiles>,
    how: &HowArgs,
    origin: Origin<'_>,
) -> Result<(), Failure> {
    let plan = &job.plan;
    let started = Instant::now();
    let settings = how.settings();
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let note = |text: &str| {
        if !how.quiet {
            show::say(&format!("note: {}", plain(text)));
        }
    };
    plan.notes.iter().for_each(|text| note(text));
    let interrupt = Arc::clone(&settings.interrupt);
    Ahead::new(None, how.quiet, interrupt).supply(plan, note)?;
    let quiet = how.quiet;
    let live = matches!(origin, Origin::New(_) | Origin::Resumed(_));
    let options = Options {
        settings: settings.clone(),
        board: live && !how.no_board,
        stays: live && (how.stay || plan.world.feed.as_ref().is_some_and(|feed| feed.is_http())),
        names: Names::default(),
        listening: Box::new(move |listening| say_where(listening, quiet)),
        over: Box::new(move |_| {
            if !quiet {
                show::say("no lane plays any more; the servers stay until Ctrl-C");
            }
        }),
    };
    let result = session::play(plan, options, origin, |replication| {
        files
            .as_mut()
            .map_or(Ok(()), |files| files.record(replication))
    });
    let result = result.map_err(|error| match error {
        LiveError::Listen(..) | LiveError::Journal(_) => wrong(
            Problem::of_request(error.to_string())
                .help(remedy(&error))
                .into(),
        ),
        error => failed(&error.to_string()),
    })?;
    let summary = Summary::of(&result, &plan.judge);
    if let Some(files) = files {
        let timing = Timing::new(started.elapsed(), settings.threads, settings.batch);
        let written = files.finish(&result, &summary, &timing);
        written.map_err(|problem| failed(&problem.to_string()))?;
    }
    let done = [Done {
        job,
        result,
        summary,
    }];
    let text = result::text(how.format, how.full, &done);
    let text = text.map_err(|error| failed(&error.to_string()))?;
    show::print(&text).map_err(|error| failed(&format!("can't print: {error}")))?;
    let ended = |ending| {
        let mut policies = done[0].summary.policies.values();
        policies.any(|policy| policy.endings.contains_key(&ending))
    };
    if ended(Ending::SourceFailed) {
        return Err(failed("the stream broke off; what came before is kept"));
    }
    if ended(Ending::Interrupted) {
        if live && let Some(folder) = out(origin) {
            let folder = folder.display();
            show::say(&format!(
                "interrupted: all that had come is played and written; `klero resume {folder}` goes on"
            ));
        }
        return Err(Failure::Interrupted);
    }
    Ok(())
}

fn out(origin: Origin<'_>) -> Option<&Path> {
    match origin {
        Origin::New(folder) | Origin::Resumed(folder) => Some(folder),
        Origin::Again(_) | Origin::Unkept => None,
    }
}

fn say_where(listening: &Listening, quiet: bool) {
    if quiet {
        return;
    }
    if let Some(address) = listening.feed {
        show::say(&format!("feed: {address}"));
    }
    if let Some(address) = listening.board {
        show::say(&format!("board: http://{address}"));
    }
}

fn remedy(error: &LiveError) -> &'static str {
    match error {
        LiveError::Listen(..) => {
            "stop what listens there, or give another: --set 'board.address=\"127.0.0.1:7718\"', --no-board"
        }
        _ => "the journal stays as it is; a copy of its folder from before may help",
    }
}

/// Says what is wrong with a request.
pub fn wrong(problems: Problems) -> Failure {
    show::problems(&problems, None);
    Failure::Wrong
}
