//! `klero merge DIR... --out OUT`: combines the units of shards into the results of one run.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;

use super::args::{WhichReplications, at_least};
use super::failure::{Failure, failed, print, wrong};
use super::load::Job;
use super::run::{PlayArgs, may_write, merged};
use super::sweep::{FileHashes, job_of};
use super::{folder, show};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::files::Folder;
use kleroterion::report::plain;
use kleroterion::run::{Played, PlayedError, decided_after};
use kleroterion::units::{Found, PLAN, SweepPlan, UNITS, UnitId, UnitState, Units, array};

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

/// The outcome of a merge.
#[must_use]
pub enum Merge {
    /// The results are written.
    Done,
    /// Some pairs are still undecided. The plan in each folder asks for the next wave.
    NextWave(SweepPlan),
}

/// Merges the units of shards.
pub fn merge(args: MergeArgs) -> Result<(), Failure> {
    let Some(out) = args.play.out.out.clone() else {
        let what = "no results folder is named";
        let help = "add --out DIR, a new folder";
        return Err(wrong(Problem::of_request(what).help(help)));
    };
    let folders = &args.folders;
    match merge_into(folders, &out, args.shards, &args.play)? {
        Merge::Done => Ok(()),
        Merge::NextWave(plan) => {
            show::say("not all is decided yet: the plan has the next wave of units now");
            let found = found(&plan, folders)?;
            submit(&plan, &found, args.shards)?;
            Err(Failure::Failed)
        }
    }
}

/// Merges the units in these folders into another folder.
///
/// # Errors
/// Fails if a unit is missing or wrong. The message is already printed.
pub fn merge_into(
    folders: &[PathBuf],
    out: &Path,
    shards: Option<u64>,
    play: &PlayArgs,
) -> Result<Merge, Failure> {
    refuse(folders, out, play).map_err(wrong)?;
    let mut plan = plan_of(folders, "merge").map_err(wrong)?;
    let found = found(&plan, folders)?;
    check(&plan, folders, &found, shards)?;
    let mut files = FileHashes::default();
    let jobs = plan.points.iter().map(|point| job_of(point, &mut files));
    let jobs: Vec<Job> = jobs.collect::<Result<_, _>>()?;
    may_write(&jobs, play, out)?;
    let merging = merging(&plan, folders, &found);
    if decide(&mut plan, &jobs, &merging)? {
        for folder in folders {
            let folder = Folder::at(folder);
            let text = plan.text();
            let written = folder.write(PLAN, |out| out.write_all(text.as_bytes()));
            written.map_err(wrong)?;
        }
        return Ok(Merge::NextWave(plan));
    }
    let played = Box::new(move |point| merging.played(point));
    merged(jobs, played, play, out).map(|()| Merge::Done)
}

