//! A live run, put together: feed, recorder, stream, arena, servers.
//!
//! ```text
//! runtime "outside"          thread "recorder"             the caller's thread
//! transport, HTTP --Delivery--> Recorder --Vec<Arrival>--> Stream --> arena (a runtime of its own)
//!      ^------Receipt------------|  ^------- acting decisions, forfeits -----|
//! board, metrics <------------------------- Watched -------------------------|
//! ```

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tokio::runtime::{Builder, Runtime as Tokio};
use tokio::sync::{mpsc, watch};

pub use super::options::{Listening, LiveError, LiveResult, Options, Origin};

mod hosts;
mod recording;

use self::recording::Recording;
use super::answerer::Interviewing;
use super::bad::BadFile;
use super::elsewhere::{Elsewheres, Hosted, Reached};
use super::error::RecorderError;
use super::hooks::{Joining, hooks};
use super::notes::{LiveNotes, Past};
use super::opening::{acting, desk, open, remember, watched, write_reported};
use super::paced::Paced;
use super::past::Again;
use super::recorder::{DeliveryChannels, Recorder, RecordersDesk, SlateRules};
use super::stream::{Arrival, LiveStream, StreamEnd};
use crate::acting::Acting;
use crate::limits::{
    LAST_TASKS, MOST_CHUNKS_WAITING, MOST_DELIVERIES_WAITING, OUTSIDE_THREADS, SETTLED_LOOK,
    STOP_LOOK,
};
use crate::looks::{DeskView, HiringTerms, LookDesk};
use crate::watch::served::ServedReport;
use crate::watch::{Stage, Watched};
use kleroterion_core::draw::Key;
use kleroterion_core::problem::Problem;
use kleroterion_core::source::Source;
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::journal::Journal;
use kleroterion_io::trace::Names;
use kleroterion_run::config::Plan;
use kleroterion_run::run::{Replication, RunError, Settings, run_hooked};
use kleroterion_stats::RunResult;

/// Plays a plan live, the journal's people before any others.
///
/// # Errors
/// Fails before any round if the journal or an address can't be used, and later if the disk or a
/// task fails.
pub fn play(
    plan: &Plan,
    mut options: Options<'_>,
    origin: Origin<'_>,
    each: impl FnOnce(&mut Replication) -> io::Result<()>,
) -> Result<LiveResult, LiveError> {
    let names = options.settings.names.clone();
    let report = Arc::clone(&options.report);
    let session = Session::new(plan, origin, &options.settings, report)?;
    let (deliver, from_feed) = mpsc::channel(MOST_DELIVERIES_WAITING);
    let (tell, from_interviewers) = mpsc::channel(MOST_DELIVERIES_WAITING);
    let deliveries = DeliveryChannels {
        feed: from_feed,
        interviewers: from_interviewers,
    };
    let reached = session.reach()?;
    let mut listening = session.listen(options.board, deliver, tell)?;
    let joins = options.joins.as_deref();
    let past = Past::of(session.feed.as_deref(), session.key);
    let (journal, past) = open(origin, past, &options.facts, joins, options.prepare)?;
    if let Some(desk) = &session.desk {
        remember(desk, &past);
    }
    let noted = if origin.is_live() {
        past.shown
    } else {
        u64::MAX
    };
    session.watched.note_shown(noted);
    let _closing = Closing(Arc::clone(&session.watched));
    let acting = acting(plan, &session.watched, noted);
    let notes = Arc::new(LiveNotes::after(past, acting));
    if session.is_resumed() {
        listening.persons = notes.past.persons;
    }
    (options.watching)(Arc::clone(&session.watched));
    (options.listening)(&listening);

    let wish = Arc::clone(&options.settings.interrupt);
    let arena_ends = session.pass_on(&wish);
    let (people, source) = session.people(&notes, &arena_ends);
    let bad = session.bad_file(options.bad, names.is_hidden())?;
    let recorder = session.record(journal, &notes, people, bad, &names, deliveries)?;

    let elsewheres = session.elsewheres(reached, &options.config, &notes);
    let is_left = !options.without.is_empty();
    let joining = Joining {
        elsewhere: elsewheres.as_ref().map_or_else(Vec::new, Elsewheres::lanes),
        joined: options.joined,
        without: std::mem::take(&mut options.without),
        // What is played again by itself waits for its programs.
        before: (!origin.is_live()).then(|| notes.past.whole_rounds()),
        interviewing: session.desk.clone().map(|desk| Interviewing {
            desk,
            notes: Arc::clone(&notes),
            end: Arc::clone(&session.end),
            may_leave: is_left,
        }),
    };
    let mut hooks = hooks(plan, &session.watched, &notes, names, source, joining);
    if matches!(origin, Origin::Unkept) {
        hooks.runtime = Some(session.outside.handle().clone());
    }
    let settings = session.settings(options.settings, arena_ends);
    let played = run_hooked(plan, &settings, hooks, each);
    session.watched.enter(Stage::Over);
    notes.end();
    if let Some(elsewheres) = elsewheres {
        elsewheres.close(&session.outside);
    }
    let played = played.map(|mut result| {
        write_reported(plan, &notes.acting, &mut result);
        result
    });
    if options.stays
        && let Ok(result) = &played
    {
        session.stay(&recorder, &wish, || (options.over)(result));
    }
    session.finish(played, recorder, &notes.acting)
}

