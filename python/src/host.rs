//! The kind of policy `host`: an object of the Python program that runs the library.
//!
//! A lane holds the interpreter for a whole batch, because attaching to it for each decision costs
//! more than most decisions. A policy that raises unwinds to the end of its lane without a panic's
//! message, and its exception is kept with its traceback.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use kleroterion::arena::{Act, CannotBegin, Lane, LaneState, Need, Play, Prototype, Remote, Seat};
use kleroterion::catalog::Ready;
use kleroterion::catalog::param::Shape;
use kleroterion::document::{ConfigKey, Later};
use kleroterion::protocol::{Batch, Ending, Ledger, Outcome, Persons, Shown, Stop, Truth, View};
use kleroterion::registry::PolicyKind;
use kleroterion::{Registry, keys};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::view::{Candidate, Outcome as PyOutcome, View as PyView};
use super::{errors, moves};

/// The name of the kind in configs.
const HOST: &str = "host";

const CLASS: ConfigKey<String> = ConfigKey::text("class")
    .about("the class or function that decides, as module.Name")
    .needed_like("class = \"mine.Greedy\"");
const SOURCE: ConfigKey<String> =
    ConfigKey::text("source").about("the hash of its source text, if it has one");
const LABEL: ConfigKey<Later> = ConfigKey::later("label", Shape::Text);

/// The policies of a run, by label, and what became of them.
#[derive(Default)]
pub struct Hosts {
    /// For each, a function that makes the policy of one replication.
    factories: BTreeMap<String, Py<PyAny>>,
    /// True to end the run at the first error of a policy.
    raises: bool,
    /// True where configs are only read, and no policy plays.
    only_read: bool,
    /// Ends the run.
    interrupt: Arc<AtomicBool>,
    failure: Mutex<Option<Failure>>,
    threads: Mutex<BTreeSet<u64>>,
}

/// The first failure of a policy.
struct Failure {
    label: String,
    replication: u64,
    round: Option<u64>,
    why: Why,
}

enum Why {
    Raised(PyErr),
    Foul(String),
}

impl Hosts {
    /// The policies of a run, each a label and a function that makes one for a replication. With
    /// `raises` the first error of a policy ends the run by its interrupt.
    pub fn of(
        factories: impl Iterator<Item = (String, Py<PyAny>)>,
        raises: bool,
        interrupt: &Arc<AtomicBool>,
    ) -> Arc<Self> {
        Arc::new(Self {
            factories: factories.collect(),
            raises,
            interrupt: Arc::clone(interrupt),
            ..Self::default()
        })
    }

    /// No policies: configs are only read.
    pub fn absent() -> Arc<Self> {
        Arc::new(Self {
            only_read: true,
            ..Self::default()
        })
    }

    /// The names of the threads on which policies played.
    pub fn threads(&self) -> Vec<u64> {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.iter().copied().collect()
    }

    /// The exception for the first failure, if one is to be raised.
    pub fn raised(&self, py: Python<'_>) -> Option<PyErr> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let Failure {
            label,
            replication,
            round,
            why,
        } = failure.take().filter(|_| self.raises)?;
        Some(match why {
            Why::Foul(what) => {
                errors::exception(py, "PolicyFoul", (label, replication, round, what))
            }
            Why::Raised(cause) => {
                let what = cause.to_string();
                let error = errors::exception(py, "PolicyError", (label, replication, round, what));
                error.set_cause(py, Some(cause));
                error
            }
        })
    }

    fn fail(&self, failure: Failure) {
        let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(failure);
        if self.raises {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }
}

/// The built-in kinds, and the policies of a program.
pub fn registry(hosts: &Arc<Hosts>) -> Registry {
    let hosts = Arc::clone(hosts);
    let about = "an object of the program that runs the library";
    let kind = PolicyKind::ready(HOST, about, move |table, brief| {
        let (class, source) = (CLASS.value(table), SOURCE.read(table));
        let field = LABEL.param.again(table);
        let label = field.text()?;
        if !hosts.only_read && !hosts.factories.contains_key(label) {
            let what =
                format!("the policy {label:?} is an object of a program, which was not handed in");
            let help = "hand it in under this label: policies={...}";
            return field.refused(what, help);
        }
        let hello = kleroterion::seat::hello(label, brief)?;
        let kinds = hello.rules.interviews.iter();
        source.unless_bad()?;
        Some(Ready::new(Box::new(Host {
            hosts: Arc::clone(&hosts),
            label: label.to_owned(),
            class: class?,
            kinds: kinds.map(|kind| kind.name.clone()).collect(),
            brief: serde_json::to_string(&hello).ok()?,
        })))
    });
    let all = Registry::default().policy(kind.with(keys![CLASS, SOURCE]));
    all.unwrap_or_default()
}

