//! A configuration of Figure 2: its learners, and greedy.

use crate::reproduce::prelude::*;

/// The learner with the radius scaled so that it meets the paper's figures, with a tenth of the
/// radius, with the radius as printed, and who knows p.
pub(super) const SCALED: &str = "learner, scale .07";
pub(super) const TENTH: &str = "learner, scale .1";
pub(super) const PRINTED: &str = "learner, scale 1";
pub(super) const KNOWN: &str = "cmdp, p known";
pub(super) const LOSS: &str = "representation_loss";
pub(super) const TAU: &str = "screened";
/// The size up to which the figure goes.
pub(super) const LAST: u64 = 2000;

/// A configuration of the paper: its learners, and greedy by committee size.
pub(super) struct Configuration<'a> {
    pub name: &'static str,
    pub learners: &'a StudyRun,
    pub greedy: Vec<(u64, &'a StudyRun)>,
}

impl<'a> Configuration<'a> {
    /// The configuration whose learners a preset plays; another, of the same name, plays greedy.
    pub(super) fn of(runs: &'a StudyRuns, name: &'static str, learners: &str) -> Result<Self> {
        let greedy = runs.of(&format!("{learners}-greedy"))?.iter();
        let sized = greedy.map(|run| Ok((run.swept("rules.until.accepted")?, run)));
        Ok(Self {
            name,
            learners: runs.one(learners)?,
            greedy: sized.collect::<Result<_>>()?,
        })
    }

    pub(super) fn cells(&self) -> u64 {
        u64::from(self.learners.plan.world.schema.cells())
    }

    pub(super) fn at(&self, label: &str, metric: &str, k: u64) -> Result<StudyEstimate> {
        self.learners.mean(label, metric, Some(k))
    }

    pub(super) fn greedy(&self, label: &str, metric: &str, k: u64) -> Result<StudyEstimate> {
        let run = self.greedy.iter().find(|(size, _)| *size == k);
        let run = run.ok_or_else(|| self.learners.lacks(&format!("greedy at K = {k}")))?;
        run.1.mean(label, metric, None)
    }
}
