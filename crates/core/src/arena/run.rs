//! Sets up the tasks of one arena and waits for them.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument;

use super::answering::{self, answering_task};
use super::flow::{Ahead, FanOut, Inlet, Watcher, way};
use super::lane::last_words;
use super::lane_task::{LaneFailure, Ports, lane_task};
use super::mail::{AnswererMaker, OutsideMaker};
use super::prototype::{Prototype, begin};
use super::questions::Carrier;
use super::state::LaneState;
use super::tasks::{
    Downstream, SourceEnd, feedback_task, outside_task, pool_task, scorer_task, source_task,
};
use crate::draw::Key;
use crate::feedback::Answers;
use crate::limits::BATCHES_IN_FLIGHT;
use crate::pool::PoolMaker;
use crate::protocol::{Ending, Rules, Stop};
use crate::score::Scoreboard;
use crate::source::Source;

/// The name of the tasks that answer.
const FEEDBACK: &str = "feedback";

/// The specification of one lane of an arena.
pub struct LaneSpec<'a> {
    /// The lane's label, unique in the arena. The policy's own random numbers depend on it.
    pub label: &'a str,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The policy.
    pub prototype: &'a dyn Prototype,
    /// The pool that decides which people apply. `None` if all do.
    pub pool: Option<PoolMaker>,
    /// The outer end of the seat, for a policy outside the process.
    pub outside: Option<OutsideMaker>,
    /// The maker of the answerer, if interviews or outcomes are answered from outside.
    pub answerer: Option<AnswererMaker>,
    /// The scorers.
    pub scoreboard: Scoreboard,
    /// True if the policy's reasons are kept.
    pub traced: bool,
    /// True if interviews, offers and outcomes are kept. They always are if reasons are kept.
    pub itemised: bool,
}

/// One source and its lanes.
pub struct Arena<'a> {
    /// The seed and replication.
    pub key: Key,
    /// The stream.
    pub source: Box<dyn Source>,
    /// The sources of answers to interviews, offers and outcomes.
    pub feedback: Answers,
    /// The task that draws generated answers.
    pub carrier: Carrier,
    /// The lanes.
    pub lanes: Vec<LaneSpec<'a>>,
    /// The approximate number of persons in a batch.
    pub persons: usize,
    /// A flag that ends the stream early once it is set.
    pub interrupt: Arc<AtomicBool>,
}

/// The result of an arena.
pub struct PlayedArena {
    /// Each lane's scores and ending, in the order of the lanes.
    pub lanes: Vec<(Scoreboard, Stop)>,
    /// The number of persons left over because they did not fill a last slate. Counted if a lane
    /// played to the stream's end.
    pub left_over: u64,
}

/// The failure of a task other than a policy. The run's results can't be trusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {task} task failed: {cause}")]
pub struct ArenaError {
    /// The name of the task.
    pub task: String,
    /// The message of the failure.
    pub cause: String,
}

impl ArenaError {
    fn new(task: &str, error: JoinError) -> Self {
        let cause = match error.try_into_panic() {
            Ok(payload) => last_words(&*payload).unwrap_or_else(|| "it panicked".into()),
            Err(error) => error.to_string(),
        };
        let task = task.to_owned();
        Self { task, cause }
    }
}

/// The tasks of the stream.
pub(super) struct Stream {
    source: JoinHandle<u64>,
    feedback: Option<JoinHandle<()>>,
}

/// A lane whose company is there, before it plays.
pub(super) struct Opened<'a> {
    pub(super) prototype: &'a dyn Prototype,
    /// Makes the lane's state at its start.
    pub(super) state: Box<dyn Fn() -> LaneState + 'a>,
    pub(super) ports: Ports,
    pub(super) company: Company,
}

/// The tasks around a lane.
pub(super) struct Company {
    label: String,
    scorer: JoinHandle<Option<(Scoreboard, Stop)>>,
    others: Vec<(&'static str, JoinHandle<()>)>,
}

impl<'a> Arena<'a> {
    /// Plays until every lane has ended. Call it in a tokio runtime.
    ///
    /// # Errors
    /// Returns an error if the source, feedback, a pool or a scorer panicked; a policy that panics
    /// only ends its own lane.
    pub async fn play(self) -> Result<PlayedArena, ArenaError> {
        self.play_watched(None, &[]).await
    }

