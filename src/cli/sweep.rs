//! `klero sweep CONFIG|PLAN`: a grid on this machine, or a shard of it on one of many.

mod drive;
mod engine;
mod nats;
mod on;
mod pace;
mod parallel;
mod program;
mod shard;
mod slurm;
mod status;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

#[cfg(feature = "nats")]
pub use program::build;

use super::failure::Failure;
use super::run::{self, RunArgs};
use engine::{Engine, EngineArgs};
use kleroterion::config::alike;
use kleroterion::document::meant;
use kleroterion::jobs::planned;
use kleroterion::problem::Problem;
use shard::ShardWord;

/// Options of `klero sweep`.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  klero sweep my.toml --out results                          on this machine
  klero sweep my.toml --plan plan.json --shards 64           only say what there is to play
  klero sweep plan.json --shard 3/64 --out shards            one shard of 64
  klero sweep plan.json --shards 64 --out shards             the same, in a Slurm array or an Indexed Job
  klero sweep my.toml --on slurm --out results --shards 64   as jobs of a cluster, with the merge after them
  klero sweep my.toml --on nats --out results                by `klero work`, on any machines
  klero sweep status shards                                  what is whole, failed or missing
  klero merge shards --out results                           the bytes of one machine"
)]
pub struct SweepArgs {
    #[command(subcommand)]
    command: Option<SweepCommand>,
    #[command(flatten)]
    run: RunArgs,
    /// Only write what there is to play into this file, as units
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "on"])]
    plan: Option<PathBuf>,
    /// Play this shard, I of N from 0; --out is the folder of all shards
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    shard: Option<String>,
    /// Play the shards there, and merge them
    #[arg(long, value_enum, conflicts_with = "shard")]
    on: Option<Engine>,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Subcommand)]
enum SweepCommand {
    /// Say which units of a sweep are whole, failed or missing
    Status(status::StatusArgs),
}

/// Runs a sweep, or a part of it.
pub fn sweep(mut args: SweepArgs) -> Result<(), Failure> {
    if let Some(SweepCommand::Status(args)) = args.command {
        return status::status(&args);
    }
    refuse_missing_plan(&args.run)?;
    if let Some(engine) = args.on {
        return on::play(engine, &args.engine, args.run);
    }
    if let Some(file) = args.plan.take() {
        let mut plan = planned(&args.run.request(), &program::build()?)?;
        plan.shards = args.engine.shards.or(plan.shards);
        return status::write_file(&file, plan.text().as_bytes());
    }
    if args.shard.is_none() && args.engine.shards.is_none() {
        return run::run(&args.run);
    }
    let word = ShardWord::read(args.shard.as_deref(), args.engine.shards)?;
    let Some(out) = args.run.play.out.out.clone() else {
        let what = "no folder for the units is named";
        let help = "add --out DIR, the same folder for all shards";
        return Err(Problem::of_request(what).help(help).into());
    };
    let plan = planned(&args.run.request(), &program::build()?)?;
    shard::play(plan, word, &out, &args.run.play)
}

/// Refuses a plan file that does not exist. Its name shows that it is no config: a config is TOML,
/// and a plan JSON.
fn refuse_missing_plan(run: &RunArgs) -> Result<(), Problem> {
    let named = run.config.config.as_deref().unwrap_or_default();
    let path = Path::new(named);
    if !named.to_lowercase().ends_with(".json") || path.exists() {
        return Ok(());
    }
    let what = format!("there is no plan of a sweep {named:?}");
    let make = format!("make it from a config: klero sweep CONFIG --plan {named}");
    Err(Problem::of_request(what).help(meant(alike(path), make)))
}
