//! A shard of a sweep: its units, each written whole.

use std::path::Path;

use crate::error::JobError;
use crate::unit_player::{UnitFailure, UnitPlayer};
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_report::report::files::Folder;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::run::Settings;
use kleroterion_sweep::{PLAN, Shard, SweepPlan, UNITS, Units};

/// A shard that was played: the numbers of its units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayedShard {
    /// The units that were played.
    pub played: u64,
    /// The units that were there already.
    pub skipped: u64,
    /// The units that failed.
    pub failures: u64,
}

/// The shard of this number. Without `of` the plan says how many shards there are.
///
/// # Errors
/// Fails if nothing says how many there are, or if there is no shard of this number.
pub fn shard_of(plan: &SweepPlan, number: u64, of: Option<u64>) -> Result<Shard, Problem> {
    let Some(of) = of.or(plan.shards) else {
        let what = "nothing says how many shards there are";
        return Err(Problem::of_request(what).help("give --shard I/N, or --shards N"));
    };
    if number >= of {
        let what = format!(
            "there is no shard {number} of {of}: they are 0 to {}",
            of.max(1) - 1
        );
        return Err(Problem::of_request(what).help("give --shard I/N, I from 0 to N - 1"));
    }
    Ok(Shard { number, of })
}

/// Plays the units of a shard that are still missing, into a folder. The watch hears of units that
/// failed.
///
/// # Errors
/// Fails if the folder holds something else, if no unit can be played here, or if the watch's
/// interrupt is set.
pub fn play_shard(
    plan: SweepPlan,
    shard: Shard,
    out: &Path,
    settings: Settings,
    inputs: &ConfigInputs,
    watch: &JobWatch<'_>,
) -> Result<PlayedShard, JobError> {
    let plan = placed(plan, shard.of, out)?;
    let units = Units::at(out);
    let mut player = UnitPlayer::new(settings, Some(out), inputs.clone(), watch);
    let mut done = PlayedShard::default();
    for (unit, number) in plan.units().zip(0..) {
        if !shard.plays(number) {
            continue;
        }
        if watch.is_interrupted() {
            return Err(interrupted());
        }
        if units.read(&plan, unit).is_ok() {
            done.skipped += 1;
            continue;
        }
        match player.play(&plan, unit) {
            Ok(leaf) => {
                units.write(&plan, unit, &leaf)?;
                done.played += 1;
            }
            Err(UnitFailure::Interrupted) => return Err(interrupted()),
            Err(UnitFailure::Unplayable(error)) => return Err(error),
            Err(UnitFailure::Failed(why)) => {
                done.failures += 1;
                units.fail(&plan, unit, &why)?;
                let what = format!("{} failed: {why}", plan.names(unit));
                watch.alert(JobAlert::Error(&what));
            }
        }
    }
    Ok(done)
}

/// The error of a sweep that was stopped between or in its units.
pub fn interrupted() -> JobError {
    let said = "interrupted: the units that are whole stay; the same words again go on";
    JobError::Interrupted(Some(said.to_owned()))
}

/// Puts the plan into the folder of the units unless there is one. Returns the folder's plan, which
/// may be of a later wave.
///
/// # Errors
/// Fails if the folder holds something else, or another plan.
pub fn placed(mut plan: SweepPlan, shards: u64, out: &Path) -> Result<SweepPlan, Problems> {
    let folder = Folder::made(out)?;
    if !folder.file(PLAN).exists() {
        refuse_others(&folder)?;
    }
    folder.within(UNITS)?;
    let path = folder.file(PLAN);
    if path.exists() {
        let known = SweepPlan::read(&path)?;
        if known.id != plan.id {
            let what = "the folder holds the units of another plan, or of another build of klero";
            let problem = Problem::of_option(format!("--out {}", out.display()), what);
            return Err(problem.help("give a new folder as --out").into());
        }
        if known.many() >= plan.many() {
            plan = known;
        }
        if plan.shards == Some(shards) {
            return Ok(plan);
        }
    }
    plan.shards = Some(shards);
    folder.write(PLAN, |out| out.write_all(plan.text().as_bytes()))?;
    Ok(plan)
}

/// Refuses a folder that holds something else.
fn refuse_others(folder: &Folder) -> Result<(), Problems> {
    let entries = std::fs::read_dir(folder.path()).into_iter().flatten();
    let mut names = entries.flatten().map(|entry| entry.file_name());
    // Another shard may just be making them.
    let is_ours = |name: std::ffi::OsString| {
        name == UNITS || name == PLAN || name.to_string_lossy().starts_with('.')
    };
    if names.all(is_ours) {
        return Ok(());
    }
    let what = "the folder is not empty, and has no plan of a sweep";
    let help = "give a new folder as --out, the same for all shards";
    Err(
        Problem::of_option(format!("--out {}", folder.path().display()), what)
            .help(help)
            .into(),
    )
}
