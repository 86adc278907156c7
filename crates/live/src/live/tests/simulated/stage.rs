//! The lanes of a life in which programs play: those of a live run, in its arena.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::cast::{Cast, PROGRAMS};
use super::faults::DEADLINE;
use super::memory::{self, AT_ONCE, SeatPlant};
use super::parts::Parts;

use super::promises::Shown;
use crate::live::hooks::{Joining, hooks};
use crate::live::notes::LiveNotes;
use crate::live::stream::LiveStream;
use crate::watch::{Stage, Watched};
use kleroterion_core::protocol::Batch;
use kleroterion_core::score::LaneResult;
use kleroterion_core::source::{FeedError, Source};
use kleroterion_io::seat::PROGRAM_GRACE;
use kleroterion_io::trace::Names;
use kleroterion_run::config::Plan;
use kleroterion_run::run::{Settings, play_one};

/// The time that the first new decision of a policy may take in a life: its program starts, and all
/// rounds before are played.
const AT_FIRST: Duration = Duration::from_secs(180);

/// The rounds of the journal at the start of a life.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownRounds {
    /// The last round whose decision is committed.
    pub(super) committed: u64,
    /// The last round that all lanes are known to have decided.
    pub(super) noted: u64,
}

/// The time at which each round was given out to the lanes.
pub(super) type GivenOut = Arc<Mutex<BTreeMap<u64, Instant>>>;

/// A stream that notes when it gives out its rounds.
pub(super) struct TimedStream {
    pub(super) stream: LiveStream,
    pub(super) given: GivenOut,
}

#[async_trait]
impl Source for TimedStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        let next = self.stream.next(persons).await?;
        if let Some(batch) = &next {
            let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
            let rounds = 0..batch.rounds();
            given.extend(rounds.map(|round| (batch.round_number(round), Instant::now())));
        }
        Ok(next)
    }

    fn left_over(&self) -> u64 {
        self.stream.left_over()
    }
}

/// The pace of decisions.
struct Pace {
    given: GivenOut,
    /// The last round that was decided before this life.
    known: u64,
    last: Instant,
    /// The policy whose decision counted last, among new decisions.
    by: Option<Arc<str>>,
}

impl Pace {
    fn new(given: GivenOut, known: u64) -> Self {
        Self {
            given,
            known,
            last: Instant::now(),
            by: None,
        }
    }

    /// Checks the time of a decision that is shown.
    fn hold(&mut self, round: u64, by: &Arc<str>) -> Result<(), String> {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let since = given
            .get(&round)
            .copied()
            .map_or(self.last, |given| given.max(self.last));
        self.last = Instant::now();
        if round <= self.known {
            return Ok(());
        }
        let is_first = self.by.replace(Arc::clone(by)).as_ref() != Some(by);
        let most = match PROGRAMS.contains(&&**by) {
            _ if is_first => AT_FIRST,
            // Where its output ends, how it ended is waited for.
            true => DEADLINE + PROGRAM_GRACE + AT_ONCE,
            false => AT_ONCE,
        };
        let took = self.last - since;
        match took <= most {
            true => Ok(()),
            false => Err(format!("round {round}: the decision of {by} took {took:?}")),
        }
    }
}

/// A life that is to be played.
pub(super) struct Staging {
    pub(super) plan: Arc<Plan>,
    pub(super) cast: Cast,
    pub(super) watched: Arc<Watched>,
    pub(super) notes: Arc<LiveNotes>,
    /// True once the stream ends because the user stopped it.
    pub(super) interrupt: Arc<AtomicBool>,
    /// The last round without deadlines, in a replay.
    pub(super) before: Option<u64>,
    pub(super) plant: Option<SeatPlant>,
}

impl Staging {
    /// Plays the stream to its end. Returns the lanes' results.
    pub(super) async fn play(self, stream: TimedStream) -> Result<Vec<LaneResult>, String> {
        let joining = Joining {
            elsewhere: Vec::new(),
            joined: 0,
            without: Vec::new(),
            before: self.before,
            interviewing: None,
        };
        let source = Box::new(stream);
        let names = Names::default();
        let mut hooks = hooks(
            &self.plan,
            &self.watched,
            &self.notes,
            names,
            source,
            joining,
        );
        memory::watch(&mut hooks, &self.cast, &self.notes, self.plant);
        let settings = Settings {
            batch: Some(1),
            interrupt: self.interrupt,
            ..Settings::default()
        };
        let played = play_one(&self.plan, &settings, hooks).await;
        self.watched.enter(Stage::Over);
        self.notes.end();
        let played = played.map_err(|error| error.to_string())?;
        Ok(played.lanes)
    }
}

/// Notes the decisions shown: the acting policy's once committed, and those of all lanes once the
/// journal has them. A new decision must come within its deadline.
pub(super) async fn show(parts: Parts, given: GivenOut, known: KnownRounds) {
    let decisions = &parts.watched.decisions;
    let mut acted = parts.watched.watch_acted();
    let mut noted = parts.watched.watch_shown();
    let mut news = decisions.watch();
    let (mut shown, mut merged) = (0, known.noted);
    let mut pace = Pace::new(given, known.committed);
    loop {
        let until = *acted.borrow_and_update();
        let noted_until = *noted.borrow_and_update();
        news.mark_unchanged();
        if !parts.disk.has_power() {
            return;
        }
        let before = (shown, merged);
        while shown < until {
            let Some(counts) = decisions.so_far(shown + 1) else {
                break;
            };
            shown += 1;
            let Some(counts) = counts.into_iter().find(|decision| decision.acts) else {
                return parts
                    .promises
                    .wrong(format!("no decision counts in round {shown}"));
            };
            parts.promises.show(shown, &counts.slots);
            if let Err(wrong) = pace.hold(shown, &parts.watched.labels[counts.lane]) {
                return parts.promises.wrong(wrong);
            }
        }
        while merged < noted_until {
            let Some(all) = decisions.of_round(merged + 1) else {
                break;
            };
            merged += 1;
            let all = all.into_iter().map(|one| Shown {
                policy: parts.watched.labels[one.lane].to_string(),
                slots: one.slots.clone(),
                is_late: one.event.decision.forfeit,
            });
            parts.promises.give(merged, all.collect());
        }
        if before != (shown, merged) {
            parts.hold_at_worst();
        }
        tokio::select! {
            biased;
            changed = acted.changed() => if changed.is_err() { return },
            changed = noted.changed() => if changed.is_err() { return },
            changed = news.changed() => if changed.is_err() { return },
        }
    }
}
