//! The state theta: n of N applicants are drawn around it and answered, then it moves.

use super::reward::Rewards;
use super::solve::{Chain, PlanWatch};
use crate::pool::HeadCountLaw;
use kleroterion_core::watch::Interrupted;

/// The chain of the state theta = i/m.
pub(super) struct ThetaChain {
    rewards: Rewards,
    eta: f64,
    cells: u32,
    /// The laws of the head-count of applicants, by i.
    laws: Vec<HeadCountLaw>,
    /// The k chosen, by i and the n that are not negligible.
    choices: Vec<Vec<u32>>,
}

impl ThetaChain {
    pub(super) fn new(rewards: Rewards, eta: f64, cells: u32) -> Self {
        let applicants = rewards.applicants;
        let mean = |i: u32| f64::from(i) / f64::from(cells) * f64::from(applicants);
        let laws: Vec<_> = (0..=cells)
            .map(|i| HeadCountLaw::new(mean(i), applicants))
            .collect();
        let choices = laws.iter().map(|law| vec![0; law.weights().len()]);
        Self {
            choices: choices.collect(),
            laws,
            rewards,
            eta,
            cells,
        }
    }

    /// Sets the choices of a rule: the share of the places at a theta and at a share of the
    /// applicants.
    pub(super) fn choose(&mut self, share: impl Fn(f64, f64) -> f64) {
        let (size, places) = (
            f64::from(self.rewards.applicants),
            f64::from(self.rewards.places),
        );
        for (i, (law, choices)) in (0..).zip(self.laws.iter().zip(&mut self.choices)) {
            let theta = f64::from(i) / f64::from(self.cells);
            for ((n, _), choice) in law.iter().zip(choices) {
                let (low, rewards) = self.rewards.at(n);
                let most = low + rewards.len() as u32 - 1;
                let wanted = (share(theta, f64::from(n) / size) * places).round() as u32;
                *choice = wanted.clamp(low, most);
            }
        }
    }

    /// Returns the place of (i, n) on the grid before any place is given, and the distance by which
    /// a place moves it: i + m eta (a - s).
    #[inline]
    fn moves(&self, i: u32, n: u32) -> (f64, f64) {
        let reach = f64::from(self.cells) * self.eta;
        let base = f64::from(i) - reach * (f64::from(n) / f64::from(self.rewards.applicants));
        (base, reach / f64::from(self.rewards.places))
    }

    /// V at a place of the grid, cut off at its ends and interpolated linearly.
    #[inline]
    fn after(&self, place: f64, values: &[f64]) -> f64 {
        let place = place.clamp(0.0, f64::from(self.cells));
        let below = (place as usize).min(self.cells as usize - 1);
        let value = values[below];
        value + (place - below as f64) * (values[below + 1] - value)
    }

    /// The best k at (i, n) and its worth.
    #[inline]
    fn best(&self, i: u32, n: u32, values: &[f64], gamma: f64) -> (u32, f64) {
        let (low, rewards) = self.rewards.at(n);
        let (base, by) = self.moves(i, n);
        let (mut best, mut highest) = (low, f64::NEG_INFINITY);
        for (k, reward) in (low..).zip(rewards) {
            let worth = reward + gamma * self.after(base + by * f64::from(k), values);
            if worth > highest {
                (best, highest) = (k, worth);
            }
        }
        (best, highest)
    }
}

impl Chain for ThetaChain {
    fn states(&self) -> usize {
        self.laws.len()
    }

    fn products(&self) -> (f64, f64) {
        let (mut all, mut chosen) = (0, 0);
        for law in &self.laws {
            chosen += law.weights().len();
            all += law
                .iter()
                .map(|(n, _)| self.rewards.at(n).1.len())
                .sum::<usize>();
        }
        (all as f64, chosen as f64)
    }

    fn improve(
        &mut self,
        gamma: f64,
        values: &[f64],
        next: &mut [f64],
        watch: &PlanWatch<'_>,
    ) -> Result<(), Interrupted> {
        let mut choices = std::mem::take(&mut self.choices);
        let mut stopped = Ok(());
        for (i, choices) in (0..).zip(&mut choices) {
            stopped = watch.go_on();
            if stopped.is_err() {
                break;
            }
            let law = &self.laws[i as usize];
            let mut worth = 0.0;
            for ((n, p), choice) in law.iter().zip(choices) {
                let (best, highest) = self.best(i, n, values, gamma);
                *choice = best;
                worth += p * highest;
            }
            next[i as usize] = worth;
        }
        self.choices = choices;
        stopped
    }

    /// Also of the n that do not matter, row by row.
    fn table(
        &self,
        gamma: f64,
        values: &[f64],
        watch: &PlanWatch<'_>,
    ) -> Result<Vec<u32>, Interrupted> {
        let mut table = Vec::new();
        for i in 0..=self.cells {
            watch.go_on()?;
            let all = 0..=self.rewards.applicants;
            table.extend(all.map(|n| self.best(i, n, values, gamma).0));
        }
        Ok(table)
    }

    fn evaluate(&self, gamma: f64, values: &[f64], next: &mut [f64]) {
        for (i, choices) in (0..).zip(&self.choices) {
            let applicants = self.laws[i as usize].iter().zip(choices);
            let worth = applicants.map(|((n, p), &k)| {
                let (base, by) = self.moves(i, n);
                let after = self.after(base + by * f64::from(k), values);
                p * (self.rewards.of(n, k) + gamma * after)
            });
            next[i as usize] = worth.sum();
        }
    }
}
