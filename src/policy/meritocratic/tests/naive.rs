//! Algorithm 1 word by word, the whole history computed anew in each round: judges ridge, window and index.

use std::collections::BTreeMap;

use super::fair_greedy;
use super::world::{Played, World};
use crate::policy::Policy;
use crate::protocol::{Move, Outcome, View};

/// Algorithm 1 as printed.
struct Naive {
    lambda: f64,
    rho: f64,
    /// (round, group, context) of all candidates.
    seen: Vec<(u64, u16, Vec<f64>)>,
    /// The chosen, by round.
    told: BTreeMap<u64, (Vec<f64>, f64)>,
    /// t~ and how many outcomes mu~ stands on.
    basis: (u64, usize),
    mu: Vec<f64>,
}

impl Naive {
    fn new(dimension: usize) -> Self {
        Self {
            lambda: 0.1,
            rho: 1e-8,
            seen: Vec::new(),
            told: BTreeMap::new(),
            basis: (0, 0),
            mu: vec![0.0; dimension],
        }
    }

    /// (X'X + lambda I)^-1 X'r of the rounds up to `split`, by elimination.
    fn ridge(&self, split: u64) -> Vec<f64> {
        let d = self.mu.len();
        let mut rows = vec![vec![0.0; d + 1]; d];
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] = self.lambda;
            for (x, r) in self.told.range(..=split).map(|(_, told)| told) {
                for (entry, other) in row.iter_mut().zip(x.iter().chain([r])) {
                    *entry += x[i] * other;
                }
            }
        }
        for k in 0..d {
            let pivot = rows[k].clone();
            for row in rows
                .iter_mut()
                .enumerate()
                .filter(|(i, _)| *i != k)
                .map(|(_, row)| row)
            {
                let factor = row[k] / pivot[k];
                for (entry, p) in row.iter_mut().zip(&pivot) {
                    *entry -= factor * p;
                }
            }
        }
        (0..d).map(|k| rows[k][d] / rows[k][k]).collect()
    }
}

fn product(mu: &[f64], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (mu, x) in mu.iter().zip(x) {
        sum += mu * x;
    }
    sum
}

impl Policy for Naive {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let t = view.round();
        let split = (t - 1) / 2;
        let basis = (split, self.told.range(..=split).count());
        if basis != self.basis {
            self.basis = basis;
            self.mu = self.ridge(split);
            let scale = (self.mu.len() as f64 * t as f64).sqrt();
            for mu in &mut self.mu {
                *mu += self.rho / scale * view.draw().normal();
            }
        }
        let window = self.seen.partition_point(|(round, ..)| *round <= split);
        let mut ranks = Vec::new();
        for person in view.slate().candidates() {
            let value = product(&self.mu, person.features());
            let (mut all, mut below) = (0, 0);
            for (_, group, x) in &self.seen[window..] {
                if *group == person.values()[0] {
                    all += 1;
                    below += u32::from(product(&self.mu, x) <= value);
                }
            }
            ranks.push(if all == 0 {
                view.draw().uniform()
            } else {
                f64::from(below) / f64::from(all)
            });
        }
        for person in view.slate().candidates() {
            self.seen
                .push((t, person.values()[0], person.features().to_vec()));
        }
        let top = ranks.iter().copied().fold(0.0, f64::max);
        let tied: Vec<u32> = (0..)
            .zip(&ranks)
            .filter(|(_, rank)| **rank == top)
            .map(|(slot, _)| slot)
            .collect();
        let nth = if tied.len() > 1 {
            view.draw().below(tied.len() as u64)
        } else {
            0
        };
        Move::take(tied[nth as usize])
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        let told = (outcome.person().features().to_vec(), outcome.value());
        self.told.insert(outcome.decided(), told);
    }
}

#[track_caller]
fn same_actions(world: &World, seed: u64, rounds: u64) {
    let dimension = world.contexts().dimension();
    let naive: Played = world.play(Naive::new(dimension).into(), seed, rounds);
    let fast = world.play(fair_greedy(world).into(), seed, rounds);
    let part = naive
        .slots
        .iter()
        .zip(&fast.slots)
        .position(|(a, b)| a != b);
    assert_eq!(part, None, "seed {seed}: they part");
}

#[test]
fn fast_and_naive_choose_the_same_in_section_6() {
    for seed in 0..20 {
        same_actions(&World::s6(), seed, 2000);
    }
}

#[test]
fn fast_and_naive_choose_the_same_in_groups_of_any_size() {
    for seed in 0..5 {
        same_actions(&World::mg(), seed, 600);
    }
}

#[test]
fn fast_and_naive_choose_the_same_with_late_outcomes() {
    let delays: [fn(u64) -> u64; 4] = [|_| 1, |_| 10, |_| 100, |round| round * 7919 % 60];
    for delay in delays {
        let mut world = World::s6();
        world.delay = delay;
        same_actions(&world, 1, 600);
    }
}

/// In the long form (KLERO_LONG) 20 seeds.
#[test]
fn fast_and_naive_choose_the_same_for_20_000_rounds() {
    let seeds = if std::env::var_os("KLERO_LONG").is_some() {
        20
    } else {
        1
    };
    for seed in 0..seeds {
        same_actions(&World::s6(), 100 + seed, 20_000);
    }
}
