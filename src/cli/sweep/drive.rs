//! Playing of a sweep's missing units by an engine, wave by wave, and their merge.

use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::super::merge::{Merge, found, merge_into};
use super::super::run::PlayArgs;
use kleroterion::units::SweepPlan;

/// An engine that plays shards.
pub trait PlaysShards {
    /// Plays these shards, of `of` in all. `folder` has the plan and takes the units.
    ///
    /// Returns once all shards have ended, successfully or not. The units in the folder then show
    /// the outcome.
    ///
    /// # Errors
    /// Fails if no shard can be played, or the user stops them. The message is already printed.
    fn play(&mut self, folder: &Path, shards: &[u64], of: u64) -> Result<(), Failure>;
}

/// A sweep whose plan is in the folder of its shards.
pub struct Placed {
    pub plan: SweepPlan,
    /// The number of shards.
    pub of: u64,
    /// The folder of the plan and the units.
    pub folder: PathBuf,
    /// The folder of the results.
    pub out: PathBuf,
    pub play: PlayArgs,
}

/// Has an engine play the missing units, at most `times` times per wave, and merges the results.
pub fn drive(sweep: &Placed, times: u64, engine: &mut impl PlaysShards) -> Result<(), Failure> {
    let Placed {
        of, folder, out, ..
    } = sweep;
    let (of, mut plan) = (*of, sweep.plan.clone());
    let folders = [folder.clone()];
    loop {
        for time in 0..times {
            let found = found(&plan, &folders)?;
            let shards: Vec<u64> = found.shards(of).into_iter().collect();
            // What failed before this command may do better now; what failed in it would again.
            let has_failed = time > 0 && found.failures().next().is_some();
            if shards.is_empty() || has_failed {
                break;
            }
            engine.play(folder, &shards, of)?;
        }
        match merge_into(&folders, out, Some(of), &sweep.play)? {
            Merge::Done => return Ok(()),
            Merge::NextWave(next) => plan = next,
        }
    }
}
