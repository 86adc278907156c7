//! A live run, put together: feed, recorder, stream, arena, servers.
//!
//! ```text
//! runtime "outside"          thread "recorder"             the caller's thread
//! transport, HTTP --Delivery--> Recorder --Vec<Arrival>--> Stream --> arena (a runtime of its own)
//!      ^------Receipt------------|  ^------- acting decisions, forfeits -----|
//! board, metrics <------------------------- Watched -------------------------|
//! ```

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::sync::{mpsc, watch};
use tracing::{Instrument, info, info_span};

pub use super::options::{Listening, LiveError, LiveResult, Options, Origin};

use super::bad::BadFile;
use super::corrections::Whole;
use super::error::RecorderError;
use super::hooks::hooks;
use super::hosts::Hosts;
use super::notes::{LaneForfeits, LiveNotes, Past};
use super::paced::Paced;
use super::past::Again;
use super::recorder::{CHUNKS, Recorder};
use super::stream::{LiveStream, StreamEnd};
use crate::compare::RunResult;
use crate::config::Plan;
use crate::draw::Key;
use crate::journal::{Entry, Journal, Reader};
use crate::problem::Problems;
use crate::run::{Replication, Settings, run_hooked};
use crate::seat::Timing;
use crate::source::Source;
use crate::watch::gauges::Gauge;
use crate::watch::{Stage, Watched};

/// Deliveries that wait for the recorder.
const DELIVERIES: usize = 256;

