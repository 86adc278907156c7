//! The worker of `klero work`, which plays one lane of a run on another machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use async_nats::jetstream::stream::Stream;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::super::past::arrival_of;
use super::super::stream::{Arrival, LiveStream, StreamEnd};
use super::entries::{EntryBatch, RunHead};
use super::moves::Turn;
use super::sayer::{Broke, PastTurns, SaidTurns, Sayer};
use super::streams::{RunStreams, message};
use crate::limits::{
    LANE_GRACE, MOST_CHUNKS_WAITING, RUN_PATIENCE, SERVER_PAUSE, STOP_LOOK, STREAM_CHECK,
    STREAM_LATER, STREAM_SOON,
};
use kleroterion_core::arena::{Arena, Carrier, Ear, LaneSpec, Overhearing};
use kleroterion_core::draw::Key;
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::protocol::Stop;
use kleroterion_core::score::Scoreboard;
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::nats::connect;
use kleroterion_io::seat::{ProgramWords, SeatTiming};
use kleroterion_run::config::{ConfigInputs, Document, LanePlan, Plan, check};
use kleroterion_run::limits::MOST_BATCH_PERSONS;
use kleroterion_run::run::pool_maker;

/// The request of a worker: the lane that it is to play.
pub struct Worker {
    /// The servers, separated by commas.
    pub url: String,
    /// The run's name.
    pub run: String,
    /// The lane's label.
    pub lane: String,
    /// The flag that ends it early once it is set.
    pub interrupt: Arc<AtomicBool>,
    /// The kinds that the run's config names, and what else it refers to.
    pub inputs: ConfigInputs,
}

/// The end of a worker.
#[derive(Debug)]
pub enum WorkEnd {
    /// The lane has ended like this.
    Ended(Stop),
    /// The lane had ended before.
    Before,
    /// The user stopped it.
    Interrupted,
}

/// The reason why a worker failed.
#[derive(Debug)]
pub enum WorkError {
    /// The request can't be fulfilled.
    Asked(Problems),
    /// The worker broke off.
    Failed(String),
}

impl From<Problem> for WorkError {
    fn from(problem: Problem) -> Self {
        Self::Asked(problem.into())
    }
}

/// Plays a lane until it has ended, the run is over or the user stops the worker.
///
/// # Errors
/// Fails if there is no such run or lane, or if the lane can't be played here.
pub fn work(worker: &Worker, say: &dyn Fn(&str)) -> Result<WorkEnd, WorkError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| WorkError::Failed(error.to_string()))?;
    runtime.block_on(async {
        let stopped = async {
            while !worker.interrupt.load(Ordering::Relaxed) {
                sleep(STOP_LOOK).await;
            }
        };
        tokio::select! {
            biased;
            () = stopped => Ok(WorkEnd::Interrupted),
            worked = worked(worker, say) => worked,
        }
    })
}

async fn worked(worker: &Worker, say: &dyn Fn(&str)) -> Result<WorkEnd, WorkError> {
    let client = connect(
        &worker.url,
        worker.inputs.nats_secrets(),
        "klero worker",
        |_| {},
    )
    .await?;
    let streams = RunStreams::new(client, &worker.run);
    let mut was_there = false;
    loop {
        // It may go on with another config than before.
        let (head, plan, place) = found(&streams, worker, was_there).await?;
        let feed = plan.world.feed.clone().map(Arc::new);
        let feed = feed.ok_or_else(|| WorkError::Failed("the run has no feed".to_owned()))?;
        if !std::mem::replace(&mut was_there, true) {
            let (lane, run) = (&worker.lane, &worker.run);
            say(&format!("lane {lane:?} of the run {run} is played here"));
        }
        let lane = WorkedLane {
            streams: &streams,
            head: &head,
            plan: &plan,
            lane: &plan.lanes[place],
            place,
            feed: &feed,
        };
        match lane.play().await {
            Ok(end) => return Ok(end),
            Err(Broke::For(why)) => return Err(WorkError::Failed(why)),
            Err(Broke::Again | Broke::Down(_)) => {
                say("a stream was lost: the lane is played from the first person on once more");
                sleep(SERVER_PAUSE).await;
            }
        }
    }
}

/// Finds the run, its plan, and the place of the lane, once they exist. With `was_there`, the run
/// existed before and is waited for without limit.
async fn found(
    streams: &RunStreams,
    worker: &Worker,
    was_there: bool,
) -> Result<(RunHead, Plan, usize), WorkError> {
    let asked = Instant::now();
    loop {
        let head = head(streams, worker, was_there).await?;
        let plan = plan(&head, &worker.inputs)?;
        match place(&plan, worker) {
            Ok(place) => return Ok((head, plan, place)),
            Err(error) if asked.elapsed() > LANE_GRACE => return Err(error),
            Err(_) => sleep(SERVER_PAUSE).await,
        }
    }
}

