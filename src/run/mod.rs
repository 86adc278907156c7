//! A run: replications farmed over cores, folded in their order.

mod farm;
mod names;
mod rates;
mod rounds;

use std::any::Any;
use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use self::rates::RateWitness;
pub use self::rates::SharedRates;
use self::rounds::RoundWitness;
pub use self::rounds::SharedRounds;
use crate::arena::{Arena, ArenaError, LaneSpec, Watcher};
use crate::compare::RunResult;
use crate::compare::{Decision, LaneStream, RoundEvidence, Rounds};
use crate::config::scorers;
use crate::config::{LanePlan, Plan};
use crate::draw::Key;
use crate::policy::pool::optimal::Unsolved;
use crate::pool::{Dynamics, PoolMaker, Reinforcement};
use crate::protocol::{Ending, Persons};
use crate::score::{LaneResult, PolicyRun, Scoreboard, Scorer, Witness};
use crate::seat::Timing;
use crate::source::Source;
use crate::trace::{DecisionLog, Log, Names, Post, SelectedLog};

/// Which tokio runtime an arena plays on. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// One thread an arena, as many arenas at once as there are threads.
    Current,
    /// One arena at a time on all threads.
    Multi,
}

/// What is written down beside the scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Who was selected.
    pub selected: bool,
    /// Every decision.
    pub decisions: bool,
    /// In every replication, not only the first.
    pub all_replications: bool,
}

/// How a run is carried out; results do not depend on it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// About how many persons a batch holds; `None` = 1,024 persons or 64 KB, whichever is less.
    pub batch: Option<usize>,
    /// How many threads.
    pub threads: usize,
    /// On which runtime.
    pub runtime: Runtime,
    /// What is written down.
    pub traces: Traces,
    /// What people are called in it.
    pub names: Names,
    /// Ends the run early once it is set.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Settings {
    /// All cores, nothing written down.
    fn default() -> Self {
        Self {
            batch: None,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            runtime: Runtime::Current,
            traces: Traces::default(),
            names: Names::default(),
            interrupt: Arc::default(),
        }
    }
}

/// A replication that has been played.
pub struct Replication {
    /// Which one, from 0.
    pub number: u64,
    /// One for each lane, in the plan's order.
    pub lanes: Vec<LaneResult>,
    /// Who was selected: rows of `selected.csv`, in label order; where asked for.
    pub selected: Vec<Log>,
    /// The decisions; where asked for.
    pub decisions: Vec<DecisionLog>,
    /// Persons who did not fill a last slate.
    pub left_over: u64,
    /// What its rounds say of pairs of policies; of the first replication.
    pub rounds: RoundEvidence,
    /// What it says of each policy by itself; of the first replication.
    pub streams: Vec<LaneStream>,
}

/// Makes witnesses of a lane.
pub type WitnessMaker =
    Box<dyn Fn(usize, &[Box<dyn Scorer>]) -> Vec<Box<dyn Witness>> + Send + Sync>;

/// Says of a lane, by its label, whether the clock counts for its seat.
pub type TimingOf = Box<dyn Fn(&str) -> Timing + Send + Sync>;

/// Is given the comparison of a replication round by round.
pub type RoundsTaker = Box<dyn FnOnce(&SharedRounds) + Send>;

/// Is given what the lanes of a replication select.
pub type RatesTaker = Box<dyn FnOnce(&SharedRates) + Send>;

/// What stands beside a replication: a stream in place of the plan's, and those who watch. Nothing of it alters a result.
#[derive(Default)]
pub struct Beside {
    /// The stream.
    pub source: Option<Box<dyn Source>>,
    /// Makes more witnesses of a lane: told its place in the plan, and its scorers.
    pub witnesses: Option<WitnessMaker>,
    /// Whether reasons are kept for them.
    pub reasons: bool,
    /// Whether the clock counts for a lane's seat; it does not where `None`.
    pub timing: Option<TimingOf>,
    /// Watches the flow.
    pub watcher: Option<Arc<dyn Watcher>>,
    /// Is given the comparison round by round, where there is one.
    pub rounds: Option<RoundsTaker>,
    /// Is given what the lanes select.
    pub rates: Option<RatesTaker>,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A task failed.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The system gave no runtime or thread.
    #[error("can't start: {0}")]
    Start(io::Error),
    /// A policy that looks ahead has no plan.
    #[error("{0}: no plan could be made: {1}")]
    Plan(String, Unsolved),
    /// What was written down could not be kept.
    #[error("can't write: {0}")]
    Write(io::Error),
}

