//! Live runs in the process: people come from the program, or over HTTP.
//!
//! The run plays on a thread of its own. A person who is sent waits in a bounded channel, and the
//! caller waits with them, looking for signals meanwhile.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::Duration;

use kleroterion::feed::{Awaited, Fate, MemorySender, Taken, Transport, memory_feed};
use kleroterion::jobs::{FinishedLive, JobError, JobRequest, JobWatch, LiveHooks, LiveJob};
use kleroterion::jobs::{LiveOptions, RunFault};
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::secrets::Secrets;
use kleroterion::trace::Decision;
use kleroterion::watch::{DecidedRound, WaitFor, Watched};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::errors;
use super::fates::{FateParts, Fates, person, refusal};
use super::host::Hosts;
use super::play::{LOOK, Played, Progress, Wait, held};
use super::records::record;
use super::request::Asked;
use super::wait::awaited;

/// The most people who are sent together.
const AT_ONCE: usize = 1024;
/// The most sendings of a feed whose fates are not known yet.
const AHEAD: usize = 16;

/// The result of a live run.
type Ended = Result<FinishedLive, JobError>;

/// The addresses of the feed and of the board, where they listen.
type Addresses = (Option<String>, Option<String>);

/// A decision that counts: the round, the policy, the word or else the ending of the policy, the
/// probability, and the terms of the reason.
type Decided = (
    u64,
    String,
    Option<&'static str>,
    Option<String>,
    Option<f64>,
    Vec<(String, Option<f64>)>,
);

/// A live run.
#[pyclass(module = "kleroterion._klero", name = "Live", frozen)]
pub struct Live {
    /// The sender of people; `None` once it is closed, and where they come over HTTP.
    sender: Mutex<Option<MemorySender>>,
    watched: Arc<Watched>,
    #[pyo3(get)]
    addresses: Addresses,
    /// The number of people who may wait.
    queue: usize,
    interrupt: Arc<AtomicBool>,
    hosts: Arc<Hosts>,
    notes: Arc<Mutex<Vec<String>>>,
    ended: Mutex<Option<Receiver<Ended>>>,
    played: Mutex<Option<Py<Played>>>,
    is_written: bool,
}

/// The fate of a person who was sent.
enum Sent {
    /// The run takes no more.
    Over,
    /// It was not taken, for this reason.
    Refused(String),
    /// It was taken or left out, and no decision on it alone is to come.
    Taken,
    /// The decisions of its round.
    Decided(u64, DecidedRound),
}

