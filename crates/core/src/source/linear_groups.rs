//! Generated contexts: a group, a point of the group's box, a merit linear in it (Grazzi et al.
//! 2022).

mod presence;

use std::sync::Arc;

use async_trait::async_trait;

use self::presence::Presence;
use super::uniform_sum::{self, EmpiricalCdf, MeritCdf, UniformSum};
use super::{FeedError, Sizes, Source};
use crate::draw::{Draw, Key, Purpose, uniform};
use crate::protocol::{Attribute, Batch, Law, Schema};

/// A group: its contexts are x_j = low_j + width_j U_j, U_j independent and uniform on \[0, 1).
#[derive(Clone, Debug, PartialEq)]
pub struct LinearGroup {
    /// The group's name.
    pub name: String,
    /// The probability that a candidate is of this group; unused if each round has one of each
    /// group.
    pub probability: f64,
    /// The box's low corner.
    pub low: Vec<f64>,
    /// The box's sides.
    pub width: Vec<f64>,
    /// The first round in which its people come; 1 = from the start.
    pub from_round: u64,
}

/// The reason why groups make no world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadGroups(String);

/// Contexts of several groups and their worths, mu.x.
///
/// Person g of the stream takes w words, g w .. (g+1) w of the stream of [`Purpose::Person`]: the
/// group's, where it is drawn, then one a side of the group's box that is not 0, in order; w is
/// what the group with most of these sides takes.
pub struct LinearGroups {
    schema: Arc<Schema>,
    mu: Vec<f64>,
    groups: Vec<LinearGroup>,
    presence: Presence,
    words: usize,
}

/// The number of merits in a held-out sample.
pub const HELD_OUT: usize = 100_000;

impl LinearGroups {
    /// Groups of contexts of the dimension of `mu`, drawn by their probabilities or one of each in
    /// turn. Features are called x0, x1, ..., the attribute `group`. Before a group comes, the
    /// others are drawn in its place, each as likely among them as ever, or a round lacks it.
    ///
    /// # Errors
    /// Returns an error if a box has another dimension, a number is not finite, no group comes in
    /// round 1, or the probabilities can't be drawn from.
    pub fn new(
        mu: Vec<f64>,
        groups: Vec<LinearGroup>,
        one_per_group: bool,
    ) -> Result<Self, BadGroups> {
        let bad = |what: &str| Err(BadGroups(what.to_owned()));
        let numbers = groups
            .iter()
            .flat_map(|group| group.low.iter().chain(&group.width));
        if !numbers.chain(&mu).all(|x| x.is_finite()) {
            return bad("a number is not finite");
        }
        let fits =
            |group: &LinearGroup| group.low.len() == mu.len() && group.width.len() == mu.len();
        if groups.is_empty() || !groups.iter().all(fits) {
            return bad("every group needs a low and a width for each number of mu");
        }
        if u16::try_from(groups.len()).is_err() {
            return bad("there are too many groups");
        }
        let most = |group: &LinearGroup| -> f64 {
            let sides = group.low.iter().zip(&group.width).zip(&mu);
            sides
                .map(|((low, side), mu)| mu.abs() * (low.abs() + side.abs()))
                .sum()
        };
        if !groups.iter().all(|group| most(group).is_finite()) {
            return bad("merits can be too great for a number");
        }
        if groups.iter().all(|group| group.from_round > 1) {
            return bad("no group comes in round 1");
        }
        let probabilities: Vec<f64> = groups.iter().map(|group| group.probability).collect();
        let starts: Vec<u64> = groups.iter().map(|group| group.from_round).collect();
        let presence = Presence::new(&starts, (!one_per_group).then_some(&probabilities));
        let presence = presence.map_err(|error| BadGroups(error.to_string()))?;
        let attribute = Attribute {
            name: "group".into(),
            values: groups.iter().map(|group| group.name.clone()).collect(),
        };
        let features = (0..mu.len()).map(|j| format!("x{j}")).collect();
        let schema = Schema::new(vec![attribute], features, false);
        let schema = schema.map_err(|error| BadGroups(error.to_string()))?;
        let sides = |group: &LinearGroup| group.width.iter().filter(|side| **side != 0.0).count();
        let words = usize::from(!one_per_group) + groups.iter().map(sides).max().unwrap_or(0);
        Ok(Self {
            schema: Arc::new(schema),
            mu,
            groups,
            presence,
            words,
        })
    }

