//! R of every choice at every head-count.

use super::look_ahead::LookAhead;
use crate::pool::allocation::{clipped, feasible};
use crate::pool::weighing::{GreedyTerm, Infeasible};

/// R(n, k) for n of N applicants in the first group and k of its A places, where k is possible.
#[derive(Clone, Debug)]
pub(super) struct Rewards {
    pub(super) applicants: u32,
    pub(super) places: u32,
    /// The least possible k and the start of its rewards, by n.
    rows: Vec<(u32, usize)>,
    rewards: Vec<f64>,
}

impl Rewards {
    pub(super) fn new(ahead: &LookAhead, applicants: u32, places: u32) -> Self {
        let mut rewards = Self {
            applicants,
            places,
            rows: Vec::new(),
            rewards: Vec::new(),
        };
        let count = f64::from(places);
        for n in 0..=applicants {
            let sizes = [n, applicants - n];
            let best = [0, 1].map(|g| sums(ahead, g, sizes[g], places));
            let (low, high) = match ahead.infeasible {
                Infeasible::Feasible => feasible(places, sizes),
                Infeasible::Authors => (0, places),
            };
            rewards.rows.push((low, rewards.rewards.len()));
            rewards.rewards.extend((low..=high).map(|k| {
                let admitted = clipped(k, places, sizes);
                let scores = best[0][admitted as usize] + best[1][(places - admitted) as usize];
                let off = f64::from(k) / count - ahead.target;
                scores / count - ahead.lambda * off * off
            }));
        }
        rewards.rows.push((0, rewards.rewards.len()));
        rewards
    }

    /// The least possible k at n, and the rewards from it on.
    #[inline]
    pub(super) fn at(&self, n: u32) -> (u32, &[f64]) {
        let (low, start) = self.rows[n as usize];
        let end = self.rows[n as usize + 1].1;
        (low, &self.rewards[start..end])
    }

    /// The reward of a possible k.
    #[inline]
    pub(super) fn of(&self, n: u32, k: u32) -> f64 {
        let (low, rewards) = self.at(n);
        rewards[(k - low) as usize]
    }

    /// Returns a - s.
    #[inline]
    pub(super) fn excess(&self, n: u32, k: u32) -> f64 {
        f64::from(k) / f64::from(self.places) - f64::from(n) / f64::from(self.applicants)
    }
}

/// Returns the expected joint scores of the best 0, 1, 2, ... of a group of this size, as far as
/// there are places.
fn sums(ahead: &LookAhead, group: usize, size: u32, places: u32) -> Vec<f64> {
    let law = ahead.laws[group];
    let most = size.min(places);
    if ahead.greedy_term == GreedyTerm::MeanField {
        let n = f64::from(size);
        let sum = |k| {
            if k == 0 {
                0.0
            } else {
                n * law.best(f64::from(k) / n)
            }
        };
        return (0..=most).map(sum).collect();
    }
    let mut total = 0.0;
    let score = |rank| ahead.greedy_term.score(law, rank, size).unwrap_or(0.0);
    let rest = (1..=most).map(|rank| {
        total += score(rank);
        total
    });
    std::iter::once(0.0).chain(rest).collect()
}
