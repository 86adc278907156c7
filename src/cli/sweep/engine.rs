//! The engines, and their options.

use clap::{Args, ValueEnum};
use kleroterion::problem::{Problem, Problems};

use super::super::args::at_least;
use super::super::failure::Failure;

use crate::cli::limits::MOST_TRIES;
#[cfg(feature = "nats")]
use crate::cli::limits::MOST_UNIT_TRIES;

/// Where shards are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// As processes on this machine
    Local,
    /// As an array of jobs on Slurm, with the merge after it
    Slurm,
    /// As jobs of GNU parallel, here or over ssh
    Parallel,
    /// By workers that take units from a queue of NATS JetStream: `klero work`
    Nats,
}

/// Options of the engines.
#[derive(Args)]
pub struct EngineArgs {
    /// How many shards there are; which one this is comes from --shard I, or from
    /// SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX
    #[arg(long, value_name = "N", value_parser = at_least(1))]
    pub shards: Option<u64>,
    /// How many shards play at once [default: as many as there are cores]
    #[arg(long, value_name = "N", requires = "on", value_parser = at_least(1))]
    pub jobs: Option<u64>,
    /// How often a shard is tried at most while units of it are missing [default: 3]; with --on
    /// nats how often a unit is handed out [default: 5]
    #[arg(long, value_name = "T", requires = "on", value_parser = at_least(1))]
    tries: Option<u64>,
    /// Only write the engine's scripts
    #[arg(long, requires = "on")]
    pub dry_run: bool,
    /// With --on slurm: more options of sbatch, as in --sbatch='--partition=long --time=4:00:00'
    #[arg(
        long,
        value_name = "OPTIONS",
        requires = "on",
        allow_hyphen_values = true
    )]
    pub sbatch: Option<String>,
    /// With --on parallel: where jobs run, as its own --sshlogin says (repeatable)
    #[arg(long, value_name = "LOGIN", requires = "on")]
    pub sshlogin: Vec<String>,
    /// With --on nats: the servers, separated by commas [default: nats://127.0.0.1:4222]
    #[arg(long, value_name = "URL", requires = "on")]
    nats: Option<String>,
}

impl EngineArgs {
    /// Refuses options of one engine for another.
    pub fn check(&self, engine: Engine) -> Result<(), Failure> {
        let has_scripts = matches!(engine, Engine::Slurm | Engine::Parallel);
        let is_queue = engine == Engine::Nats;
        let given = [
            (
                "--shards",
                is_queue && self.shards.is_some(),
                "local, slurm or parallel",
            ),
            (
                "--jobs",
                is_queue && self.jobs.is_some(),
                "local, slurm or parallel",
            ),
            (
                "--dry-run",
                !has_scripts && self.dry_run,
                "slurm or --on parallel",
            ),
            (
                "--sbatch",
                engine != Engine::Slurm && self.sbatch.is_some(),
                "slurm",
            ),
            (
                "--sshlogin",
                engine != Engine::Parallel && !self.sshlogin.is_empty(),
                "parallel",
            ),
            ("--nats", !is_queue && self.nats.is_some(), "nats"),
        ];
        let problems = given.into_iter().filter(|(_, is_strange, _)| *is_strange);
        let problems = problems.map(|(option, _, on)| {
            let what = "this engine does not take the option";
            Problem::of_option(option, what).help(format!("leave it out, or play with --on {on}"))
        });
        Ok(Problems(problems.collect()).or(())?)
    }

    /// The most tries of a shard.
    pub fn tries(&self) -> u64 {
        self.tries.unwrap_or(MOST_TRIES)
    }

    /// The most times that a unit is handed out to workers.
    #[cfg(feature = "nats")]
    pub fn tries_of_units(&self) -> u64 {
        self.tries.unwrap_or(MOST_UNIT_TRIES)
    }

    /// The servers of the queue.
    #[cfg(feature = "nats")]
    pub fn nats(&self) -> &str {
        self.nats.as_deref().unwrap_or(super::super::work::SERVERS)
    }
}
