//! The committed arrivals as a source: rounds in the order of the journal.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::outcomes::ReportedOutcomes;
use kleroterion_core::draw::Key;
use kleroterion_core::protocol::{Batch, Report, SealedOutcomes};
use kleroterion_core::source::{FeedError, Source};
use kleroterion_io::feed::{CandidateRecord, FeedSpec, OutcomeHorizon, SlateEnd};
use kleroterion_io::people::Households;

/// A committed arrival from outside.
#[derive(Clone, Debug)]
pub enum Arrival {
    /// A person.
    Candidate(CandidateRecord),
    /// An outcome of a person, reported before the round that is filled next.
    Report(Report),
    /// The person of this number in the stream withdrew before their slate was closed.
    Withdrawal(u64),
    /// The slate is closed. People who came before are on it.
    Closing,
    /// Outcomes of people before this number in the stream are no longer waited for.
    Settled(u64),
}

impl Arrival {
    /// What became of a person, noted on its way to the lanes.
    pub(super) fn report(outcomes: &ReportedOutcomes, report: Report) -> Self {
        outcomes.tell(report.clone());
        Self::Report(report)
    }
}

/// The reason why a stream from outside ended. It is set before the channel closes.
#[derive(Debug, Default)]
pub struct StreamEnd {
    /// True once the user stopped the run. All people who have come are played, then the lanes end
    /// `interrupted`.
    pub stopped: AtomicBool,
    /// The error, if there was one.
    pub failed: std::sync::OnceLock<String>,
    /// True once all people have been handed on, and no more will come.
    pub over: AtomicBool,
    /// True once all lanes have ended, and their notes are committed or found equal to the journal.
    pub settled: AtomicBool,
}

impl StreamEnd {
    /// Notes the error, if there is one. The first one counts.
    pub(super) fn note<E: std::fmt::Display>(&self, done: &Result<(), E>) {
        if let Err(error) = done {
            let _ = self.failed.set(error.to_string());
        }
    }
}

/// The rounds of the people who have come. Complete rounds are handed out at once. People on the
/// open slate wait for others.
pub struct LiveStream {
    arrivals: mpsc::Receiver<Vec<Arrival>>,
    waiting: VecDeque<Arrival>,
    /// The number of persons among them and on the open slate.
    persons_waiting: usize,
    /// The open slate: its people by number, and the outcomes reported before it.
    open: Round,
    /// The outcomes of people whose round was not closed when they were reported.
    early: Vec<Report>,
    feed: Arc<FeedSpec>,
    /// True if outcomes come from outside.
    reported: bool,
    households: Option<Households>,
    key: Key,
    /// The number of complete rounds.
    rounds: u64,
    /// The number of persons who have come, including those who withdrew.
    persons: u64,
    /// The number of the first person of the open slate.
    first: u64,
    /// The number of the first person whose outcome is still waited for.
    settled: u64,
    end: Arc<StreamEnd>,
    /// The flag that makes the arena end its lanes `interrupted`.
    interrupt: Arc<AtomicBool>,
}

/// A round and the outcomes reported before it.
#[derive(Default)]
struct Round {
    people: Vec<(u64, CandidateRecord)>,
    reports: Vec<Report>,
    /// The number of the first person whose outcome is still waited for at that time.
    settled: u64,
}

/// The next round of a stream.
enum NextRound {
    Whole(Round),
    /// It is not complete yet.
    Open,
    /// There is no next round.
    Over,
}

