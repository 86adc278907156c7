//! A given set of applicants, each with a true utility: the arms of Schumann et al. 2019.

use std::sync::Arc;

use async_trait::async_trait;

use super::{FeedError, Source};
use crate::draw::{Key, Purpose, inverse_normal_cdf, normal};
use crate::protocol::{Attribute, Batch, Schema, TooManyCells};

/// The worths of the applicants, in the order of their slots.
#[derive(Clone, Debug, PartialEq)]
pub enum Means {
    /// Given worths.
    Fixed(Vec<f64>),
    /// Worths drawn from N(mean, sd^2), anew for each replication and round. Person g takes word g
    /// of the stream of [`Purpose::Person`].
    Normal {
        /// The number of applicants.
        n: u32,
        /// The mean.
        mean: f64,
        /// The standard deviation, 0 or more.
        sd: f64,
    },
}

impl Means {
    /// Makes n utilities at equal distances from `from` to `to`, both included (`from` alone if n =
    /// 1).
    #[must_use]
    pub fn linear(n: u32, from: f64, to: f64) -> Self {
        let steps = f64::from(n.max(2) - 1);
        let mean = |i| from + (to - from) * f64::from(i) / steps;
        Self::Fixed((0..n).map(mean).collect())
    }

    /// Makes the quantiles mean + sd PHI^-1((i + 1/2)/n), i = 0 .. n-1.
    #[must_use]
    pub fn normal_quantiles(n: u32, mean: f64, sd: f64) -> Self {
        let quantile = |i| inverse_normal_cdf((f64::from(i) + 0.5) / f64::from(n));
        Self::Fixed((0..n).map(|i| mean + sd * quantile(i)).collect())
    }

    /// The number of applicants.
    #[must_use]
    pub fn len(&self) -> u32 {
        match self {
            Self::Fixed(means) => means.len() as u32,
            Self::Normal { n, .. } => *n,
        }
    }

    /// Returns true if there are no applicants.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Applicants with their utilities and, if they have one, their groups.
#[derive(Clone, Debug)]
pub struct Arms {
    schema: Arc<Schema>,
    means: Means,
    /// The group of each; empty where there are none.
    groups: Vec<u16>,
}

impl Arms {
    /// Makes applicants. `groups` has the names of the groups and each applicant's group, which
    /// become the attribute `group`.
    ///
    /// # Errors
    /// Returns an error if there are more groups than a schema holds.
    ///
    /// # Panics
    /// Panics if there is not one group per applicant, or a group does not exist.
    pub fn new(
        means: Means,
        groups: Option<(Vec<String>, Vec<u16>)>,
    ) -> Result<Self, TooManyCells> {
        let (attributes, groups) = match groups {
            None => (Vec::new(), Vec::new()),
            Some((values, groups)) => {
                assert_eq!(groups.len(), means.len() as usize, "a group an applicant");
                assert!(groups.iter().all(|&g| usize::from(g) < values.len()));
                let name = "group".to_owned();
                (vec![Attribute { name, values }], groups)
            }
        };
        let schema = Arc::new(Schema::new(attributes, vec![], false)?);
        Ok(Self {
            schema,
            means,
            groups,
        })
    }

    /// The schema of the applicants.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of applicants.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.means.len()
    }

    /// Returns true if there are no applicants.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.means.is_empty()
    }
}

/// An endless stream: all applicants in order, again and again, in slates of one size.
pub struct ArmStream {
    arms: Arc<Arms>,
    key: Key,
    slate: u32,
    rounds: u64,
}

impl ArmStream {
    /// Makes the stream of a replication.
    #[must_use]
    pub fn new(arms: Arc<Arms>, key: Key, slate: u32) -> Self {
        Self {
            arms,
            key,
            slate: slate.max(1),
            rounds: 0,
        }
    }

