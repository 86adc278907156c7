//! A world that anyone can recompute: a person is known by its number, and a source follows a
//! script.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use kleroterion::feedback::AnsweredBy;
use kleroterion::protocol::{Attribute, Batch, Schema, SealedOutcomes};
use kleroterion::source::{FeedError, Source};

use super::feedback::Replies;

/// What is known of person `number`: whole numbers all, so that every sum is exact.
pub struct People;

impl People {
    pub fn group(number: u64) -> u16 {
        (number % 7 % 3) as u16
    }

    pub fn x(number: u64) -> f64 {
        (number * 5 % 11) as f64
    }

    pub fn score(number: u64) -> f64 {
        (number * 3 % 8) as f64
    }

    pub fn schema() -> Arc<Schema> {
        static SCHEMA: OnceLock<Arc<Schema>> = OnceLock::new();
        let schema = SCHEMA.get_or_init(|| {
            let group = Attribute {
                name: "group".into(),
                values: ["a", "b", "c"].map(String::from).into(),
            };
            Arc::new(Schema::new(vec![group], vec!["x".into()], true).unwrap())
        });
        Arc::clone(schema)
    }
}

/// The truth of person `number`.
pub fn merit(number: u64) -> f64 {
    (number * 7 % 10) as f64
}

/// What is recorded of person `number`: the truth, but of every fifth nothing.
pub fn recorded(number: u64) -> Option<f64> {
    (number % 5 != 4).then(|| merit(number))
}

/// What a source does when its script is at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Then {
    /// It ends, with this many persons left over.
    Ends { left_over: u64 },
    /// It fails with these words.
    Fails(&'static str),
    /// It stays, and says nothing more.
    Stays,
    /// It panics with these words.
    Panics(&'static str),
}

/// The script of a stream.
#[derive(Clone, Debug)]
pub struct World {
    /// How many persons each round's roster has.
    pub rosters: Vec<u32>,
    /// What comes after.
    pub then: Then,
    /// The interrupt flag is set when this many rounds are out.
    pub interrupt_after: Option<usize>,
    /// The source has sealed everybody's outcome onto the stream: see [`recorded`].
    pub recorded: bool,
    /// Persons live in this many households, of which at most one is accepted.
    pub households: Option<u32>,
    /// Of eight persons chosen, about so many decline.
    pub declines: u64,
}

impl World {
    /// These rosters, and the end.
    pub fn of(rosters: impl Into<Vec<u32>>) -> Self {
        Self {
            rosters: rosters.into(),
            then: Then::Ends { left_over: 0 },
            interrupt_after: None,
            recorded: false,
            households: None,
            declines: 0,
        }
    }

    /// Where person `number` lives, if that matters.
    pub fn household(&self, number: u64) -> Option<u32> {
        let households = self.households?;
        Some((number * 13 % u64::from(2 * households + 1)) as u32 / 2)
    }

    /// Who says whether the chosen take their places; none where all do.
    pub fn replies(&self) -> Option<AnsweredBy> {
        let declines = self.declines;
        (declines > 0).then(|| AnsweredBy::Drawn(Arc::new(Replies(declines))))
    }

    /// The persons of each round, by number.
    pub fn persons(&self) -> Vec<Vec<u64>> {
        let mut first = 0;
        let roster = |&n: &u32| {
            let persons = (first..first + u64::from(n)).collect();
            first += u64::from(n);
            persons
        };
        self.rosters.iter().map(roster).collect()
    }
}

/// Emits a world.
pub struct Scripted {
    world: World,
    round: usize,
    person: u64,
    left_over: u64,
    /// How many batches are out.
    pub emitted: Arc<AtomicUsize>,
    /// What the arena looks at.
    pub interrupt: Arc<AtomicBool>,
}

impl Scripted {
    pub fn new(world: World) -> Self {
        Self {
            world,
            round: 0,
            person: 0,
            left_over: 0,
            emitted: Arc::default(),
            interrupt: Arc::default(),
        }
    }

    /// Where the next batch must end at the latest.
    fn stop(&self) -> usize {
        let rounds = self.world.rosters.len();
        let stop = self.world.interrupt_after.unwrap_or(rounds);
        if self.round < stop { stop } else { rounds }
    }
}

#[async_trait]
impl Source for Scripted {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        if self.round == self.world.rosters.len() {
            return match self.world.then {
                Then::Ends { left_over } => {
                    self.left_over = left_over;
                    Ok(None)
                }
                Then::Fails(words) => Err(FeedError(words.into())),
                Then::Stays => std::future::pending().await,
                Then::Panics(words) => panic!("{words}"),
            };
        }
        let mut batch = Batch::new(People::schema(), self.round as u64 + 1, self.person);
        while self.round < self.stop() {
            let roster = self.world.rosters[self.round] as usize;
            if batch.rounds() > 0 && batch.persons().len() + roster > persons {
                break;
            }
            for number in self.person..self.person + roster as u64 {
                let group = People::group(number);
                batch.persons_mut().push(
                    u32::from(group),
                    &[group],
                    &[People::x(number)],
                    Some(People::score(number)),
                );
                if let Some(household) = self.world.household(number) {
                    batch.persons_mut().push_household(household);
                }
                batch.push_merit(merit(number));
            }
            batch.close_round();
            self.person += roster as u64;
            self.round += 1;
            if self.world.interrupt_after == Some(self.round) {
                self.interrupt.store(true, Ordering::SeqCst);
                break;
            }
        }
        if self.world.recorded {
            let first = batch.persons().number(0);
            let values = (first..self.person).map(recorded).collect();
            batch.seal_outcomes(SealedOutcomes::Recorded(values));
        }
        self.emitted.fetch_add(1, Ordering::SeqCst);
        Ok(Some(batch))
    }

    fn left_over(&self) -> u64 {
        self.left_over
    }
}