    /// Plays as [`Arena::play`], with a watcher of the stream's flow. `ahead` says for each lane
    /// how far the stream may run ahead; the default is a few batches.
    ///
    /// # Errors
    /// The errors of [`Arena::play`].
    pub async fn play_watched(
        self,
        watcher: Option<Arc<dyn Watcher>>,
        ahead: &[Ahead],
    ) -> Result<PlayedArena, ArenaError> {
        let (stream, lanes) = self.open(watcher, ahead);
        let lanes: Vec<_> = lanes.into_iter().map(Opened::play).collect();
        let left_over = stream.join().await;
        let lanes = join_all(lanes).await;
        let left_over = left_over?;
        Ok(PlayedArena::new(lanes?, left_over))
    }

    /// Starts all tasks but those of the lanes.
    pub(super) fn open(
        self,
        watcher: Option<Arc<dyn Watcher>>,
        ahead: &[Ahead],
    ) -> (Stream, Vec<Opened<'a>>) {
        let source_end = Arc::new(OnceLock::new());
        let horizon = self.lanes.iter().map(|lane| lane.rules.horizon()).max();
        let mut inlets = Vec::new();
        let mut opened = Vec::new();
        let asks =
            self.feedback.is_outside() || self.carrier == Carrier::Task && self.feedback.is_drawn();
        let asked = Asked {
            carrier: self.carrier,
            tasks: asks,
            lanes: self.lanes.len(),
        };
        for (place, lane) in self.lanes.into_iter().enumerate() {
            let (outlet, batches) = way(ahead.get(place).copied().unwrap_or_default());
            inlets.push(outlet);
            let inlet = Inlet {
                batches,
                place,
                watcher: watcher.clone(),
            };
            let end = Arc::clone(&source_end);
            opened.push(open_lane(lane, self.key, asked, inlet, end));
        }
        let lanes = FanOut::new(inlets, watcher);
        let (downstream, feedback) = if self.feedback.is_some() {
            let (inlet, batches) = mpsc::channel(BATCHES_IN_FLIGHT);
            let task = feedback_task(self.feedback, self.key, batches, lanes);
            let task = spawn(FEEDBACK, "", task);
            (Downstream::Feedback(inlet), Some(task))
        } else {
            (Downstream::Lanes(lanes), None)
        };
        let source = source_task(
            self.source,
            downstream,
            self.persons,
            horizon.unwrap_or(0),
            source_end,
            self.interrupt,
        );
        let source = spawn("source", "", source);
        (Stream { source, feedback }, opened)
    }
}

impl PlayedArena {
    pub(super) fn new(lanes: Vec<(Scoreboard, Stop)>, left_over: u64) -> Self {
        // Where no lane came to the stream's end, whether the source did depends on how far it ran
        // ahead.
        let to_the_end = |(_, stop): &(_, Stop)| stop.ending == Ending::SourceEnded;
        let left_over = if lanes.iter().any(to_the_end) {
            left_over
        } else {
            0
        };
        Self { lanes, left_over }
    }
}

impl Stream {
    /// Waits for the stream's tasks; the number of persons left over.
    pub(super) async fn join(self) -> Result<u64, ArenaError> {
        let left_over = self.source.await;
        let fed = match self.feedback {
            Some(task) => task.await,
            None => Ok(()),
        };
        let left_over = left_over.map_err(|e| ArenaError::new("source", e))?;
        fed.map_err(|e| ArenaError::new(FEEDBACK, e))?;
        Ok(left_over)
    }
}

/// A lane that plays, and its company.
type Running = (JoinHandle<Result<(), LaneFailure>>, Company);

/// Waits for all lanes; the first error, where one failed.
async fn join_all(running: Vec<Running>) -> Result<Vec<(Scoreboard, Stop)>, ArenaError> {
    let mut joined = Vec::new();
    for (lane, company) in running {
        joined.push(company.join(lane.await).await);
    }
    joined.into_iter().collect()
}

/// Spawns a task of the arena, in a span that names it.
fn spawn<T: Send + 'static>(
    task: &'static str,
    lane: &str,
    future: impl Future<Output = T> + Send + 'static,
) -> JoinHandle<T> {
    tokio::spawn(future.instrument(tracing::debug_span!("task", task, lane, otel.name = task)))
}

