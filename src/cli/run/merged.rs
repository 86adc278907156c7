//! `klero merge`: runs whose replications were all played, in units.

use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use super::super::failure::{Failure, wrong};
use super::super::load::Job;
use super::super::privacy::random_key;
use super::PlayArgs;
use super::kept::RunOptions;
use super::player::Before;
use super::runs::Runs;
use kleroterion::report::files::Folder;
use kleroterion::report::points::{POINTS, PointEntry, write_points};
use kleroterion::run::{Played, PlayedError};
use kleroterion::units::{SweepPlan, UnitId, Units};

/// The units of a plan, all whole.
pub struct Merging {
    /// The plan.
    pub plan: Rc<SweepPlan>,
    /// Where the units that are asked for lie, point by point and leaf by leaf.
    pub places: Vec<Vec<Units>>,
}

impl Merging {
    /// The replications of a point, in order.
    pub fn played(&self, point: u32) -> Played {
        let places = self.places[point as usize].clone();
        let last = places.len().saturating_sub(1) as u32;
        let all = self.plan.numbers(UnitId { point, leaf: last }).end;
        let plan = Rc::clone(&self.plan);
        let mut leaves = (0..).zip(places);
        let mut leaf = Vec::new().into_iter();
        Played::new(all, move || {
            loop {
                if let Some(next) = leaf.next() {
                    return Ok(next);
                }
                let (number, units) = leaves.next().ok_or(PlayedError::Changed)?;
                let read = units.read(
                    &plan,
                    UnitId {
                        point,
                        leaf: number,
                    },
                );
                leaf = read
                    .map_err(|error| io::Error::other(error.to_string()))?
                    .into_iter();
            }
        })
        .all()
    }
}

/// Folds the replications of jobs that were played, writes their files and prints the results.
pub fn merged(
    jobs: Vec<Job>,
    merging: Merging,
    args: &PlayArgs,
    out: PathBuf,
) -> Result<(), Failure> {
    let key = args.privacy.hide_identities.then(random_key);
    let options = RunOptions::of(&args.out, &args.privacy, key);
    let mut settings = args.settings();
    settings.traces = options.traces(true);
    if let Some(first) = jobs.first() {
        settings.names = args.privacy.names(&first.plan, key)?;
    }
    let entries: Vec<PointEntry> = jobs.iter().filter_map(|job| job.entry.clone()).collect();
    let (folders, sweep) = match entries.is_empty() {
        true => {
            Folder::check(&out, args.out.force).map_err(wrong)?;
            (vec![Some(out.clone()); jobs.len()], None)
        }
        false => {
            let folder = Folder::create(&out, args.out.force).map_err(wrong)?;
            let written = folder.write(POINTS, |to| write_points(&entries, to));
            written.map_err(wrong)?;
            let folders = entries.iter().map(|entry| Some(out.join(&entry.name)));
            (folders.collect(), Some(folder))
        }
    };
    let runs = Runs {
        jobs,
        folders,
        out: Some(out),
        sweep,
        options,
        force: args.out.force,
        before: Before::Units(merging),
    };
    runs.play(&args.how(settings))
}
