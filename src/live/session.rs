//! A live run, put together: feed, recorder, stream, arena, servers.
//!
//! ```text
//! runtime "outside"          thread "recorder"             the caller's thread
//! transport, HTTP --Delivery--> Recorder --Vec<Arrival>--> Stream --> arena (a runtime of its own)
//!      ^------Receipt------------|  ^------- acting decisions, forfeits -----|
//! board, metrics <------------------------- Watched -------------------------|
//! ```

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::sync::{mpsc, watch};
use tracing::{Instrument, info, info_span};

use super::bad::BadFile;
use super::beside::beside;
use super::gauges::Gauge;
use super::hosts::Hosts;
use super::notes::{LaneForfeits, Notes, Past};
use super::paced::Paced;
use super::past::read_on;
use super::recorder::{CHUNKS, Recorder, RecorderError};
use super::stream::{Arrival, Stream, StreamEnd};
use super::{Stage, Watched};
use crate::config::Plan;
use crate::draw::Key;
use crate::feed::FeedSpec;
use crate::journal::{Entry, Journal, JournalError, Reader};
use crate::problem::Problems;
use crate::run::{Replication, RunError, Settings, run_beside};
use crate::score::{Row, RunResult};
use crate::seat::Timing;
use crate::source::{Sizes, Source};

/// Deliveries that wait for the recorder.
const DELIVERIES: usize = 256;

/// How often it is seen whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Where the stream comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// A new live run, whose journal is made in a folder.
    New(&'a Path),
    /// A live run that was stopped, from its folder: it goes on.
    Resumed(&'a Path),
    /// What a live run's journal holds, once more; nothing is written.
    Again(&'a Path),
    /// A feed whose journal nobody keeps.
    Unkept,
}

impl<'a> Origin<'a> {
    fn folder(self) -> Option<&'a Path> {
        match self {
            Self::New(folder) | Self::Resumed(folder) | Self::Again(folder) => Some(folder),
            Self::Unkept => None,
        }
    }

    fn is_live(self) -> bool {
        matches!(self, Self::New(_) | Self::Resumed(_))
    }
}

/// How a live run is carried out.
pub struct Options<'a> {
    /// As of any run; its `interrupt` stops the feed, and all that has come is played.
    pub settings: Settings,
    /// Whether there is a board.
    pub board: bool,
    /// Whether the servers stay when no lane plays any more, until the user stops them.
    pub stays: bool,
    /// What goes with a new journal.
    pub facts: Vec<(&'static str, String)>,
    /// Policies that join the run now, as sections of its config; the plan has them already.
    pub joins: Option<String>,
    /// Is told where the servers listen, before anything is played.
    pub listening: Box<dyn FnOnce(&Listening) + 'a>,
    /// Sees to the folder: before a new journal is made, once one that is there is known to be whole, and never where an address can't be had.
    pub prepare: Box<dyn FnOnce() -> Result<(), Problems> + 'a>,
    /// Is told once no lane plays any more, where the servers stay.
    pub over: Box<dyn FnOnce(&RunResult) + 'a>,
}

impl Options<'_> {
    /// Of a feed that nobody watches and whose journal nobody keeps.
    #[must_use]
    pub fn unkept(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            board: false,
            stays: false,
            facts: Vec::new(),
            joins: None,
            listening: Box::new(|_| {}),
            prepare: Box::new(|| Ok(())),
            over: Box::new(|_| {}),
        }
    }
}

/// Where the servers listen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listening {
    /// The board.
    pub board: Option<SocketAddr>,
    /// The feed.
    pub feed: Option<SocketAddr>,
}

/// What came of a live run.
pub struct Played {
    /// The result.
    pub result: RunResult,
    /// Records that could not be read.
    pub refused: u64,
    /// Repeats that were dropped, since it was last taken up.
    pub duplicates: u64,
}

