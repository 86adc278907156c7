//! Plans of policies that look ahead, and lotteries over panels: known, read, or computed while the
//! user waits.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::failure::{Failure, wrong};
use super::interrupts::watch_for_interrupts;
use super::{log, show};
use crate::cli::limits::LOTTERY_LOOK;
use kleroterion::config::{LanePlan, Plan};
use kleroterion::panel::lottery::{
    AwaitedLottery, LotteryProgress, LotteryWatch, NoLottery, PanelLottery,
};
use kleroterion::policy::pool::optimal::{Foresight, LookAhead, Unsolved, rounds_ahead};
use kleroterion::problem::Problem;
use kleroterion::report::kept_lotteries::{KeptLotteries, LotteryOrigin};
use kleroterion::report::plain;
use kleroterion::report::plans::{PlanOrigin, Plans};
use kleroterion_core::lock::locked;

/// The plans of all runs of a command.
pub struct Ahead {
    plans: Plans,
    quiet: bool,
    interrupt: Arc<AtomicBool>,
}

impl Ahead {
    /// Creates plans that are kept in the run's folder, if it has one. Computations end once
    /// `interrupt` is set.
    pub fn new(out: Option<&Path>, quiet: bool, interrupt: Arc<AtomicBool>) -> Self {
        let plans = out.map_or_else(Plans::default, Plans::beside);
        let plans = plans.heeding(Arc::clone(&interrupt));
        Self {
            plans,
            quiet,
            interrupt,
        }
    }

    /// Creates plans for a command that plays no run while it waits. It keeps no plans, and Ctrl-C
    /// is handled from here on.
    pub fn listening() -> Self {
        let interrupt: Arc<AtomicBool> = Arc::default();
        watch_for_interrupts(Arc::clone(&interrupt));
        Self::new(None, false, interrupt)
    }

