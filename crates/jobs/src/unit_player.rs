//! Playing of units one after another, with a cache of the point that they share.

use std::path::Path;

use crate::ahead::PlansAhead;
use crate::error::JobError;
use crate::planned::{FileHashes, run_of};
use crate::run::JobRun;
use crate::watch::JobWatch;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::run::{Leaf, RunError, Settings, Traces, run_range};
use kleroterion_sweep::{SweepPlan, UnitId};

/// A player of units.
pub struct UnitPlayer<'a> {
    settings: Settings,
    files: FileHashes,
    inputs: ConfigInputs,
    ahead: PlansAhead<'a>,
    /// The last played point: the id of its plan, its place and its run.
    latest: Option<(String, u32, JobRun)>,
}

/// The reason why a unit was not played.
#[derive(Debug, thiserror::Error)]
pub enum UnitFailure {
    /// The watch's interrupt stopped it.
    #[error("interrupted")]
    Interrupted,
    /// No unit of its point can be played here.
    #[error(transparent)]
    Unplayable(JobError),
    /// The unit failed.
    #[error("{0}")]
    Failed(String),
}

impl<'a> UnitPlayer<'a> {
    /// Creates a player with these settings, of configs whose kinds are those of `inputs`. The plans
    /// of policies that look ahead are kept in `folder`, if given.
    pub fn new(
        mut settings: Settings,
        folder: Option<&Path>,
        inputs: ConfigInputs,
        watch: &'a JobWatch<'a>,
    ) -> Self {
        settings.traces = Traces {
            curves: true,
            ..Traces::default()
        };
        settings.interrupt.clone_from(&watch.interrupt);
        Self {
            settings,
            files: FileHashes::default(),
            inputs,
            ahead: PlansAhead::new(folder, watch),
            latest: None,
        }
    }

    /// Plays a unit of a plan.
    ///
    /// # Errors
    /// Fails if the unit can't be played here, or was not played to its end.
    pub fn play(&mut self, plan: &SweepPlan, unit: UnitId) -> Result<Leaf, UnitFailure> {
        let run = match self.latest.take() {
            Some((known, point, run)) if known == plan.id && point == unit.point => run,
            _ => self.run(plan, unit).map_err(UnitFailure::Unplayable)?,
        };
        let (_, _, run) = self.latest.insert((plan.id.clone(), unit.point, run));
        let mut leaf = Leaf::default();
        let numbers = plan.numbers(unit);
        let played = run_range(&run.plan, &self.settings, numbers, |replication| {
            leaf.add(replication);
            Ok(())
        });
        match played {
            Ok(_) => Ok(leaf),
            Err(RunError::Interrupted) => Err(UnitFailure::Interrupted),
            Err(error) => Err(UnitFailure::Failed(error.to_string())),
        }
    }

    fn run(&mut self, plan: &SweepPlan, unit: UnitId) -> Result<JobRun, JobError> {
        let run = run_of(
            &plan.points[unit.point as usize],
            &mut self.files,
            &self.inputs,
        )?;
        self.ahead.supply(&run.plan)?;
        let kept = run.kept_lotteries();
        self.ahead.supply_lotteries(&run.plan, &kept)?;
        self.ahead.keep();
        Ok(run)
    }
}
