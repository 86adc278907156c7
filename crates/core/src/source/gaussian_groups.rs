//! Groups whose scores are normal: those who could apply (Puranik et al. 2022, Section 2).

use std::sync::Arc;

use async_trait::async_trait;

use super::{FeedError, Sizes, Source};
use crate::draw::{Key, Purpose, normal};
use crate::protocol::{Attribute, Batch, Schema, TooManyCells};

/// A group and the law of its people's worth.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianGroup {
    /// The group's name.
    pub name: String,
    /// The mean worth.
    pub mean: f64,
    /// The standard deviation of the worth, 0 or more.
    pub sd: f64,
    /// The mean excess of a score over the truth; below 0 if scores underrate.
    pub score_bias: f64,
}

/// Groups, and the precision with which a score measures a person's worth.
#[derive(Clone, Debug)]
pub struct GaussianGroups {
    schema: Arc<Schema>,
    groups: Vec<GaussianGroup>,
    score_noise: f64,
}

impl GaussianGroups {
    /// Makes groups, the values of the attribute `group`. A score is the person's worth plus the
    /// group's bias and noise of standard deviation `score_noise`, in units of the scores.
    ///
    /// # Errors
    /// Returns an error if there are more groups than a schema holds, or none.
    pub fn new(groups: Vec<GaussianGroup>, score_noise: f64) -> Result<Self, TooManyCells> {
        let group = Attribute {
            name: "group".to_owned(),
            values: groups.iter().map(|group| group.name.clone()).collect(),
        };
        let schema = Arc::new(Schema::new(vec![group], vec![], true)?);
        Ok(Self {
            schema,
            groups,
            score_noise,
        })
    }

    /// The schema of the people.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }
}

/// An endless stream of rosters: in round t N_t people of each group, the groups in turns, of whom
/// a pool lets N_t apply.
///
/// Person g is worth mean + sd z, z the normal of word 2 g of the stream of [`Purpose::Person`],
/// and scores that plus the bias and the noise of word 2 g + 1 (word g alone where scores have no
/// noise).
pub struct GaussianStream {
    groups: Arc<GaussianGroups>,
    sizes: Sizes,
    key: Key,
    rounds: u64,
    persons: u64,
}

impl GaussianStream {
    /// Makes the stream of a replication.
    #[must_use]
    pub fn new(groups: Arc<GaussianGroups>, sizes: Sizes, key: Key) -> Self {
        Self {
            groups,
            sizes,
            key,
            rounds: 0,
            persons: 0,
        }
    }

    /// Returns the next rounds, of about `persons` persons in all. `None` after the last round.
    pub fn next_batch(&mut self, persons: usize) -> Option<Batch> {
        let groups = &*self.groups;
        let many = groups.groups.len();
        let next = self.rounds + 1;
        let sizes = self.sizes.stretch(self.key, next, many, persons);
        if sizes.is_empty() {
            return None;
        }
        let count: usize = sizes.iter().sum();
        let width = 1 + usize::from(groups.score_noise > 0.0);
        let mut words = vec![0; count * width];
        let from = self.persons * width as u64;
        self.key.fill(Purpose::Person, from, &mut words);
        let mut words = words.chunks_exact(width);
        let mut batch = Batch::new(Arc::clone(&groups.schema), next, self.persons);
        batch.persons_mut().reserve(count);
        for roster in &sizes {
            for (words, at) in words.by_ref().take(*roster).zip((0..many).cycle()) {
                let group = &groups.groups[at];
                let worth = group.mean + group.sd * normal(words[0]);
                let noise = words.get(1).map_or(0.0, |&word| normal(word));
                let score = worth + group.score_bias + groups.score_noise * noise;
                let persons = batch.persons_mut();
                persons.push(at as u32, &[at as u16], &[], Some(score));
                batch.push_merit(worth);
            }
            batch.close_round();
        }
        self.rounds += sizes.len() as u64;
        self.persons += count as u64;
        Some(batch)
    }
}

#[async_trait]
impl Source for GaussianStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        Ok(self.next_batch(persons))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Person;

    fn groups(noise: f64) -> Arc<GaussianGroups> {
        let group = |(name, mean, sd, score_bias): (&str, f64, f64, f64)| GaussianGroup {
            name: name.into(),
            mean,
            sd,
            score_bias,
        };
        let groups = [("u", 4.0, 1.5, -0.7), ("v", 5.0, 1.0, 0.0)].map(group);
        Arc::new(GaussianGroups::new(groups.into(), noise).unwrap())
    }

    type Met = (u64, u16, f64, f64);

    /// Round, group, score and worth of the persons of the first rounds.
    fn met(sizes: &Sizes, noise: f64, persons: usize, rounds: u64) -> Vec<Met> {
        let mut stream = GaussianStream::new(groups(noise), sizes.clone(), Key::new(7, 3));
        let mut met = Vec::new();
        let mut number = 0;
        while let Some(batch) = stream.next_batch(persons) {
            for at in 0..batch.rounds() {
                for row in batch.roster(at) {
                    let person = Person::new(&batch, row);
                    assert_eq!(person.number(), number);
                    number += 1;
                    let shown = person.shown();
                    let score = shown.score().unwrap();
                    let round = batch.round_number(at);
                    met.push((round, shown.values()[0], score, person.merit().unwrap()));
                }
            }
            if stream.rounds >= rounds {
                break;
            }
        }
        met.retain(|(round, ..)| *round <= rounds);
        met
    }

    #[test]
    fn rosters_have_as_many_of_each_group_whatever_the_batch() {
        for sizes in [
            Sizes::Constant(5),
            Sizes::Listed(vec![2, 0, 7]),
            Sizes::Poisson(4.0),
        ] {
            let all = met(&sizes, 0.5, 1, 30);
            for persons in [7, 64, 1024] {
                assert_eq!(met(&sizes, 0.5, persons, 30), all);
            }
            for round in 1..=30 {
                let of = |group| {
                    all.iter()
                        .filter(|one| (one.0, one.1) == (round, group))
                        .count()
                };
                let size = sizes.at(Key::new(7, 3), round).unwrap_or(0) as usize;
                assert_eq!((of(0), of(1)), (size, size));
            }
        }
    }

    #[test]
    fn scores_have_the_moments_of_their_group_and_noise() {
        for noise in [0.0, 2.0] {
            let all = met(&Sizes::Constant(1000), noise, 1024, 10);
            for (group, mean, sd, bias) in [(0, 4.0, 1.5, -0.7), (1, 5.0, 1.0, 0.0)] {
                let of: Vec<_> = all.iter().filter(|one| one.1 == group).collect();
                let n = of.len() as f64;
                let average = of.iter().map(|one| one.3).sum::<f64>() / n;
                assert!((average - mean).abs() < 4.0 * sd / n.sqrt(), "{average}");
                let off = of.iter().map(|one| one.2 - one.3 - bias);
                let off = off.map(|off| off * off).sum::<f64>() / n;
                let square = noise * noise;
                assert!(
                    (off - square).abs() <= 4.0 * square * (2.0 / n).sqrt() + 1e-12,
                    "{off}"
                );
            }
        }
    }
}