    /// Makes the simulation of Section 6 of Grazzi et al. 2022: four groups, one candidate of each
    /// a round, d = 17. Group a has uniforms at coordinates 4a to 4a + 3, its bias at the last,
    /// zero elsewhere; bias = (3, 6, 9, 12).
    #[must_use]
    pub fn section6() -> Self {
        Self::four_arms([3.0, 6.0, 9.0, 12.0])
    }

    /// Makes the simulation of the authors' released code: bias = (0, 16/3, 32/3, 16).
    #[must_use]
    pub fn released() -> Self {
        Self::four_arms([0.0, 16.0 / 3.0, 32.0 / 3.0, 16.0])
    }

    fn four_arms(bias: [f64; 4]) -> Self {
        let mu = [
            4., 3., 7., 0., 8., 0., 0., 0., 5., 5., 0., 0., 2., 2., 2., 2., 1.,
        ];
        let groups = bias.iter().enumerate().map(|(a, &bias)| {
            let (mut low, mut width) = (vec![0.0; 17], vec![0.0; 17]);
            low[16] = bias;
            width[4 * a..4 * a + 4].fill(1.0);
            LinearGroup {
                name: format!("g{}", a + 1),
                probability: 0.25,
                low,
                width,
                from_round: 1,
            }
        });
        Self::new(mu.into(), groups.collect(), true).expect("the paper's numbers are sound")
    }

    /// The schema of the people.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The groups, each with its box.
    #[must_use]
    pub fn boxes(&self) -> &[LinearGroup] {
        &self.groups
    }

    /// The number of groups.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Returns true if each round has one candidate of each group that comes, in order.
    #[must_use]
    pub fn one_per_group(&self) -> bool {
        self.presence.is_one_each()
    }

    /// The number of groups that come in each round.
    #[must_use]
    pub fn present(&self) -> Sizes {
        self.presence.sizes()
    }

    /// The law of a candidate's group, if it is drawn by the same law in every round.
    #[must_use]
    pub fn law(&self) -> Option<Law> {
        let is_one = self.presence.is_steady() && !self.one_per_group();
        let shares = || self.groups.iter().map(|group| group.probability).collect();
        is_one.then(|| Law::Product(vec![shares()]))
    }

    /// The CDF of each group's merits. It is exact, unless rounding would spoil that. Then it is
    /// counted over points that fill the box evenly, or with more than eight sides over
    /// [`HELD_OUT`] merits that are in no stream.
    #[must_use]
    pub fn cdfs(&self) -> Vec<MeritCdf> {
        let groups = self.groups.iter().enumerate();
        let cdf = |(number, group): (usize, &LinearGroup)| {
            let bias = self.merit(&group.low);
            let weights = group.width.iter().zip(&self.mu).map(|(side, mu)| side * mu);
            match UniformSum::new(bias, &weights.collect::<Vec<_>>()) {
                Some(sum) => MeritCdf::Exact(sum),
                None => MeritCdf::Empirical(self.held_out(number as u64, group)),
            }
        };
        groups.map(cdf).collect()
    }