impl LiveStream {
    /// Creates the stream of a replication.
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
            persons_waiting: 0,
            open: Round::default(),
            early: Vec::new(),
            households: None,
            feed,
            reported,
            key,
            rounds: 0,
            persons: 0,
            first: 0,
            settled: 0,
            end,
            interrupt,
        }
    }

    /// The size of the next round, if a size ends it. The error means that there is no next round.
    fn size(&self) -> Result<Option<usize>, ()> {
        match &self.feed.slates {
            SlateEnd::Size(sizes) => {
                let size = sizes.at(self.key, self.rounds + 1).ok_or(())?;
                Ok(Some(size as usize * self.feed.each))
            }
            SlateEnd::Closing => Ok(None),
        }
    }

    /// The next round, as far as it has come.
    fn round(&mut self) -> NextRound {
        let Ok(size) = self.size() else {
            return NextRound::Over;
        };
        loop {
            if size == Some(self.open.people.len()) {
                return NextRound::Whole(self.close());
            }
            match self.waiting.pop_front() {
                Some(Arrival::Candidate(person)) => {
                    self.open.people.push((self.persons, person));
                    self.persons += 1;
                }
                Some(Arrival::Report(report)) if report.person >= self.first => {
                    self.early.push(report);
                }
                Some(Arrival::Report(report)) => self.open.reports.push(report),
                Some(Arrival::Settled(before)) => self.settled = self.settled.max(before),
                Some(Arrival::Withdrawal(number)) => self.withdraw(number),
                // Slates of a size are never closed otherwise.
                Some(Arrival::Closing) if size.is_some() => {}
                Some(Arrival::Closing) => return NextRound::Whole(self.close()),
                None => return NextRound::Open,
            }
        }
    }

    /// Removes a person from the open slate.
    fn withdraw(&mut self, number: u64) {
        let people = &mut self.open.people;
        if let Some(at) = people.iter().position(|(other, _)| *other == number) {
            people.remove(at);
            self.persons_waiting -= 1;
        }
    }

    /// Closes the open slate. Early outcomes of its people are put before the next round.
    fn close(&mut self) -> Round {
        let reports = std::mem::take(&mut self.early);
        let next = Round {
            reports,
            ..Round::default()
        };
        if let Some(OutcomeHorizon::People(people)) = self.feed.horizon {
            self.settled = self.persons.saturating_sub(people);
        }
        self.open.settled = self.settled;
        self.persons_waiting -= self.open.people.len();
        self.rounds += 1;
        self.first = self.persons;
        std::mem::replace(&mut self.open, next)
    }

    /// The complete rounds that have come, of about `persons` persons; `None` without any.
    fn rounds(&mut self, persons: usize) -> Option<Vec<Round>> {
        let (mut rounds, mut sum) = (Vec::new(), 0);
        // Rounds without people count too.
        while sum < persons && rounds.len() < persons.max(1) {
            let fits = |size: usize| rounds.is_empty() || sum + size <= persons;
            if !self.size().is_ok_and(|size| size.is_none_or(fits)) && !rounds.is_empty() {
                break;
            }
            match self.round() {
                NextRound::Whole(round) => {
                    sum += round.people.len();
                    rounds.push(round);
                }
                NextRound::Over if rounds.is_empty() => return None,
                NextRound::Open | NextRound::Over => break,
            }
        }
        Some(rounds)
    }

    /// Builds a batch of these rounds, which are the last closed ones.
    fn batch(&mut self, rounds: Vec<Round>) -> Batch {
        let schema = Arc::clone(self.feed.reading.schema());
        let first_round = self.rounds + 1 - rounds.len() as u64;
        let mut people = rounds.iter().flat_map(|round| &round.people);
        let first = people.next().map_or(self.first, |(number, _)| *number);
        let mut batch = Batch::new(schema, first_round, first);
        let persons = rounds.iter().map(|round| round.people.len()).sum();
        batch.persons_mut().reserve(persons);
        for round in rounds {
            for report in round.reports {
                batch.push_report(report);
            }
            for (number, person) in round.people {
                self.push(&mut batch, number, person);
            }
            batch.settle(round.settled);
            batch.close_round();
        }
        if self.reported {
            batch.seal_outcomes(SealedOutcomes::Reported);
        }
        batch
    }

    fn push(&mut self, batch: &mut Batch, number: u64, person: CandidateRecord) {
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
        // Those who withdrew have numbers that no row has.
        persons.skip_to(number);
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
            let Some(rounds) = self.rounds(persons) else {
                return Ok(None);
            };
            if !rounds.is_empty() {
                return Ok(Some(self.batch(rounds)));
            }
            let Some(more) = self.arrivals.recv().await else {
                self.end.over.store(true, Ordering::Relaxed);
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