    /// Ends the wait. From here on the first Ctrl-C ends the program.
    pub fn over(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// Provides the plans of all lanes that look ahead. `note` receives a sentence on the origin of
    /// each.
    ///
    /// # Errors
    /// Fails if there can be no plan, which is already reported, or if the user interrupts the
    /// wait.
    pub fn supply(&mut self, plan: &Plan, mut note: impl FnMut(&str)) -> Result<(), Failure> {
        for lane in &plan.lanes {
            let Some(foresight) = &lane.policy.foresight else {
                continue;
            };
            let started = Instant::now();
            let what = format!("working out the plan of {}", lane.label);
            let bar = log::spinner(&what, self.quiet);
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

    /// Provides the lotteries of all lanes that draw from one, and keeps them. `note` receives a
    /// sentence on each.
    ///
    /// # Errors
    /// Fails if there can be no lottery, which is already reported, or if the user interrupts the
    /// wait.
    pub fn supply_lotteries(
        &self,
        plan: &Plan,
        kept: &KeptLotteries,
        mut note: impl FnMut(&str),
    ) -> Result<(), Failure> {
        for lane in &plan.lanes {
            let Some(lottery) = &lane.policy.lottery else {
                continue;
            };
            for sentence in self.lottery(&lane.label, lottery, kept)? {
                note(&format!("{}: {sentence}", lane.label));
            }
            keep_lottery(lottery, kept);
        }
        Ok(())
    }

    /// Provides one lottery. Returns the sentences about it.
    ///
    /// # Errors
    /// Fails if there can be no lottery, which is already reported, or if the user interrupts the
    /// wait.
    pub fn lottery(
        &self,
        label: &str,
        lottery: &Arc<AwaitedLottery>,
        kept: &KeptLotteries,
    ) -> Result<Vec<String>, Failure> {
        let what = format!("computing the lottery of {label}");
        let (awaited, kept) = (Arc::clone(lottery), kept.clone());
        let supply = move |watch: &LotteryWatch<'_>| kept.supply(&awaited, watch);
        let origin = self.awaited(&what, supply)?;
        let origin = origin.map_err(|why| no_lottery(label, &why))?;
        if let LotteryOrigin::Computed(Some(unusable)) = &origin {
            show::say(&plain(&format!("warning: {unusable}")));
        }
        let known = lottery.lottery().map(|known| said_of_lottery(known));
        Ok(known.unwrap_or_default())
    }

    /// Computes a result on a thread of its own. The user sees the progress, and an interrupt ends
    /// the wait at once.
    ///
    /// # Errors
    /// Fails if the user interrupts the wait.
    pub fn awaited<T: Send + 'static>(
        &self,
        what: &str,
        compute: impl FnOnce(&LotteryWatch<'_>) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let bar = log::spinner(what, self.quiet);
        let seen = Arc::new(Mutex::new(None));
        let (done, waits) = mpsc::sync_channel(1);
        let (interrupt, sees) = (Arc::clone(&self.interrupt), Arc::clone(&seen));
        let thread = std::thread::spawn(move || {
            let see = |progress| {
                *locked(&sees) = Some(progress);
            };
            // Who waited may be gone.
            let _ = done.send(compute(&LotteryWatch::new(&interrupt, &see)));
        });
        loop {
            match waits.recv_timeout(LOTTERY_LOOK) {
                Ok(found) => {
                    bar.finish_and_clear();
                    return match self.interrupt.load(Ordering::Relaxed) {
                        true => Err(Failure::Interrupted),
                        false => Ok(found),
                    };
                }
                Err(RecvTimeoutError::Timeout) if self.interrupt.load(Ordering::Relaxed) => {
                    bar.finish_and_clear();
                    return Err(Failure::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {
                    let seen = *locked(&seen);
                    if let Some(progress) = seen {
                        bar.set_message(plain(&format!("{what}: {}", come(progress))));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => match thread.join() {
                    Err(panicked) => std::panic::resume_unwind(panicked),
                    Ok(()) => return Err(Failure::Interrupted),
                },
            }
        }
    }

    /// Writes newly computed plans. A kept plan only saves time, so a failure to write does not
    /// stop the run.
    pub fn keep(&mut self) {
        let failed = self.plans.keep().err().unwrap_or_default();
        for problem in failed.0 {
            show::say(&plain(&format!("warning: the plan is not kept: {problem}")));
        }
    }
}

/// Writes a lottery to the store. A failure does not stop the command, since a config's folder may
/// not be writable.
pub fn keep_lottery(lottery: &AwaitedLottery, kept: &KeptLotteries) {
    let _ = kept.keep(lottery);
}

/// The progress of a lottery's computation, in words.
fn come(progress: LotteryProgress) -> String {
    match progress {
        LotteryProgress::Panels { found, of: None } => format!("{found} panels found"),
        LotteryProgress::Panels {
            found,
            of: Some(of),
        } => format!("{found} of about {of} panels found"),
        LotteryProgress::Settled { kinds, of } => {
            format!("the chances of {kinds} of {of} kinds of respondents are settled")
        }
    }
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

/// The failure if there is no lottery.
pub fn no_lottery(label: &str, why: &NoLottery) -> Failure {
    let help = match why {
        NoLottery::Interrupted => return Failure::Interrupted,
        NoLottery::NoPanel => "widen the quotas, or make the committee smaller",
        NoLottery::Undecided { .. } => "widen the quotas, which makes it easier to decide",
    };
    let what = format!("{label}: no lottery could be computed: {why}");
    wrong(Problem::of_request(what).help(help))
}

/// The precision and the origin of a plan, as a sentence.
fn told(lane: &LanePlan, foresight: &Foresight, origin: &PlanOrigin, took: Duration) -> String {
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

fn unsolved(lane: &LanePlan, why: &Unsolved) -> Failure {
    let help = match why {
        Unsolved::Interrupted => return Failure::Interrupted,
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
    wrong(Problem::of_request(what).help(help))
}
