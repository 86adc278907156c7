//! `klero live`: policies on a stream as it comes, its journal in a folder.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::ahead::Ahead;
use super::load::{self, Job};
use super::output::{RunFiles, Timing};
use super::result::{self, Done};
use super::run::{failed, watch_for_interrupts};
use super::{
    ConfigArgs, Failure, Format, PrivacyArgs, RuntimeWord, TraceWord, random_key, show, whole,
};
use kleroterion::compare::Summary;
use kleroterion::config::Plan;
use kleroterion::journal::{JournalError, Reader};
use kleroterion::live::session::{self, Listening, LiveError, Options, Origin, Played};
use kleroterion::problem::{Problem, Problems};
use kleroterion::protocol::Ending;
use kleroterion::report::files::Folder;
use kleroterion::report::plain;
use kleroterion::run::{Runtime, Settings, Traces};
use kleroterion::trace::Names;

/// Options of `klero live`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero live live-show --out show                 a paced stream; look at http://127.0.0.1:7717
  klero live live-http --out run1                 people by HTTP; then, from another terminal:
  curl --json '{\"id\":\"ann\",\"groups\":{\"gender\":\"F\",\"age\":\"55+\"}}' http://127.0.0.1:8090/v1/decisions
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
    privacy: PrivacyArgs,
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
            names: Names::default(),
            interrupt: Arc::new(AtomicBool::new(false)),
        }
    }
}

/// What a run that is taken up again does as before; kept with its journal.
#[derive(Default, Serialize, Deserialize)]
pub struct Kept {
    /// The key of the names, where ids are hidden.
    key: Option<[u8; 32]>,
    dropped: Vec<String>,
    board: bool,
    stay: bool,
    decisions: bool,
}

/// Under which name it is kept.
const KEPT: &str = "options";

/// Under which name the journal keeps the config that the run was begun with.
pub const CONFIG: &str = "config";

impl Kept {
    fn of(how: &HowArgs, privacy: &PrivacyArgs, key: Option<[u8; 32]>) -> Self {
        Self {
            key,
            dropped: privacy.drop_attributes.clone(),
            board: !how.no_board,
            stay: how.stay,
            decisions: how.trace.is_some(),
        }
    }

    /// What is kept in a folder.
    ///
    /// # Errors
    /// Where its journal can't be read.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let read = || Reader::open(folder)?.fact(KEPT);
        let text = read().map_err(|error| journal_wrong(&error))?;
        let kept = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(kept.unwrap_or_default())
    }

    /// The same again, but for what is asked for now.
    pub fn again(&self, how: &mut HowArgs) {
        how.no_board |= !self.board;
        how.stay |= self.stay;
        how.trace = how.trace.or(self.decisions.then_some(TraceWord::Decisions));
    }

    /// What people are called.
    pub fn names(&self) -> Names {
        let names = self.key.map_or_else(Names::default, Names::hidden);
        names.dropping(&self.dropped)
    }
}

/// Says what is wrong with a journal.
pub fn journal_wrong(error: &JournalError) -> Failure {
    let help = match error {
        JournalError::InUse => "stop that run first, or look at what it has with `klero replay`",
        _ => "the journal stays as it is; a copy of its folder from before may help",
    };
    wrong(Problem::of_request(error.to_string()).help(help).into())
}

