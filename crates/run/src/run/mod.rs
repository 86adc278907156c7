//! A run: replications are played on several threads and summarised in order.

mod curve;
mod error;
mod farm;
mod fold;
mod played;
mod rates;
mod replication;
mod rounds;
mod seats;
mod settings;

use std::io;
use std::ops::{ControlFlow, Range};

pub use self::curve::LaneCurve;
pub use self::error::{PlayedError, RunError};
pub use self::played::{Leaf, Played, PlayedFile, PlayedHeader, PlayedWriter, frames};
pub use self::rates::SharedRates;
pub use self::replication::{
    AnswerersOf, Hooks, RatesTaker, Replication, RoundsTaker, TimingOf, WitnessMaker, play_one,
    pool_maker, post, stepper,
};
pub use self::rounds::SharedRounds;
pub use self::settings::{Runtime, Settings, Traces};

use self::curve::CurveFold;
use self::fold::Folding;
use self::replication::play;
use crate::config::{LanePlan, Plan};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{Kept, PolicyRun};
use kleroterion_policies::pool::optimal::PlanWatch;
use kleroterion_sortition::lottery::LotteryWatch;
use kleroterion_stats::{FILLED, LaneStream, RoundEvidence, RunResult, SeatCounts, UntilDecided};

/// Plays a plan. `each` receives every replication in order, as soon as all before it are played.
///
/// Where the judge says until decided, it stops with the first replication by which every pair is.
///
/// Where the settings say that it folds, the result holds the values that the plan keeps and the
/// statistics of all others.
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
    each: impl FnMut(&mut Replication) -> io::Result<()>,
) -> Result<RunResult, RunError> {
    run_on(plan, settings, Played::default(), each)
}