/// Plays a plan. `each` sees every replication in order, as soon as all before it are played.
///
/// Where the judge says until decided, it stops with the first replication by which every pair is.
///
/// The result holds the replications that finished before any that did not: what `--replications` with that number
/// gives. Where none did, it holds the first, cut short.
///
/// # Errors
/// Where a task other than a policy fails, or `each` does; before anything is played where a policy that looks ahead can have no
/// plan.
pub fn run(
    plan: &Plan,
    settings: &Settings,
    mut each: impl FnMut(&mut Replication) -> io::Result<()>,
) -> Result<RunResult, RunError> {
    let mut policies = policies(plan);
    foresee(plan, settings)?;
    let labels: Vec<&str> = plan.lanes.iter().map(|lane| &*lane.label).collect();
    let judge = &plan.judge;
    let mut decision = judge.until_decided.then(|| Decision::new(&labels, judge));
    let mut cut_short = false;
    let (mut rounds, mut streams) = (RoundEvidence::default(), Vec::new());
    farm::farm(plan, settings, |mut replication| {
        let interrupted = replication
            .lanes
            .iter()
            .any(|lane| lane.ending == Ending::Interrupted);
        cut_short |= interrupted && replication.number > 0;
        if cut_short {
            return Ok(ControlFlow::Continue(()));
        }
        cut_short |= interrupted;
        each(&mut replication).map_err(RunError::Write)?;
        let decided = decision
            .as_mut()
            .is_some_and(|decision| decision.add(&replication.lanes));
        if replication.number == 0 {
            (rounds, streams) = (replication.rounds, replication.streams);
        }
        for (policy, lane) in policies.iter_mut().zip(replication.lanes) {
            policy.lanes.push(lane);
        }
        Ok(match decided {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    })?;
    Ok(result(plan, policies, rounds, streams))
}

/// Plays the first replication alone, with those who stand beside it.
///
/// # Errors
/// As [`run`].
pub fn run_beside(
    plan: &Plan,
    settings: &Settings,
    beside: Beside,
    each: impl FnOnce(&mut Replication) -> io::Result<()>,
) -> Result<RunResult, RunError> {
    foresee(plan, settings)?;
    let runtime = farm::runtime(settings, true).map_err(RunError::Start)?;
    let mut replication = runtime.block_on(play(plan, settings, 0, beside))?;
    each(&mut replication).map_err(RunError::Write)?;
    let mut policies = policies(plan);
    for (policy, lane) in policies.iter_mut().zip(replication.lanes) {
        policy.lanes.push(lane);
    }
    Ok(result(
        plan,
        policies,
        replication.rounds,
        replication.streams,
    ))
}

/// The policies, before anything is played.
fn policies(plan: &Plan) -> Vec<PolicyRun> {
    let policy = |lane: &LanePlan| PolicyRun {
        label: lane.label.clone(),
        kind: lane.kind.to_owned(),
        lanes: Vec::new(),
    };
    plan.lanes.iter().map(policy).collect()
}

/// Works out the plans of those policies that look ahead.
fn foresee(plan: &Plan, settings: &Settings) -> Result<(), RunError> {
    for lane in &plan.lanes {
        let found = lane
            .foresight
            .as_ref()
            .map_or(Ok(()), |f| f.work_out_unless(&settings.interrupt).map(drop));
        found.map_err(|why| RunError::Plan(lane.label.clone(), why))?;
    }
    Ok(())
}

fn result(
    plan: &Plan,
    policies: Vec<PolicyRun>,
    rounds: RoundEvidence,
    streams: Vec<LaneStream>,
) -> RunResult {
    RunResult {
        name: plan.name.clone(),
        seed: plan.seed,
        replications: policies
            .first()
            .map_or(0, |policy| policy.lanes.len() as u64),
        policies,
        rounds,
        streams,
    }
}

/// About how many persons a batch holds, where the user does not say.
fn default_batch(plan: &Plan) -> usize {
    const PERSONS: usize = 1024;
    const BYTES: usize = 64 << 10;
    PERSONS
        .min(BYTES / Persons::bytes_each(&plan.world.schema))
        .max(1)
}

/// Plays one replication on the runtime at hand.
async fn play(
    plan: &Plan,
    settings: &Settings,
    number: u64,
    mut beside: Beside,
) -> Result<Replication, RunError> {
    let key = Key::new(plan.seed, number);
    let traced = number == 0 || settings.traces.all_replications;
    let labels: Vec<&str> = plan.lanes.iter().map(|lane| &*lane.label).collect();
    // The first may be left alone where the run is interrupted, and is then judged as one stream.
    let rounds = (number == 0)
        .then(|| Rounds::new(&labels, &plan.judge))
        .flatten();
    let rounds = rounds.map(|rounds| Arc::new(Mutex::new(rounds)));
    if let (Some(tell), Some(rounds)) = (beside.rounds.take(), &rounds) {
        tell(rounds);
    }
    let rates = (number == 0).then(|| SharedRates::new(plan));
    if let (Some(tell), Some(rates)) = (beside.rates.take(), &rates) {
        tell(rates);
    }
    let watching = beside.witnesses;
    let timing = |label: &str| {
        beside
            .timing
            .as_ref()
            .map_or(Timing::Simulated, |timing| timing(label))
    };
    let lanes = plan.lanes.iter().enumerate().map(|(place, lane)| {
        let scorers = scorers(plan, lane);
        let by_round = rounds.as_ref();
        let by_round = by_round.map(|rounds| RoundWitness::new(place, &scorers, rounds));
        let watching = watching.as_ref().map(|make| make(place, &scorers));
        let mut scoreboard = Scoreboard::new(scorers, plan.moments.clone());
        if let Some(witness) = by_round {
            scoreboard.add_witness(Box::new(witness));
        }
        if let Some(rates) = rates.clone() {
            scoreboard.add_witness(Box::new(RateWitness { lane: place, rates }));
        }
        let post = || Post {
            replication: number,
            label: lane.label.clone(),
            names: settings.names.clone(),
        };
        if traced && settings.traces.selected {
            scoreboard.add_witness(Box::new(SelectedLog::new(post())));
        }
        if traced && settings.traces.decisions {
            scoreboard.add_witness(Box::new(DecisionLog::new(post())));
        }
        for witness in watching.into_iter().flatten() {
            scoreboard.add_witness(witness);
        }
        LaneSpec {
            label: &lane.label,
            rules: Arc::clone(&plan.rules),
            prototype: &*lane.prototype,
            pool: plan.pool.clone().map(pool_maker),
            outside: lane
                .outside
                .as_ref()
                .map(|spec| spec.maker(timing(&lane.label))),
            scoreboard,
            traced: beside.reasons || traced && settings.traces.decisions,
        }
    });
    let arena = Arena {
        key,
        source: beside.source.unwrap_or_else(|| (plan.world.source)(key)),
        feedback: plan.feedback.clone(),
        lanes: lanes.collect(),
        persons: settings.batch.unwrap_or_else(|| default_batch(plan)),
        interrupt: Arc::clone(&settings.interrupt),
    };
    let played = arena.play_watched(beside.watcher).await?;
    let mut replication = Replication {
        number,
        lanes: Vec::new(),
        selected: Vec::new(),
        decisions: Vec::new(),
        left_over: played.left_over,
        rounds: rounds.map_or_else(RoundEvidence::default, |rounds| {
            rounds.lock().unwrap_or_else(PoisonError::into_inner).read()
        }),
        streams: rates.map_or_else(Vec::new, |rates| rates.streams()),
    };
    let mut selected: Vec<(&str, Log)> = Vec::new();
    for ((scoreboard, stop), lane) in played.lanes.into_iter().zip(&plan.lanes) {
        let (mut result, witnesses) = scoreboard.finish(stop);
        names::keep_names(&mut result);
        replication.lanes.push(result);
        for witness in witnesses {
            match witness.into_any().downcast::<SelectedLog>() {
                Ok(log) => selected.push((&lane.label, log.into_log())),
                Err(other) => replication.decisions.extend(decisions(other)),
            }
        }
    }
    selected.sort_by(|a, b| a.0.cmp(b.0));
    replication.selected = selected.into_iter().map(|(_, log)| log).collect();
    Ok(replication)
}

fn decisions(witness: Box<dyn Any + Send>) -> Option<DecisionLog> {
    witness.downcast::<DecisionLog>().ok().map(|log| *log)
}

/// Each lane has a pool of its own.
pub(crate) fn pool_maker(dynamics: Dynamics) -> PoolMaker {
    Arc::new(move |_| Box::new(Reinforcement::new(dynamics.clone())))
}