/// Why a live run failed.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The run itself.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What came from outside could not be recorded.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The folder can't be had.
    #[error(transparent)]
    Folder(#[from] Problems),
    /// An address can't be listened on.
    #[error("can't listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The system gave no runtime, thread or file.
    #[error("can't start: {0}")]
    Start(#[from] io::Error),
}

/// Plays a plan live; the journal's people before any others.
///
/// # Errors
/// Before anything is played where the journal or an address can't be had; later where the disk or a task fails.
pub fn play(
    plan: &Plan,
    options: Options<'_>,
    origin: Origin<'_>,
    each: impl FnOnce(&mut Replication) -> io::Result<()>,
) -> Result<Played, LiveError> {
    let watched = watched(plan);
    let outside = Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("outside")
        .enable_all()
        .build()?;
    let (stop, stopped) = watch::channel(false);
    let (deliver, deliveries) = mpsc::channel(DELIVERIES);
    let feed = plan.world.feed.clone().map(Arc::new);
    let end = Arc::new(StreamEnd::default());

    let mut hosts = Hosts {
        plan,
        watched: &watched,
        outside: &outside,
        stopped: &stopped,
        end: &end,
        resumed: matches!(origin, Origin::Resumed(_)),
        listening: Listening::default(),
    };
    let live = origin.is_live() || matches!(origin, Origin::Unkept);
    hosts.open(feed.as_deref().filter(|_| live), options.board, deliver)?;
    let Listening { feed: at, board } = &hosts.listening;
    let (at, board) = (at.map(|at| at.to_string()), board.map(|at| at.to_string()));
    if at.is_some() || board.is_some() {
        info!(feed = at, board, "listening");
    }
    let (journal, past) = open(
        origin,
        &options.facts,
        options.joins.as_deref(),
        options.prepare,
    )?;
    let notes = Arc::new(Notes::after(past));
    (options.listening)(&hosts.listening);
    let wish = Arc::clone(&options.settings.interrupt);
    let stopping = stop.clone();
    outside.spawn(async move {
        while !wish.load(Ordering::Relaxed) {
            tokio::time::sleep(LOOK).await;
        }
        stopping.send_replace(true);
    });

    let feed_sizes = feed.as_ref().map(|feed| (feed.sizes.clone(), feed.each));
    let let_out = Arc::new(Gauge::default());
    let arena_ends = Arc::new(AtomicBool::new(false));
    let key = Key::new(plan.seed, 0);
    let (out, source): (_, Box<dyn Source>) = match &feed {
        Some(feed) => {
            let (out, arrivals) = mpsc::channel(CHUNKS);
            let (feed, end) = (Arc::clone(feed), Arc::clone(&end));
            let reported = plan.live.reported;
            let stream = Stream::new(feed, key, reported, arrivals, end, arena_ends.clone());
            (Some(out), Box::new(stream))
        }
        None => {
            let inner = (plan.world.source)(key);
            let pace = plan.world.pace.filter(|_| live);
            let before = notes.past().rounds;
            // The arena looks at the same flag, and ends its lanes `interrupted`.
            let paced = Paced::new(
                inner,
                pace,
                before,
                let_out.clone(),
                watched.clone(),
                arena_ends.clone(),
            );
            let (wish, ends) = (options.settings.interrupt.clone(), arena_ends.clone());
            outside.spawn(async move {
                while !wish.load(Ordering::Relaxed) {
                    tokio::time::sleep(LOOK).await;
                }
                ends.store(true, Ordering::Relaxed);
            });
            (None, Box::new(paced))
        }
    };
    let bad = match origin {
        Origin::New(folder) | Origin::Resumed(folder) => BadFile::new(
            folder.join("bad.ndjson"),
            options.settings.names.is_hidden(),
        )?,
        Origin::Again(_) | Origin::Unkept => BadFile::none(),
    };
    let recorder = match journal {
        Some(journal) => {
            let recorder = Recorder {
                journal,
                folder: origin.folder().map(Path::to_owned),
                feed: feed.clone(),
                out,
                end: Arc::clone(&end),
                notes: Arc::clone(&notes),
                watched: Arc::clone(&watched),
                bad,
                let_out: feed.is_none().then(|| Arc::clone(&let_out)),
                let_out_before: notes.past().rounds,
            };
            spawn(move || async move { recorder.run(deliveries, stopped).await })?
        }
        None => {
            let (folder, watched) = (origin.folder().map(Path::to_owned), Arc::clone(&watched));
            let end = Arc::clone(&end);
            let last = notes.past().last_seq;
            spawn(move || once_more(folder, feed, out, bad, watched, end, last))?
        }
    };
    let outsiders = plan.lanes.iter().any(|lane| lane.outside.is_some());
    let settings = Settings {
        // A batch is told when all of it is decided, and programs take their time.
        batch: options.settings.batch.or(outsiders.then_some(1)),
        interrupt: arena_ends,
        ..options.settings.clone()
    };
    let before = rounds_before(feed_sizes.as_ref(), key, notes.past());
    let mut beside = beside(&watched, settings.names.clone(), source, plan.live.reported);
    let seats = Arc::clone(&notes);
    beside.timing = Some(Box::new(move |label| {
        Timing::Live(Some(Arc::new(LaneForfeits {
            policy: label.into(),
            notes: Arc::clone(&seats),
            before,
        })))
    }));
    let played = run_beside(plan, &settings, beside, each);
    watched.enter(Stage::Over);
    let told = played.map(|mut result| {
        add_outcomes(plan, &watched, &mut result);
        result
    });
    if options.stays && told.is_ok() && !options.settings.interrupt.load(Ordering::Relaxed) {
        if let Ok(result) = &told {
            (options.over)(result);
        }
        // A recorder that has failed ends it; one that has no more to take does not.
        while !options.settings.interrupt.load(Ordering::Relaxed) && end.failed.get().is_none() {
            thread::sleep(LOOK);
        }
    }
    stop.send_replace(true);
    let recorded = recorder.join();
    outside.shutdown_timeout(Duration::from_secs(3));
    match recorded {
        Ok(recorded) => recorded?,
        Err(_) => return Err(io::Error::other("the recorder panicked").into()),
    }
    told.map(|mut result| {
        // What was told after the lanes had ended.
        add_outcomes(plan, &watched, &mut result);
        Played {
            result,
            refused: watched.gauges.refused.get(),
            duplicates: watched.gauges.duplicates.get(),
        }
    })
    .map_err(LiveError::from)
}

/// The journal to write, where one is written, and what it imposes.
fn open(
    origin: Origin<'_>,
    facts: &[(&str, String)],
    joins: Option<&str>,
    prepare: Box<dyn FnOnce() -> Result<(), Problems> + '_>,
) -> Result<(Option<Journal>, Past), LiveError> {
    let mut past = Past::default();
    let mut prepare = Some(prepare);
    let mut ready = || prepare.take().map_or(Ok(()), |prepare| prepare());
    if !matches!(origin, Origin::Resumed(_)) {
        ready()?;
    }
    let mut journal = match origin {
        Origin::New(folder) => Some(Journal::create(folder, facts)?),
        Origin::Resumed(folder) => {
            let started = Instant::now();
            let journal = Journal::resume(folder, |entry| past.add(entry))?;
            let (entries, persons, seconds) = (
                journal.last_seq(),
                past.persons(),
                started.elapsed().as_secs_f64(),
            );
            info!(
                entries,
                persons, seconds, "the journal is whole and goes on"
            );
            Some(journal)
        }
        Origin::Again(folder) => {
            Reader::open(folder)?.read_all(|entry| past.add(entry))?;
            None
        }
        Origin::Unkept => Some(Journal::temporary()?),
    };
    // Of a run that is there nothing is touched before its journal is known to be whole.
    ready()?;
    if let (Some(journal), Some(joins)) = (&mut journal, joins) {
        journal.add(&Entry::Join(joins.into()))?;
        journal.commit()?;
    }
    Ok((journal, past))
}

/// How many rounds were whole when the journal was last written.
fn rounds_before(feed: Option<&(Sizes, usize)>, key: Key, past: &Past) -> u64 {
    let Some((sizes, each)) = feed else {
        return past.rounds;
    };
    let mut left = past.persons();
    let whole = (1..).map_while(|round| {
        let size = u64::from(sizes.at(key, round)?) * *each as u64;
        left = left.checked_sub(size).filter(|_| size > 0 || left > 0)?;
        Some(())
    });
    whole.count() as u64
}

fn watched(plan: &Plan) -> Arc<Watched> {
    let labels = plan.lanes.iter().map(|lane| Arc::from(&*lane.label));
    Arc::new(Watched::new(
        plan.name.clone(),
        Arc::clone(&plan.world.schema),
        labels.collect(),
        plan.live.acting,
        plan.judge.clone(),
    ))
}

/// Runs on a thread of its own.
fn spawn<F>(
    work: impl FnOnce() -> F + Send + 'static,
) -> io::Result<thread::JoinHandle<Result<(), RecorderError>>>
where
    F: Future<Output = Result<(), RecorderError>>,
{
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let span = info_span!("recorder");
    let run = move || runtime.block_on(work().instrument(span));
    thread::Builder::new().name("recorder".into()).spawn(run)
}

/// Hands on what a journal holds, and ends the stream.
async fn once_more(
    folder: Option<PathBuf>,
    feed: Option<Arc<FeedSpec>>,
    out: Option<mpsc::Sender<Vec<Arrival>>>,
    mut bad: BadFile,
    watched: Arc<Watched>,
    end: Arc<StreamEnd>,
    last: u64,
) -> Result<(), RecorderError> {
    let (Some(folder), Some(feed), Some(out)) = (folder, feed, out) else {
        return Ok(());
    };
    let hand_on = async {
        let mut reader = Reader::open(&folder)?;
        while let Some(arrivals) = read_on(&mut reader, &feed, &watched, &mut bad, last)? {
            if out.send(arrivals).await.is_err() {
                break;
            }
            drop(watched.decisions.take_acted());
        }
        Ok(())
    };
    let done = hand_on.await;
    if let Err(error) = &done {
        let error: &RecorderError = error;
        let _ = end.failed.set(error.to_string());
    }
    done
}

/// What was told of those chosen, where it is told from outside.
fn add_outcomes(plan: &Plan, watched: &Watched, result: &mut RunResult) {
    use super::outcomes::{OUTCOME, PENDING, TOLD};
    if !plan.live.reported {
        return;
    }
    for (policy, told) in result.policies.iter_mut().zip(watched.outcomes.told()) {
        let Some(lane) = policy.lanes.first_mut() else {
            continue;
        };
        let ours = [OUTCOME, TOLD, PENDING];
        lane.rows.retain(|row| !ours.contains(&&*row.metric));
        let mut put = |metric: &str, value: f64| {
            lane.rows.push(Row {
                metric: metric.into(),
                at: None,
                value,
            });
        };
        if let Some(mean) = told.mean {
            put(OUTCOME, mean);
        }
        put(TOLD, told.told as f64);
        put(PENDING, told.pending as f64);
    }
}
