//! The playing of a run on a thread of its own, while the caller looks for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use kleroterion::jobs::{FinishedJob, JobError, JobProgress, JobRequest, JobWatch};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::errors;
use super::host::Hosts;
use super::request::Asked;
use super::table::medium;

/// How often the caller looks for signals.
const LOOK: Duration = Duration::from_millis(20);
/// How long a policy may go on after an interrupt before it is raised in its thread too.
const PATIENCE: Duration = Duration::from_millis(300);
/// How long the caller waits after an interrupt before it leaves the run's thread to itself.
const MOST_PATIENCE: Duration = Duration::from_millis(900);

fn held<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a run has said so far.
#[derive(Default)]
struct Said {
    /// The progress in words, and the replications played, of how many.
    progress: Option<(String, u64, u64)>,
    notes: Vec<String>,
}

/// A job that was played.
#[pyclass(module = "kleroterion._klero", name = "Played", frozen)]
pub struct Played {
    job: Mutex<FinishedJob>,
    /// True if it was played into a folder.
    #[pyo3(get)]
    is_written: bool,
    #[pyo3(get)]
    notes: Vec<String>,
    #[pyo3(get)]
    is_interrupted: bool,
}

#[pymethods]
impl Played {
    /// The contents of `summary.json`.
    fn summary(&self) -> String {
        held(&self.job).json()
    }

    /// The config that reproduces the run.
    fn config(&self) -> String {
        let job = held(&self.job);
        job.runs.first().map_or_else(String::new, |run| run.run.config())
    }

    /// The table of the run: text of a width, or Markdown.
    #[pyo3(signature = (full, width))]
    fn table(&self, full: bool, width: Option<usize>) -> String {
        held(&self.job).table(full, &medium(width))
    }

    /// Writes the run's folder.
    fn save(&self, py: Python<'_>, folder: PathBuf, force: bool) -> PyResult<()> {
        let saved = py.detach(|| held(&self.job).write(&folder, force));
        saved.map_err(|error| errors::of_job(py, error))
    }

    /// The faults of the run.
    fn faults(&self) -> Vec<String> {
        let faults = held(&self.job).faults(false).into_iter();
        faults.map(|fault| fault.what).collect()
    }
}

/// Loads, checks and plays a config.
#[pyfunction]
pub fn play(py: Python<'_>, asked: Asked, progress: Option<Py<PyAny>>) -> PyResult<Played> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let hosts = asked.hosts(py, &interrupt);
    let request = asked.request(py, &hosts)?;
    let said = Arc::new(Mutex::new(Said::default()));
    let is_written = asked.out.is_some();
    let (done, played) = channel();
    let (heard, flag) = (Arc::clone(&said), Arc::clone(&interrupt));
    let work = move || {
        let job = catch_unwind(AssertUnwindSafe(|| work(&asked, request, &heard, flag)));
        // The caller may have left.
        drop(done.send(job.ok()));
    };
    let spawned = Builder::new().name("klero".to_owned()).spawn(work);
    spawned.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let wait = Wait {
        hosts: &hosts,
        interrupt: &interrupt,
        said: &said,
        progress,
        left: None,
    };
    let (job, left) = wait.until_played(py, played);
    if let Some(error) = hosts.raised(py).filter(|_| left.is_none()) {
        return Err(error);
    }
    let job = match (job, left) {
        (Some(Some(Ok(job))), left) => {
            let played = Played {
                is_written,
                notes: held(&said).notes.clone(),
                is_interrupted: job.is_interrupted,
                job: Mutex::new(job),
            };
            return match left {
                None => Ok(played),
                Some(error) => {
                    // What was played so far is not lost.
                    error.value(py).setattr("played", Py::new(py, played)?)?;
                    Err(error)
                }
            };
        }
        (_, Some(error)) => return Err(error),
        (Some(Some(Err(error))), None) => errors::of_job(py, error),
        _ => errors::exception(py, "RunError", ("the run's thread panicked: this is a fault of klero",)),
    };
    Err(job)
}

