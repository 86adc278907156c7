//! `klero merge DIR... --out OUT`: combines the units of shards into the results of one run.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::{WhichReplications, at_least, inputs};
use super::failure::{Failure, failed, print};
use super::run::{self, PlayArgs};
use super::show;
use kleroterion::jobs::{FolderUnits, MergeOutcome};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;
use kleroterion::units::{SweepPlan, array};

/// Options of `klero merge`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero merge shards --out results
  klero merge node1/shards node2/shards --out results --people

Where units are missing, stdout is the --array=... of the shards to submit again, and the exit code is 1.")]
pub struct MergeArgs {
    /// The --out folders of the shards
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// How many shards are to play what is missing [default: as many as there were]
    #[arg(long, value_name = "N", value_parser = at_least(1))]
    shards: Option<u64>,
    #[command(flatten)]
    play: PlayArgs,
}

/// Merges the units of shards.
pub fn merge(args: MergeArgs) -> Result<(), Failure> {
    let Some(out) = args.play.out.out.clone() else {
        let what = "no results folder is named";
        let help = "add --out DIR, a new folder";
        return Err(Problem::of_request(what).help(help).into());
    };
    let Some(plan) = merge_into(&args.folders, &out, args.shards, &args.play)? else {
        return Ok(());
    };
    show::say("not all is decided yet: the plan has the next wave of units now");
    submit(&FolderUnits::of(plan, &args.folders)?, args.shards)?;
    Err(Failure::Failed)
}

/// Merges the units in these folders into another folder. Where some pairs are still undecided, it
/// returns the plan with the next wave, which is in each folder.
///
/// # Errors
/// Fails if a unit is missing or wrong. The message is already printed.
pub fn merge_into(
    folders: &[PathBuf],
    out: &Path,
    shards: Option<u64>,
    play: &PlayArgs,
) -> Result<Option<SweepPlan>, Failure> {
    refuse(folders, out, play)?;
    let units = FolderUnits::read(folders, "merge")?;
    check(&units, shards)?;
    let job = play.equipped(units.job(&inputs())?);
    match units.merged(job, out, play.out.force)? {
        MergeOutcome::NextWave(plan) => Ok(Some(plan)),
        MergeOutcome::Job(job) => run::play(*job, Some(out), play.print()).map(|()| None),
    }
}

/// Refuses folders and options that don't fit.
fn refuse(folders: &[PathBuf], out: &Path, play: &PlayArgs) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (ours, all) = (real(out), folders.iter().map(|folder| real(folder)));
    let all: Vec<PathBuf> = all.collect();
    if all.iter().any(|folder| ours.starts_with(folder)) {
        let problem = Problem::of_option(
            format!("--out {}", out.display()),
            "the units are in this folder",
        );
        problems.push(problem.help("give another folder for the results"));
    }
    if (1..all.len()).any(|at| all[..at].contains(&all[at])) {
        let problem = Problem::of_request("a folder of units is named twice");
        problems.push(problem.help("name each folder once"));
    }
    if play.out.trace_replications == WhichReplications::All {
        let what = "units hold the numbers of replications, not their people and decisions";
        let problem = Problem::of_option("--trace-replications all", what);
        problems.push(problem.help("leave it out, or use `klero run`"));
    }
    problems.or(())
}

/// The most units that are named one by one.
const NAMED: usize = 12;

/// Reports missing units, and the shards that are to play them.
fn check(units: &FolderUnits, shards: Option<u64>) -> Result<(), Failure> {
    let open = units.open()?;
    if open.is_empty() {
        return Ok(());
    }
    open.iter()
        .take(NAMED)
        .for_each(|unit| show::say(&plain(unit)));
    if open.len() > NAMED {
        show::say(&format!(
            "... and {} more: `klero sweep status` lists them",
            open.len() - NAMED
        ));
    }
    let failure = failed(&format!(
        "{} of {} units are not there: nothing was merged",
        open.len(),
        units.found.units.len()
    ));
    submit(units, shards)?;
    Err(failure)
}

/// Prints the shards that have units to play, as `sbatch` takes them.
fn submit(units: &FolderUnits, shards: Option<u64>) -> Result<(), Failure> {
    let of = shards.or(units.plan.shards).unwrap_or(1);
    let array = array(units.found.shards(of));
    show::say(&format!(
        "help: play these shards of {of} again, then merge again: {array}"
    ));
    print(&format!("--array={array}\n"))
}
