//! The stream of a population: rounds by size or by time.

use std::sync::Arc;

use async_trait::async_trait;

use super::Population;
use super::arrivals::Clock;
use super::traits::Drawn;
use crate::draw::{Key, Purpose};
use crate::limits::MOST_SLATE;
use crate::protocol::Batch;
use crate::source::{FeedError, Sizes, Source};

/// The people who make up a round.
#[derive(Clone, Debug, PartialEq)]
pub enum RoundCut {
    /// This many people.
    Sized(Sizes),
    /// All who arrive within a stretch of this many seconds.
    Timed(f64),
}

/// The stream of a population. If a pool lets some apply, round t has N_t people of each group, the
/// groups in turns.
pub struct PopulationStream {
    population: Arc<Population>,
    rounds_by: RoundCut,
    key: Key,
    clock: Option<Clock>,
    rounds: u64,
    persons: u64,
    drawn: Drawn,
    words: Vec<u64>,
}

impl PopulationStream {
    /// Makes the stream of a replication.
    #[must_use]
    pub fn new(population: Arc<Population>, rounds_by: RoundCut, key: Key) -> Self {
        let arrivals = population.arrivals.clone();
        Self {
            population,
            rounds_by,
            key,
            clock: arrivals.map(|arrivals| Clock::new(arrivals, key)),
            rounds: 0,
            persons: 0,
            drawn: Drawn::default(),
            words: Vec::new(),
        }
    }

    /// Returns the next rounds, of about `persons` persons in all. `None` after the last round.
    pub fn next_batch(&mut self, persons: usize) -> Option<Batch> {
        let schema = Arc::clone(&self.population.schema);
        let mut batch = Batch::new(schema, self.rounds + 1, self.persons);
        match self.rounds_by.clone() {
            RoundCut::Sized(sizes) => {
                let each = self.population.turns().unwrap_or(1);
                let sizes = sizes.stretch(self.key, self.rounds + 1, each, persons);
                batch.persons_mut().reserve(sizes.iter().sum());
                for size in sizes {
                    let places = 0..size;
                    places.for_each(|place| self.push(place, &mut batch));
                    self.close(&mut batch);
                }
            }
            RoundCut::Timed(seconds) => {
                while batch.rounds() < persons.max(1) && batch.persons().len() < persons.max(1) {
                    self.push_until(seconds, &mut batch);
                    self.close(&mut batch);
                }
            }
        }
        (batch.rounds() > 0).then_some(batch)
    }

    /// Adds those who arrive within the round's stretch of time.
    fn push_until(&mut self, seconds: f64, batch: &mut Batch) {
        let end = seconds * (self.rounds + 1) as f64;
        let mut place = 0;
        while place < MOST_SLATE as usize && self.clock.as_ref().is_some_and(|c| c.at() < end) {
            self.push(place, batch);
            place += 1;
        }
    }

    fn close(&mut self, batch: &mut Batch) {
        batch.close_round();
        self.rounds += 1;
    }

    /// Adds the next person, who is at a place of the round's roster.
    fn push(&mut self, place: usize, batch: &mut Batch) {
        let population = &*self.population;
        let at = self.clock.as_ref().map(Clock::at);
        let traits = population.traits(self.rounds + 1, at);
        let given = population.group.zip(population.turns());
        let given = given.map(|(group, turns)| (group, (place % turns) as u16));
        let from = self.persons * population.words as u64;
        self.words.resize(population.words, 0);
        self.key.fill(Purpose::Person, from, &mut self.words);
        let drawn = &mut self.drawn;
        traits.draw(self.key, self.persons, &self.words, given, drawn);
        let cell = population.schema.cell(&drawn.values);
        let persons = batch.persons_mut();
        persons.push(cell, &drawn.values, &drawn.features, drawn.score);
        if let Some(at) = at {
            persons.push_arrival(at);
        }
        if let Some(merit) = drawn.merit {
            batch.push_merit(merit);
        }
        if let Some(clock) = &mut self.clock {
            clock.step();
        }
        self.persons += 1;
    }
}

#[async_trait]
impl Source for PopulationStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        Ok(self.next_batch(persons))
    }
}
