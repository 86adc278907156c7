//! The distribution of replications to threads, and the collection of results in order.

use std::collections::BTreeMap;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;

use tokio::runtime::Builder;
use tracing::{Instrument, Span, debug_span};

use super::error::RunError;
use super::played::Played;
use super::replication::{Hooks, Replication, play};
use super::settings::{Runtime, Settings};
use crate::config::Plan;
use crate::limits::MOST_REPLICATIONS_AHEAD;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::Layouts;

/// Hands out replications in order, but none too far ahead of those taken back.
struct Gate {
    state: Mutex<State>,
    moved: Condvar,
    ahead: u64,
    /// The number of the first replication that is not handed out.
    end: u64,
}

struct State {
    next: u64,
    /// The number of the first replication that was not played before. The first of all is played
    /// again in any case.
    played: u64,
    taken: u64,
    closed: bool,
}

impl Gate {
    fn new(numbers: &Range<u64>, played: u64, ahead: u64) -> Self {
        Self {
            state: Mutex::new(State {
                next: numbers.start,
                played,
                taken: numbers.start,
                closed: false,
            }),
            moved: Condvar::new(),
            ahead,
            end: numbers.end,
        }
    }

    /// The next replication to play.
    fn next(&self) -> Option<u64> {
        let state = locked(&self.state);
        let wait = |state: &mut State| !state.closed && state.next >= state.taken + self.ahead;
        let mut state = self
            .moved
            .wait_while(state, wait)
            .unwrap_or_else(PoisonError::into_inner);
        if state.closed || state.next >= self.end {
            return None;
        }
        let next = state.next;
        state.next = (next + 1).max(state.played);
        Some(next)
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut locked(&self.state));
        self.moved.notify_all();
    }
}

/// Plays the replications of these numbers but those of `before`; `fold` takes each in order until
/// it breaks: whatever comes after that is thrown away, be it an error. Stops at the first error
/// and, with what is under way ended early, at an interrupt.
pub(super) fn farm(
    plan: &Plan,
    settings: &Settings,
    numbers: Range<u64>,
    mut before: Played,
    mut fold: impl FnMut(Replication) -> Result<ControlFlow<()>, RunError>,
) -> Result<(), RunError> {
    let threads = settings.threads.max(1);
    let workers = match settings.runtime {
        Runtime::Current => (threads as u64).min(numbers.end - numbers.start),
        Runtime::Multi => 1,
    };
    let span = Span::current();
    let gate = Gate::new(
        &numbers,
        before.replications(),
        MOST_REPLICATIONS_AHEAD * workers,
    );
    let layouts: Vec<Arc<Layouts>> = plan.lanes.iter().map(|_| Arc::default()).collect();
    let (sender, results) = mpsc::sync_channel(workers as usize);
    thread::scope(|scope| {
        for worker in 0..workers {
            let sender = sender.clone();
            let (gate, layouts, span) = (&gate, &layouts, span.clone());
            let work = move || span.in_scope(|| work(plan, settings, layouts, gate, &sender));
            let spawned = thread::Builder::new().spawn_scoped(scope, work);
            match spawned {
                Ok(_) => {}
                Err(error) if worker == 0 => return Err(RunError::Start(error)),
                // The system gives no more: those that are there play all.
                Err(_) => break,
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = numbers.start;
        let mut outcome = Ok(ControlFlow::Continue(()));
        for (number, played) in results {
            let played = match number {
                0 => checked(played, &mut before),
                _ => played,
            };
            waiting.insert(number, played);
            while let Some(played) = waiting.remove(&next).or_else(|| {
                let goes_on = matches!(outcome, Ok(ControlFlow::Continue(())));
                goes_on
                    .then(|| taken(&mut before, next, settings))
                    .flatten()
            }) {
                if matches!(outcome, Ok(ControlFlow::Continue(()))) {
                    outcome = played.and_then(&mut fold);
                }
                next += 1;
                let over = !matches!(outcome, Ok(ControlFlow::Continue(())));
                gate.update(|state| {
                    state.taken = next;
                    state.closed |= over;
                });
            }
        }
        outcome.map(|_| ())
    })
}

/// A first replication that is the one that was played before, where one was.
fn checked(
    played: Result<Replication, RunError>,
    before: &mut Played,
) -> Result<Replication, RunError> {
    let played = played?;
    let is_cut_short = played
        .lanes
        .iter()
        .any(|lane| lane.ending == Ending::Interrupted);
    if before.replications() > 0 && !is_cut_short {
        before.check_first(&played)?;
    }
    Ok(played)
}

/// The replication of a number, where it was played before.
fn taken(
    before: &mut Played,
    number: u64,
    settings: &Settings,
) -> Option<Result<Replication, RunError>> {
    let was_played = number > 0 && number < before.replications();
    was_played.then(|| match settings.interrupt.load(Ordering::Relaxed) {
        true => Err(RunError::Interrupted),
        false => before.next().map_err(RunError::from),
    })
}

/// A replication that a worker played.
type Returned = (u64, Result<Replication, RunError>);

/// The runtime of an arena; `outside`: something of it has to do with clocks or the outside.
pub(super) fn runtime(settings: &Settings, outside: bool) -> io::Result<tokio::runtime::Runtime> {
    let mut builder = match settings.runtime {
        Runtime::Current => Builder::new_current_thread(),
        Runtime::Multi => Builder::new_multi_thread(),
    };
    if settings.runtime == Runtime::Multi {
        builder.worker_threads(settings.threads.max(1));
    }
    if outside {
        builder.enable_all();
    }
    builder.build()
}

fn work(
    plan: &Plan,
    settings: &Settings,
    layouts: &[Arc<Layouts>],
    gate: &Gate,
    results: &mpsc::SyncSender<Returned>,
) {
    // Only programs have pipes, and a limit to their silence.
    let outside =
        plan.lanes.iter().any(|lane| lane.policy.outside.is_some()) || plan.feedback.is_outside();
    let runtime = match runtime(settings, outside) {
        Ok(runtime) => runtime,
        Err(error) => {
            if let Some(number) = gate.next() {
                drop(results.send((number, Err(RunError::Start(error)))));
            }
            return;
        }
    };
    while let Some(number) = gate.next() {
        let interrupted = settings.interrupt.load(Ordering::Relaxed);
        if interrupted && number > 0 {
            break;
        }
        let hooks = Hooks {
            layouts: layouts.to_vec(),
            ..Hooks::default()
        };
        let played = runtime.block_on(
            play(plan, settings, number, hooks).instrument(debug_span!("replication", number)),
        );
        if results.send((number, played)).is_err() {
            break;
        }
    }
}