/// Reads the head of the run, once it exists.
async fn head(
    streams: &RunStreams,
    worker: &Worker,
    was_there: bool,
) -> Result<RunHead, WorkError> {
    let asked = Instant::now();
    loop {
        let found = match streams.journal().await {
            Ok(stream) => message(&stream, None, 1).await,
            Err(why) => Err(why),
        };
        let why = match found {
            Ok(Some(found)) => match RunHead::decode(&found.payload) {
                Some(head) if head.version == env!("CARGO_PKG_VERSION") => return Ok(head),
                Some(head) => {
                    let (own, other) = (env!("CARGO_PKG_VERSION"), head.version);
                    let what = format!("the run is played by klero {other}, and this is {own}");
                    let help =
                        "a lane decides the same only with the same version: install that one";
                    return Err(Problem::of_request(what).help(help).into());
                }
                None => "its first message is no head of a run".to_owned(),
            },
            Ok(None) => "it is empty".to_owned(),
            Err(why) => why,
        };
        if !was_there && asked.elapsed() > RUN_PATIENCE {
            let Worker { url, run, .. } = worker;
            let what = format!("there is no run {run:?} at {url}: {why}");
            let help = "is it the name of [live.nats] run, and does the run have policies with \
                        where = \"remote\"?";
            return Err(Problem::of_request(what).help(help).into());
        }
        sleep(SERVER_PAUSE).await;
    }
}

/// The plan of the run.
fn plan(head: &RunHead, inputs: &ConfigInputs) -> Result<Plan, WorkError> {
    let document = Document::parse(&head.config);
    let document = document.map_err(WorkError::Asked)?;
    check(&document, inputs.in_folder(".")).map_err(WorkError::Asked)
}

/// The place of the lane.
fn place(plan: &Plan, worker: &Worker) -> Result<usize, WorkError> {
    let remote = || plan.lanes.iter().filter(|lane| lane.elsewhere.is_some());
    let labels = || remote().map(|lane| &*lane.label);
    let known = plan.lanes.iter().position(|lane| lane.label == worker.lane);
    if let Some(place) = known.filter(|place| plan.lanes[*place].elsewhere.is_some()) {
        return Ok(place);
    }
    let all = labels().collect::<Vec<_>>().join(", ");
    let (lane, run) = (&worker.lane, &worker.run);
    let what = match known {
        Some(_) => format!("the policy {lane:?} of the run {run} plays at its recorder"),
        None => format!("the run {run} has no policy {lane:?}"),
    };
    let help = match nearest(lane, labels()) {
        Some(near) if known.is_none() => {
            format!("did you mean {near:?}? policies with where = \"remote\": {all}")
        }
        _ => format!("policies with where = \"remote\": {all}"),
    };
    Err(Problem::of_request(what).help(help).into())
}

/// A lane that this worker plays.
struct WorkedLane<'a> {
    streams: &'a RunStreams,
    head: &'a RunHead,
    plan: &'a Plan,
    lane: &'a LanePlan,
    place: usize,
    feed: &'a Arc<FeedSpec>,
}

