//! Algorithm 1 word by word, every inner product computed anew in each round: judges ridge, window
//! and index.

use std::collections::BTreeMap;

use super::world::{Played, World};
use super::{dot, fair_greedy};
use crate::Policy;
use kleroterion_core::protocol::{Move, Outcome, View};

/// Algorithm 1 as printed.
struct Naive {
    rho: f64,
    /// (round, group, context) of all candidates.
    seen: Vec<(u64, u16, Vec<f64>)>,
    /// The chosen that mu~ does not stand on yet, by round.
    told: BTreeMap<u64, (Vec<f64>, f64)>,
    /// X'X + lambda I, and X'r as its last column, of the rounds up to t~.
    normal: Vec<Vec<f64>>,
    split: u64,
    mu: Vec<f64>,
}

impl Naive {
    fn new(dimension: usize) -> Self {
        let mut normal = vec![vec![0.0; dimension + 1]; dimension];
        for (k, row) in normal.iter_mut().enumerate() {
            row[k] = 0.1;
        }
        Self {
            rho: 1e-8,
            seen: Vec::new(),
            told: BTreeMap::new(),
            normal,
            split: 0,
            mu: vec![0.0; dimension],
        }
    }

    /// V^-1 X'r, by elimination.
    fn ridge(&self) -> Vec<f64> {
        let mut rows = self.normal.clone();
        let d = rows.len();
        for k in 0..d {
            let pivot = rows[k].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
                let factor = row[k] / pivot[k];
                for (entry, p) in row.iter_mut().zip(&pivot) {
                    *entry -= factor * p;
                }
            }
        }
        (0..d).map(|k| rows[k][d] / rows[k][k]).collect()
    }
}

impl Policy for Naive {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let t = view.round();
        let split = (t - 1) / 2;
        let later = self.told.split_off(&(split + 1));
        let due = std::mem::replace(&mut self.told, later);
        for (x, r) in due.values() {
            for (row, x_i) in self.normal.iter_mut().zip(x) {
                for (entry, other) in row.iter_mut().zip(x.iter().chain([r])) {
                    *entry += x_i * other;
                }
            }
        }
        if split > self.split || !due.is_empty() {
            self.split = split;
            self.mu = self.ridge();
            let scale = (self.mu.len() as f64 * t as f64).sqrt();
            for mu in &mut self.mu {
                *mu += self.rho / scale * view.draw().normal();
            }
        }
        let window = self.seen.partition_point(|(round, ..)| *round <= split);
        let mut ranks = Vec::new();
        for person in view.slate().candidates() {
            let value = dot(&self.mu, person.features());
            let (mut all, mut below) = (0, 0);
            for (_, group, x) in &self.seen[window..] {
                if *group == person.values()[0] {
                    all += 1;
                    below += u32::from(dot(&self.mu, x) <= value);
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
        same_actions(&World::s6().late(delay), 1, 600);
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
