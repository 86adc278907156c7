//! The clock of a generated or recorded stream.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep, sleep_until};

use crate::protocol::Batch;
use crate::source::{FeedError, Source};
use crate::watch::gauges::Gauge;
use crate::watch::{Stage, Watched};

/// The batches a second that look like a stream.
const A_SECOND: f64 = 20.0;

/// How often it is seen whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Lets the rounds of another source out at a pace. It never changes what they are.
pub struct Paced {
    inner: Box<dyn Source>,
    /// Persons a second; as fast as can be where `None`.
    pace: Option<f64>,
    /// Rounds that were let out before: they come at once.
    before: u64,
    let_out: Arc<Gauge>,
    watched: Arc<Watched>,
    /// The user wants to stop.
    stopped: Arc<AtomicBool>,
    started: Option<Instant>,
    persons: f64,
    ready: Option<Batch>,
}

impl Paced {
    /// `before`: rounds that are let out at once; `let_out` counts them.
    #[must_use]
    pub fn new(
        inner: Box<dyn Source>,
        pace: Option<f64>,
        before: u64,
        let_out: Arc<Gauge>,
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
            ready: None,
        }
    }
}

#[async_trait]
impl Source for Paced {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        let follows = self.let_out.get() >= self.before;
        if follows && self.started.is_none() {
            self.watched.enter(Stage::Following);
        }
        let pace = self.pace.filter(|_| follows);
        if self.ready.is_none() {
            let most = match pace {
                Some(pace) => (pace / A_SECOND).ceil() as usize,
                None if follows => persons,
                // No more than were let out before: a round has a person at least.
                None => (self.before - self.let_out.get()) as usize,
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
            let due = started + Duration::from_secs_f64(self.persons / pace);
            // Dropped here, the batch is kept.
            while Instant::now() < due && !self.stopped.load(Ordering::Relaxed) {
                sleep_until(due.min(Instant::now() + LOOK)).await;
            }
            self.persons += batch.persons().len() as f64;
        } else {
            // Those who watch are let in.
            sleep(Duration::ZERO).await;
        }
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let people = batch.persons().len() as u64;
        self.watched.gauges.accepted.add(people);
        self.let_out.set(batch.round_number(batch.rounds() - 1));
        Ok(self.ready.take())
    }

    fn left_over(&self) -> u64 {
        self.inner.left_over()
    }
}
