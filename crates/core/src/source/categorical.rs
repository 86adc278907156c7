//! Generated candidates: attributes drawn from a law, person by person.

use std::sync::Arc;

use async_trait::async_trait;

use super::{FeedError, Source};
use crate::draw::{Categorical, Key, NotALaw, Purpose};
use crate::limits::MOST_TOGETHER;
use crate::protocol::{Batch, Law, Schema};

/// Attributes that are drawn together, with one word.
struct Factor {
    law: Categorical,
    /// The contribution of each outcome to the cell.
    cells: Vec<u32>,
}

/// The law of a candidate's attributes, ready to draw from.
///
/// Person g of the stream takes one word a factor: words g w .. (g+1) w of the stream of
/// [`Purpose::Person`], w = the number of factors. A law of cells is one factor, with the cells
/// that occur, in increasing order, as outcomes. A product is cut into runs of attributes, each as
/// long as 4,096 combinations allow. Their outcomes are in mixed radix, the first attribute most
/// significant.
pub struct People {
    schema: Arc<Schema>,
    factors: Vec<Factor>,
}

impl People {
    /// Candidates of a schema (attributes only) under a law.
    ///
    /// # Errors
    /// Returns an error if the law's weights can't be drawn from.
    pub fn new(schema: Arc<Schema>, law: &Law) -> Result<Self, NotALaw> {
        let levels = schema.levels();
        let factors = match law {
            Law::Cells(cells) => {
                let shares: Vec<f64> = cells.iter().map(|(_, share)| *share).collect();
                vec![Factor {
                    law: Categorical::new(&shares)?,
                    cells: cells.iter().map(|(cell, _)| *cell).collect(),
                }]
            }
            Law::Product(marginals) => runs(&levels)
                .into_iter()
                .map(|run| {
                    let after: usize = levels[run.end..].iter().product();
                    product(&marginals[run], after)
                })
                .collect::<Result<_, _>>()?,
        };
        Ok(Self { schema, factors })
    }

    /// The number of words of the stream that a person takes.
    pub(crate) fn words(&self) -> usize {
        self.factors.len()
    }

    /// The cell of the person who has these words of the stream.
    pub(crate) fn pick(&self, words: &[u64]) -> u32 {
        let factors = self.factors.iter().zip(words);
        factors.fold(0, |cell, (factor, &word)| {
            cell + factor.cells[factor.law.pick(word) as usize]
        })
    }

    /// Draws the cells of `persons` persons, the first being number `from` of the stream.
    pub fn draw(&self, key: Key, from: u64, persons: usize) -> Vec<u32> {
        let width = self.factors.len();
        let mut words = vec![0; persons * width];
        key.fill(Purpose::Person, from * width as u64, &mut words);
        let mut cells = vec![0; persons];
        for (place, factor) in self.factors.iter().enumerate() {
            for (cell, words) in cells.iter_mut().zip(words.chunks_exact(width)) {
                *cell += factor.cells[factor.law.pick(words[place]) as usize];
            }
        }
        cells
    }
}

/// Cuts attributes into runs of at most [`MOST_TOGETHER`] combinations.
fn runs(levels: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    let mut size = usize::MAX;
    for (attribute, &n) in levels.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if size.saturating_mul(n) <= MOST_TOGETHER => {
                run.end = attribute + 1;
                size *= n;
            }
            _ => {
                runs.push(attribute..attribute + 1);
                size = n;
            }
        }
    }
    runs
}

/// The product of marginals; `stride`: what one step of the last attribute adds to the cell.
fn product(marginals: &[Vec<f64>], stride: usize) -> Result<Factor, NotALaw> {
    let shares = marginals.iter().fold(vec![1.0], |shares, marginal| {
        let times = |share: &f64| marginal.iter().map(|p| share * p).collect::<Vec<f64>>();
        shares.iter().flat_map(times).collect()
    });
    Ok(Factor {
        law: Categorical::new(&shares)?,
        cells: (0..shares.len()).map(|k| (k * stride) as u32).collect(),
    })
}

/// An endless stream of generated candidates, in slates of one size.
pub struct Generated {
    people: Arc<People>,
    key: Key,
    slate: usize,
    rounds: u64,
}

