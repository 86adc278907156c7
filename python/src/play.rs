//! The playing of a run on a thread of its own, while the caller looks for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use kleroterion::compare::courses;
use kleroterion::jobs::{FinishedJob, JobError, JobProgress, JobRequest, JobWatch};
use kleroterion::problem::{Place, Problem};
use kleroterion::report::curves::write_courses;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::errors;
use super::host::Hosts;
use super::request::Asked;
use super::table::medium;

/// How often the caller looks for signals.
pub const LOOK: Duration = Duration::from_millis(20);
/// How long a policy may go on after an interrupt before it is raised in its thread too.
const PATIENCE: Duration = Duration::from_millis(300);
/// How long the caller waits after an interrupt before it leaves the run's thread to itself.
const MOST_PATIENCE: Duration = Duration::from_millis(900);

/// Locks a mutex. What a panic left is taken as it is.
pub fn held<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a run has said so far.
#[derive(Default)]
struct Said {
    progress: Mutex<Option<Progress>>,
    notes: Mutex<Vec<String>>,
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

impl Played {
    /// A job that was played, with its notes.
    pub fn of(job: FinishedJob, notes: Vec<String>, is_written: bool) -> Self {
        Self {
            is_written,
            notes,
            is_interrupted: job.is_interrupted,
            job: Mutex::new(job),
        }
    }
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
        job.runs
            .first()
            .map_or_else(String::new, |run| run.run.config())
    }

    fn table(&self, full: bool, format: &str, width: usize) -> String {
        held(&self.job).table(full, &medium(format, width))
    }

    /// `replications.csv`.
    fn replications(&self) -> PyResult<String> {
        Ok(held(&self.job).csv()?)
    }

    /// `course.csv`.
    fn course(&self) -> PyResult<String> {
        let job = held(&self.job);
        let mut text = Vec::new();
        for run in &job.runs {
            let judge = &run.run.plan.judge;
            let courses = courses(&run.result, judge, &run.summary.pairs);
            write_courses(&courses, &mut text)?;
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
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
pub fn play(
    py: Python<'_>,
    asked: Asked,
    progress: Option<Py<PyAny>>,
    cancel: Option<Py<PyAny>>,
) -> PyResult<Played> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let hosts = asked.hosts(py, &interrupt);
    let request = asked.request(py, &hosts)?;
    let said = Arc::new(Said::default());
    let is_written = asked.out.is_some() || asked.resumes.is_some();
    let wait = Wait {
        interrupt: Arc::clone(&interrupt),
        progress: &said.progress,
        tell: progress,
        is_over: cancel,
        hosts: Some(&hosts),
    };
    let heard = Arc::clone(&said);
    let (job, left) = wait.until_done(py, move || work(&asked, request, &heard, interrupt))?;
    if let Some(error) = hosts.raised(py).filter(|_| left.is_none()) {
        return Err(error);
    }
    let played = match job {
        Some(Ok(job)) => Played::of(job, held(&said.notes).clone(), is_written),
        Some(Err(error)) => return Err(left.unwrap_or_else(|| errors::of_job(py, error))),
        None => return Err(left.unwrap_or_else(|| errors::panicked(py))),
    };
    match left {
        None => Ok(played),
        Some(error) => {
            // What was played so far is not lost.
            error.value(py).setattr("played", Py::new(py, played)?)?;
            Err(error)
        }
    }
}

/// Plays the job, on the thread of the run.
fn work(
    asked: &Asked,
    request: JobRequest,
    said: &Said,
    interrupt: Arc<AtomicBool>,
) -> Result<FinishedJob, JobError> {
    let watch = JobWatch {
        progress: Some(Box::new(|progress: JobProgress<'_>| {
            let (played, of) = match progress {
                JobProgress::Replications(played, of) => (played, of),
                JobProgress::Ready => return,
                _ => (0, 0),
            };
            *held(&said.progress) = Some((progress.to_string(), played, of));
        })),
        note: Some(Box::new(|note: &str| {
            held(&said.notes).push(note.to_owned())
        })),
        alert: Some(Box::new(|alert| held(&said.notes).push(alert.to_string()))),
        interrupt,
    };
    let job = asked.job(request)?;
    if let Some(entry) = job.runs.iter().find_map(|run| run.entry.as_ref()) {
        let what = format!(
            "the config is of a sweep, of which {} is one run",
            entry.settings()
        );
        let problem = Problem::new(Place::Key("sweep".into()), what);
        let help = "leave it out and call kleroterion.sweep, or run `klero sweep`";
        return Err(problem.help(help).into());
    }
    job.play(&watch)
}

/// Work on a thread of its own, for which the caller waits.
pub struct Wait<'a> {
    /// Ends the work.
    pub interrupt: Arc<AtomicBool>,
    /// Its progress, until the caller has seen it.
    pub progress: &'a Mutex<Option<Progress>>,
    /// A function that is called with the progress.
    pub tell: Option<Py<PyAny>>,
    /// A function that says whether the caller has had enough.
    pub is_over: Option<Py<PyAny>>,
    /// The policies of the program, if the work asks some.
    pub hosts: Option<&'a Hosts>,
}