/// The way in which the lanes of an arena get answers.
#[derive(Clone, Copy)]
struct Asked {
    carrier: Carrier,
    /// True if each lane has a feedback task.
    tasks: bool,
    lanes: usize,
}

/// Starts the tasks around a lane.
fn open_lane(
    spec: LaneSpec<'_>,
    key: Key,
    asked: Asked,
    inlet: Inlet,
    source_end: SourceEnd,
) -> Opened<'_> {
    let mut others = Vec::new();
    let feedback = asked.tasks.then(|| {
        let (port, (questions, answers)) = answering::channels();
        let task = answering_task(spec.answerer, key, questions, answers);
        others.push((FEEDBACK, spawn(FEEDBACK, spec.label, task)));
        port
    });
    let pool = spec.pool.map(|maker| {
        let (inlet, messages) = mpsc::channel(1);
        let task = spawn("pool", spec.label, pool_task(maker, key, messages));
        others.push(("pool", task));
        inlet
    });
    let outside = spec.outside.map(|maker| {
        let (inlet, messages) = mpsc::channel(1);
        let task = outside_task(maker, key, messages);
        let task = spawn("outside", spec.label, task);
        others.push(("outside seat", task));
        inlet
    });
    let (rules, label, reacts) = (spec.rules, spec.label, pool.is_some());
    let state = move || {
        LaneState::new(Arc::clone(&rules), key, label, reacts, spec.traced)
            .carried(asked.carrier, asked.lanes)
            .itemised(spec.itemised)
    };
    let (to_scorer, messages) = mpsc::channel(BATCHES_IN_FLIGHT);
    let scorer = spawn("scorer", spec.label, scorer_task(spec.scoreboard, messages));
    let ports = Ports {
        inlet,
        scorer: to_scorer,
        pool,
        outside,
        feedback,
        source_end,
    };
    Opened {
        prototype: spec.prototype,
        state: Box::new(state),
        ports,
        company: Company {
            label: label.to_owned(),
            scorer,
            others,
        },
    }
}

impl Opened<'_> {
    /// Plays the lane in a task of its own.
    fn play(self) -> Running {
        let lane = begin(self.prototype, self.state);
        let task = lane_task(lane, self.ports);
        (spawn("lane", &self.company.label, task), self.company)
    }
}

impl Company {
    /// Waits for these tasks, once the lane has played so.
    pub(super) async fn join(
        self,
        played: Result<Result<(), LaneFailure>, JoinError>,
    ) -> Result<(Scoreboard, Stop), ArenaError> {
        let name = |task: &str| match task {
            // The same words as where the lane itself opens the answers.
            FEEDBACK => FEEDBACK.to_owned(),
            task => format!("{task} of lane {:?}", self.label),
        };
        let scored = self.scorer.await;
        for (task, handle) in self.others {
            handle.await.map_err(|e| ArenaError::new(&name(task), e))?;
        }
        let scored = scored.map_err(|e| ArenaError::new(&name("scorer"), e))?;
        let whole = played.map_err(|e| ArenaError::new(&name("lane"), e))?;
        match (whole, scored) {
            (Ok(()), Some(ended)) => Ok(ended),
            (Err(LaneFailure::Feedback(cause)), _) => Err(ArenaError {
                task: FEEDBACK.into(),
                cause,
            }),
            _ => Err(ArenaError {
                task: name("lane"),
                cause: "another task of the lane is gone".into(),
            }),
        }
    }
}

#[cfg(test)]
mod tests;
