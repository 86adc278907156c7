//! `klero sweep --on ENGINE`: the shards are played there, and merged.

mod local;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::super::args::WhichReplications;
use super::super::failure::{Failure, failed, wrong};
use super::super::load::Job;
use super::super::merge::{Merge, found, merge_into};
use super::super::run::{PlayArgs, may_write};
use super::plan::{FileHashes, job_of, planned};
use super::shard::placed;
use super::SweepArgs;
use kleroterion::problem::{Place, Problem};
use kleroterion::report::files::{Folder, SHARDS};
use kleroterion::units::SweepPlan;
use local::Local;

/// How often shards are played again of which units are missing, and of which none failed.
const AGAIN: u32 = 3;

/// Where shards are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// As processes on this machine
    Local,
}

/// What plays shards.
pub trait PlaysShards {
    /// Plays these shards of so many; `folder` has the plan and takes the units. Returns once all
    /// have ended, well or not: what is there then says how it went.
    ///
    /// # Errors
    /// Where none can be played, or the user stops them; it has been said.
    fn play(&mut self, folder: &Path, shards: &[u64], of: u64) -> Result<(), Failure>;
}

/// Plays all shards on an engine, and merges them.
pub fn play(engine: Engine, args: SweepArgs) -> Result<(), Failure> {
    let play = args.run.play;
    let Some(out) = play.out.out.clone() else {
        let place = Place::Option("--on".to_owned());
        let what = "nothing says where the results go";
        return Err(wrong(Problem::new(place, what).help("add --out DIR, a new folder")));
    };
    if play.out.trace_replications == WhichReplications::All {
        let place = Place::Option("--trace-replications all".to_owned());
        let what = "units hold the numbers of replications, not their people and decisions";
        return Err(wrong(Problem::new(place, what).help("leave it out, or leave --on out")));
    }
    let mut engine = match engine {
        Engine::Local => Local::new(args.jobs, &play),
    };
    let of = args.shards.unwrap_or(engine.jobs());
    let plan = planned(args.run.config, args.run.keep)?;
    checked(&plan, &play, &out)?;
    let folder = out.join(SHARDS);
    let plan = placed(plan, of, &folder).map_err(wrong)?;
    drive(plan, of, &folder, &out, &play, &mut engine)?;
    removed(&folder)
}

/// Refuses a folder of results that is in use for something else, before anything is played.
fn checked(plan: &SweepPlan, play: &PlayArgs, out: &Path) -> Result<(), Failure> {
    let mut files = FileHashes::default();
    let jobs = plan.points.iter().map(|point| job_of(point, &mut files));
    let jobs: Vec<Job> = jobs.collect::<Result<_, _>>()?;
    may_write(&jobs, play, out).map(drop)
}

/// Has an engine play what is missing, wave by wave, and merges it.
pub fn drive(
    mut plan: SweepPlan,
    of: u64,
    folder: &Path,
    out: &Path,
    play: &PlayArgs,
    engine: &mut impl PlaysShards,
) -> Result<(), Failure> {
    let folders = [PathBuf::from(folder)];
    loop {
        for _ in 0..AGAIN {
            let found = found(&plan, &folders)?;
            let shards: Vec<u64> = found.shards(of).into_iter().collect();
            if shards.is_empty() || found.failures().next().is_some() {
                break;
            }
            engine.play(folder, &shards, of)?;
        }
        match merge_into(&folders, out, Some(of), play)? {
            Merge::Done => return Ok(()),
            Merge::NextWave(next) => plan = next,
        }
    }
}

/// Removes the folder of the shards: the results are whole.
fn removed(folder: &Path) -> Result<(), Failure> {
    let parent = folder.parent().unwrap_or(folder);
    std::fs::remove_dir_all(folder)
        .map_err(|error| failed(&format!("{} can't be removed: {error}", folder.display())))?;
    Folder::at(parent).sync().map_err(wrong)
}
