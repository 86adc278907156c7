//! Plans for the policies that look ahead: known, read, or worked out while the user waits.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::failure::Failure;
use super::{log, show};
use kleroterion::config::{LanePlan, Plan};
use kleroterion::policy::pool::optimal::{Foresight, Unsolved};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;
use kleroterion::report::plans::{PlanOrigin, Plans};

/// The plans of all runs of a command.
pub struct Ahead {
    plans: Plans,
    quiet: bool,
}

impl Ahead {
    /// Plans that are kept in the folder of the run, where it has one; given up when `interrupt` is
    /// set.
    pub fn new(out: Option<&Path>, quiet: bool, interrupt: Arc<AtomicBool>) -> Self {
        let plans = out.map_or_else(Plans::default, Plans::beside);
        let plans = plans.heeding(interrupt);
        Self { plans, quiet }
    }

    /// Sees to it that all lanes of a run that look ahead have their plans; `note` takes a sentence
    /// on how each came by it.
    ///
    /// # Errors
    /// Where there can be no plan, which has been said, and where the user interrupts the wait.
    pub fn supply(&mut self, plan: &Plan, mut note: impl FnMut(&str)) -> Result<(), Failure> {
        for lane in &plan.lanes {
            let Some(foresight) = &lane.policy.foresight else {
                continue;
            };
            let started = Instant::now();
            let bar = self.spinner(lane);
            let origin = self.plans.supply(foresight);
            bar.finish_and_clear();
            let origin = origin.map_err(|why| unsolved(lane, &why))?;
            if let PlanOrigin::WorkedOut(Some(unusable)) = &origin {
                show::say(&plain(&format!("warning: {unusable}")));
            }
            note(&told(lane, foresight, &origin, started.elapsed()));
        }
        Ok(())
    }

    /// Writes what was worked out since. A plan that is kept only spares time, so that it can't be
    /// is no reason not to run.
    pub fn keep(&mut self) {
        for problem in self
            .plans
            .keep()
            .err()
            .into_iter()
            .flat_map(|found| found.0)
        {
            show::say(&plain(&format!("warning: the plan is not kept: {problem}")));
        }
    }

    fn spinner(&self, lane: &LanePlan) -> ProgressBar {
        if self.quiet || !log::shows_progress() {
            return ProgressBar::hidden();
        }
        let what = plain(&format!("working out the plan of {}", lane.label));
        let spinner = ProgressBar::new_spinner().with_message(what);
        spinner.enable_steady_tick(Duration::from_millis(250));
        spinner
    }
}

/// How far a plan can be trusted and where it comes from.
fn told(lane: &LanePlan, foresight: &Foresight, origin: &PlanOrigin, took: Duration) -> String {
    let gamma = foresight.ahead().gamma;
    let mut text = format!("{}: looks ahead with gamma = {gamma}", lane.label);
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

fn unsolved(lane: &LanePlan, why: &Unsolved) -> Failure {
    let help = match why {
        Unsolved::Interrupted => return Failure::Interrupted,
        Unsolved::Bound(_) => "give a smaller gamma, or smaller scores and lambda",
        Unsolved::Work(_) => "give a smaller gamma, or fewer applicants (`slate` in [rules])",
        Unsolved::Wrong(_) => "give others",
    };
    let what = format!("{}: no plan could be made: {why}", lane.label);
    let problem = Problem::of_request(what).help(help);
    show::problems(&Problems::from(problem), None);
    Failure::Wrong
}