/// Closes what is seen of a run once it has ended, by an error too.
struct Closing(Arc<Watched>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A live run in progress: the state that its steps share.
struct Session<'a> {
    plan: &'a Plan,
    origin: Origin<'a>,
    feed: Option<Arc<FeedSpec>>,
    /// The key of the one replication.
    key: Key,
    end: Arc<StreamEnd>,
    /// True once no more records may come from outside.
    stop: watch::Sender<bool>,
    stopped: watch::Receiver<bool>,
    /// The runtime of the transports and servers.
    outside: Tokio,
    watched: Arc<Watched>,
    /// The desk where lanes wait for interviewers, if people answer interviews.
    desk: Option<Arc<LookDesk>>,
}

/// The recorder's side of the stream.
struct People {
    /// The channel of a feed's people to the stream.
    out: Option<mpsc::Sender<Vec<Arrival>>>,
    /// How many rounds of a generated stream were let out.
    let_out: Option<Arc<AtomicU64>>,
}

impl<'a> Session<'a> {
    fn new(
        plan: &'a Plan,
        origin: Origin<'a>,
        settings: &Settings,
        report: Arc<ServedReport>,
    ) -> io::Result<Self> {
        let names = &settings.names;
        let desk = desk(plan, !matches!(origin, Origin::Again(_)));
        let view = |desk| DeskView::new(desk, names.clone(), HiringTerms::of(plan));
        let view = desk.as_ref().map(view);
        let watched = watched(plan, view, report);
        // Without a disk to wait for, all tasks share a runtime: they wake each other faster.
        let threads = match origin {
            Origin::Unkept => settings.threads.max(1),
            _ => 0,
        };
        let outside = Builder::new_multi_thread()
            .worker_threads(OUTSIDE_THREADS + threads)
            .thread_name("outside")
            .enable_all()
            .build()?;
        let (stop, stopped) = watch::channel(false);
        Ok(Self {
            plan,
            origin,
            feed: plan.world.feed.clone().map(Arc::new),
            key: Key::new(plan.seed, 0),
            end: Arc::default(),
            stop,
            stopped,
            outside,
            watched,
            desk,
        })
    }

    /// Returns true if people come from outside, or at the pace of a live run.
    fn is_live(&self) -> bool {
        self.origin.is_live() || matches!(self.origin, Origin::Unkept)
    }

    fn is_resumed(&self) -> bool {
        matches!(self.origin, Origin::Resumed(_))
    }