/// The units of a plan that are in these folders.
pub fn found(plan: &SweepPlan, folders: &[PathBuf]) -> Result<Found, Failure> {
    let found = Found::of(plan, folders);
    found.map_err(|(place, error)| {
        let path = folders[place].join(UNITS);
        failed(&format!("{} can't be listed: {error}", path.display()))
    })
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

/// The plan of all folders. If they have it with different numbers of units, it is the longest.
/// `command` is the command as typed after `klero`.
pub fn plan_of(folders: &[PathBuf], command: &str) -> Result<SweepPlan, Problems> {
    let mut problems = Problems::default();
    let mut plan: Option<SweepPlan> = None;
    for folder in folders {
        let there = folder::there(folder, command, "`klero sweep PLAN --shard I/N --out DIR`");
        let read = there.and_then(|()| SweepPlan::in_folder(folder));
        match (read, &mut plan) {
            (Err(problem), _) => problems.push(problem),
            (Ok(read), None) => plan = Some(read),
            (Ok(read), Some(known)) if read.id != known.id => {
                let (a, b) = (folders[0].display(), folder.display());
                let what = format!("{a} and {b} hold units of two plans");
                let help = "merge the folders of one plan; another version or build of klero \
                            makes another";
                problems.push(Problem::of_request(what).help(help));
            }
            (Ok(read), Some(known)) => {
                if read.many() > known.many() {
                    *known = read;
                }
            }
        }
    }
    match plan {
        Some(plan) => problems.or(plan),
        None => Err(problems),
    }
}

/// The units of a plan, all of them whole, read as played replications.
struct Merging {
    plan: Rc<SweepPlan>,
    /// The folders of the requested units, by point and leaf.
    places: Vec<Vec<Units>>,
}

impl Merging {
    /// The replications of a point, in order.
    fn played(&self, point: u32) -> Played {
        let places = self.places[point as usize].clone();
        let last = places.len().saturating_sub(1) as u32;
        let all = self.plan.numbers(UnitId { point, leaf: last }).end;
        let plan = Rc::clone(&self.plan);
        let mut leaves = (0..).zip(places);
        let mut replications = Vec::new().into_iter();
        Played::new(all, move || {
            loop {
                if let Some(next) = replications.next() {
                    return Ok(next);
                }
                let (leaf, units) = leaves.next().ok_or(PlayedError::Changed)?;
                let read = units.read(&plan, UnitId { point, leaf });
                let read = read.map_err(|error| io::Error::other(error.to_string()))?;
                replications = read.into_iter();
            }
        })
        .all()
    }
}

fn merging(plan: &SweepPlan, folders: &[PathBuf], found: &Found) -> Merging {
    let mut places = vec![Vec::new(); plan.points.len()];
    let mut units: Vec<_> = found.units.iter().collect();
    units.sort_by_key(|(unit, _)| *unit);
    for (unit, state) in units {
        if let UnitState::Whole(place) = state {
            places[unit.point as usize].push(Units::at(&folders[*place]));
        }
    }
    Merging {
        plan: Rc::new(plan.clone()),
        places,
    }
}

/// Asks for the next wave of each open point. Returns true if any point is open.
fn decide(plan: &mut SweepPlan, jobs: &[Job], merging: &Merging) -> Result<bool, Failure> {
    let mut is_open = false;
    for (job, point) in jobs.iter().zip(0..) {
        let planned = &plan.points[point as usize];
        if !planned.until_decided || plan.asked(point) == planned.leaves() {
            continue;
        }
        let decided = decided_after(&job.plan, merging.played(point));
        let decided = decided.map_err(|error| failed(&error.to_string()))?;
        if decided.is_none() {
            is_open = true;
            plan.ask(point);
        }
    }
    Ok(is_open)
}

/// The most units that are named one by one.
const NAMED: usize = 12;

/// Refuses doubled or foreign units. Reports missing units, and the shards that are to play them.
fn check(
    plan: &SweepPlan,
    folders: &[PathBuf],
    found: &Found,
    shards: Option<u64>,
) -> Result<(), Failure> {
    strangers(plan, folders, found).map_err(wrong)?;
    let open = found.units.iter();
    let open = open.filter_map(|(unit, state)| Some((*unit, words(state, folders)?)));
    let open: Vec<(UnitId, String)> = open.collect();
    if open.is_empty() {
        return Ok(());
    }
    for (unit, words) in open.iter().take(NAMED) {
        show::say(&plain(&format!("{} {words}", plan.names(*unit))));
    }
    if open.len() > NAMED {
        show::say(&format!(
            "... and {} more: `klero sweep status` lists them",
            open.len() - NAMED
        ));
    }
    let failure = failed(&format!(
        "{} of {} units are not there: nothing was merged",
        open.len(),
        found.units.len()
    ));
    submit(plan, found, shards)?;
    Err(failure)
}

/// The state of a unit that is not whole, in words.
fn words(state: &UnitState, folders: &[PathBuf]) -> Option<String> {
    Some(match state {
        UnitState::Whole(_) => return None,
        UnitState::Missing => "is missing".to_owned(),
        UnitState::Failed(why) => format!("failed: {why}"),
        UnitState::Wrong(place, why) => format!("in {} is {why}", folders[*place].display()),
    })
}

/// Prints the shards that have units to play, as `sbatch` takes them.
fn submit(plan: &SweepPlan, found: &Found, shards: Option<u64>) -> Result<(), Failure> {
    let of = shards.or(plan.shards).unwrap_or(1);
    let array = array(found.shards(of));
    show::say(&format!(
        "help: play these shards of {of} again, then merge again: {array}"
    ));
    print(&format!("--array={array}\n"))
}

/// Refuses doubled or foreign units.
fn strangers(plan: &SweepPlan, folders: &[PathBuf], found: &Found) -> Result<(), Problems> {
    let mut problems = Problems::default();
    for (unit, [a, b]) in &found.doubled {
        let unit = plan.names(*unit);
        let (a, b) = (folders[*a].display(), folders[*b].display());
        let what = format!("{unit} is in {a} and in {b} with other bytes");
        let help = "a program of yours answers the same messages in two ways, or a machine \
                    computes otherwise: find out which is wrong, and remove it";
        problems.push(Problem::of_request(what).help(help));
    }
    for (place, name, why) in &found.foreign {
        let folder = folders[*place].display();
        let what = format!("unit {name} in {folder} is {why}");
        let help = "remove it, or merge it with the units of its own plan and build";
        problems.push(Problem::of_request(what).help(help));
    }
    problems.or(())
}
