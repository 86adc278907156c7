//! A drawn season, the chair's decisions on it, and the stream of seasons.

use std::sync::Arc;

use async_trait::async_trait;

use super::Admissions;
use crate::draw::{Key, Purpose, normal, uniform};
use crate::protocol::Batch;
use crate::source::{FeedError, Source};

/// The committee interviewed one applicant for this many places. The paper says only that
/// interviews "were not consistently documented"; with ten of them for 150 places the actual
/// process costs the printed "~2000". They count as cost; what was learned in them belongs to the
/// chair's judgement.
pub const PLACES_AN_INTERVIEW: u32 = 15;

/// The cost of an interview, in reviews: the paper's j.
pub const INTERVIEW_COST: f64 = 6.0;

/// Words of a person before those of its scores: order, gender, region, area, reviews, chair.
const WORDS: usize = 6;

/// One season with its truth. It is never printed.
pub struct Season {
    admissions: Arc<Admissions>,
    /// The values of each applicant, by slot: programme, gender, region, area.
    values: Vec<[u16; 4]>,
    utilities: Vec<f64>,
    scores: Vec<Vec<f64>>,
    /// The chair's opinion beyond the scores, in units of its standard deviation.
    judgements: Vec<f64>,
}

/// The decisions of the graduate chair, on the reviews that were written, and their cost.
pub struct Actual {
    /// True for each slot whose applicant was admitted.
    pub admitted: Vec<bool>,
    /// The cost: the reviews plus [`INTERVIEW_COST`] for each interview.
    pub cost: f64,
}

impl Season {
    /// Draws season number `season` (from 0) of a replication.
    #[must_use]
    pub fn draw(admissions: &Arc<Admissions>, key: Key, season: u64) -> Self {
        let parameters = admissions.parameters();
        let n = parameters.applicants() as usize;
        let width = WORDS + 1 + admissions.further.ceil() as usize;
        let mut words = vec![0; n * width];
        let from = season * (n * width) as u64;
        key.fill(Purpose::Person, from, &mut words);
        let people: Vec<&[u64]> = words.chunks_exact(width).collect();
        let mut drawn = Self {
            admissions: Arc::clone(admissions),
            values: Vec::with_capacity(n),
            utilities: vec![0.0; n],
            scores: Vec::with_capacity(n),
            judgements: people.iter().map(|words| normal(words[5])).collect(),
        };
        let mut near = vec![false; n];
        let mut first = 0;
        for (programme, utilities) in parameters.programmes.iter().zip(&admissions.utilities) {
            let mut order: Vec<usize> = (first..first + utilities.len()).collect();
            admissions.rank(&mut order, &people);
            for ((slot, utility), rank) in order.into_iter().zip(utilities).zip(0..) {
                drawn.utilities[slot] = *utility;
                near[slot] = programme.boundary().contains(&rank);
            }
            first += utilities.len();
        }
        let masters = admissions.utilities[0].len();
        for (slot, words) in people.iter().enumerate() {
            let [gender, region, area] = admissions.groups(words);
            let programme = u16::from(slot >= masters);
            drawn.values.push([programme, gender, region, area]);
            let further = match near[slot] {
                true => (admissions.further + uniform(words[4])).floor() as usize,
                false => 0,
            };
            let utility = drawn.utilities[slot];
            let score = |word: &u64| utility + parameters.review_sd * normal(*word);
            let scores = words[WORDS..].iter().take(1 + further).map(score);
            drawn.scores.push(scores.collect());
        }
        drawn
    }

    /// The utilities, by slot.
    #[must_use]
    pub fn utilities(&self) -> &[f64] {
        &self.utilities
    }

    /// The value of an attribute for each applicant, by slot.
    #[must_use]
    pub fn groups(&self, attribute: usize) -> Vec<u16> {
        self.values.iter().map(|values| values[attribute]).collect()
    }

    /// The number of reviews written.
    #[must_use]
    pub fn reviews(&self) -> usize {
        self.scores.iter().map(Vec::len).sum()
    }