#[pymethods]
impl Live {
    /// Begins a live run. `queue` people may wait. Without it they come over HTTP, with a board,
    /// and requests show the token.
    #[new]
    fn new(
        py: Python<'_>,
        asked: Asked,
        queue: Option<usize>,
        token: Option<String>,
    ) -> PyResult<Self> {
        let interrupt: Arc<AtomicBool> = Arc::default();
        let hosts = asked.hosts(py, &interrupt);
        let queue = queue.map(|most| most.max(1));
        let mut request = asked.request(py, &hosts)?;
        let sender = queue.map(|most| {
            let (sender, feed) = memory_feed(most);
            request.inputs = request.inputs.clone().with_feed(feed);
            sender
        });
        let secrets = Secrets {
            token: token.map(Into::into),
            ..Secrets::default()
        };
        request.inputs = request.inputs.clone().with_secrets(secrets);
        let is_written = asked.out.is_some();
        let comes_from_memory = sender.is_some();
        let notes: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&notes);
        let stopped = Arc::clone(&interrupt);
        let (begin, begun) = sync_channel(1);
        let (end, ended) = channel();
        let work = move || {
            let hooks = hooks(begin);
            let played = load(&asked, request, comes_from_memory)
                .and_then(|job| job.play(&watch(heard, stopped), hooks));
            // The caller may be gone.
            drop(end.send(played));
        };
        let spawned = Builder::new().name("klero live".to_owned()).spawn(work);
        spawned.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let (watched, addresses) = match until_begun(py, begun) {
            Ok(Some(begun)) => begun,
            Ok(None) => return Err(not_begun(py, &ended)),
            Err(error) => {
                interrupt.store(true, Ordering::Relaxed);
                return Err(error);
            }
        };
        Ok(Self {
            sender: Mutex::new(sender),
            watched,
            addresses,
            queue: queue.unwrap_or_default(),
            interrupt,
            hosts,
            notes,
            ended: Mutex::new(Some(ended)),
            played: Mutex::new(None),
            is_written,
        })
    }

    /// Sends a person or another record, which errors call `place`. Returns the decision that
    /// counts, where one is to come on a person alone.
    fn send(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        place: &str,
    ) -> PyResult<Option<Decided>> {
        let record = record(given, place)?;
        let (sender, watched) = (self.sender(py)?, &self.watched);
        let sent = awaited(py, async move {
            let Some(awaited) = sender.send(record).await else {
                return Sent::Over;
            };
            match awaited.fate().await {
                None | Some(Fate::Answered(Taken::Over)) => Sent::Over,
                Some(fate) => match (refusal(&fate), person(&fate)) {
                    (Some(why), _) => Sent::Refused(why),
                    (None, Some(person)) if watched.one_by_one && watched.acting.is_some() => {
                        let round = person + 1;
                        Sent::Decided(round, watched.decided(round, WaitFor::Acting).await)
                    }
                    _ => Sent::Taken,
                },
            }
        })?;
        if let Some(error) = self.hosts.raised(py) {
            return Err(error);
        }
        match sent {
            Sent::Taken | Sent::Decided(_, DecidedRound::Forgotten) => Ok(None),
            Sent::Refused(why) => Err(refused(py, place, why)),
            Sent::Over | Sent::Decided(_, DecidedRound::Over) => Err(self.over(py)),
            Sent::Decided(round, DecidedRound::Decided(decisions)) => {
                let acts = decisions.iter().find(|one| one.acts);
                Ok(Some(match acts {
                    Some(one) => decided(round, &one.event.decision),
                    None => self.ended_before(round),
                }))
            }
        }
    }

    /// Sends people, and waits until each is taken or refused. It ends where the run is over.
    fn feed(&self, py: Python<'_>, people: &Bound<'_, PyAny>) -> PyResult<FateParts> {
        let sender = self.sender(py)?;
        let mut people = people.try_iter()?.enumerate();
        let mut fates = Fates::default();
        // While some are decided about, the next are read.
        let mut waiting: VecDeque<(Vec<usize>, Awaited)> = VecDeque::with_capacity(AHEAD);
        let mut is_open = true;
        while is_open || !waiting.is_empty() {
            if is_open && waiting.len() < AHEAD {
                let (places, records) = self.some(py, &mut people, &mut fates)?;
                is_open = !places.is_empty();
                if !is_open {
                    continue;
                }
                let sent = awaited(py, sender.send_all(records))?;
                fates.over |= sent.is_none();
                waiting.extend(sent.map(|sent| (places, sent)));
            } else if let Some((places, sent)) = waiting.pop_front() {
                fates.add(places, awaited(py, sent.fates())?);
                if let Some(error) = self.hosts.raised(py) {
                    return Err(error);
                }
            }
            is_open &= !fates.over;
        }
        Ok(fates.parts())
    }

    /// The comparisons as they are now, as JSON, and the answer so far.
    fn verdicts(&self, py: Python<'_>) -> PyResult<(String, Option<String>)> {
        let (pairs, answer) = py.detach(|| {
            let found = self.watched.so_far(&self.watched.cut());
            let pairs = serde_json::to_string(&found.pairs);
            (pairs, found.answer.map(|answer| answer.headline))
        });
        let pairs = pairs.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok((pairs, answer))
    }

    /// The number of people who came.
    #[getter]
    fn people(&self) -> u64 {
        self.watched.gauges.accepted.get()
    }

    /// Ends the stream, waits until all who came are decided about, and returns the run.
    fn close(&self, py: Python<'_>) -> PyResult<Py<Played>> {
        if let Some(played) = &*held(&self.played) {
            return Ok(played.clone_ref(py));
        }
        match held(&self.sender).take() {
            Some(sender) => drop(sender),
            None => self.interrupt.store(true, Ordering::Relaxed),
        }
        let ended = held(&self.ended).take();
        let ended = ended.ok_or_else(|| failed(py, "the run ended with an error"))?;
        let nothing: Mutex<Option<Progress>> = Mutex::new(None);
        let wait = Wait {
            interrupt: Arc::clone(&self.interrupt),
            progress: &nothing,
            tell: None,
            is_over: None,
            hosts: Some(&self.hosts),
        };
        let (live, left) = wait.until_done(py, move || ended.recv())?;
        if let Some(error) = left.or_else(|| self.hosts.raised(py)) {
            return Err(error);
        }
        let live = match live {
            Some(Ok(Ok(live))) => live,
            Some(Ok(Err(error))) => return Err(errors::of_job(py, error)),
            _ => return Err(errors::panicked(py)),
        };
        let mut notes = held(&self.notes).clone();
        notes.extend(live.notes);
        let faults = live.job.faults(false).into_iter();
        notes.extend(faults.map(|RunFault { what, .. }| what));
        let played = Py::new(py, Played::of(live.job, notes, self.is_written))?;
        *held(&self.played) = Some(played.clone_ref(py));
        Ok(played)
    }
}

impl Live {
    fn sender(&self, py: Python<'_>) -> PyResult<MemorySender> {
        let sender = held(&self.sender).clone();
        sender.ok_or_else(|| failed(py, "the stream is closed: begin another"))
    }

    /// The next people as records, with their places. Those that can't be written are refused.
    fn some<'py>(
        &self,
        py: Python<'py>,
        people: &mut impl Iterator<Item = (usize, PyResult<Bound<'py, PyAny>>)>,
        fates: &mut Fates,
    ) -> PyResult<(Vec<usize>, Vec<Vec<u8>>)> {
        py.check_signals()?;
        let most = self.queue.min(AT_ONCE);
        let (mut places, mut records) = (Vec::with_capacity(most), Vec::with_capacity(most));
        while records.len() < most
            && let Some((place, person)) = people.next()
        {
            match record(&person?, format_args!("people[{place}]")) {
                Ok(record) => {
                    places.push(place);
                    records.push(record);
                }
                Err(error) if errors::is(py, "ConfigError", &error) => {
                    fates.refuse(place, error.into_value(py).into_any());
                }
                Err(error) => return Err(error),
            }
        }
        Ok((places, records))
    }