impl Generated {
    /// Makes the stream of a replication.
    #[must_use]
    pub fn new(people: Arc<People>, key: Key, slate: u32) -> Self {
        Self {
            people,
            key,
            slate: slate.max(1) as usize,
            rounds: 0,
        }
    }

    /// Returns the next rounds, of about `persons` persons in all.
    pub fn next_batch(&mut self, persons: usize) -> Batch {
        let rounds = (persons / self.slate).max(1);
        let from = self.rounds * self.slate as u64;
        let schema = Arc::clone(&self.people.schema);
        let mut batch = Batch::new(schema, self.rounds + 1, from);
        let cells = self.people.draw(self.key, from, rounds * self.slate);
        batch.persons_mut().extend_cells(&cells);
        batch.close_rounds(self.slate);
        self.rounds += rounds as u64;
        batch
    }
}

#[async_trait]
impl Source for Generated {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        Ok(Some(self.next_batch(persons)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Attribute;

    fn schema(levels: &[usize]) -> Arc<Schema> {
        let attribute = |(i, &n): (usize, &usize)| Attribute {
            name: format!("a{i}"),
            values: (0..n).map(|v| v.to_string()).collect(),
        };
        let attributes = levels.iter().enumerate().map(attribute).collect();
        Arc::new(Schema::new(attributes, vec![], false).unwrap())
    }

    #[test]
    fn long_products_are_cut_into_runs() {
        assert_eq!(runs(&[2, 2, 3, 8, 2, 2]), vec![0..6]);
        assert_eq!(runs(&[64, 64, 2]), vec![0..2, 2..3]);
        assert_eq!(runs(&[5000, 2]), vec![0..1, 1..2]);
    }

    #[test]
    fn cell_and_values_agree_and_shares_are_the_laws() {
        let levels = [3, 40, 50, 7, 2];
        let schema = schema(&levels);
        let marginals: Vec<Vec<f64>> = levels
            .iter()
            .map(|&n| {
                (0..n)
                    .map(|j| 2.0 * (j + 1) as f64 / (n * (n + 1)) as f64)
                    .collect()
            })
            .collect();
        let law = Law::Product(marginals.clone());
        let people = Arc::new(People::new(Arc::clone(&schema), &law).unwrap());
        assert_eq!(people.factors.len(), 2);
        let mut source = Generated::new(people, Key::new(1, 0), 1);
        let n = 40_000;
        let batch = source.next_batch(n);
        let mut counts = [0.0; 7];
        for row in 0..n as u32 {
            let shown = batch.persons().shown(row);
            assert_eq!(schema.cell(shown.values()), shown.cell());
            counts[usize::from(shown.values()[3])] += 1.0 / n as f64;
        }
        for (count, share) in counts.iter().zip(&marginals[3]) {
            let se = (share * (1.0 - share) / n as f64).sqrt();
            assert!((count - share).abs() < 4.0 * se);
        }
    }

    #[test]
    fn a_law_of_cells_gives_only_those_cells() {
        let schema = schema(&[2, 3]);
        let law = Law::Cells(vec![(1, 0.25), (5, 0.75)]);
        let people = Arc::new(People::new(schema, &law).unwrap());
        let mut source = Generated::new(people, Key::new(1, 0), 4);
        let batch = source.next_batch(1000);
        assert_eq!((batch.rounds(), batch.persons().len()), (250, 1000));
        let fives = (0..1000).filter(|&row| batch.persons().shown(row).cell() == 5);
        let fives = fives.count();
        assert!((680..820).contains(&fives), "{fives}");
    }

    #[test]
    fn the_stream_does_not_depend_on_the_batches() {
        let law = Law::Product(vec![vec![0.2, 0.3, 0.5], vec![0.5, 0.5]]);
        let people = Arc::new(People::new(schema(&[3, 2]), &law).unwrap());
        let cells = |persons: usize| -> Vec<u32> {
            let mut source = Generated::new(Arc::clone(&people), Key::new(7, 3), 2);
            let mut cells = vec![];
            while cells.len() < 500 {
                let batch = source.next_batch(persons);
                assert_eq!(batch.persons().number(0), cells.len() as u64);
                let all = 0..batch.persons().len() as u32;
                cells.extend(all.map(|row| batch.persons().shown(row).cell()));
            }
            cells.truncate(500);
            cells
        };
        let whole = cells(500);
        for persons in [1, 7, 64] {
            assert_eq!(cells(persons), whole);
        }
    }
}
