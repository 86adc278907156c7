//! `klero sweep --shard I/N`: plays the units of a shard, and writes each one whole.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::failure::{Failure, wrong};
use super::super::interrupts::watch_for_interrupts;
use super::super::run::PlayArgs;
use super::super::show;
use super::player::{UnitFailure, UnitPlayer};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::files::Folder;
use kleroterion::report::plain;
use kleroterion::units::{PLAN, Shard, SweepPlan, UNITS, Units};

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

    /// The shard within a plan.
    fn of(self, plan: &SweepPlan) -> Result<Shard, Problem> {
        let number = self.number;
        let Some(of) = self.of.or(plan.shards) else {
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
}

/// Plays the units of a shard that are still missing.
pub fn play_shard(
    plan: SweepPlan,
    word: ShardWord,
    out: &Path,
    args: &PlayArgs,
) -> Result<(), Failure> {
    let shard = word.of(&plan).map_err(wrong)?;
    let plan = placed(plan, shard.of, out).map_err(wrong)?;
    let settings = args.settings();
    let interrupt = Arc::clone(&settings.interrupt);
    watch_for_interrupts(Arc::clone(&interrupt));
    let units = Units::at(out);
    let mut player = UnitPlayer::new(settings, Some(out), args.quiet);
    let (mut played, mut skipped, mut failures) = (0, 0, 0);
    for (unit, number) in plan.units().zip(0..) {
        if !shard.plays(number) {
            continue;
        }
        if interrupt.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        if units.read(&plan, unit).is_ok() {
            skipped += 1;
            continue;
        }
        match player.play(&plan, unit) {
            Ok(leaf) => {
                units.write(&plan, unit, &leaf).map_err(wrong)?;
                played += 1;
            }
            Err(UnitFailure::Interrupted) => return Err(interrupted()),
            Err(UnitFailure::Unplayable(failure)) => return Err(failure),
            Err(UnitFailure::Failed(why)) => {
                failures += 1;
                units.fail(&plan, unit, &why).map_err(wrong)?;
                show::say(&plain(&format!(
                    "error: {} failed: {why}",
                    plan.names(unit)
                )));
            }
        }
    }
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

pub(super) fn interrupted() -> Failure {
    show::say("interrupted: the units that are whole stay; the same words again go on");
    Failure::Interrupted
}

/// Puts the plan into the folder of the units unless there is one. Returns the folder's plan, which
/// may be of a later wave.
pub(super) fn placed(mut plan: SweepPlan, shards: u64, out: &Path) -> Result<SweepPlan, Problems> {
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