/// How often it is seen whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Plays a plan live; the journal's people before any others.
///
/// # Errors
/// Before anything is played where the journal or an address can't be had; later where the disk or
/// a task fails.
pub fn play(
    plan: &Plan,
    options: Options<'_>,
    origin: Origin<'_>,
    each: impl FnOnce(&mut Replication) -> io::Result<()>,
) -> Result<LiveResult, LiveError> {
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
    let Listening {
        feed: at, board, ..
    } = &hosts.listening;
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
    let notes = Arc::new(LiveNotes::after(past));
    if hosts.resumed {
        hosts.listening.persons = notes.past().persons();
    }
    (options.listening)(&hosts.listening);
    let arena_ends = Arc::new(AtomicBool::new(false));
    // Whoever came to a live run is played; of what is generated, or was played before, no more
    // than is wished.
    let plays_all = live && feed.is_some();
    let ends_lanes = (!plays_all).then(|| Arc::clone(&arena_ends));
    let (wish, stopping) = (Arc::clone(&options.settings.interrupt), stop.clone());
    let ended = Arc::clone(&end);
    outside.spawn(async move {
        // A stream without senders ends as if the user had stopped it.
        let failed = || ends_lanes.is_some() && ended.failed.get().is_some();
        while !wish.load(Ordering::Relaxed) && !failed() {
            tokio::time::sleep(LOOK).await;
        }
        stopping.send_replace(true);
        if let Some(ends) = ends_lanes {
            ends.store(true, Ordering::Relaxed);
        }
    });
    let let_out = Arc::new(Gauge::default());
    let key = Key::new(plan.seed, 0);
    let (out, source): (_, Box<dyn Source>) = match &feed {
        Some(feed) => {
            let (out, arrivals) = mpsc::channel(CHUNKS);
            let (feed, end) = (Arc::clone(feed), Arc::clone(&end));
            let reported = plan.live.reported;
            let stream = LiveStream::new(feed, key, reported, arrivals, end, arena_ends.clone());
            (Some(out), Box::new(stream))
        }
        None => {
            let inner = (plan.world.source)(key);
            let pace = plan.world.pace.filter(|_| live);
            let before = notes.past().rounds;
            let paced = Paced::new(
                inner,
                pace,
                before,
                let_out.clone(),
                watched.clone(),
                arena_ends.clone(),
            );
            (None, Box::new(paced))
        }
    };
    let kept = match origin {
        Origin::New(folder) | Origin::Resumed(folder) => Some(folder.join("bad.ndjson")),
        Origin::Unkept => options.bad,
        Origin::Again(_) => None,
    };
    let is_hidden = options.settings.names.is_hidden();
    let bad = kept.map_or_else(|| Ok(BadFile::none()), |path| BadFile::new(path, is_hidden))?;
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
                whole: feed.clone().map(|feed| Whole::new(feed, key)),
            };
            spawn(move || async move { recorder.run(deliveries, stopped).await })?
        }
        None => {
            let again = Again {
                folder: origin.folder().map(Path::to_owned),
                feed: feed.clone(),
                out,
                bad,
                watched: Arc::clone(&watched),
                end: Arc::clone(&end),
                notes: Arc::clone(&notes),
            };
            spawn(move || again.hand_on())?
        }
    };
    let outsiders = plan.lanes.iter().any(|lane| lane.outside.is_some());
    let settings = Settings {
        // A batch is told when all of it is decided, and programs take their time.
        batch: options.settings.batch.or(outsiders.then_some(1)),
        interrupt: arena_ends,
        ..options.settings.clone()
    };
    let before = notes.past().whole_rounds(feed.as_deref(), key);
    let mut hooks = hooks(&watched, settings.names.clone(), source, plan.live.reported);
    let (seats, without) = (Arc::clone(&notes), options.without);
    let known = plan.lanes.len() - options.joined.min(plan.lanes.len());
    let joined = plan.lanes[known..].iter().map(|lane| lane.label.clone());
    let joined: Vec<_> = joined.collect();
    let acting = plan.live.acting.map(|lane| plan.lanes[lane].label.clone());
    let labels = watched.labels.clone();
    let outcomes = Arc::clone(&watched.outcomes);
    hooks.timing = Some(Box::new(move |label| {
        let lane = labels.iter().position(|known| **known == *label);
        Timing::Live(Some(Arc::new(LaneForfeits {
            lane: lane.unwrap_or_default(),
            outcomes: Arc::clone(&outcomes),
            policy: label.into(),
            notes: Arc::clone(&seats),
            before,
            joins: joined.iter().any(|joined| &**joined == label),
            may_end: without.iter().any(|without| without == label),
            acts: acting.as_deref() == Some(label),
        })))
    }));
    let played = run_hooked(plan, &settings, hooks, each);
    watched.enter(Stage::Over);
    let reported = |result: &mut RunResult| {
        if plan.live.reported {
            watched.outcomes.write(result);
        }
        watched.write_acting(result);
    };
    let told = played.map(|mut result| {
        reported(&mut result);
        result
    });
    let wished = || options.settings.interrupt.load(Ordering::Relaxed);
    // A recorder that has failed ends it; one that has no more to take does not.
    let goes_on = || !wished() && end.failed.get().is_none();
    if options.stays && told.is_ok() {
        while goes_on() && !recorder.is_finished() && !end.settled.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        if goes_on()
            && let Ok(result) = &told
        {
            (options.over)(result);
        }
        while goes_on() {
            thread::sleep(LOOK);
        }
    }
    stop.send_replace(true);
    let recorded = recorder.join();
    outside.shutdown_timeout(Duration::from_secs(3));
    let recorded = recorded.map_err(|_| io::Error::other("the recorder panicked"))?;
    let halted = match recorded {
        Ok(()) => None,
        // As the config has it: what came before counts.
        Err(halted @ RecorderError::Halted(..)) => Some(halted.to_string()),
        Err(error) => return Err(error.into()),
    };
    told.map(|mut result| {
        // What was told after the lanes had ended.
        reported(&mut result);
        LiveResult {
            result,
            refused: watched.gauges.refused.get(),
            first_refused: watched.first_refused(),
            accepted: watched.gauges.accepted.get(),
            duplicates: watched.gauges.duplicates.get(),
            left_out: watched.gauges.left_out.get(),
            halted,
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

fn watched(plan: &Plan) -> Arc<Watched> {
    let labels = plan.lanes.iter().map(|lane| Arc::from(&*lane.label));
    let watched = Watched::new(
        plan.name.clone(),
        Arc::clone(&plan.world.schema),
        labels.collect(),
        plan.live.acting,
        plan.judge.clone(),
    );
    if plan.live.reported {
        watched.outcomes.expect(plan.live.outcome_range);
    }
    for (lane, plan) in plan.lanes.iter().enumerate() {
        if plan.prototype.corrects() {
            watched.outcomes.note_corrects(lane);
        }
    }
    Arc::new(watched.falling_back(plan.live.fallback))
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
