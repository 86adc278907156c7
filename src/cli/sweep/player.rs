//! Playing of units one after another, with a cache of the point that they share.

use std::path::Path;
use std::sync::Arc;

use super::super::ahead::Ahead;
use super::super::failure::Failure;
use super::super::load::Job;
use super::plan::{FileHashes, job_of};
use kleroterion::run::{Leaf, RunError, Settings, Traces, run_range};
use kleroterion::units::{SweepPlan, UnitId};

/// A player of units.
pub struct UnitPlayer {
    settings: Settings,
    files: FileHashes,
    ahead: Ahead,
    /// The last played point: the id of its plan, its place and its job.
    latest: Option<(String, u32, Job)>,
}

/// The reason why a unit was not played.
pub enum UnitFailure {
    /// The user stopped it.
    Interrupted,
    /// No unit of its point can be played here. The message is already printed.
    Unplayable(Failure),
    /// The unit failed.
    Failed(String),
}

impl UnitPlayer {
    /// Creates a player with these settings. The plans of policies that look ahead are kept in
    /// `folder`, if given.
    pub fn new(mut settings: Settings, folder: Option<&Path>, quiet: bool) -> Self {
        settings.traces = Traces {
            curves: true,
            ..Traces::default()
        };
        let interrupt = Arc::clone(&settings.interrupt);
        Self {
            settings,
            files: FileHashes::default(),
            ahead: Ahead::new(folder, quiet, interrupt),
            latest: None,
        }
    }

    /// Plays a unit of a plan.
    pub fn play(&mut self, plan: &SweepPlan, unit: UnitId) -> Result<Leaf, UnitFailure> {
        let job = match self.latest.take() {
            Some((known, point, job)) if known == plan.id && point == unit.point => job,
            _ => self.job(plan, unit).map_err(UnitFailure::Unplayable)?,
        };
        let (_, _, job) = self.latest.insert((plan.id.clone(), unit.point, job));
        let mut leaf = Leaf::default();
        let numbers = plan.numbers(unit);
        let played = run_range(&job.plan, &self.settings, numbers, |replication| {
            leaf.add(replication);
            Ok(())
        });
        match played {
            Ok(_) => Ok(leaf),
            Err(RunError::Interrupted) => Err(UnitFailure::Interrupted),
            Err(error) => Err(UnitFailure::Failed(error.to_string())),
        }
    }

    fn job(&mut self, plan: &SweepPlan, unit: UnitId) -> Result<Job, Failure> {
        let job = job_of(&plan.points[unit.point as usize], &mut self.files)?;
        self.ahead.supply(&job.plan, |_| {})?;
        let kept = job.kept_lotteries();
        self.ahead.supply_lotteries(&job.plan, &kept, |_| {})?;
        self.ahead.keep();
        Ok(job)
    }
}