    /// Connects to the server through which policies play elsewhere, if there are any. A replay has
    /// all policies here.
    fn reach(&self) -> Result<Option<Reached>, LiveError> {
        let mut lanes = self.plan.lanes.iter();
        if !self.origin.is_live() || !lanes.any(|lane| lane.elsewhere.is_some()) {
            return Ok(None);
        }
        let reached = Elsewheres::reach(&self.plan.live, &self.outside);
        let wrong = |problem: Problem| LiveError::Folder(problem.into());
        reached.map(Some).map_err(wrong)
    }

    /// Has the policies play that play elsewhere.
    fn elsewheres(
        &self,
        reached: Option<Reached>,
        config: &str,
        notes: &Arc<LiveNotes>,
    ) -> Option<Elsewheres> {
        let (folder, reached) = self.origin.folder().zip(reached)?;
        let hosted = Hosted {
            plan: self.plan,
            config,
            folder,
            watched: &self.watched,
            notes,
            end: &self.end,
            outside: &self.outside,
        };
        Some(Elsewheres::start(&hosted, reached))
    }

    /// Passes on the user's wish to stop. The returned flag ends the lanes.
    ///
    /// A live feed still plays all people who came. A generated or replayed stream stops at once.
    fn pass_on(&self, wish: &Arc<AtomicBool>) -> Arc<AtomicBool> {
        let arena_ends = Arc::new(AtomicBool::new(false));
        let plays_all = self.is_live() && self.feed.is_some();
        let ends_lanes = (!plays_all).then(|| Arc::clone(&arena_ends));
        let (wish, stop, end) = (Arc::clone(wish), self.stop.clone(), Arc::clone(&self.end));
        self.outside.spawn(async move {
            // A stream without senders ends as if the user had stopped it.
            let failed = || ends_lanes.is_some() && end.failed.get().is_some();
            while !wish.load(Ordering::Relaxed) && !failed() {
                tokio::time::sleep(STOP_LOOK).await;
            }
            stop.send_replace(true);
            if let Some(ends) = ends_lanes {
                ends.store(true, Ordering::Relaxed);
            }
        });
        arena_ends
    }

    /// The stream that the arena plays, and the recorder's side of it.
    fn people(&self, notes: &LiveNotes, arena_ends: &Arc<AtomicBool>) -> (People, Box<dyn Source>) {
        let Some(feed) = &self.feed else {
            let let_out = Arc::<AtomicU64>::default();
            let paced = Paced::new(
                (self.plan.world.source)(self.key),
                self.plan.world.pace.filter(|_| self.is_live()),
                notes.past.rounds,
                Arc::clone(&let_out),
                Arc::clone(&self.watched),
                Arc::clone(arena_ends),
            );
            let people = People {
                out: None,
                let_out: Some(let_out),
            };
            return (people, Box::new(paced));
        };
        let (out, arrivals) = mpsc::channel(MOST_CHUNKS_WAITING);
        let stream = LiveStream::new(
            Arc::clone(feed),
            self.key,
            self.plan.live.reported,
            arrivals,
            Arc::clone(&self.end),
            Arc::clone(arena_ends),
        );
        let people = People {
            out: Some(out),
            let_out: None,
        };
        (people, Box::new(stream))
    }

    /// The file of refused records. `unkept` is its path for a feed without a journal.
    fn bad_file(&self, unkept: Option<PathBuf>, is_hidden: bool) -> io::Result<BadFile> {
        let path = match self.origin {
            Origin::New(folder) | Origin::Resumed(folder) => Some(folder.join("bad.ndjson")),
            Origin::Unkept => unkept,
            Origin::Again(_) => None,
        };
        path.map_or_else(|| Ok(BadFile::none()), |path| BadFile::new(path, is_hidden))
    }

