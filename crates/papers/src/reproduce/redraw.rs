//! The stream of a run, drawn again by its key: the people that its policies met.

use tokio::runtime::{Builder, Runtime};

use super::error::{Result, StudyError};
use super::played::StudyRun;
use kleroterion_core::draw::Key;
use kleroterion_core::protocol::Batch;
use kleroterion_core::source::Source;
use kleroterion_run::run::RunError;

/// The stream of one replication of a run.
pub(super) struct Redraw<'a> {
    run: &'a StudyRun,
    runtime: Runtime,
    source: Box<dyn Source>,
}

impl<'a> Redraw<'a> {
    /// The stream from its beginning.
    pub(super) fn of(run: &'a StudyRun, replication: u64) -> Result<Self> {
        let runtime = Builder::new_current_thread().build();
        Ok(Self {
            run,
            runtime: runtime.map_err(|error| StudyError::Run(RunError::Start(error)))?,
            source: (run.plan.world.source)(Key::new(run.plan.seed, replication)),
        })
    }

    /// The next rounds: at least one, about `persons` persons.
    pub(super) fn next(&mut self, persons: usize) -> Result<Batch> {
        let batch = self.runtime.block_on(self.source.next(persons));
        let batch = batch.map_err(|error| StudyError::Missing(error.to_string()))?;
        batch.ok_or_else(|| self.run.lacks("so many rounds"))
    }
}
