//! A run: replications farmed over cores, folded in their order.

mod farm;
mod names;
mod rates;
mod replication;
mod rounds;
mod settings;

use std::io;
use std::ops::ControlFlow;

pub use self::rates::SharedRates;
#[cfg(test)]
pub(crate) use self::replication::pool_maker;
pub use self::replication::{
    Hooks, RatesTaker, Replication, RoundsTaker, RunError, TimingOf, WitnessMaker,
};
pub use self::rounds::SharedRounds;
pub use self::settings::{Runtime, Settings, Traces};

use self::replication::play;
use crate::compare::{LaneStream, RoundEvidence, RunResult, UntilDecided};
use crate::config::{LanePlan, Plan};
use crate::protocol::Ending;
use crate::score::PolicyRun;

/// Plays a plan. `each` sees every replication in order, as soon as all before it are played.
///
/// Where the judge says until decided, it stops with the first replication by which every pair is.
///
/// The result holds the replications that finished before any that did not: what `--replications`
/// with that number gives. Where none did, it holds the first, cut short.
///
/// # Errors
/// Where a task other than a policy fails, or `each` does. Before anything is played where a policy
/// that looks ahead can have no plan.
pub fn run(
    plan: &Plan,
    settings: &Settings,
    mut each: impl FnMut(&mut Replication) -> io::Result<()>,
) -> Result<RunResult, RunError> {
    let mut policies = policies(plan);
    foresee(plan, settings)?;
    let labels: Vec<&str> = plan.lanes.iter().map(|lane| &*lane.label).collect();
    let judge = &plan.judge;
    let mut decision = judge
        .until_decided
        .then(|| UntilDecided::new(&labels, judge));
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
            policy.push(lane);
        }
        Ok(match decided {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    })?;
    Ok(result(plan, policies, rounds, streams))
}

/// Plays the first replication alone, with its hooks.
///
/// # Errors
/// As [`run`].
pub fn run_hooked(
    plan: &Plan,
    settings: &Settings,
    hooks: Hooks,
    each: impl FnOnce(&mut Replication) -> io::Result<()>,
) -> Result<RunResult, RunError> {
    foresee(plan, settings)?;
    let runtime = farm::runtime(settings, true).map_err(RunError::Start)?;
    let mut replication = runtime.block_on(play(plan, settings, 0, hooks))?;
    each(&mut replication).map_err(RunError::Write)?;
    let mut policies = policies(plan);
    for (policy, lane) in policies.iter_mut().zip(replication.lanes) {
        policy.push(lane);
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
    let policy = |lane: &LanePlan| PolicyRun::new(&*lane.label, lane.kind);
    plan.lanes.iter().map(policy).collect()
}

/// Computes the plans of the policies that look ahead.
fn foresee(plan: &Plan, settings: &Settings) -> Result<(), RunError> {
    for lane in &plan.lanes {
        let found = lane
            .policy
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
            .map_or(0, |policy| policy.replications() as u64),
        policies,
        rounds,
        streams,
    }
}
