//! The pace of a generated or recorded stream.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep, sleep_until};

use crate::limits::STOP_LOOK;
use crate::watch::{Stage, Watched};
use kleroterion_core::protocol::Batch;
use kleroterion_core::source::{FeedError, Source};
use kleroterion_io::limits::LONGEST_WAIT;
use kleroterion_run::config::Pace;

/// The number of batches per second at which output looks like a stream.
const A_SECOND: f64 = 20.0;

/// The arrival of a batch's last person; `before` if it is unknown.
fn last_arrival(batch: &Batch, before: f64) -> f64 {
    let last = (batch.persons().len() as u32).checked_sub(1);
    let arrival = last.and_then(|last| batch.persons().shown(last).arrival());
    arrival.unwrap_or(before)
}

/// A source that hands out the rounds of another at a pace. It never changes the rounds.
pub struct Paced {
    inner: Box<dyn Source>,
    /// The pace of arrivals; `None` is as fast as possible.
    pace: Option<Pace>,
    /// The number of rounds that were handed out before. They come at once.
    before: u64,
    let_out: Arc<AtomicU64>,
    watched: Arc<Watched>,
    /// True once the user wants to stop.
    stopped: Arc<AtomicBool>,
    started: Option<Instant>,
    persons: f64,
    /// The arrival of the last person who was handed out at once, in seconds of the stream.
    origin: f64,
    ready: Option<Batch>,
}

impl Paced {
    /// Creates a paced source. The first `before` rounds are handed out at once; `let_out` counts
    /// all rounds handed out.
    #[must_use]
    pub fn new(
        inner: Box<dyn Source>,
        pace: Option<Pace>,
        before: u64,
        let_out: Arc<AtomicU64>,
        watched: Arc<Watched>,
        stopped: Arc<AtomicBool>,
    ) -> Self {
        Self {
            inner,
            pace,
            before,
            let_out,
            watched,
            stopped,
            started: None,
            persons: 0.0,
            origin: 0.0,
            ready: None,
        }
    }
}

#[async_trait]
impl Source for Paced {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        let let_out = self.let_out.load(Ordering::Relaxed);
        let follows = let_out >= self.before;
        if follows && self.started.is_none() {
            self.watched.enter(Stage::Following);
        }
        let pace = self.pace.filter(|_| follows);
        if self.ready.is_none() {
            let most = match pace {
                Some(Pace::Persons(pace)) => (pace / A_SECOND).ceil() as usize,
                // A round is let out when the last of it has arrived.
                Some(Pace::Arrivals { .. }) => 1,
                None if follows => persons,
                // No more than were let out before: a round has a person at least.
                None => (self.before - let_out) as usize,
            };
            self.ready = self.inner.next(persons.min(most).max(1)).await?;
        }
        let Some(batch) = &self.ready else {
            return Ok(None);
        };
        let started = match follows {
            true => *self.started.get_or_insert_with(Instant::now),
            false => Instant::now(),
        };
        if let Some(pace) = pace {
            let wait = match pace {
                Pace::Persons(pace) => self.persons / pace,
                Pace::Arrivals { speed } => {
                    (last_arrival(batch, self.origin) - self.origin) / speed
                }
            };
            let due = started + Duration::from_secs_f64(wait.min(LONGEST_WAIT));
            // Dropped here, the batch is kept.
            while Instant::now() < due && !self.stopped.load(Ordering::Relaxed) {
                sleep_until(due.min(Instant::now() + STOP_LOOK)).await;
            }
            self.persons += batch.persons().len() as f64;
        } else {
            self.origin = last_arrival(batch, self.origin);
            // Those who watch are let in.
            sleep(Duration::ZERO).await;
        }
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let people = batch.persons().len() as u64;
        self.watched.came(people);
        let last = batch.round_number(batch.rounds() - 1);
        self.let_out.store(last, Ordering::Relaxed);
        Ok(self.ready.take())
    }

    fn left_over(&self) -> u64 {
        self.inner.left_over()
    }
}
