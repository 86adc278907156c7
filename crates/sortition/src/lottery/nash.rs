//! Nash welfare: the lottery whose product of the respondents' chances is largest.
//!
//! The master program, `max sum_k n(k) log c(k)` over lotteries of the panels found so far, is
//! solved by a primal-dual interior-point method. The welfare is homogeneous, so the multiplier of
//! `sum_j p(j) = 1` is the number of respondents n, and the program is `min n sum_j p(j) - sum_k
//! n(k) log c(k)` over p >= 0. With weights `1 / c(k)` a member, no panel weighs more than n at the
//! optimum; that is the certificate.

use nalgebra::{DMatrix, DVector};

use super::columns::{Columns, NoLottery};
use super::polish::polish;
use super::proof::{KindLottery, KindProof, Undecided};
use super::watch::LotteryWatch;

/// Iterations of the interior-point method for one master program.
const ITERATIONS: u32 = 200;
/// The share of n that a panel may weigh too much.
pub(super) const GAP: f64 = 1e-12;
/// Probabilities below this are none.
const UNUSED: f64 = 1e-13;
/// Panels added for one solution of the master program.
const PANELS: usize = 6;

struct NashMaster<'a> {
    /// The share of each kind that sits on each panel.
    shares: Vec<Vec<(usize, f64)>>,
    counts: &'a [f64],
    people: f64,
    probabilities: Vec<f64>,
    /// The multiplier of each probability.
    slacks: Vec<f64>,
}

/// The Nash lottery over the kinds that some panel has.
pub(super) fn nash(columns: &mut Columns<'_>) -> Result<(KindLottery, KindProof), NoLottery> {
    let watch = columns.watch;
    let counts: Vec<f64> = columns.open.iter().map(|&k| columns.counts[k]).collect();
    let mut master = NashMaster {
        shares: Vec::new(),
        people: counts.iter().sum(),
        counts: &counts,
        probabilities: Vec::new(),
        slacks: Vec::new(),
    };
    let mut loose = 1e-2;
    loop {
        for panel in master.shares.len()..columns.panels.len() {
            master.shares.push(columns.shares(panel));
        }
        columns.go_on()?;
        master.solve(loose, &watch);
        let last = loose <= GAP;
        if last {
            master.polish();
        }
        let chances = master.chances();
        let (bound, added, undecided) = price(columns, &chances, master.people);
        if added == 0 && last {
            let probabilities = master.probabilities.iter().copied().enumerate();
            let lottery = probabilities.filter(|(_, p)| *p > UNUSED).collect();
            let proof = KindProof {
                weights: chances.iter().map(|chance| 1.0 / chance).collect(),
                bound,
                settled: Vec::new(),
                undecided,
            };
            return Ok((lottery, proof));
        }
        let gap = (bound / master.people - 1.0).max(0.0);
        loose = match added {
            0 => GAP,
            _ => (gap * 0.1).clamp(GAP, 1e-2),
        };
    }
}

/// Adds panels that weigh more than n: the weight that no panel exceeds, and how many were added.
fn price(columns: &mut Columns<'_>, chances: &[f64], people: f64) -> (f64, usize, Undecided) {
    let mut weights = vec![0.0; columns.counts.len()];
    for (&kind, chance) in columns.open.iter().zip(chances) {
        weights[kind] = 1.0 / chance;
    }
    let above = people * (1.0 + GAP);
    let first = columns.heaviest(&weights, above, 0.9);
    let bound = first.bound.max(people);
    let Some(panel) = first.panel else {
        return (bound, 0, first.bound > above * (1.0 + GAP));
    };
    if columns.panels.contains(&panel) {
        // The master program is solved as nearly as it can be.
        return (bound, 0, false);
    }
    let mut lighter = weights.clone();
    let mut fresh = vec![panel];
    for _ in 1..PANELS {
        let last = &fresh[fresh.len() - 1];
        for (weight, seated) in lighter.iter_mut().zip(last) {
            *weight *= 1.0 - 0.1 * f64::from((*seated).min(3));
        }
        let Some(panel) = columns.heaviest(&lighter, 0.0, 0.9).panel else {
            break;
        };
        let weight: f64 = weights
            .iter()
            .zip(&panel)
            .map(|(w, n)| w * f64::from(*n))
            .sum();
        if weight <= above || fresh.contains(&panel) || columns.panels.contains(&panel) {
            break;
        }
        fresh.push(panel);
    }
    let added = fresh.len();
    columns.panels.extend(fresh);
    (bound, added, false)
}

