//! The merge of a sweep's units to the results of one run.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::error::JobError;
use crate::folder;
use crate::job::Job;
use crate::planned::{FileHashes, run_of};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_report::report::files::Folder;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::run::{Played, PlayedError, decided_after};
use kleroterion_sweep::{Found, PLAN, SweepPlan, UNITS, UnitId, UnitState, Units};

/// The units of a sweep in some folders.
pub struct FolderUnits {
    folders: Vec<PathBuf>,
    /// The plan, in all folders the same.
    pub plan: SweepPlan,
    /// The units that are there.
    pub found: Found,
}

/// The outcome of a merge.
pub enum MergeOutcome {
    /// All is there: the job folds the units when it is played.
    Job(Box<Job>),
    /// Some pairs are still undecided. The plan in each folder asks for the next wave.
    NextWave(SweepPlan),
}

impl FolderUnits {
    /// Finds the units in the folders of shards. `command` is the command as typed after `klero`.
    ///
    /// # Errors
    /// Fails if the folders have no plan or several, or can't be listed.
    pub fn read(folders: &[PathBuf], command: &str) -> Result<Self, JobError> {
        Self::of(plan_of(folders, command)?, folders)
    }

    /// Finds the units of a plan.
    ///
    /// # Errors
    /// Fails if a folder can't be listed.
    pub fn of(plan: SweepPlan, folders: &[PathBuf]) -> Result<Self, JobError> {
        let found = Found::of(&plan, folders).map_err(|(place, error)| {
            let path = folders[place].join(UNITS);
            JobError::Failed(format!("{} can't be listed: {error}", path.display()))
        })?;
        Ok(Self {
            folders: folders.to_vec(),
            plan,
            found,
        })
    }

    /// The units that are not whole, each with its name and its state in words.
    ///
    /// # Errors
    /// Fails if a unit is there twice with other bytes, or belongs to another plan.
    pub fn open(&self) -> Result<Vec<String>, JobError> {
        strangers(&self.plan, &self.folders, &self.found)?;
        let units = self.found.units.iter();
        let open = units.filter_map(|(unit, state)| {
            let words = words(state, &self.folders)?;
            Some(format!("{} {words}", self.plan.names(*unit)))
        });
        Ok(open.collect())
    }

    /// The job of the plan's points, whose kinds are those of `inputs`. It is not played.
    ///
    /// # Errors
    /// Fails if a config is wrong, or a file of people is not what it was.
    pub fn job(&self, inputs: &ConfigInputs) -> Result<Job, JobError> {
        job_of(&self.plan, inputs)
    }

    /// The merge of the units into a folder. With `force` it overwrites a run that is there. All
    /// units are to be whole.
    ///
    /// # Errors
    /// Fails if the folder holds something else, or a unit can't be read.
    pub fn merged(self, job: Job, out: &Path, force: bool) -> Result<MergeOutcome, JobError> {
        job.may_merge(out, force)?;
        let merging = merging(&self.plan, &self.folders, &self.found);
        let mut plan = self.plan;
        if decide(&mut plan, &job, &merging)? {
            let text = plan.text();
            for folder in &self.folders {
                let folder = Folder::at(folder);
                folder.write(PLAN, |out| out.write_all(text.as_bytes()))?;
            }
            return Ok(MergeOutcome::NextWave(plan));
        }
        let played = Box::new(move |point| merging.played(point));
        let job = job.merging(out, force, played)?;
        Ok(MergeOutcome::Job(Box::new(job)))
    }
}

/// The job of a plan's points, whose kinds are those of `inputs`. It is not played.
///
/// # Errors
/// Fails if a config is wrong, or a file of people is not what it was.
pub fn job_of(plan: &SweepPlan, inputs: &ConfigInputs) -> Result<Job, JobError> {
    let mut files = FileHashes::default();
    let runs = plan
        .points
        .iter()
        .map(|point| run_of(point, &mut files, inputs));
    Ok(Job::of(runs.collect::<Result<_, _>>()?))
}

/// The plan of all folders. If they have it with different numbers of units, it is the longest.
/// `command` is the command as typed after `klero`.
fn plan_of(folders: &[PathBuf], command: &str) -> Result<SweepPlan, Problems> {
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
fn decide(plan: &mut SweepPlan, job: &Job, merging: &Merging) -> Result<bool, JobError> {
    let mut is_open = false;
    for (run, point) in job.runs.iter().zip(0..) {
        let planned = &plan.points[point as usize];
        if !planned.until_decided || plan.asked(point) == planned.leaves() {
            continue;
        }
        let decided = decided_after(&run.plan, merging.played(point));
        if decided.map_err(JobError::failed)?.is_none() {
            is_open = true;
            plan.ask(point);
        }
    }
    Ok(is_open)
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
