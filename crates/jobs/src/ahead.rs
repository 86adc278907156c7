//! Plans of policies that look ahead, and lotteries over panels: known, read, or computed while the
//! user waits.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::JobError;
use crate::watch::{JobProgress, JobWatch};
use kleroterion_core::problem::Problem;
use kleroterion_core::watch::awaited;
use kleroterion_policies::pool::optimal::{Foresight, LookAhead, Unsolved, rounds_ahead};
use kleroterion_report::report::kept_lotteries::{KeptLotteries, LotteryOrigin};
use kleroterion_report::report::plans::{PlanOrigin, Plans};
use kleroterion_run::config::{LanePlan, Plan};
use kleroterion_sortition::lottery::{
    AwaitedLottery, LotteryProgress, LotteryWatch, NoLottery, PanelLottery,
};

/// The plans and lotteries of all runs of a job, computed before they are played.
pub struct PlansAhead<'a> {
    plans: Plans,
    watch: &'a JobWatch<'a>,
}

impl<'a> PlansAhead<'a> {
    /// Creates plans that are kept in the run's folder, if it has one. The watch sees what is
    /// computed, and its interrupt ends computations.
    pub fn new(out: Option<&Path>, watch: &'a JobWatch<'a>) -> Self {
        let plans = out.map_or_else(Plans::default, Plans::beside);
        let plans = plans.heeding(Arc::clone(&watch.interrupt));
        Self { plans, watch }
    }

    /// Provides the plans of all lanes that look ahead. The watch gets a note on the origin of each.
    ///
    /// # Errors
    /// Fails if there can be no plan, or if the watch ends the wait.
    pub fn supply(&mut self, plan: &Plan) -> Result<(), JobError> {
        for lane in &plan.lanes {
            let Some(foresight) = &lane.policy.foresight else {
                continue;
            };
            let started = Instant::now();
            self.watch.see(JobProgress::LooksAhead(&lane.label));
            let origin = self.plans.supply(foresight);
            self.watch.see(JobProgress::Ready);
            let origin = origin.map_err(|why| unsolved(lane, &why))?;
            if let PlanOrigin::WorkedOut(Some(unusable)) = &origin {
                self.watch.warn(&unusable.to_string());
            }
            let said = said_of_plan(lane, foresight, &origin, started.elapsed());
            self.watch.note(&said);
        }
        Ok(())
    }

    /// Provides the lotteries of all lanes that draw from one, and keeps them. The watch gets notes
    /// on each.
    ///
    /// # Errors
    /// Fails if there can be no lottery, or if the watch ends the wait.
    pub fn supply_lotteries(&self, plan: &Plan, kept: &KeptLotteries) -> Result<(), JobError> {
        for lane in &plan.lanes {
            let Some(lottery) = &lane.policy.lottery else {
                continue;
            };
            for sentence in self.lottery(&lane.label, lottery, kept)? {
                self.watch.note(&format!("{}: {sentence}", lane.label));
            }
            keep_lottery(lottery, kept);
        }
        Ok(())
    }

    /// Provides one lottery. Returns the sentences about it.
    ///
    /// # Errors
    /// Fails if there can be no lottery, or if the watch ends the wait.
    pub fn lottery(
        &self,
        label: &str,
        lottery: &Arc<AwaitedLottery>,
        kept: &KeptLotteries,
    ) -> Result<Vec<String>, JobError> {
        let (awaited, kept) = (Arc::clone(lottery), kept.clone());
        let supply = move |watch: &LotteryWatch<'_>| kept.supply(&awaited, watch);
        let origin = self.awaited(|come| JobProgress::Lottery(label, come), supply)?;
        let origin = origin.map_err(|why| no_lottery(label, &why))?;
        if let LotteryOrigin::Computed(Some(unusable)) = &origin {
            self.watch.warn(&unusable.to_string());
        }
        let known = lottery.lottery().map(|known| said_of_lottery(known));
        Ok(known.unwrap_or_default())
    }