/// A policy of the program, ready to play.
struct Host {
    hosts: Arc<Hosts>,
    label: String,
    class: String,
    /// The names of the kinds of interviews.
    kinds: Arc<[String]>,
    /// What it may know, as JSON.
    brief: String,
}

impl Host {
    fn begin(&self, py: Python<'_>, state: &LaneState) -> PyResult<HostSeat> {
        // Below 2^53, as a program at a seat gets it.
        let seed = state.draw().word() >> 11;
        let arguments = (&self.brief, seed, state.replication());
        let factory = self.hosts.factories.get(&self.label);
        let absent = || PyRuntimeError::new_err("the policy was not handed in");
        let policy = factory.ok_or_else(absent)?.bind(py).call1(arguments)?;
        let method = |name| {
            let found = policy.getattr_opt(name)?;
            PyResult::Ok(found.filter(|method| !method.is_none()).map(Bound::unbind))
        };
        Ok(HostSeat {
            act: method("act")?,
            score: method("score")?,
            learn: method("learn")?,
            decline: method("decline")?,
            now: Arc::default(),
            kinds: Arc::clone(&self.kinds),
            hosts: Arc::clone(&self.hosts),
            label: self.label.clone(),
            replication: state.replication(),
        })
    }
}

impl Prototype for Host {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        Python::attach(|py| match self.begin(py, &state) {
            Ok(seat) => Ok(Box::new(HostLane {
                now: Arc::clone(&seat.now),
                score: seat.score.as_ref().map(|score| score.clone_ref(py)),
                hosts: Arc::clone(&self.hosts),
                label: self.label.clone(),
                lane: Lane::new(seat, state),
            }) as Box<dyn Play>),
            Err(error) => {
                let what = raised(py, &error);
                self.hosts.fail(Failure {
                    label: self.label.clone(),
                    replication: state.replication(),
                    round: None,
                    why: Why::Raised(error),
                });
                Err(format!("{}: {what}", self.class).into())
            }
        })
    }
}

/// What an exception is, without its words, which may be of people.
fn raised(py: Python<'_>, error: &PyErr) -> String {
    let name = error.get_type(py).name();
    let name = name.map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    format!("it raised {name}")
}

/// What a lane knows of the batch that it plays.
#[derive(Default)]
struct Now {
    /// The first round of the batch, and what is shown of its people.
    batch: Option<(u64, Arc<Persons>)>,
    /// The score of each of them.
    scores: Vec<f64>,
}

/// A lane that holds the interpreter while it plays a batch.
struct HostLane {
    lane: Lane<HostSeat>,
    now: Arc<Mutex<Now>>,
    score: Option<Py<PyAny>>,
    hosts: Arc<Hosts>,
    label: String,
}

impl HostLane {
    /// Takes the people of a batch that is new, and their scores.
    fn take(&mut self, py: Python<'_>, batch: &Batch) -> PyResult<()> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let first = batch.round_number(0);
        if now.batch.as_ref().is_some_and(|(round, _)| *round == first) {
            return Ok(());
        }
        let persons = Arc::new(batch.persons().clone());
        if let Some(score) = &self.score {
            now.scores = scores(py, score, &persons)?;
        }
        now.batch = Some((first, persons));
        drop(now);
        let ident = py.import("threading")?.call_method0("get_ident")?;
        let mut threads = self
            .hosts
            .threads
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        threads.insert(ident.extract()?);
        Ok(())
    }

    fn failed(&mut self, round: Option<u64>, why: Why) {
        self.hosts.fail(Failure {
            label: self.label.clone(),
            replication: self.lane.state().replication(),
            round,
            why,
        });
    }
}