    /// The error of a record that comes too late.
    fn over(&self, py: Python<'_>) -> PyErr {
        let news = self.watched.acting_news();
        let why = news.unwrap_or_else(|| "no policy plays any more".to_owned());
        failed(py, &format!("the run is over: {why}; close() returns it"))
    }

    /// The decision of an acting policy that ended before.
    fn ended_before(&self, round: u64) -> Decided {
        let lane = self.watched.acting.unwrap_or_default();
        let ending = self.watched.ending_of(lane);
        let ending = ending.map(|stop| stop.ending.word().to_owned());
        let label = self.watched.labels[lane].to_string();
        (round, label, None, ending, None, Vec::new())
    }
}

/// The job of a live run, which is in a folder or in memory.
fn load(asked: &Asked, request: JobRequest, from_memory: bool) -> Result<LiveJob, JobError> {
    let options = LiveOptions {
        board: !from_memory,
        decisions: asked.decisions,
        ..LiveOptions::default()
    };
    let mut job = match &asked.out {
        Some(folder) => LiveJob::load(request, folder, asked.force, options)?,
        None => LiveJob::in_memory(request, options)?,
    };
    if let Some(threads) = asked.threads {
        job.settings.threads = threads.max(1);
    }
    let feed = job.run.plan.world.feed.as_ref();
    let is_memory = feed.is_some_and(|feed| matches!(feed.transport, Transport::Memory(_)));
    let problem = match (from_memory, is_memory) {
        (true, false) => {
            let what = "a stream takes people from the program, and this source is another";
            Some((what, "give source.type = \"memory\""))
        }
        (true, true) if job.run.plan.live.asks_people() => {
            let what = "people answer interviews in this run, which a stream has no page for";
            Some((what, "use kl.serve"))
        }
        _ => None,
    };
    match problem {
        Some((what, help)) => Err(Problem::new(Place::Key("source".into()), what)
            .help(help)
            .into()),
        None => Ok(job),
    }
}

fn watch(notes: Arc<Mutex<Vec<String>>>, interrupt: Arc<AtomicBool>) -> JobWatch<'static> {
    let heard = Arc::clone(&notes);
    JobWatch {
        progress: None,
        note: Some(Box::new(move |note: &str| {
            held(&notes).push(note.to_owned())
        })),
        alert: Some(Box::new(move |alert| held(&heard).push(alert.to_string()))),
        interrupt,
    }
}

/// The news of a run that has begun.
type Begun = (Arc<Watched>, Addresses);

fn hooks(begin: std::sync::mpsc::SyncSender<Begun>) -> LiveHooks<'static> {
    let (see, seen) = channel();
    LiveHooks {
        watching: Box::new(move |watched| drop(see.send(watched))),
        listening: Box::new(move |listening| {
            let url = |address: Option<std::net::SocketAddr>| {
                address.map(|address| format!("http://{address}"))
            };
            let addresses = (url(listening.feed), url(listening.board));
            if let Ok(watched) = seen.try_recv() {
                drop(begin.send((watched, addresses)));
            }
        }),
        ..LiveHooks::default()
    }
}

/// Waits until the run has begun. `None` if it never does.
fn until_begun(py: Python<'_>, mut begun: Receiver<Begun>) -> PyResult<Option<Begun>> {
    loop {
        let got;
        (begun, got) = py.detach(move || {
            let got = begun.recv_timeout(LOOK);
            (begun, got)
        });
        match got {
            Ok(begun) => return Ok(Some(begun)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// The error of a run that did not begin.
fn not_begun(py: Python<'_>, ended: &Receiver<Ended>) -> PyErr {
    match ended.recv_timeout(Duration::from_secs(1)) {
        Ok(Err(error)) => errors::of_job(py, error),
        _ => errors::panicked(py),
    }
}

/// The exception for a record that was refused.
fn refused(py: Python<'_>, place: &str, why: String) -> PyErr {
    let help = "nothing of it was taken, and the stream goes on: send it set right";
    let problem = Problem::new(Place::Key(place.to_owned()), why).help(help);
    errors::config_error(py, &Problems::from(problem), None)
}

fn failed(py: Python<'_>, what: &str) -> PyErr {
    errors::exception(py, "RunError", (what.to_owned(),))
}

fn decided(round: u64, decision: &Decision) -> Decided {
    let word = match (decision.forfeit, decision.chosen.is_empty()) {
        (true, _) => "forfeit",
        (false, true) if !decision.declined.is_empty() => "declined",
        (false, true) => "not_selected",
        (false, false) => "selected",
    };
    let reason = decision.reason.iter();
    let reason = reason.map(|(name, value)| (name.to_string(), *value));
    let policy = decision.policy.to_string();
    (
        round,
        policy,
        Some(word),
        None,
        decision.p,
        reason.collect(),
    )
}