    /// Computes a result on a thread of its own. The watch sees the progress as `what` says it, and
    /// its interrupt ends the wait at once.
    ///
    /// # Errors
    /// Fails if the watch ends the wait.
    pub fn awaited<'w, T: Send + 'static>(
        &self,
        what: impl Fn(Option<LotteryProgress>) -> JobProgress<'w>,
        compute: impl FnOnce(&LotteryWatch<'_>) -> T + Send + 'static,
    ) -> Result<T, JobError> {
        self.watch.see(what(None));
        let show = |come| self.watch.see(what(Some(come)));
        let found = awaited(&self.watch.interrupt, show, compute);
        self.watch.see(JobProgress::Ready);
        let found = found.ok().filter(|_| !self.watch.is_interrupted());
        found.ok_or(JobError::Interrupted(None))
    }

    /// Writes newly computed plans. A kept plan only saves time, so a failure to write does not
    /// stop the run.
    pub fn keep(&mut self) {
        let failed = self.plans.keep().err().unwrap_or_default();
        for problem in failed.0 {
            self.watch.warn(&format!("the plan is not kept: {problem}"));
        }
    }
}

/// Writes a lottery to the store. A failure does not stop the command, since a config's folder may
/// not be writable.
pub fn keep_lottery(lottery: &AwaitedLottery, kept: &KeptLotteries) {
    let _ = kept.keep(lottery);
}

/// The sentences about a lottery for the reader of a run.
fn said_of_lottery(lottery: &PanelLottery) -> Vec<String> {
    let certificate = &lottery.certificate;
    let proof = match certificate.is_undecided() {
        true => "the search for better panels ended before all was proved",
        false => "proved",
    };
    let mut said = vec![format!(
        "a lottery over {} panels, the least chance is {:.6}; gap to the best lottery at most \
         {:.1e}, {proof}",
        lottery.panels.len(),
        lottery.least(),
        certificate.gap(),
    )];
    let none = lottery.impossible.len();
    if none > 0 {
        said.push(format!(
            "{none} of the {} respondents can be on no panel, so their chance is 0",
            lottery.chances.len()
        ));
    }
    said
}

/// The error if there is no lottery for the policy with a label.
pub fn no_lottery(label: &str, why: &NoLottery) -> JobError {
    let help = match why {
        NoLottery::Interrupted => return JobError::Interrupted(None),
        NoLottery::NoPanel => "widen the quotas, or make the committee smaller",
        NoLottery::Undecided { .. } => "widen the quotas, which makes it easier to decide",
    };
    let what = format!("{label}: no lottery could be computed: {why}");
    Problem::of_request(what).help(help).into()
}

/// The precision and the origin of a plan, as a sentence.
fn said_of_plan(
    lane: &LanePlan,
    foresight: &Foresight,
    origin: &PlanOrigin,
    took: Duration,
) -> String {
    let LookAhead { gamma, horizon, .. } = foresight.ahead();
    let rounds = rounds_ahead(*horizon);
    let mut text = format!("{}: looks ahead{rounds} with gamma = {gamma}", lane.label);
    if let Some(plan) = foresight.plan() {
        text += &format!(": values are right to {:.1e}", plan.bound);
        text += &match origin {
            PlanOrigin::Known => String::new(),
            PlanOrigin::Read(path) => format!(", by the plan kept in {}", path.display()),
            PlanOrigin::WorkedOut(_) => {
                let seconds = took.as_secs_f64();
                format!(", worked out in {}, {seconds:.1} s", plan.effort())
            }
        };
    }
    text
}

fn unsolved(lane: &LanePlan, why: &Unsolved) -> JobError {
    let help = match why {
        Unsolved::Interrupted => return JobError::Interrupted(None),
        Unsolved::Bound(_) => {
            "give a smaller gamma, smaller scores and lambda, or fewer rounds (`horizon`)"
        }
        Unsolved::Changes => {
            "give fewer rounds (`horizon`), or fewer applicants (`slate` in [rules])"
        }
        Unsolved::Work(_) => "give a smaller gamma, or fewer applicants (`slate` in [rules])",
        Unsolved::Wrong(_) => "give others",
    };
    let what = format!("{}: no plan could be made: {why}", lane.label);
    Problem::of_request(what).help(help).into()
}
