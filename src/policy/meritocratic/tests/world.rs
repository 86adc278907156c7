//! A linear world of groups, and a round loop in it.

use std::sync::Arc;

use crate::draw::{Key, Purpose};
use crate::policy::meritocratic::{Contexts, dot};
use crate::policy::{Oracle, Policy};
use crate::protocol::GroupCdf;
use crate::protocol::{
    Attribute, Batch, Chosen, Move, Notes, Outcome, Places, Schema, Slate, Truth, View,
};

/// A group's contexts: x_j = low_j + width_j U_j.
#[derive(Clone)]
struct Group {
    probability: f64,
    low: Vec<f64>,
    width: Vec<f64>,
}

/// Candidates of groups whose rewards are linear.
#[derive(Clone)]
pub(super) struct World {
    schema: Arc<Schema>,
    groups: Vec<Group>,
    mu: Vec<f64>,
    noise: f64,
    /// How many a round; the groups in turn where none.
    slate: Option<usize>,
    /// Rounds before an outcome is told, as a function of the round.
    delay: fn(u64) -> u64,
}

/// Who plays.
pub(super) enum Player {
    Blind(Box<dyn Policy>),
    Sighted(Box<dyn Oracle>),
}

/// What came of a run, round by round.
pub(super) struct Played {
    pub(super) slots: Vec<u32>,
    pub(super) groups: Vec<usize>,
    /// Summed up to the round.
    pub(super) fair: Vec<f64>,
    pub(super) standard: Vec<f64>,
}

impl World {
    fn new(groups: Vec<Group>, mu: &[f64], noise: f64, slate: Option<usize>) -> Self {
        let attribute = Attribute {
            name: "group".to_owned(),
            values: (0..groups.len()).map(|g| format!("g{}", g + 1)).collect(),
        };
        let features = (0..mu.len()).map(|j| format!("x{j}")).collect();
        Self {
            schema: Arc::new(Schema::new(vec![attribute], features, false).unwrap()),
            groups,
            mu: mu.to_vec(),
            noise,
            slate,
            delay: |_| 0,
        }
    }

    /// The simulation of Section 6: an arm a group.
    pub(super) fn s6() -> Self {
        let group = |a: usize| {
            let (mut low, mut width) = (vec![0.0; 17], vec![0.0; 17]);
            low[16] = 3.0 * (a + 1) as f64;
            width[4 * a..4 * a + 4].fill(1.0);
            let probability = 0.25;
            Group {
                probability,
                low,
                width,
            }
        };
        let mu = [
            4.0, 3.0, 7.0, 0.0, 8.0, 0.0, 0.0, 0.0, 5.0, 5.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0, 1.0,
        ];
        Self::new((0..4).map(group).collect(), &mu, 2.0, None)
    }

    /// Section 7 without data: three groups, ten candidates of any.
    pub(super) fn mg() -> Self {
        let group = |probability: f64, low: [f64; 5], width: [f64; 5]| Group {
            probability,
            low: low.to_vec(),
            width: width.to_vec(),
        };
        let groups = vec![
            group(0.2, [0.5, 0.0, 0.5, 0.0, 1.0], [1.0, 0.5, 1.5, 0.5, 1.0]),
            group(0.7, [0.0, 0.5, 0.0, 0.5, 0.5], [2.0, 1.0, 0.5, 1.0, 1.0]),
            group(0.1, [-0.5, 1.0, -0.5, 1.0, 0.0], [0.5, 2.0, 1.0, 1.5, 0.5]),
        ];
        Self::new(groups, &[1.0, -0.5, 0.8, 0.3, 0.6], 0.5, Some(10))
    }

