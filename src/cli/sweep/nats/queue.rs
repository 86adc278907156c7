//! The queue of a sweep, hosted until all its units are there.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Runtime;
use tokio::time::sleep;

use super::super::super::failure::{Failure, failed};
use super::super::super::interrupts::watch_for_interrupts;
use super::super::super::show;
use super::super::drive::{Placed, PlaysShards, drive};
use super::super::engine::EngineArgs;
use crate::cli::args::secrets;
use crate::cli::limits::STOP_LOOK;
use kleroterion::jobs::FolderUnits;
use kleroterion::report::plain;
use kleroterion::units::queue::{Context, QueueHost, counted, host, reach, remove};
use kleroterion::units::{SweepPlan, UnitId, UnitState};

/// Plays a sweep by workers, and merges it.
pub fn play(sweep: &Placed, options: &EngineArgs) -> Result<(), Failure> {
    let runtime = Runtime::new().map_err(|error| failed(&error.to_string()))?;
    let interrupt = Arc::<AtomicBool>::default();
    watch_for_interrupts(Arc::clone(&interrupt));
    let secrets = secrets().nats;
    let context = runtime.block_on(reach(options.nats(), &secrets, "klero sweep"));
    let mut workers = Workers {
        context: context?,
        runtime,
        tries: options.tries_of_units(),
        quiet: sweep.play.quiet,
        interrupt,
    };
    drive(sweep, 1, &mut workers)?;
    let removed = remove(&workers.context, &sweep.plan.id);
    workers.runtime.block_on(removed);
    Ok(())
}

/// The workers of a queue.
struct Workers {
    runtime: Runtime,
    context: Context,
    tries: u64,
    quiet: bool,
    interrupt: Arc<AtomicBool>,
}

impl PlaysShards for Workers {
    fn play(&mut self, folder: &Path, _shards: &[u64], _of: u64) -> Result<(), Failure> {
        let plan = SweepPlan::in_folder(folder)?;
        let units = missing(&plan, folder)?;
        let say = |text: &str| {
            if !self.quiet {
                show::say(&plain(text));
            }
        };
        say(&format!("waiting for workers: {}", counted(units.len())));
        let queue = QueueHost {
            context: self.context.clone(),
            plan: &plan,
            folder,
            tries: self.tries,
            say: &say,
        };
        let stopped = async {
            while !self.interrupt.load(Ordering::Relaxed) {
                sleep(STOP_LOOK).await;
            }
        };
        let hosted = self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = stopped => None,
                hosted = host(&queue, &units) => Some(hosted),
            }
        });
        match hosted {
            Some(Ok(())) => Ok(()),
            Some(Err(problem)) => Err(problem.into()),
            None => {
                show::say(
                    "interrupted: what workers play meanwhile is kept at the servers; \
                    the same words again go on",
                );
                Err(Failure::Interrupted)
            }
        }
    }
}

/// The missing units, in the order of their numbers.
fn missing(plan: &SweepPlan, folder: &Path) -> Result<Vec<UnitId>, Failure> {
    let found = FolderUnits::of(plan.clone(), &[folder.to_owned()])?.found;
    let missing = found.units.iter();
    let missing = missing.filter(|(_, state)| !matches!(state, UnitState::Whole(_)));
    Ok(missing.map(|(unit, _)| *unit).collect())
}
