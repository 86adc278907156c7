//! `klero sweep --on ENGINE`: the engine plays the shards, and they are merged.

mod local;

use std::path::Path;

use super::super::args::WhichReplications;
use super::super::failure::{Failure, failed, wrong};
use super::super::load::Job;
use super::super::run::{PlayArgs, RunArgs, may_write};
use super::drive::{Placed, drive};
use super::engine::{Engine, EngineArgs};
use super::plan::{FileHashes, job_of, planned};
use super::shard::placed;
use super::{nats, parallel, slurm};
use kleroterion::problem::Problem;
use kleroterion::report::files::{Folder, SHARDS};
use kleroterion::units::SweepPlan;
use local::Local;

/// The number of shards on other machines if the user gives none.
const MANY: u64 = 64;

/// Plays all shards on an engine, and merges them.
pub fn play(engine: Engine, options: &EngineArgs, args: RunArgs) -> Result<(), Failure> {
    options.check(engine)?;
    let play = args.play;
    let Some(out) = play.out.out.clone() else {
        let what = "nothing says where the results go";
        return Err(wrong(
            Problem::of_option("--on", what).help("add --out DIR, a new folder"),
        ));
    };
    if play.out.trace_replications == WhichReplications::All {
        let what = "units hold the numbers of replications, not their people and decisions";
        return Err(wrong(
            Problem::of_option("--trace-replications all", what)
                .help("leave it out, or leave --on out"),
        ));
    }
    let shards = |many| options.shards.unwrap_or(many);
    // Puts the plan of a sweep in `of` shards into their folder.
    let place = |play: PlayArgs, of: u64| -> Result<Placed, Failure> {
        let plan = planned(args.config, args.keep)?;
        checked(&plan, &play, &out)?;
        let folder = out.join(SHARDS);
        let plan = placed(plan, of, &folder).map_err(wrong)?;
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

/// Refuses a folder of results that is in use for something else, before any unit is played.
fn checked(plan: &SweepPlan, play: &PlayArgs, out: &Path) -> Result<(), Failure> {
    let mut files = FileHashes::default();
    let jobs = plan.points.iter().map(|point| job_of(point, &mut files));
    let jobs: Vec<Job> = jobs.collect::<Result<_, _>>()?;
    may_write(&jobs, play, out).map(drop)
}

/// Removes the folder of the shards, once the results are whole.
fn removed(folder: &Path) -> Result<(), Failure> {
    let parent = folder.parent().unwrap_or(folder);
    std::fs::remove_dir_all(folder)
        .map_err(|error| failed(&format!("{} can't be removed: {error}", folder.display())))?;
    Folder::at(parent).sync().map_err(wrong)
}