/// Runs a config live.
pub fn live(mut args: LiveArgs) -> Result<(), Failure> {
    let job = job(&mut args.config)?;
    let key = args.privacy.hide_identities.then(random_key);
    let names = args.privacy.names(&job.plan, key)?;
    let kept = Kept::of(&args.how, &args.privacy, key);
    Folder::check(&args.out, args.force).map_err(wrong)?;
    let told = attributes(&job, &names);
    let traced = args.how.trace.is_some();
    let (out, force) = (args.out.clone(), args.force);
    let files: FilesMaker<'_> =
        Box::new(move |job| RunFiles::create(&out, force, &job.config(), &told, traced));
    let kept = serde_json::to_string(&kept).map_err(|error| failed(&error.to_string()))?;
    let origin = Origin::New(&args.out);
    let opening = Opening {
        facts: vec![(KEPT, kept), (CONFIG, job.config())],
        ..Opening::of(origin, names)
    };
    play(job, Some(files), &args.how, opening)
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

/// The names of the attributes that are told.
pub fn attributes(job: &Job, names: &Names) -> Vec<String> {
    let attributes = job.plan.world.schema.attributes().iter();
    let told = attributes.filter(|a| names.tells(&a.name));
    told.map(|a| a.name.clone()).collect()
}

/// How a live run begins.
pub struct Opening<'a> {
    /// Where its stream comes from.
    pub origin: Origin<'a>,
    /// What people are called.
    pub names: Names,
    /// What goes with a new journal.
    pub facts: Vec<(&'static str, String)>,
    /// The policies that join now.
    pub joins: Option<String>,
}

impl<'a> Opening<'a> {
    /// With nothing new.
    pub fn of(origin: Origin<'a>, names: Names) -> Self {
        Self {
            origin,
            names,
            facts: Vec::new(),
            joins: None,
        }
    }
}

/// Makes the files of a run, once there is a folder for them.
pub type FilesMaker<'a> = Box<dyn FnOnce(&Job) -> Result<RunFiles, Problems> + 'a>;

/// Plays, writes the files where there are any, and prints the result.
pub fn play(
    job: Job,
    make_files: Option<FilesMaker<'_>>,
    how: &HowArgs,
    opening: Opening<'_>,
) -> Result<(), Failure> {
    let plan = &job.plan;
    let started = Instant::now();
    let mut settings = how.settings();
    let Opening {
        origin,
        names,
        facts,
        joins,
    } = opening;
    settings.names = names;
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
    let files: RefCell<Option<RunFiles>> = RefCell::new(None);
    let timing = || Timing::new(started.elapsed(), settings.threads, settings.batch);
    let options = Options {
        settings: settings.clone(),
        board: live && !how.no_board,
        stays: live && (how.stay || plan.world.feed.as_ref().is_some_and(|feed| feed.is_http())),
        facts,
        joins,
        listening: Box::new(move |listening| say_where(listening, quiet)),
        prepare: Box::new(|| {
            let made = make_files.map(|make| make(&job)).transpose()?;
            files.replace(made);
            Ok(())
        }),
        over: Box::new(|result| {
            let summary = Summary::of(result, &plan.judge);
            let written = files
                .borrow_mut()
                .as_mut()
                .map(|files| files.write(result, &summary, &timing()));
            if let Some(Err(problem)) = written {
                show::say(&format!("error: {}", plain(&problem.to_string())));
            }
            if !quiet {
                show::say("no lane plays any more; the servers stay until Ctrl-C");
            }
        }),
    };
    let played = session::play(plan, options, origin, |replication| {
        let mut files = files.borrow_mut();
        files
            .as_mut()
            .map_or(Ok(()), |files| files.record(replication))
    });
    let played = played.map_err(|error| match error {
        LiveError::Listen(address, _) => wrong(taken_address(plan, address, &error).into()),
        LiveError::Journal(error) => journal_wrong(&error),
        LiveError::Folder(problems) => wrong(problems),
        error => failed(&error.to_string()),
    })?;
    if let Some(sentence) = left_out(&played, out(origin)) {
        note(&sentence);
    }
    let Played { result, halted, .. } = played;
    let summary = Summary::of(&result, &plan.judge);
    if let Some(files) = files.take() {
        let written = files.finish(&result, &summary, &timing());
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
    if let Some(halted) = halted {
        return Err(failed(&format!(
            "{halted}; what came before it is kept, and the results are of that"
        )));
    }
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

/// What is to be said where an address is taken.
fn taken_address(plan: &Plan, address: SocketAddr, error: &LiveError) -> Problem {
    let help = if address == plan.live.board {
        "stop what listens there, or give another: --set 'board.address=\"127.0.0.1:7718\"', --no-board"
    } else {
        "stop what listens there, or give another: --set 'source.address=\"127.0.0.1:8091\"'"
    };
    Problem::of_request(error.to_string()).help(help)
}

/// What came and was not played, where there is any.
pub fn left_out(played: &Played, folder: Option<&Path>) -> Option<String> {
    let Played {
        refused,
        duplicates,
        ..
    } = played;
    let records = |n: &u64| if *n == 1 { "record" } else { "records" };
    let place = folder.map_or_else(String::new, |folder| {
        format!(" (see {})", folder.join("bad.ndjson").display())
    });
    let refused =
        (*refused > 0).then(|| format!("{refused} {} could not be read{place}", records(refused)));
    let repeats = (*duplicates > 0).then(|| {
        let repeats = if *duplicates == 1 {
            "repeat was"
        } else {
            "repeats were"
        };
        format!("{duplicates} {repeats} dropped")
    });
    let all: Vec<String> = refused.into_iter().chain(repeats).collect();
    (!all.is_empty()).then(|| all.join("; "))
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

/// Says what is wrong with a request.
pub fn wrong(problems: Problems) -> Failure {
    show::problems(&problems, None);
    Failure::Wrong
}
