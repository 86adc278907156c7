//! Playing of a sweep's missing units by an engine, wave by wave, and their merge. Also the values
//! that an engine's scripts hold.

use std::path::{Path, PathBuf};

use super::super::failure::{Failure, failed};
use super::super::merge::merge_into;
use super::super::run::PlayArgs;
use super::engine::EngineArgs;
use kleroterion::jobs::FolderUnits;
use kleroterion::problem::Problem;
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

impl Placed {
    /// The units in the folder of the shards.
    pub fn units(&self) -> Result<FolderUnits, Failure> {
        let folders = std::slice::from_ref(&self.folder);
        Ok(FolderUnits::of(self.plan.clone(), folders)?)
    }
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
            let found = FolderUnits::of(plan.clone(), &folders)?.found;
            let shards: Vec<u64> = found.shards(of).into_iter().collect();
            // What failed before this command may do better now; what failed in it would again.
            let has_failed = time > 0 && found.failures().next().is_some();
            if shards.is_empty() || has_failed {
                break;
            }
            engine.play(folder, &shards, of)?;
        }
        match merge_into(&folders, out, Some(of), &sweep.play)? {
            None => return Ok(()),
            Some(next) => plan = next,
        }
    }
}

/// A sweep, with the values that an engine's scripts hold.
pub struct Carried {
    /// The path of this program.
    klero: PathBuf,
    /// The folder of the plan and the units, absolute.
    pub folder: PathBuf,
    /// The folder of the results, absolute.
    pub results: PathBuf,
    of: u64,
    /// The most tries of a shard.
    pub tries: u64,
    /// The options of a shard.
    shard: Vec<String>,
    /// The options of the merge.
    merge: Vec<String>,
}

impl Carried {
    /// Creates the values of a sweep, with absolute folders.
    ///
    /// # Errors
    /// Fails if a path can't be resolved.
    pub fn of(sweep: &Placed, options: &EngineArgs) -> Result<Self, Failure> {
        let absolute = |path: &Path| {
            let found = path.canonicalize();
            found.map_err(|error| failed(&format!("{}: {error}", path.display())))
        };
        let klero = std::env::current_exe();
        let klero = klero.map_err(|error| failed(&format!("klero can't find itself: {error}")))?;
        Ok(Self {
            klero,
            folder: absolute(&sweep.folder)?,
            results: absolute(&sweep.out)?,
            of: sweep.of,
            tries: options.tries(),
            shard: sweep.play.for_shards(),
            merge: sweep.play.for_merge(),
        })
    }

    /// The values as variables of a shell script.
    pub fn variables(&self) -> String {
        let words = |words: &[String]| {
            let quoted: Vec<String> = words.iter().map(|word| self::quoted(word)).collect();
            quoted.join(" ")
        };
        format!(
            "klero={}\nfolder={}\nresults={}\nshards={}\ntries={}\n\
             shard_options=({})\nmerge_options=({})\n",
            quoted(&self.klero.display().to_string()),
            quoted(&self.folder.display().to_string()),
            quoted(&self.results.display().to_string()),
            self.of,
            self.tries,
            words(&self.shard),
            words(&self.merge),
        )
    }
}

/// A text quoted as one word of a shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The path of a program that drives an engine.
///
/// # Errors
/// Fails if the program is not on the path.
pub fn on_path(name: &str, help: &str) -> Result<PathBuf, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&path).map(|folder: PathBuf| folder.join(name));
    files
        .find(|file: &PathBuf| Path::is_file(file))
        .ok_or_else(|| {
            let what = format!("there is no {name} on the PATH");
            Problem::of_request(what).help(help).into()
        })
}
