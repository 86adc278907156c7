//! Shards as processes on this machine.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::super::super::failure::{Failure, failed};
use super::super::super::interrupts::watch_for_interrupts;
use super::super::super::run::PlayArgs;
use super::super::super::show;
use super::super::drive::PlaysShards;
use kleroterion::units::{PLAN, program};

/// The interval at which the processes are checked.
const TICK: Duration = Duration::from_millis(20);

/// An engine that plays shards as processes of this machine, a few at once.
pub struct Local {
    /// The number of processes at once.
    pub jobs: u64,
    options: Vec<String>,
    interrupt: Arc<AtomicBool>,
}

impl Local {
    /// Creates an engine with this many processes at once, or one per core. They share the threads.
    pub fn new(jobs: Option<u64>, play: &PlayArgs) -> Self {
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
        let started = program().and_then(|program| {
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
                show::say("interrupted: the units that are whole stay; the same words again go on");
                return Err(Failure::Interrupted);
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
            thread::sleep(TICK);
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