impl Play for HostLane {
    fn play(&mut self, batch: &Arc<Batch>, ledger: &mut Ledger) -> Need {
        Python::attach(|py| {
            if let Err(error) = self.take(py, batch) {
                let stop = Stop::because(Ending::Panicked, raised(py, &error));
                self.failed(Some(batch.round_number(0)), Why::Raised(error));
                return Need::End(stop);
            }
            let need = self.lane.play(batch, ledger);
            if let Need::End(stop) = &need
                && stop.ending == Ending::Disqualified
            {
                let what = stop.detail.clone().unwrap_or_default();
                self.failed(None, Why::Foul(what));
            }
            need
        })
    }

    fn state(&mut self) -> &mut LaneState {
        self.lane.state()
    }

    fn mailbox(&mut self) -> Option<&mut Remote> {
        None
    }
}

/// The scores of the people of a batch. The function takes and gives bytes: `_policies.py` makes
/// arrays of them.
fn scores(py: Python<'_>, score: &Py<PyAny>, persons: &Persons) -> PyResult<Vec<f64>> {
    let (many, schema) = (persons.len(), persons.schema());
    let codes: Vec<u8> = persons
        .values()
        .iter()
        .flat_map(|code| code.to_ne_bytes())
        .collect();
    let features = persons.features().iter();
    let features: Vec<u8> = features.flat_map(|number| number.to_ne_bytes()).collect();
    let scores = score.bind(py).call1((
        PyBytes::new(py, &codes),
        schema.attributes().len(),
        PyBytes::new(py, &features),
        schema.features().len(),
        many,
    ))?;
    let scores = scores.cast::<PyBytes>()?;
    let scores = scores.as_bytes().chunks_exact(8);
    let number = |bytes: &[u8]| bytes.try_into().map_or(f64::NAN, f64::from_ne_bytes);
    Ok(scores.map(number).collect())
}

/// The seat of a policy of the program.
struct HostSeat {
    act: Option<Py<PyAny>>,
    score: Option<Py<PyAny>>,
    learn: Option<Py<PyAny>>,
    decline: Option<Py<PyAny>>,
    now: Arc<Mutex<Now>>,
    kinds: Arc<[String]>,
    hosts: Arc<Hosts>,
    label: String,
    replication: u64,
}

impl HostSeat {
    fn ask(&self, py: Python<'_>, view: &mut View<'_>) -> PyResult<Act> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(act) = &self.act else {
            let slate = view.slate();
            let scores = (0..slate.len()).map(|slot| now.scores[slate.row(slot) as usize]);
            let places = (view.places().min, view.places().max);
            let choice = match slate.len() {
                1 => moves::by_scores(&[now.scores[slate.row(0) as usize]], places),
                _ => moves::by_scores(&scores.collect::<Vec<f64>>(), places),
            };
            return Ok(Act::Moves(choice));
        };
        let Some((_, persons)) = &now.batch else {
            return Ok(Act::Forfeits);
        };
        let shown = Bound::new(py, PyView::of(view, persons))?;
        drop(now);
        let answer = act.bind(py).call1((&shown,))?;
        let mut shown = shown.borrow_mut();
        let choice = moves::read(&answer, &mut shown, &self.kinds)?;
        shown.give_back(view);
        Ok(Act::Moves(choice))
    }

    /// Ends the lane, without a panic's message.
    fn fail(&self, py: Python<'_>, round: u64, error: PyErr) -> ! {
        let what = raised(py, &error);
        self.hosts.fail(Failure {
            label: self.label.clone(),
            replication: self.replication,
            round: Some(round),
            why: Why::Raised(error),
        });
        resume_unwind(Box::new(what))
    }
}

impl Seat for HostSeat {
    fn act(&mut self, view: &mut View<'_>, _: &Truth<'_>) -> Act {
        let round = view.round();
        Python::attach(|py| {
            let acted = self.ask(py, view);
            acted.unwrap_or_else(|error| self.fail(py, round, error))
        })
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        let Some(learn) = &self.learn else { return };
        Python::attach(|py| {
            let learnt = PyOutcome::of(py, outcome);
            let learnt = learnt.and_then(|outcome| learn.bind(py).call1((outcome,)));
            if let Err(error) = learnt {
                self.fail(py, outcome.decided(), error);
            }
        });
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        let Some(decline) = &self.decline else { return };
        Python::attach(|py| {
            let heard = decline.bind(py).call1((round, Candidate::of(person)));
            if let Err(error) = heard {
                self.fail(py, round, error);
            }
        });
    }
}
