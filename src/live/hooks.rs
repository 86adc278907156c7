//! What a live run hooks into its one replication: the stream that it plays and its observers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::arena::Watcher;
use crate::run::Hooks;
use crate::score::Witness;
use crate::source::Source;
use crate::trace::{Names, Post};
use crate::watch::Watched;
use crate::watch::gauges::LaneGauges;
use crate::watch::{CourseWitness, DecisionWitness};

/// The stream that a live run plays, and those who see what it does.
pub(super) fn hooks(
    watched: &Arc<Watched>,
    names: Names,
    source: Box<dyn Source>,
    reported: bool,
) -> Hooks {
    let seen = Arc::clone(watched);
    let rounds = Arc::clone(watched);
    let rates = Arc::clone(watched);
    Hooks {
        source: Some(source),
        witnesses: Some(Box::new(move |lane, scorers| {
            let post = Post {
                replication: 0,
                label: seen.labels[lane].to_string(),
                names: names.clone(),
            };
            let mut witnesses: Vec<Box<dyn Witness>> = vec![
                Box::new(DecisionWitness::new(&seen, lane, post)),
                Box::new(CourseWitness::new(&seen, lane, scorers)),
            ];
            if reported {
                witnesses.push(seen.outcomes.witness(lane));
            }
            witnesses
        })),
        reasons: true,
        timing: None,
        watcher: Some(Arc::new(Flow::new(watched))),
        rounds: Some(Box::new(move |shared| {
            let _ = rounds.rounds.set(Arc::clone(shared));
        })),
        rates: Some(Box::new(move |shared| {
            let _ = rates.rates.set(shared.clone());
        })),
    }
}

/// Notes who holds the stream back.
struct Flow {
    lanes: Vec<Arc<LaneGauges>>,
    watched: Arc<Watched>,
    held: Mutex<Option<(usize, Instant)>>,
}

impl Flow {
    fn new(watched: &Arc<Watched>) -> Self {
        Self {
            lanes: watched.gauges.lanes.clone(),
            watched: Arc::clone(watched),
            held: Mutex::default(),
        }
    }
}

impl Watcher for Flow {
    fn sent(&self, first_round: u64, persons: usize) {
        self.watched.gauges.handed.add(persons as u64);
        self.watched.handed.from_round(first_round);
    }

    fn waits(&self, lane: usize) {
        self.lanes[lane].waiting.add(1);
    }

    fn taken(&self, lane: usize) {
        self.lanes[lane].waiting.sub(1);
    }

    fn held(&self, lane: Option<usize>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((lane, since)) = held.take() {
            let micros = since.elapsed().as_micros() as u64;
            self.lanes[lane].held_back.add(micros);
            let (policy, seconds) = (&*self.watched.labels[lane], micros as f64 / 1e6);
            tracing::debug!(policy, seconds, "a lane held the stream back");
        }
        *held = lane.map(|lane| (lane, Instant::now()));
    }
}
