//! `klero sweep --on ENGINE`: the engine plays the shards, and they are merged.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::super::args::{WhichReplications, inputs};
use super::super::failure::{Failure, failed};
use super::super::interrupts::watch_for_interrupts;
use super::super::run::{PlayArgs, RunArgs};
use super::drive::{Placed, PlaysShards, drive};
use super::engine::{Engine, EngineArgs};
use super::{nats, parallel, program, slurm};
use crate::cli::limits::PROCESS_LOOK;
use kleroterion::jobs::{interrupted, job_of, placed, planned};
use kleroterion::problem::Problem;
use kleroterion::report::files::{Folder, SHARDS};
use kleroterion::units::PLAN;

/// The number of shards on other machines if the user gives none.
const MANY: u64 = 64;

/// Plays all shards on an engine, and merges them.
pub fn play(engine: Engine, options: &EngineArgs, args: RunArgs) -> Result<(), Failure> {
    options.check(engine)?;
    let request = args.request();
    let play = args.play;
    let Some(out) = play.out.out.clone() else {
        let what = "needs a results folder";
        let help = "add --out DIR, a new folder";
        return Err(Problem::of_option("--on", what).help(help).into());
    };
    if play.out.trace_replications == WhichReplications::All {
        let what = "units hold the numbers of replications, not their people and decisions";
        let problem = Problem::of_option("--trace-replications all", what);
        return Err(problem.help("leave it out, or leave --on out").into());
    }
    let shards = |many| options.shards.unwrap_or(many);
    // Puts the plan of a sweep in `of` shards into their folder.
    let place = |play: PlayArgs, of: u64| -> Result<Placed, Failure> {
        let plan = planned(&request, &program::build()?)?;
        // A folder of results that is in use is refused before any unit is played.
        job_of(&plan, &inputs())?.may_merge(&out, play.out.force)?;
        let folder = out.join(SHARDS);
        let plan = placed(plan, of, &folder)?;
        Ok(Placed {
            plan,
            of,
            folder,
            out,
            play,
        })
    };
    match engine {
        Engine::Local => {
            let mut local = Local::new(options.jobs, &play);
            let sweep = place(play, shards(local.jobs))?;
            drive(&sweep, options.tries(), &mut local)?;
            removed(&sweep.folder)
        }
        Engine::Slurm => {
            slurm::ready(options)?;
            slurm::submit(&place(play, shards(MANY))?, options)
        }
        Engine::Parallel => {
            parallel::ready(options)?;
            let sweep = place(play, shards(MANY))?;
            match parallel::play(&sweep, options)? {
                true => removed(&sweep.folder),
                false => Ok(()),
            }
        }
        Engine::Nats => {
            nats::ready()?;
            // A plan has a number of shards; the queue deals out units.
            let sweep = place(play, 1)?;
            nats::play(&sweep, options)?;
            removed(&sweep.folder)
        }
    }
}

/// Removes the folder of the shards, once the results are whole.
fn removed(folder: &Path) -> Result<(), Failure> {
    let parent = folder.parent().unwrap_or(folder);
    std::fs::remove_dir_all(folder)
        .map_err(|error| failed(&format!("{} can't be removed: {error}", folder.display())))?;
    Ok(Folder::at(parent).sync()?)
}

/// An engine that plays shards as processes of this machine, a few at once.
struct Local {
    /// The number of processes at once.
    jobs: u64,
    options: Vec<String>,
    interrupt: Arc<AtomicBool>,
}

impl Local {
    /// Creates an engine with this many processes at once, or one per core. They share the threads.
    fn new(jobs: Option<u64>, play: &PlayArgs) -> Self {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let jobs = jobs.unwrap_or(cores);
        let threads = play.threads().map_or(cores, |threads| threads as u64);
        let mut options = play.for_shards();
        options.push(format!("--threads={}", (threads / jobs).max(1)));
        options.push("--quiet".to_owned());
        let interrupt = Arc::new(AtomicBool::new(false));
        watch_for_interrupts(Arc::clone(&interrupt));
        Self {
            jobs,
            options,
            interrupt,
        }
    }

    fn start(&self, folder: &Path, shard: u64, of: u64) -> Result<Child, Failure> {
        let started = program::file().and_then(|program| {
            let mut command = Command::new(program);
            command.arg("sweep").arg(folder.join(PLAN));
            command.arg("--shard").arg(format!("{shard}/{of}"));
            command.arg("--out").arg(folder).args(&self.options);
            command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()
        });
        started.map_err(|error| failed(&format!("shard {shard}/{of} can't be started: {error}")))
    }
}

impl PlaysShards for Local {
    fn play(&mut self, folder: &Path, shards: &[u64], of: u64) -> Result<(), Failure> {
        let mut waiting = shards.iter();
        let mut playing: Vec<Child> = Vec::new();
        loop {
            // One whose state can't be asked for is taken to have ended: its units say what it did.
            playing.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
            if self.interrupt.load(Ordering::Relaxed) {
                stop(playing);
                return Err(interrupted().into());
            }
            while (playing.len() as u64) < self.jobs
                && let Some(shard) = waiting.next()
            {
                match self.start(folder, *shard, of) {
                    Ok(child) => playing.push(child),
                    Err(failure) => {
                        stop(playing);
                        return Err(failure);
                    }
                }
            }
            if playing.is_empty() {
                return Ok(());
            }
            thread::sleep(PROCESS_LOOK);
        }
    }
}

/// Interrupts the processes and waits for them.
fn stop(playing: Vec<Child>) {
    for mut child in playing {
        interrupt(&mut child);
        // It is ours, and was asked to end.
        drop(child.wait());
    }
}

#[cfg(unix)]
fn interrupt(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(id) = Pid::from_raw(child.id().cast_signed()) {
        // One that has ended needs no signal.
        kill_process(id, Signal::TERM).ok();
    }
}

#[cfg(not(unix))]
fn interrupt(child: &mut Child) {
    drop(child.kill());
}
