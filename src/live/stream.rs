//! What has come from outside, as a source: rounds in the order of the journal.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::draw::Key;
use crate::feed::{CandidateRecord, FeedSpec};
use crate::protocol::{Batch, Report, SealedOutcomes};
use crate::source::{FeedError, Households, Source};
use crate::watch::Watched;

/// One thing that came, committed.
#[derive(Clone, Debug)]
pub enum Arrival {
    /// A person.
    Candidate(CandidateRecord),
    /// An outcome of a person, reported before the round that is filled next.
    Report(Report),
}

impl Arrival {
    /// What became of a person, noted for those who watch, on its way to the lanes.
    pub(super) fn report(watched: &Watched, report: Report) -> Self {
        watched.outcomes.tell(report.clone());
        Self::Report(report)
    }
}

/// Why a stream from outside ended, set before its channel closes.
#[derive(Debug, Default)]
pub struct StreamEnd {
    /// The user stopped the run: what has come is played, and then the lanes end `interrupted`.
    pub stopped: AtomicBool,
    /// What went wrong, where something did.
    pub failed: std::sync::OnceLock<String>,
    /// No lane plays any more, and all that they had to note is committed, or found to be as it
    /// was.
    pub settled: AtomicBool,
}

impl StreamEnd {
    /// Notes what went wrong, where something did; the first counts.
    pub(super) fn note<E: std::fmt::Display>(&self, done: &Result<(), E>) {
        if let Err(error) = done {
            let _ = self.failed.set(error.to_string());
        }
    }
}

/// The rounds that what has come makes. Whole rounds are let out as soon as there is one; people
/// who do not fill a round wait for others.
pub struct LiveStream {
    arrivals: mpsc::Receiver<Vec<Arrival>>,
    waiting: VecDeque<Arrival>,
    /// Outcomes reported of people whose round was not closed yet.
    early: Vec<Report>,
    /// Persons among them.
    persons_waiting: usize,
    feed: Arc<FeedSpec>,
    /// Whether outcomes come from outside.
    reported: bool,
    households: Option<Households>,
    key: Key,
    rounds: u64,
    persons: u64,
    end: Arc<StreamEnd>,
    /// Makes the arena end its lanes `interrupted`.
    interrupt: Arc<AtomicBool>,
}

impl LiveStream {
    /// The stream of a replication.
    #[must_use]
    pub fn new(
        feed: Arc<FeedSpec>,
        key: Key,
        reported: bool,
        arrivals: mpsc::Receiver<Vec<Arrival>>,
        end: Arc<StreamEnd>,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            arrivals,
            waiting: VecDeque::new(),
            early: Vec::new(),
            persons_waiting: 0,
            households: None,
            feed,
            reported,
            key,
            rounds: 0,
            persons: 0,
            end,
            interrupt,
        }
    }

    /// The sizes of the whole rounds that have come, of at most about `persons` persons; `None`
    /// after the last round there is to be.
    fn sizes(&self, persons: usize) -> Option<Vec<usize>> {
        let FeedSpec { sizes, each, .. } = &*self.feed;
        let most = persons.min(self.persons_waiting);
        let mut sizes = sizes.stretch(self.key, self.rounds + 1, *each, most);
        if sizes.is_empty() {
            return None;
        }
        let mut sum = 0;
        let whole = sizes.iter().take_while(|&&size| {
            sum += size;
            sum <= self.persons_waiting
        });
        let whole = whole.count();
        sizes.truncate(whole);
        Some(sizes)
    }

    /// The whole rounds that have come.
    fn batch(&mut self, sizes: &[usize]) -> Batch {
        let schema = Arc::clone(self.feed.reading.schema());
        let mut batch = Batch::new(Arc::clone(&schema), self.rounds + 1, self.persons);
        batch.persons_mut().reserve(sizes.iter().sum());
        for &size in sizes {
            let mut missing = size;
            // The round of each of these is closed by now.
            self.early
                .drain(..)
                .for_each(|told| batch.push_report(told));
            while missing > 0 {
                match self.waiting.pop_front() {
                    Some(Arrival::Candidate(person)) => {
                        self.push(&mut batch, person);
                        missing -= 1;
                    }
                    Some(Arrival::Report(report)) if report.person >= self.persons => {
                        self.early.push(report);
                    }
                    Some(Arrival::Report(report)) => batch.push_report(report),
                    None => unreachable!("as many persons wait as were counted"),
                }
            }
            batch.close_round();
            self.persons_waiting -= size;
            self.persons += size as u64;
        }
        self.rounds += sizes.len() as u64;
        if self.reported {
            batch.seal_outcomes(SealedOutcomes::Reported);
        }
        batch
    }

    fn push(&mut self, batch: &mut Batch, person: CandidateRecord) {
        let cell = batch.schema().cell(&person.values);
        let CandidateRecord {
            id,
            values,
            features,
            score,
            household,
            ..
        } = person;
        let persons = batch.persons_mut();
        persons.push_named(id, cell, &values, &features, score);
        if let Some(household) = household {
            let numbers = self.households.get_or_insert_default();
            persons.push_household(numbers.number([&*household]));
        }
    }

    fn take(&mut self, arrivals: Vec<Arrival>) {
        let people = arrivals
            .iter()
            .filter(|a| matches!(a, Arrival::Candidate(_)));
        self.persons_waiting += people.count();
        self.waiting.extend(arrivals);
    }
}

#[async_trait]
impl Source for LiveStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        loop {
            // What has come meanwhile goes along, as far as it fits a batch.
            while self.persons_waiting < persons
                && let Ok(more) = self.arrivals.try_recv()
            {
                self.take(more);
            }
            let Some(sizes) = self.sizes(persons) else {
                return Ok(None);
            };
            if !sizes.is_empty() {
                return Ok(Some(self.batch(&sizes)));
            }
            let Some(more) = self.arrivals.recv().await else {
                if self.end.stopped.load(Ordering::Relaxed) {
                    self.interrupt.store(true, Ordering::Relaxed);
                }
                let failed = self.end.failed.get();
                return failed.map_or(Ok(None), |why| Err(FeedError(why.clone())));
            };
            self.take(more);
        }
    }

    fn left_over(&self) -> u64 {
        self.persons_waiting as u64
    }
}