    /// The number of applicants the committee interviewed.
    fn interviews(&self) -> u32 {
        self.admissions.parameters().places() / PLACES_AN_INTERVIEW
    }

    #[cfg(test)]
    pub(super) fn values(&self, slot: usize) -> [u16; 4] {
        self.values[slot]
    }

    #[cfg(test)]
    pub(super) fn scores(&self, slot: usize) -> &[f64] {
        &self.scores[slot]
    }

    /// Returns the chair's decisions.
    #[must_use]
    pub fn actual(&self) -> Actual {
        let parameters = self.admissions.parameters();
        let opinion = |slot: usize| {
            let scores = &self.scores[slot];
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            mean + parameters.chair_sd * self.judgements[slot]
        };
        let opinions: Vec<f64> = (0..self.scores.len()).map(opinion).collect();
        let mut admitted = vec![false; opinions.len()];
        let mut first = 0;
        for programme in parameters.programmes {
            let next = first + programme.applicants as usize;
            let mut order: Vec<usize> = (first..next).collect();
            order.sort_by(|&a, &b| opinions[b].total_cmp(&opinions[a]));
            for &slot in order.iter().take(programme.places() as usize) {
                admitted[slot] = true;
            }
            first = next;
        }
        Actual {
            admitted,
            cost: self.reviews() as f64 + INTERVIEW_COST * f64::from(self.interviews()),
        }
    }

    fn push(&self, batch: &mut Batch) {
        let schema = Arc::clone(self.admissions.schema());
        for (slot, values) in self.values.iter().enumerate() {
            let cell = schema.cell(values);
            batch.persons_mut().push(cell, values, &[], None);
            batch.push_merit(self.utilities[slot]);
            batch.push_record(&self.scores[slot]);
        }
        batch.close_round();
    }
}

impl Admissions {
    /// Gender, region and area of a person of these words.
    fn groups(&self, words: &[u64]) -> [u16; 3] {
        [0, 1, 2].map(|at| self.laws[at].pick(words[1 + at]) as u16)
    }

    /// Orders people of one programme by quality, best first.
    fn rank(&self, order: &mut [usize], people: &[&[u64]]) {
        if self.advantages.is_empty() {
            order.sort_by_key(|&slot| (people[slot][0], slot));
            return;
        }
        let quality = |slot: usize| {
            let groups = self.groups(people[slot]);
            let moved = self.advantages.iter();
            // The programme comes before the groups in the schema.
            let moved = moved.map(|(attribute, by)| by[usize::from(groups[attribute - 1])]);
            moved.sum::<f64>() - normal(people[slot][0])
        };
        let mut ranked: Vec<(f64, usize)> =
            order.iter().map(|&slot| (quality(slot), slot)).collect();
        ranked.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.cmp(y)));
        for (place, (_, slot)) in order.iter_mut().zip(ranked) {
            *place = slot;
        }
    }
}

/// An endless stream of seasons, one a round.
pub struct SeasonStream {
    admissions: Arc<Admissions>,
    key: Key,
    seasons: u64,
}

impl SeasonStream {
    /// Makes the stream of a replication.
    #[must_use]
    pub fn new(admissions: Arc<Admissions>, key: Key) -> Self {
        Self {
            admissions,
            key,
            seasons: 0,
        }
    }

    /// Returns the next seasons, of about `persons` persons in all.
    pub fn next_batch(&mut self, persons: usize) -> Batch {
        let n = u64::from(self.admissions.parameters().applicants());
        let seasons = (persons as u64 / n).max(1);
        let schema = Arc::clone(self.admissions.schema());
        let mut batch = Batch::new(schema, self.seasons + 1, self.seasons * n);
        batch.persons_mut().reserve((seasons * n) as usize);
        for season in self.seasons..self.seasons + seasons {
            Season::draw(&self.admissions, self.key, season).push(&mut batch);
        }
        self.seasons += seasons;
        batch
    }
}

#[async_trait]
impl Source for SeasonStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        Ok(Some(self.next_batch(persons)))
    }
}
