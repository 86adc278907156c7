//! `klero sweep --shard I/N`: the number of the shard, and its playing.

use std::path::Path;
use std::sync::Arc;

use super::super::failure::Failure;
use super::super::interrupts::watch_for_interrupts;
use super::super::run::PlayArgs;
use super::super::show;
use super::super::watched::watched;
use crate::cli::args::inputs;
use kleroterion::jobs::{PlayedShard, play_shard, shard_of};
use kleroterion::problem::Problem;
use kleroterion::units::SweepPlan;

/// The environment variables that hold the number of a process's shard.
const VARIABLES: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];

/// The requested shard. The number of shards may be left to the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardWord {
    number: u64,
    of: Option<u64>,
}

impl ShardWord {
    /// Reads the shard from `--shard`, `--shards` and the environment.
    pub fn read(word: Option<&str>, shards: Option<u64>) -> Result<Self, Problem> {
        let (number, of) = match word {
            Some(word) => Self::parse(word)?,
            None => (Self::from_environment()?, None),
        };
        let of = of.or(shards);
        Ok(Self { number, of })
    }

    fn parse(word: &str) -> Result<(u64, Option<u64>), Problem> {
        let wrong = || {
            let what = "expected I/N, two whole numbers, I from 0 to N - 1";
            Problem::of_option(format!("--shard {word}"), what)
                .help("for the first of 64: --shard 0/64")
        };
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        match word.split_once('/') {
            Some((first, of)) => Ok((number(first)?, Some(number(of)?))),
            None => Ok((number(word)?, None)),
        }
    }

    fn from_environment() -> Result<u64, Problem> {
        for variable in VARIABLES {
            let Ok(text) = std::env::var(variable) else {
                continue;
            };
            return text.parse().map_err(|_| {
                let what = format!("{variable} is no whole number: {text:?}");
                Problem::of_request(what).help("say which shard this is: --shard I/N")
            });
        }
        let what = "nothing says which shard this is";
        let help = "give --shard I/N; in a Slurm array or an Indexed Job of Kubernetes --shards N \
                    is enough";
        Err(Problem::of_request(what).help(help))
    }
}

/// Plays the units of a shard that are still missing.
pub fn play(plan: SweepPlan, word: ShardWord, out: &Path, args: &PlayArgs) -> Result<(), Failure> {
    let shard = shard_of(&plan, word.number, word.of)?;
    let settings = args.settings();
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let watch = watched(args.quiet, &settings.interrupt);
    let done = play_shard(plan, shard, out, settings.clone(), &inputs(), &watch)?;
    let PlayedShard {
        played,
        skipped,
        failures,
    } = done;
    if !args.quiet {
        show::say(&format!(
            "shard {}/{}: {played} units played, {skipped} were there, {failures} failed",
            shard.number, shard.of
        ));
    }
    match failures {
        0 => Ok(()),
        _ => Err(Failure::Failed),
    }
}
