//! `klero sweep --on ENGINE`: the shards are played there, and merged.

use clap::ValueEnum;

use super::super::failure::{Failure, wrong};
use super::SweepArgs;
use kleroterion::problem::Problem;

/// Where shards are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// As processes on this machine
    Local,
}

/// Plays all shards on an engine, and merges them.
pub fn play(engine: Engine, args: SweepArgs) -> Result<(), Failure> {
    let _ = (engine, args.jobs);
    Err(wrong(Problem::of_request("not yet")))
}