/// The progress in words, and the replications played, of how many.
pub type Progress = (String, u64, u64);

/// The end of a wait: the result of the work, and what interrupted the caller.
pub type Waited<T> = (Option<T>, Option<PyErr>);

impl Wait<'_> {
    /// Does the work on a thread of its own. An interrupt of the caller interrupts the work; if it
    /// does not end soon, it is left to itself.
    pub fn until_done<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<Waited<T>> {
        let (done, mut waits) = channel();
        let work = move || {
            // The caller may have left. A panic closes the channel.
            drop(done.send(catch_unwind(AssertUnwindSafe(work))));
        };
        let spawned = Builder::new().name("klero".to_owned()).spawn(work);
        spawned.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let mut left: Option<(Instant, PyErr)> = None;
        let mut is_raised = false;
        let result = loop {
            let got: Result<_, RecvTimeoutError>;
            (waits, got) = py.detach(move || {
                let got = waits.recv_timeout(LOOK);
                (waits, got)
            });
            match got {
                Ok(result) => break result.ok(),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(error) = self.look(py) {
                self.interrupt.store(true, Ordering::Relaxed);
                left.get_or_insert((Instant::now(), error));
            }
            let waited = left
                .as_ref()
                .map_or(Duration::ZERO, |(since, _)| since.elapsed());
            if waited > PATIENCE && !is_raised {
                is_raised = true;
                self.raise_in_policies(py);
            }
            if waited > MOST_PATIENCE {
                break None;
            }
        };
        let left = left.map(|(_, error)| error);
        // The last progress is seen too.
        let left = left.or_else(|| self.see(py).err());
        Ok((result, left))
    }

    fn look(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        if let Some(is_over) = &self.is_over
            && is_over.bind(py).call0()?.is_truthy()?
        {
            return Err(errors::exception(py, "Cancelled", ()));
        }
        self.see(py)
    }

    fn see(&self, py: Python<'_>) -> PyResult<()> {
        let Some(tell) = &self.tell else {
            return Ok(());
        };
        let progress = held(self.progress).take();
        progress.map_or(Ok(()), |progress| tell.call1(py, progress).map(drop))
    }

    /// Interrupts policies that do not return as the caller was.
    fn raise_in_policies(&self, py: Python<'_>) {
        let Some(hosts) = self.hosts else { return };
        let raised = py.import("kleroterion._errors").and_then(|module| {
            module
                .getattr("interrupt_threads")?
                .call1((hosts.threads(),))
        });
        drop(raised);
    }
}

/// Does work on a thread, while the caller looks for signals. Returns its result and what it said.
pub fn watched<T: Send + 'static>(
    py: Python<'_>,
    tell: Option<Py<PyAny>>,
    is_over: Option<Py<PyAny>>,
    work: impl FnOnce(&JobWatch<'_>) -> Result<T, JobError> + Send + 'static,
) -> PyResult<(T, Vec<String>)> {
    let interrupt: Arc<AtomicBool> = Arc::default();
    let progress: Arc<Mutex<Option<Progress>>> = Arc::default();
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let wait = Wait {
        interrupt: Arc::clone(&interrupt),
        progress: &progress,
        tell,
        is_over,
        hosts: None,
    };
    let (seen, heard) = (Arc::clone(&progress), Arc::clone(&said));
    let (found, left) = wait.until_done(py, move || {
        work(&JobWatch {
            progress: Some(Box::new(|progress: JobProgress<'_>| {
                if !matches!(progress, JobProgress::Ready) {
                    *held(&seen) = Some((progress.to_string(), 0, 0));
                }
            })),
            note: None,
            alert: Some(Box::new(|alert| held(&heard).push(alert.to_string()))),
            interrupt,
        })
    })?;
    match (found, left) {
        (_, Some(error)) => Err(error),
        (Some(Ok(found)), None) => Ok((found, held(&said).clone())),
        (Some(Err(error)), None) => Err(errors::of_job(py, error)),
        (None, None) => Err(errors::panicked(py)),
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
