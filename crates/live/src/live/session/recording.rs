//! The recorder at work.

use std::io;
use std::thread;

use tokio::runtime::{Builder, Runtime};
use tokio::task;
use tracing::{Instrument, info_span};

use super::super::error::RecorderError;

/// The result of the recorder's work.
type Recorded = Result<(), RecorderError>;

/// The recorder at work: on a thread of its own where it waits for the disk, else as a task.
pub(super) enum Recording {
    Thread(thread::JoinHandle<Recorded>),
    Task(task::JoinHandle<Recorded>),
}

impl Recording {
    /// Begins the work on a thread of its own.
    pub(super) fn on_thread<F>(work: impl FnOnce() -> F + Send + 'static) -> io::Result<Self>
    where
        F: Future<Output = Recorded>,
    {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let span = info_span!("recorder");
        let run = move || runtime.block_on(work().instrument(span));
        let thread = thread::Builder::new().name("recorder".into()).spawn(run)?;
        Ok(Self::Thread(thread))
    }

    /// Begins work that does not block, on this runtime.
    pub(super) fn on(
        runtime: &Runtime,
        work: impl Future<Output = Recorded> + Send + 'static,
    ) -> Self {
        Self::Task(runtime.spawn(work.instrument(info_span!("recorder"))))
    }

    /// Returns true if the work has ended.
    pub(super) fn is_finished(&self) -> bool {
        match self {
            Self::Thread(thread) => thread.is_finished(),
            Self::Task(task) => task.is_finished(),
        }
    }

    /// Waits for the work that was begun on this runtime, or on a thread.
    pub(super) fn join(self, runtime: &Runtime) -> io::Result<Recorded> {
        let panicked = || io::Error::other("the recorder panicked");
        match self {
            Self::Thread(thread) => thread.join().map_err(|_| panicked()),
            Self::Task(task) => runtime.block_on(task).map_err(|_| panicked()),
        }
    }
}