impl NashMaster<'_> {
    fn polish(&mut self) {
        let pairs = self.probabilities.iter().zip(&self.slacks).enumerate();
        let used = pairs.filter(|(_, (p, z))| **p * self.people > **z);
        let used: Vec<usize> = used.map(|(panel, _)| panel).collect();
        let mut polished = vec![0.0; self.probabilities.len()];
        used.iter()
            .for_each(|&panel| polished[panel] = self.probabilities[panel]);
        polish(&self.shares, self.counts, used, &mut polished);
        let sum: f64 = polished.iter().sum();
        polished.iter_mut().for_each(|p| *p /= sum);
        self.probabilities = polished;
    }

    fn chances(&self) -> Vec<f64> {
        let mut chances = vec![0.0; self.counts.len()];
        for (probability, shares) in self.probabilities.iter().zip(&self.shares) {
            for (kind, share) in shares {
                chances[*kind] += probability * share;
            }
        }
        chances
    }

    /// Returns `n - sum_k n(k) a(j, k) / c(k)` for each panel.
    fn gradient(&self, chances: &[f64]) -> Vec<f64> {
        let of_panel = |shares: &Vec<(usize, f64)>| {
            let weights = shares
                .iter()
                .map(|(k, share)| share * self.counts[*k] / chances[*k]);
            self.people - weights.sum::<f64>()
        };
        self.shares.iter().map(of_panel).collect()
    }

    /// Solves to a gap of a share of n, from the last solution.
    fn solve(&mut self, share: f64, watch: &LotteryWatch<'_>) {
        let panels = self.shares.len();
        let mixed = 0.1 / panels as f64;
        self.probabilities.resize(panels, 0.0);
        self.probabilities
            .iter_mut()
            .for_each(|p| *p = 0.9 * *p + mixed);
        let chances = self.chances();
        let gradient = self.gradient(&chances);
        self.slacks = gradient.iter().map(|g| g.max(0.1 * self.people)).collect();
        for _ in 0..ITERATIONS {
            let chances = self.chances();
            let gradient = self.gradient(&chances);
            let off = gradient
                .iter()
                .zip(&self.slacks)
                .map(|(g, z)| (g - z).abs());
            let off = off.fold(0.0, f64::max);
            let products = self.probabilities.iter().zip(&self.slacks);
            let gap: f64 = products.map(|(p, z)| p * z).sum();
            if gap.max(off) <= share * self.people || watch.is_interrupted() {
                break;
            }
            let center = if off > 10.0 * gap { 0.5 } else { 0.1 };
            if !self.step(&chances, &gradient, center * gap / panels as f64) {
                break;
            }
        }
        let sum: f64 = self.probabilities.iter().sum();
        self.probabilities.iter_mut().for_each(|p| *p /= sum);
    }

    /// A step of Newton's method toward products of probability and slack that all are `aim`.
    /// False where there is none.
    fn step(&mut self, chances: &[f64], gradient: &[f64], aim: f64) -> bool {
        let scale: Vec<f64> = self
            .probabilities
            .iter()
            .zip(&self.slacks)
            .map(|(p, z)| p / z)
            .collect();
        let rest: Vec<f64> = (0..gradient.len())
            .map(|j| aim / self.probabilities[j] - gradient[j])
            .collect();
        let kinds = chances.len();
        let mut matrix = DMatrix::<f64>::zeros(kinds, kinds);
        let mut right = DVector::<f64>::zeros(kinds);
        for (k, chance) in chances.iter().enumerate() {
            matrix[(k, k)] = chance * chance / self.counts[k];
        }
        for ((shares, s), r) in self.shares.iter().zip(&scale).zip(&rest) {
            for (k, a) in shares {
                right[*k] += a * s * r;
                for (l, b) in shares {
                    matrix[(*l, *k)] += s * a * b;
                }
            }
        }
        let Some(factor) = matrix.cholesky() else {
            return false;
        };
        let solved = factor.solve(&right);
        let moves: Vec<f64> = (0..rest.len())
            .map(|j| {
                let inner: f64 = self.shares[j].iter().map(|(k, a)| a * solved[*k]).sum();
                scale[j] * (rest[j] - inner)
            })
            .collect();
        let slack_moves: Vec<f64> = (0..rest.len())
            .map(|j| aim / self.probabilities[j] - self.slacks[j] - moves[j] / scale[j])
            .collect();
        let length = room(&self.probabilities, &moves).min(room(&self.slacks, &slack_moves));
        advance(&mut self.probabilities, &moves, length);
        advance(&mut self.slacks, &slack_moves, length);
        length > 1e-12
    }
}

/// Returns the largest part of a step that keeps all numbers above 0.
fn room(numbers: &[f64], moves: &[f64]) -> f64 {
    let ratios = numbers.iter().zip(moves).filter(|(_, step)| **step < 0.0);
    ratios
        .map(|(number, step)| -0.99 * number / step)
        .fold(1.0, f64::min)
}

fn advance(numbers: &mut [f64], moves: &[f64], length: f64) {
    let pairs = numbers.iter_mut().zip(moves);
    pairs.for_each(|(number, step)| *number += length * step);
}