/// Plays a plan of which some replications were played before. The first is played again, since
/// traces and evidence on rounds need it. It is compared with its earlier result.
///
/// # Errors
/// As [`run`]; where the first replication is not what it was, or is interrupted.
pub fn run_on(
    plan: &Plan,
    settings: &Settings,
    before: Played,
    mut each: impl FnMut(&mut Replication) -> io::Result<()>,
) -> Result<RunResult, RunError> {
    foresee(plan, settings)?;
    let goes_on = before.replications() > 0;
    let mut gathered = Gathered::new(plan, settings.folds);
    let labels: Vec<&str> = plan.lanes.iter().map(|lane| &*lane.label).collect();
    let judge = &plan.judge;
    let mut decision = judge
        .until_decided
        .then(|| UntilDecided::new(&labels, judge));
    let mut cut_short = false;
    let numbers = 0..before.of(plan.replications);
    farm::farm(plan, settings, numbers, before, |mut replication| {
        let interrupted = replication
            .lanes
            .iter()
            .any(|lane| lane.ending == Ending::Interrupted);
        if interrupted && goes_on && replication.number == 0 {
            return Err(RunError::Interrupted);
        }
        cut_short |= interrupted && replication.number > 0;
        if cut_short {
            return Ok(ControlFlow::Continue(()));
        }
        cut_short |= interrupted;
        each(&mut replication).map_err(RunError::Write)?;
        let decided = decision
            .as_mut()
            .is_some_and(|decision| decision.add(&replication.lanes));
        gathered.add(replication).map_err(RunError::Fold)?;
        Ok(match decided {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    })?;
    gathered.result(plan).map_err(RunError::Fold)
}

/// Returns the number of replications after which all comparisons were decided. `None` if one is
/// open after all that were played.
///
/// # Errors
/// Where one can't be read.
pub fn decided_after(plan: &Plan, mut played: Played) -> Result<Option<u64>, PlayedError> {
    let labels: Vec<&str> = plan.lanes.iter().map(|lane| &*lane.label).collect();
    let mut decision = UntilDecided::new(&labels, &plan.judge);
    for number in 0..played.replications() {
        if decision.add(&played.next()?.lanes) {
            return Ok(Some(number + 1));
        }
    }
    Ok(None)
}

/// Plays the replications of a plan with these numbers. `each` receives them in order, and no
/// summary is made.
///
/// # Errors
/// As [`run`]; where the user interrupts it before all are played.
pub fn run_range(
    plan: &Plan,
    settings: &Settings,
    numbers: Range<u64>,
    mut each: impl FnMut(&Replication) -> io::Result<()>,
) -> Result<(), RunError> {
    foresee(plan, settings)?;
    let mut missing = numbers.end - numbers.start;
    farm::farm(plan, settings, numbers, Played::default(), |replication| {
        let mut endings = replication.lanes.iter().map(|lane| lane.ending);
        if endings.any(|ending| ending == Ending::Interrupted) {
            return Err(RunError::Interrupted);
        }
        each(&replication).map_err(RunError::Write)?;
        missing -= 1;
        Ok(ControlFlow::Continue(()))
    })?;
    match missing {
        0 => Ok(()),
        _ => Err(RunError::Interrupted),
    }
}

/// Plays the first replication alone, with its hooks.
///
/// # Errors
/// As [`run`].
pub fn run_hooked(
    plan: &Plan,
    settings: &Settings,
    mut hooks: Hooks,
    each: impl FnOnce(&mut Replication) -> io::Result<()>,
) -> Result<RunResult, RunError> {
    foresee(plan, settings)?;
    let mut replication = match hooks.runtime.take() {
        Some(runtime) => runtime.block_on(play(plan, settings, 0, hooks))?,
        None => {
            let runtime = farm::runtime(settings, true).map_err(RunError::Start)?;
            runtime.block_on(play(plan, settings, 0, hooks))?
        }
    };
    each(&mut replication).map_err(RunError::Write)?;
    let mut gathered = Gathered::new(plan, false);
    gathered.add(replication).map_err(RunError::Fold)?;
    gathered.result(plan).map_err(RunError::Fold)
}

/// The results of the replications played so far.
struct Gathered {
    policies: Vec<PolicyRun>,
    /// The columns of each policy that are summarised. Empty if all are held.
    folds: Vec<Folding>,
    rounds: RoundEvidence,
    streams: Vec<Option<LaneStream>>,
    /// The curves of each policy. Empty if none are read.
    curves: Vec<CurveFold>,
    seats: Option<SeatCounts>,
}

impl Gathered {
    /// Makes the results before any replication.
    fn new(plan: &Plan, folds: bool) -> Self {
        let held = if folds { plan.held() } else { Kept::All };
        let lanes = || plan.lanes.iter();
        let policy =
            |lane: &LanePlan| PolicyRun::new(&*lane.label, lane.kind).holding(held.clone());
        let folding = lanes().filter(|_| held != Kept::All);
        Self {
            policies: lanes().map(policy).collect(),
            folds: folding.map(|_| Folding::new(held.clone())).collect(),
            rounds: RoundEvidence::default(),
            streams: Vec::new(),
            curves: Vec::new(),
            seats: seats::counted(plan).map(|respondents| {
                SeatCounts::new(&plan.world.schema, respondents, plan.lanes.len())
            }),
        }
    }

    /// Takes in the next replication.
    fn add(&mut self, replication: Replication) -> io::Result<()> {
        if replication.number == 0 {
            (self.rounds, self.streams) = (replication.rounds, replication.streams);
        }
        if let Some(seats) = &mut self.seats {
            seats.add(&replication.panels);
        }
        let all = self.curves.len().max(replication.curves.len());
        self.curves.resize_with(all, CurveFold::default);
        for (fold, curve) in self.curves.iter_mut().zip(replication.curves) {
            fold.add(curve);
        }
        for (folding, lane) in self.folds.iter_mut().zip(&replication.lanes) {
            folding.add(lane)?;
        }
        for (policy, lane) in self.policies.iter_mut().zip(replication.lanes) {
            policy.push(lane);
        }
        Ok(())
    }

    fn result(mut self, plan: &Plan) -> io::Result<RunResult> {
        let replications = self.policies.first().map_or(0, PolicyRun::replications);
        let mut written = plan.written();
        let mut endings = self.policies.iter().flat_map(PolicyRun::endings);
        if plan.judge.adds_filled() && endings.all(|ending| *ending == Ending::Filled) {
            // Nothing is compared on it then.
            written.leave_out(FILLED);
        }
        let seats = self.seats.take();
        let seats = seats.map(|counts| seats::with_exact(counts, plan, &self.policies));
        let folds = self.folds.into_iter().map(Folding::finish);
        Ok(RunResult {
            name: plan.name.clone(),
            seed: plan.seed,
            replications: replications as u64,
            policies: self.policies,
            rounds: self.rounds,
            streams: self.streams,
            curves: self.curves.into_iter().map(CurveFold::finish).collect(),
            folded: folds.collect::<io::Result<_>>()?,
            written,
            least_chances: seats.as_ref().map_or_else(Vec::new, |seats| {
                let places = 0..plan.lanes.len();
                places
                    .filter_map(|place| seats.least_chance(place))
                    .collect()
            }),
            seats,
        })
    }
}

/// Computes the plans of the policies that look ahead, and the lotteries of those that draw from
/// one.
fn foresee(plan: &Plan, settings: &Settings) -> Result<(), RunError> {
    for lane in &plan.lanes {
        if let Some(foresight) = &lane.policy.foresight {
            let watch = PlanWatch::interrupted_by(&settings.interrupt);
            let found = foresight.work_out_unless(&watch);
            found.map_err(|why| RunError::Plan(lane.label.clone(), why))?;
        }
        if let Some(lottery) = &lane.policy.lottery {
            let watch = LotteryWatch::interrupted_by(&settings.interrupt);
            let found = lottery.work_out_unless(&watch);
            found.map_err(|why| RunError::Lottery(lane.label.clone(), why))?;
        }
    }
    Ok(())
}