impl WorkedLane<'_> {
    /// Plays the lane from the first person on.
    async fn play(&self) -> Result<WorkEnd, Broke> {
        let (journal, moves) = match (self.streams.journal().await, self.streams.moves().await) {
            (Ok(journal), Ok(moves)) => (journal, moves),
            (Err(why), _) | (_, Err(why)) => {
                tracing::debug!(why, "a stream is not there");
                return Err(Broke::Again);
            }
        };
        let subject = self.streams.lane_subject(self.place);
        let (said, build) = (Arc::new(SaidTurns::default()), self.head.build());
        let past = PastTurns::read(&moves, &subject, build, &said).await;
        let past = past.map_err(|_| Broke::Again)?;
        if past.has_ended {
            return Ok(WorkEnd::Before);
        }
        let (out, arrivals) = mpsc::channel(MOST_CHUNKS_WAITING);
        let sayer = Sayer::new(self.streams.clone(), moves, subject, build);
        let playing = async {
            let stop = self.arena(arrivals, past, &said).await?;
            said.close();
            Ok(stop)
        };
        let feeding = async { self.feed(journal, out, &said).await };
        let (stop, (), ()) = tokio::try_join!(playing, feeding, sayer.run(&said))?;
        Ok(WorkEnd::Ended(stop))
    }

    /// Plays the lane. Returns its ending.
    async fn arena(
        &self,
        arrivals: mpsc::Receiver<Vec<Arrival>>,
        past: PastTurns,
        said: &Arc<SaidTurns>,
    ) -> Result<Stop, Broke> {
        let (plan, key) = (self.plan, Key::new(self.plan.seed, 0));
        let interrupt = Arc::<AtomicBool>::default();
        let source = LiveStream::new(
            Arc::clone(self.feed),
            key,
            plan.live.reported,
            arrivals,
            Arc::<StreamEnd>::default(),
            Arc::clone(&interrupt),
        );
        let heard = Arc::clone(said);
        let ear: Ear = Arc::new(move |round, step, reply| heard.push(Turn::of(round, step, reply)));
        let policy = Overhearing::new(&*self.lane.policy.prototype, ear);
        let timing = SeatTiming::Live(Some(Arc::new(past)));
        let spec = LaneSpec {
            label: &self.lane.label,
            rules: Arc::clone(&plan.rules),
            prototype: &policy,
            pool: plan.pool.clone().map(pool_maker),
            outside: self
                .lane
                .policy
                .outside
                .as_ref()
                .map(|spec| spec.maker(timing, ProgramWords::Shown)),
            answerer: plan
                .answering
                .of(key, plan.lanes.len(), ProgramWords::Shown),
            scoreboard: Scoreboard::new(Vec::new(), plan.moments.clone()),
            traced: true,
            itemised: false,
        };
        let arena = Arena {
            key,
            source: Box::new(source),
            feedback: plan.feedback.clone(),
            carrier: Carrier::default(),
            lanes: vec![spec],
            persons: MOST_BATCH_PERSONS,
            interrupt,
        };
        let played = arena.play().await;
        let mut played = played.map_err(|error| Broke::For(error.to_string()))?;
        let (_, stop) = played.lanes.remove(0);
        if let Some(end) = Turn::end(0, &stop) {
            said.push(end);
        }
        Ok(stop)
    }

    /// Hands on the journal's committed people until the run is over or the lane has ended.
    async fn feed(
        &self,
        stream: Stream,
        out: mpsc::Sender<Vec<Arrival>>,
        said: &SaidTurns,
    ) -> Result<(), Broke> {
        let created = born(&stream);
        let (mut number, mut next) = (2, 1);
        let (mut wait, mut looked) = (STREAM_SOON, Instant::now());
        while !out.is_closed() {
            let found = match message(&stream, None, number).await {
                Ok(Some(found)) => found,
                Ok(None) => {
                    sleep(wait).await;
                    wait = (wait * 2).min(STREAM_LATER);
                    if looked.elapsed() > STREAM_CHECK {
                        looked = Instant::now();
                        same(self.streams, created, number).await?;
                    }
                    continue;
                }
                Err(_) => {
                    sleep(SERVER_PAUSE).await;
                    same(self.streams, created, number).await?;
                    continue;
                }
            };
            (number, wait) = (number + 1, STREAM_SOON);
            let batch =
                EntryBatch::decode(&found.payload).ok_or_else(|| self.damaged(number - 1))?;
            if batch.is_over {
                // Others follow where the run was taken up again.
                match self.streams.journal().await {
                    Ok(stream) if stream.cached_info().state.last_sequence < number => {
                        return Ok(());
                    }
                    _ => continue,
                }
            }
            if batch.first > next {
                return Err(Broke::Again);
            }
            let (from, last) = (next, batch.last);
            next = next.max(last + 1);
            let entries = batch.read().ok_or_else(|| self.damaged(number - 1))?;
            let mut arrivals = Vec::with_capacity(entries.len());
            for (numbered, record) in entries {
                if numbered.seq < from {
                    continue;
                }
                let read = arrival_of(self.feed, numbered, |_| Ok(record));
                arrivals.extend(read.map_err(|error| Broke::For(error.to_string()))?);
            }
            while said.is_full() {
                sleep(STREAM_SOON).await;
            }
            if !arrivals.is_empty() && out.send(arrivals).await.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn damaged(&self, number: u64) -> Broke {
        let name = self.streams.journal_name();
        Broke::For(format!(
            "message {number} of the stream {name} is damaged: remove the stream (nats stream rm \
             {name}), and the recorder publishes it again from its journal"
        ))
    }
}

/// The time at which a stream was created, in nanoseconds since 1970.
fn born(stream: &Stream) -> i128 {
    stream.cached_info().created.unix_timestamp_nanos()
}

/// Fails if the journal's stream is not the one that was read, or is shorter.
async fn same(streams: &RunStreams, created: i128, number: u64) -> Result<(), Broke> {
    let Ok(stream) = streams.journal().await else {
        return Ok(());
    };
    let last = stream.cached_info().state.last_sequence;
    match created == born(&stream) && last + 1 >= number {
        true => Ok(()),
        false => Err(Broke::Again),
    }
}