    pub(super) fn contexts(&self) -> Contexts {
        Contexts::of(&self.schema, 0).unwrap()
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    /// The same world, its outcomes told `delay(round)` rounds late.
    pub(super) fn late(&self, delay: fn(u64) -> u64) -> Self {
        Self {
            delay,
            ..self.clone()
        }
    }

    /// For people of another schema: the world is then but a name.
    pub(super) fn with_schema(&self, schema: &Arc<Schema>) -> Self {
        Self {
            schema: Arc::clone(schema),
            ..self.clone()
        }
    }

    /// |mu|.
    pub(super) fn norm(&self) -> f64 {
        dot(&self.mu, &self.mu).sqrt()
    }

    pub(super) fn slate(&self) -> usize {
        self.slate.unwrap_or(self.groups.len())
    }

    /// F_a(r), of a reward c + sum w_i U_i with weights of any sign: exact.
    pub(super) fn cdf(&self) -> Arc<dyn GroupCdf> {
        let laws: Vec<(f64, Vec<f64>)> = self
            .groups
            .iter()
            .map(|group| {
                let weights = self.mu.iter().zip(&group.width).map(|(mu, w)| mu * w);
                let weights: Vec<f64> = weights.filter(|w| *w != 0.0).collect();
                // w U = w + |w| (1 - U) where w < 0.
                let negative: f64 = weights.iter().filter(|w| **w < 0.0).sum();
                let sizes = weights.iter().map(|w| w.abs()).collect();
                (dot(&self.mu, &group.low) + negative, sizes)
            })
            .collect();
        Arc::new(move |group: usize, reward: f64| {
            let (least, weights) = &laws[group];
            let n = weights.len() as i32;
            let mut sum = 0.0;
            for subset in 0..1u32 << n {
                let members = (0..n).filter(|i| subset >> i & 1 == 1);
                let taken: f64 = members.map(|i| weights[i as usize]).sum();
                let sign = if subset.count_ones() % 2 == 0 {
                    1.0
                } else {
                    -1.0
                };
                sum += sign * (reward - least - taken).max(0.0).powi(n);
            }
            let scale: f64 = weights
                .iter()
                .zip(1..)
                .map(|(w, i)| w * f64::from(i))
                .product();
            (sum / scale).clamp(0.0, 1.0)
        })
    }

    /// The people of a run.
    fn people(&self, key: Key, rounds: u64) -> Batch {
        let mut batch = Batch::new(Arc::clone(&self.schema), 1, 0);
        let mut context = vec![0.0; self.mu.len()];
        for person in 0..rounds * self.slate() as u64 {
            let mut draw = key.draw(Purpose::Person, person, 0);
            let group = if self.slate.is_some() {
                let mut u = draw.uniform();
                let shares = self.groups.iter().map(|group| group.probability);
                shares
                    .take_while(|p| {
                        u -= p;
                        u >= 0.0
                    })
                    .count()
                    .min(self.groups.len() - 1)
            } else {
                person as usize % self.groups.len()
            };
            let Group { low, width, .. } = &self.groups[group];
            for (x, (low, width)) in context.iter_mut().zip(low.iter().zip(width)) {
                *x = if *width == 0.0 {
                    *low
                } else {
                    low + width * draw.uniform()
                };
            }
            batch
                .persons_mut()
                .push(group as u32, &[group as u16], &context, None);
            batch.push_merit(dot(&self.mu, &context));
        }
        batch.close_rounds(self.slate());
        batch
    }

    /// Plays a run.
    pub(super) fn play(&self, player: Player, seed: u64, rounds: u64) -> Played {
        let key = Key::new(2022, seed);
        let batch = self.people(key, rounds);
        let reward = |row: u32, merit: f64| {
            let mut draw = key.draw(Purpose::Outcome, u64::from(row), 0);
            merit + self.noise * draw.normal()
        };
        self.play_on(&batch, player, key, reward)
    }

    /// Plays a run on these people.
    pub(super) fn play_on(
        &self,
        batch: &Batch,
        mut player: Player,
        key: Key,
        reward: impl Fn(u32, f64) -> f64,
    ) -> Played {
        let cdf = self.cdf();
        let mut awaited: Vec<(u64, u64, u32, f64)> = Vec::new();
        let (mut fair, mut standard) = (0.0, 0.0);
        let mut played = Played {
            slots: Vec::new(),
            groups: Vec::new(),
            fair: Vec::new(),
            standard: Vec::new(),
        };
        for round in 0..batch.rounds() {
            let number = batch.round_number(round);
            awaited.sort_by_key(|(due, decided, ..)| (*due > number, *decided));
            let due = awaited.partition_point(|(due, ..)| *due <= number);
            for (_, decided, row, value) in awaited.drain(..due) {
                player.learn(&Outcome {
                    decided,
                    person: batch.persons().shown(row),
                    value,
                    p: None,
                });
            }
            let slate = Slate::new(batch, round, None);
            let truth = Truth::new(batch, slate);
            let slot = player.choose(number, slate, &truth, key);
            let ranks = slate.candidates().zip(0..).map(|(person, slot)| {
                cdf.rank(usize::from(person.values()[0]), truth.merit(slot).unwrap())
            });
            let ranks: Vec<f64> = ranks.collect();
            let merits: Vec<f64> = (0..slate.len())
                .map(|slot| truth.merit(slot).unwrap())
                .collect();
            let lost = |values: &[f64]| {
                values.iter().copied().fold(f64::MIN, f64::max) - values[slot as usize]
            };
            fair += lost(&ranks);
            standard += lost(&merits);
            played.slots.push(slot);
            played
                .groups
                .push(usize::from(slate.candidate(slot).values()[0]));
            played.fair.push(fair);
            played.standard.push(standard);
            let row = batch.roster(round).start + slot;
            let value = reward(row, merits[slot as usize]);
            awaited.push((number + (self.delay)(number) + 1, number, row, value));
        }
        played
    }
}

impl Player {
    fn learn(&mut self, outcome: &Outcome<'_>) {
        match self {
            Self::Blind(policy) => policy.learn(outcome),
            Self::Sighted(oracle) => oracle.learn(outcome),
        }
    }

    fn choose(&mut self, round: u64, slate: Slate<'_>, truth: &Truth<'_>, key: Key) -> u32 {
        let mut draw = key.draw(Purpose::Policy, 7, round);
        let mut notes = Notes::default();
        let mut view = View {
            round,
            slate,
            places: Places { min: 1, max: 1 },
            places_left: None,
            looks_left: 0,
            money_left: 0.0,
            files: &[],
            answers: &[],
            draw: &mut draw,
            notes: &mut notes,
        };
        let chosen = match self {
            Self::Blind(policy) => policy.act(&mut view),
            Self::Sighted(oracle) => oracle.act(&mut view, truth),
        };
        match chosen {
            Move::Select(selection) => match selection.chosen {
                Chosen::One(slot) => slot,
                other => panic!("one is to be chosen, not {other:?}"),
            },
            other => panic!("one is to be chosen, not {other:?}"),
        }
    }
}

impl<P: Policy + 'static> From<P> for Player {
    fn from(policy: P) -> Self {
        Self::Blind(Box::new(policy))
    }
}
