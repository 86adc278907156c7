//! `klero merge DIR... --out OUT`: the units of shards become the results of one machine.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;

use super::args::{WhichReplications, at_least};
use super::failure::{Failure, failed, wrong};
use super::load::Job;
use super::run::{Merging, PlayArgs, merged};
use super::sweep::job_of;
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::run::decided_after;
use kleroterion::units::{Found, PLAN, SweepPlan, UnitState, Units, array};

/// Options of `klero merge`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero merge shards --out results
  klero merge node1/shards node2/shards --out results --people")]
pub struct MergeArgs {
    /// The --out folders of the shards
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// How many shards play what is missing [default: as many as there were]
    #[arg(long, value_name = "N", value_parser = at_least(1))]
    shards: Option<u64>,
    #[command(flatten)]
    play: PlayArgs,
}

/// Merges the units of shards.
pub fn merge(args: MergeArgs) -> Result<(), Failure> {
    let Some(out) = args.play.out.out.clone() else {
        let what = "nothing says where the results go";
        return Err(wrong(
            Problem::of_request(what).help("add --out DIR, a new folder"),
        ));
    };
    merge_into(&args.folders, &out, args.shards, &args.play)
}

/// Merges the units in these folders into another.
pub fn merge_into(
    folders: &[PathBuf],
    out: &Path,
    shards: Option<u64>,
    play: &PlayArgs,
) -> Result<(), Failure> {
    refuse(folders, out, play).map_err(wrong)?;
    let mut plan = plan_of(folders).map_err(wrong)?;
    let shards = shards.or(plan.shards).unwrap_or(1);
    let found = Found::of(&plan, folders)
        .map_err(|(place, error)| failed(&format!("{}: {error}", folders[place].display())))?;
    whole(&plan, folders, &found, shards)?;
    let jobs: Vec<Job> = (0..plan.points.len())
        .map(|point| job_of(&plan.points[point]))
        .collect::<Result<_, _>>()?;
    let merging = merging(&plan, folders, &found);
    if decide(&mut plan, &jobs, &merging)? {
        return Err(next_wave(&plan, folders, shards));
    }
    merged(jobs, merging, play, out.to_owned())
}

/// Refuses folders and options that don't fit.
fn refuse(folders: &[PathBuf], out: &Path, play: &PlayArgs) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    if folders.iter().any(|folder| same(folder, out)) {
        let place = Place::Option(format!("--out {}", out.display()));
        let problem = Problem::new(place, "the units are in this folder");
        problems.push(problem.help("give another folder for the results"));
    }
    if play.out.trace_replications == WhichReplications::All {
        let place = Place::Option("--trace-replications all".to_owned());
        let problem = Problem::new(place, "units hold the decisions of no replication");
        problems.push(problem.help("leave it out, or use `klero run`"));
    }
    problems.or(())
}

/// The plan that all folders have.
fn plan_of(folders: &[PathBuf]) -> Result<SweepPlan, Problems> {
    let mut problems = Problems::default();
    let mut plan: Option<SweepPlan> = None;
    for folder in folders {
        match (SweepPlan::read(&folder.join(PLAN)), &mut plan) {
            (Err(problem), _) => problems.push(problem),
            (Ok(read), None) => plan = Some(read),
            (Ok(read), Some(known)) if read.id != known.id => {
                let what = format!(
                    "{} and {} hold units of two plans",
                    folders[0].display(),
                    folder.display()
                );
                let help = "merge the folders of one plan; another build or version makes another";
                problems.push(Problem::of_request(what).help(help));
            }
            (Ok(read), Some(known)) => {
                if read.units().count() > known.units().count() {
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

/// Says what is not whole.
fn whole(plan: &SweepPlan, folders: &[PathBuf], found: &Found, shards: u64) -> Result<(), Failure> {
    let mut problems = Problems::default();
    for (unit, [a, b]) in &found.doubled {
        let name = unit.name(&plan.id);
        let (a, b) = (folders[*a].display(), folders[*b].display());
        let what = format!("unit {name} is in {a} and in {b}, with other bytes");
        let help = "a program that is no function of its messages, or a machine that computes \
                    otherwise, played one of them: remove the wrong one";
        problems.push(Problem::of_request(what).help(help));
    }
    for (place, name, why) in &found.foreign {
        let what = format!("{} holds {name}, which is {why}", folders[*place].display());
        problems.push(Problem::of_request(what).help("remove it, or merge it with its own plan"));
    }
    problems.or(()).map_err(wrong)?;
    let open: Vec<u64> = found.open().collect();
    if open.is_empty() {
        return Ok(());
    }
    Err(failed(&format!(
        "{} of {} units are not there; submit again --array={}",
        open.len(),
        found.units.len(),
        array(found.shards(shards))
    )))
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

/// Asks for the next wave of each point that is open; whether any is.
fn decide(plan: &mut SweepPlan, jobs: &[Job], merging: &Merging) -> Result<bool, Failure> {
    let mut is_open = false;
    for (job, point) in jobs.iter().zip(0..) {
        let planned = &plan.points[point as usize];
        if !planned.until_decided || plan.asked(point) == planned.leaves() {
            continue;
        }
        let decided = decided_after(&job.plan, merging.played(point));
        if decided
            .map_err(|error| failed(&error.to_string()))?
            .is_none()
        {
            is_open = true;
            plan.ask(point);
        }
    }
    Ok(is_open)
}

/// Writes the next wave into the plan of each folder, and says who is to play it.
fn next_wave(plan: &SweepPlan, folders: &[PathBuf], shards: u64) -> Failure {
    for folder in folders {
        let written = kleroterion::report::files::Folder::at(folder);
        if let Err(problem) = written.write(PLAN, |out| out.write_all(plan.text().as_bytes())) {
            return wrong(problem);
        }
    }
    let found = match Found::of(plan, folders) {
        Ok(found) => found,
        Err((place, error)) => return failed(&format!("{}: {error}", folders[place].display())),
    };
    failed(&format!(
        "not all is decided yet; the plan has the next wave: submit --array={}",
        array(found.shards(shards))
    ))
}