    /// Returns the next rounds, of about `persons` persons in all.
    pub fn next_batch(&mut self, persons: usize) -> Batch {
        let arms = &*self.arms;
        let rounds = (persons / self.slate as usize).max(1);
        let from = self.rounds * u64::from(self.slate);
        let mut batch = Batch::new(Arc::clone(&arms.schema), self.rounds + 1, from);
        let count = rounds * self.slate as usize;
        batch.persons_mut().reserve(count);
        let words = match arms.means {
            Means::Fixed(_) => Vec::new(),
            Means::Normal { .. } => {
                let mut words = vec![0; count];
                self.key.fill(Purpose::Person, from, &mut words);
                words
            }
        };
        let mut words = words.into_iter();
        for person in 0..count as u64 {
            let arm = ((from + person) % u64::from(arms.len())) as usize;
            let group = arms.groups.get(arm).copied();
            let cell = group.map_or(0, u32::from);
            batch.persons_mut().push(cell, group.as_slice(), &[], None);
            batch.push_merit(match &arms.means {
                Means::Fixed(means) => means[arm],
                Means::Normal { mean, sd, .. } => mean + sd * normal(words.next().unwrap_or(0)),
            });
        }
        batch.close_rounds(self.slate as usize);
        self.rounds += rounds as u64;
        batch
    }
}

#[async_trait]
impl Source for ArmStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        Ok(Some(self.next_batch(persons)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Person;

    fn merits(arms: Arms, slate: u32, persons: usize, many: usize) -> Vec<f64> {
        let mut stream = ArmStream::new(Arc::new(arms), Key::new(3, 1), slate);
        let mut merits = Vec::new();
        while merits.len() < many {
            let batch = stream.next_batch(persons);
            assert_eq!(batch.persons().len(), batch.rounds() * slate as usize);
            let rows = 0..batch.persons().len() as u32;
            merits.extend(rows.map(|row| Person::new(&batch, row).merit().unwrap()));
        }
        merits.truncate(many);
        merits
    }

    #[test]
    fn means_by_formula() {
        assert_eq!(
            Means::linear(5, 0.0, 1.0),
            Means::Fixed(vec![0.0, 0.25, 0.5, 0.75, 1.0])
        );
        assert_eq!(Means::linear(1, 3.0, 9.0), Means::Fixed(vec![3.0]));
        let Means::Fixed(quantiles) = Means::normal_quantiles(2, 10.0, 2.0) else {
            panic!("they are fixed");
        };
        // PHI^-1(.75) = .6744897501960817
        assert!((quantiles[1] - 11.348_979_500_392_163).abs() < 1e-12);
        assert!((quantiles[0] + quantiles[1] - 20.0).abs() < 1e-12);
    }

    #[test]
    fn the_same_applicants_come_again_and_drawn_ones_anew() {
        let fixed = Arms::new(Means::linear(3, 0.0, 2.0), None).unwrap();
        assert_eq!(merits(fixed, 3, 64, 7), [0., 1., 2., 0., 1., 2., 0.]);
        let drawn = Means::Normal {
            n: 50,
            mean: 10.0,
            sd: 2.0,
        };
        let arms = || Arms::new(drawn.clone(), None).unwrap();
        let all = merits(arms(), 50, 1, 5000);
        for persons in [7, 64, 1024] {
            assert_eq!(merits(arms(), 50, persons, 5000), all);
        }
        assert_ne!(all[..50], all[50..100]);
        let mean = all.iter().sum::<f64>() / 5000.0;
        assert!((mean - 10.0).abs() < 4.0 * 2.0 / 5000f64.sqrt(), "{mean}");
    }

    #[test]
    fn groups_are_an_attribute() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let groups = Some((names, vec![0, 1, 1]));
        let arms = Arms::new(Means::linear(3, 0.0, 1.0), groups).unwrap();
        assert_eq!(arms.schema().attributes()[0].name, "group");
        let batch = ArmStream::new(Arc::new(arms), Key::new(1, 0), 3).next_batch(6);
        let groups: Vec<u16> = (0..6)
            .map(|row| batch.persons().shown(row).values()[0])
            .collect();
        assert_eq!(groups, [0, 1, 1, 0, 1, 1]);
    }
}
