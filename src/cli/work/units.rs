//! `klero work`: takes units of sweeps from their queues, plays them, and sends the results back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::super::failure::{Failure, failed};
use super::super::interrupts::watch_for_interrupts;
use super::super::show;
use super::super::sweep::build;
use super::super::watched::watched;
use crate::cli::args::{inputs, secrets};
use crate::cli::limits::QUEUE_PAUSE;
use kleroterion::jobs::{UnitFailure, UnitPlayer, other_build};
use kleroterion::report::plain;
use kleroterion::run::Settings;
use kleroterion::units::queue::{
    Context, Offered, QueuedSweep, UnfitSweep, counted, reach, sweeps,
};
use kleroterion::units::unit_bytes;

/// The request to a worker of sweeps.
pub struct UnitsWanted {
    /// The servers, separated by commas.
    pub url: String,
    /// The time without a unit after which it ends.
    pub idle: Option<Duration>,
    /// The number of threads that play a unit.
    pub threads: Option<usize>,
    pub quiet: bool,
}

/// Plays units until the user stops it, or until there was none for the idle time.
pub fn work(wanted: &UnitsWanted) -> Result<(), Failure> {
    let runtime = Runtime::new().map_err(|error| failed(&error.to_string()))?;
    let interrupt = Arc::<AtomicBool>::default();
    watch_for_interrupts(Arc::clone(&interrupt));
    let context = runtime.block_on(reach(&wanted.url, &secrets().nats, "klero worker"));
    let default = Settings::default();
    let settings = Settings {
        folds: true,
        interrupt: Arc::clone(&interrupt),
        threads: wanted.threads.unwrap_or(default.threads),
        ..default
    };
    let watch = watched(wanted.quiet, &interrupt);
    let mut worker = UnitsWorker {
        context: context?,
        build: build()?,
        runtime,
        player: UnitPlayer::new(settings, None, inputs(), &watch),
        sweeps: BTreeMap::new(),
        unfit: BTreeSet::new(),
        quiet: wanted.quiet,
        is_down: false,
    };
    worker.say("units of sweeps are played here");
    let (mut played, mut idle) = (0, Instant::now());
    let ended = loop {
        if interrupt.load(Ordering::Relaxed) {
            break Err(Failure::Interrupted);
        }
        match worker.next() {
            Some((sweep, offered)) => match worker.play(&sweep, &offered) {
                Ok(is_whole) => {
                    played += usize::from(is_whole);
                    idle = Instant::now();
                }
                Err(failure) => break Err(failure),
            },
            None if wanted.idle.is_some_and(|most| idle.elapsed() > most) => break Ok(()),
            None => thread::sleep(QUEUE_PAUSE),
        }
    };
    worker.say(&format!("played here: {}", counted(played)));
    ended
}

/// A worker of sweeps.
struct UnitsWorker<'a> {
    context: Context,
    /// The build of this program.
    build: String,
    runtime: Runtime,
    player: UnitPlayer<'a>,
    /// The sweeps with a queue, by the id of their plan.
    sweeps: BTreeMap<String, Arc<QueuedSweep>>,
    /// The sweeps that can't be played here.
    unfit: BTreeSet<String>,
    quiet: bool,
    /// True while the servers do not answer.
    is_down: bool,
}

impl UnitsWorker<'_> {
    fn say(&self, text: &str) {
        if !self.quiet {
            show::say(&plain(text));
        }
    }

    /// The next unit of any sweep; `None` if there is none now.
    fn next(&mut self) -> Option<(Arc<QueuedSweep>, Offered)> {
        let known = self.runtime.block_on(sweeps(&self.context));
        let known = match known {
            Ok(known) => known,
            Err(why) => {
                if !std::mem::replace(&mut self.is_down, true) {
                    self.say(&format!(
                        "the servers do not answer ({why}): klero tries again"
                    ));
                }
                return None;
            }
        };
        if std::mem::take(&mut self.is_down) {
            self.say("the servers answer again");
        }
        self.sweeps.retain(|plan, _| known.contains(plan));
        for plan in known {
            let Some(sweep) = self.sweep(&plan) else {
                continue;
            };
            match self.runtime.block_on(sweep.take()) {
                Ok(Some(offered)) => return Some((sweep, offered)),
                Ok(None) => {}
                Err(why) => {
                    tracing::debug!(why, plan, "no unit can be taken");
                    // It may have been made again.
                    self.sweeps.remove(&plan);
                }
            }
        }
        None
    }

    /// The sweep of a plan, if it can be played here.
    fn sweep(&mut self, plan: &str) -> Option<Arc<QueuedSweep>> {
        if self.unfit.contains(plan) {
            return None;
        }
        if let Some(sweep) = self.sweeps.get(plan) {
            return Some(Arc::clone(sweep));
        }
        let opened = self
            .runtime
            .block_on(QueuedSweep::open(&self.context, plan));
        let why = match opened {
            Ok(sweep) => match other_build(&sweep.plan, &self.build) {
                None => {
                    let sweep = Arc::new(sweep);
                    self.sweeps.insert(plan.to_owned(), Arc::clone(&sweep));
                    return Some(sweep);
                }
                Some(why) => why,
            },
            Err(UnfitSweep::Plan(why)) => why,
            Err(UnfitSweep::Absent(why)) => {
                tracing::debug!(why, plan, "a sweep is not there");
                return None;
            }
        };
        self.leave(plan, &why);
        None
    }

    /// Leaves a sweep to other workers.
    fn leave(&mut self, plan: &str, why: &str) {
        self.say(&format!(
            "the sweep {plan} is left to other workers: {why}; use the program file that began it"
        ));
        self.unfit.insert(plan.to_owned());
    }

    /// Plays a unit and sends it. Returns true if the unit is whole.
    fn play(&mut self, sweep: &QueuedSweep, offered: &Offered) -> Result<bool, Failure> {
        let heartbeat = self.runtime.spawn(offered.heartbeat());
        let played = self.player.play(&sweep.plan, offered.unit);
        let sent = match played {
            Ok(leaf) => {
                let bytes = unit_bytes(&sweep.plan, offered.unit, &leaf);
                let bytes = bytes.map_err(|error| failed(&error.to_string()))?;
                self.runtime
                    .block_on(sweep.send(offered, &bytes))
                    .map(|()| true)
            }
            Err(UnitFailure::Failed(why)) => {
                let sent = self.runtime.block_on(sweep.fail(offered, &why));
                self.say(&format!(
                    "error: {} failed: {why}",
                    sweep.plan.names(offered.unit)
                ));
                sent.map(|()| false)
            }
            Err(UnitFailure::Interrupted) => {
                self.runtime.block_on(offered.back(Duration::ZERO));
                return Err(Failure::Interrupted);
            }
            Err(UnitFailure::Unplayable(error)) => {
                // What is wrong with it here is said.
                drop(Failure::from(error));
                self.runtime.block_on(offered.back(Duration::ZERO));
                self.leave(&sweep.plan.id.clone(), "it can't be played here");
                return Ok(false);
            }
        };
        heartbeat.abort();
        sent.or_else(|why| {
            let unit = sweep.plan.names(offered.unit);
            self.say(&format!("warning: {unit} can't be sent: {why}"));
            Ok(false)
        })
    }
}