/// Plays the job, on the thread of the run.
fn work(
    asked: &Asked,
    request: JobRequest,
    said: &Mutex<Said>,
    interrupt: Arc<AtomicBool>,
) -> Result<FinishedJob, JobError> {
    let watch = JobWatch {
        progress: Some(Box::new(|progress: JobProgress<'_>| {
            let (played, of) = match progress {
                JobProgress::Replications(played, of) => (played, of),
                JobProgress::Ready => return,
                _ => (0, 0),
            };
            held(said).progress = Some((progress.to_string(), played, of));
        })),
        note: Some(Box::new(|note: &str| held(said).notes.push(note.to_owned()))),
        alert: Some(Box::new(|alert| held(said).notes.push(alert.to_string()))),
        interrupt,
    };
    let job = asked.job(request)?;
    if let Some(entry) = job.runs.iter().find_map(|run| run.entry.as_ref()) {
        let what = format!("the config is of a sweep, of which {} is one run", entry.settings());
        return Err(JobError::Failed(format!("{what}: leave out [sweep], or run `klero sweep`")));
    }
    job.play(&watch)
}

/// The wait of the caller for a run.
struct Wait<'a> {
    hosts: &'a Hosts,
    interrupt: &'a AtomicBool,
    said: &'a Mutex<Said>,
    progress: Option<Py<PyAny>>,
    /// When and by what the caller was interrupted.
    left: Option<(Instant, PyErr)>,
}

type Job = Option<Result<FinishedJob, JobError>>;

impl Wait<'_> {
    /// Waits for the job. Returns it, unless the caller leaves it, and what interrupted the caller.
    fn until_played(mut self, py: Python<'_>, mut played: Receiver<Job>) -> (Option<Job>, Option<PyErr>) {
        let mut is_raised = false;
        let job = loop {
            let got;
            (played, got) = py.detach(move || {
                let got = played.recv_timeout(LOOK);
                (played, got)
            });
            match got {
                Ok(job) => break Some(job),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let seen = py.check_signals().and_then(|()| self.tell(py));
            if let Err(error) = seen {
                self.interrupt.store(true, Ordering::Relaxed);
                self.left.get_or_insert((Instant::now(), error));
            }
            let waited = self.left.as_ref().map(|(since, _)| since.elapsed());
            if waited.is_some_and(|waited| waited > PATIENCE) && !is_raised {
                is_raised = true;
                // A policy that does not return is interrupted as the caller was.
                let stop = py.import("kleroterion._errors").and_then(|module| {
                    module.getattr("interrupt_threads")?.call1((self.hosts.threads(),))
                });
                drop(stop);
            }
            if waited.is_some_and(|waited| waited > MOST_PATIENCE) {
                break None;
            }
        };
        // The last progress is seen too.
        if self.left.is_none()
            && let Err(error) = self.tell(py)
        {
            self.left = Some((Instant::now(), error));
        }
        (job, self.left.map(|(_, error)| error))
    }

    fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let Some(tell) = &self.progress else {
            return Ok(());
        };
        let progress = held(self.said).progress.take();
        progress.map_or(Ok(()), |progress| tell.call1(py, progress).map(drop))
    }
}

/// What a config assumes, in sentences, once it is checked.
#[pyfunction]
pub fn check(py: Python<'_>, asked: Asked) -> PyResult<Vec<String>> {
    let hosts = asked.hosts(py, &Arc::default());
    let request = asked.request(py, &hosts)?;
    let notes = py.detach(|| asked.job(request)?.check());
    notes.map_err(|error| errors::of_job(py, error))
}

/// The configs of all runs, checked and resolved, as TOML.
#[pyfunction]
pub fn resolve(py: Python<'_>, asked: Asked) -> PyResult<Vec<String>> {
    let hosts = asked.hosts(py, &Arc::default());
    let request = asked.request(py, &hosts)?;
    let configs = py.detach(|| {
        let job = asked.job(request)?;
        Ok(job.runs.iter().map(|run| run.config()).collect())
    });
    configs.map_err(|error| errors::of_job(py, error))
}