    fn held_out(&self, number: u64, group: &LinearGroup) -> EmpiricalCdf {
        let wide: Vec<usize> = (0..group.width.len())
            .filter(|side| group.width[*side] != 0.0)
            .collect();
        if wide.len() <= uniform_sum::EVEN_DIMENSIONS {
            let mut x = group.low.clone();
            let mut merits = Vec::with_capacity(uniform_sum::POINTS);
            uniform_sum::points(wide.len(), |point| {
                for (side, u) in wide.iter().zip(point) {
                    x[*side] = group.low[*side] + u * group.width[*side];
                }
                merits.push(self.merit(&x));
            });
            return EmpiricalCdf::new(merits);
        }
        // The same in every run: it serves as the truth.
        let mut draw: Draw = Key::new(0, u64::MAX).draw(Purpose::World, number, 1);
        let mut x = vec![0.0; self.mu.len()];
        let sample = (0..HELD_OUT).map(|_| {
            group.place(&mut x, || draw.word());
            self.merit(&x)
        });
        EmpiricalCdf::new(sample.collect())
    }

    fn merit(&self, x: &[f64]) -> f64 {
        self.mu.iter().zip(x).map(|(mu, x)| mu * x).sum()
    }
}

impl LinearGroup {
    /// A point of the box, a word for each side that is not 0.
    fn place(&self, x: &mut [f64], mut word: impl FnMut() -> u64) {
        for ((x, low), side) in x.iter_mut().zip(&self.low).zip(&self.width) {
            *x = *low;
            if *side != 0.0 {
                *x += side * uniform(word());
            }
        }
    }
}

/// A stream of contexts. If a pool lets some apply, round t has N_t people of each group, the
/// groups in turns. Their words are those of people whose group is drawn.
pub struct LinearStream {
    world: Arc<LinearGroups>,
    key: Key,
    sizes: Sizes,
    is_pooled: bool,
    rounds: u64,
    persons: u64,
}

impl LinearStream {
    /// Makes the stream of a replication, in slates of one size. If each round has one of each
    /// group, `slate` is their number.
    #[must_use]
    pub fn new(world: Arc<LinearGroups>, key: Key, slate: u32) -> Self {
        Self::sized(world, key, Sizes::Constant(slate.max(1)), false)
    }

    /// Makes the stream of a replication. `pooled` says that a pool lets some of each group apply.
    #[must_use]
    pub fn sized(world: Arc<LinearGroups>, key: Key, sizes: Sizes, pooled: bool) -> Self {
        Self {
            world,
            key,
            sizes,
            is_pooled: pooled,
            rounds: 0,
            persons: 0,
        }
    }

    /// Returns the next rounds, of about `persons` persons in all. `None` after the last round.
    pub fn next_batch(&mut self, persons: usize) -> Option<Batch> {
        let world = &*self.world;
        let each = if self.is_pooled {
            world.groups.len()
        } else {
            1
        };
        let next = self.rounds + 1;
        let sizes = self.sizes.stretch(self.key, next, each, persons);
        if sizes.is_empty() {
            return None;
        }
        let mut batch = Batch::new(Arc::clone(&world.schema), next, self.persons);
        let count: usize = sizes.iter().sum();
        let mut words = vec![0; count * world.words];
        let from = self.persons * world.words as u64;
        self.key.fill(Purpose::Person, from, &mut words);
        batch.persons_mut().reserve(count);
        let mut x = vec![0.0; world.mu.len()];
        let mut words = words.chunks_exact(world.words.max(1));
        for (round, size) in (next..).zip(&sizes) {
            let period = world.presence.at(round);
            for place in 0..*size {
                let mut own = words.next().into_iter().flatten().copied();
                let mut word = || own.next().unwrap_or(0);
                let drawn = period.drawn(&mut word).filter(|_| !self.is_pooled);
                let group = drawn.unwrap_or_else(|| period.in_turn(place));
                world.groups[group].place(&mut x, word);
                let persons = batch.persons_mut();
                persons.push(group as u32, &[group as u16], &x, None);
                batch.push_merit(world.merit(&x));
            }
            batch.close_round();
        }
        self.rounds += sizes.len() as u64;
        self.persons += count as u64;
        Some(batch)
    }
}

#[async_trait]
impl Source for LinearStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        Ok(self.next_batch(persons))
    }
}

#[cfg(test)]
mod tests;