    /// Starts the recorder's thread. Without a journal to write, the thread hands on the old
    /// journal's entries.
    fn record(
        &self,
        journal: Option<Journal>,
        notes: &Arc<LiveNotes>,
        people: People,
        bad: BadFile,
        names: &Names,
        deliveries: DeliveryChannels,
    ) -> io::Result<Recording> {
        let folder = self.origin.folder().map(Path::to_owned);
        let (feed, end) = (self.feed.clone(), Arc::clone(&self.end));
        let (notes, watched) = (Arc::clone(notes), Arc::clone(&self.watched));
        let Some(journal) = journal else {
            let again = Again {
                folder,
                feed,
                out: people.out,
                bad,
                watched,
                end,
                notes,
            };
            return Recording::on_thread(move || again.hand_on());
        };
        let recorder = Recorder {
            journal,
            folder,
            out: people.out,
            end,
            let_out_before: notes.past.rounds,
            watched,
            bad,
            let_out: people.let_out,
            count: notes.past.count.clone(),
            slates: SlateRules {
                last: self.plan.rules.horizon(),
                close: self.plan.live.close,
            },
            desk: self.desk.clone().map(|desk| RecordersDesk {
                desk,
                deadline: self.plan.live.look_deadline,
                names: names.clone(),
            }),
            held: Vec::new(),
            withdrawn: notes.past.withdrawn(),
            refusals: notes.past.refusals.clone(),
            notes,
            feed,
        };
        let stopped = self.stopped.clone();
        if matches!(self.origin, Origin::Unkept) {
            return Ok(Recording::on(
                &self.outside,
                recorder.run(deliveries, stopped),
            ));
        }
        Recording::on_thread(move || recorder.run(deliveries, stopped))
    }

    /// The settings of the one replication.
    fn settings(&self, settings: Settings, arena_ends: Arc<AtomicBool>) -> Settings {
        let outsiders = self
            .plan
            .lanes
            .iter()
            .any(|lane| lane.policy.outside.is_some());
        Settings {
            // A decision is shown once its whole batch is decided, and programs and people take
            // their time.
            batch: settings
                .batch
                .or((outsiders || self.desk.is_some()).then_some(1)),
            interrupt: arena_ends,
            ..settings
        }
    }

    /// Keeps the servers until the user stops them or the recorder fails. `over` is called once all
    /// lanes have ended and their notes are committed.
    fn stay(&self, recorder: &Recording, wish: &AtomicBool, over: impl FnOnce()) {
        // A recorder that has failed ends it; one that has no more to take does not.
        let goes_on = || !wish.load(Ordering::Relaxed) && self.end.failed.get().is_none();
        let is_settled = || recorder.is_finished() || self.end.settled.load(Ordering::Relaxed);
        while goes_on() && !is_settled() {
            thread::sleep(SETTLED_LOOK);
        }
        if goes_on() {
            over();
        }
        while goes_on() {
            thread::sleep(STOP_LOOK);
        }
    }

    /// Stops the transports, waits for the recorder, and adds the last reports to the result.
    fn finish(
        self,
        played: Result<RunResult, RunError>,
        recorder: Recording,
        acting: &Acting,
    ) -> Result<LiveResult, LiveError> {
        self.stop.send_replace(true);
        let recorded = recorder.join(&self.outside);
        self.outside.shutdown_timeout(LAST_TASKS);
        let halted = match recorded? {
            Ok(()) => None,
            // As the config has it: what came before counts.
            Err(halted @ RecorderError::Halted(..)) => Some(halted.to_string()),
            Err(error) => return Err(error.into()),
        };
        let mut result = played?;
        // What was reported after the lanes had ended.
        write_reported(self.plan, acting, &mut result);
        let gauges = &self.watched.gauges;
        Ok(LiveResult {
            result,
            refused: gauges.refused.get(),
            first_refused: self.watched.first_refused(),
            accepted: gauges.accepted.get(),
            duplicates: gauges.duplicates.get(),
            left_out: gauges.left_out.get(),
            halted,
        })
    }
}
