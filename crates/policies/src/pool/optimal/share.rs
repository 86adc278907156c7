//! The state s of N applicants: the next is drawn around s + eta (a - s).

use nalgebra::DVectorView;

use super::reward::Rewards;
use super::solve::{Chain, PlanWatch};
use crate::pool::HeadCountLaw;
use kleroterion_core::watch::Interrupted;

/// The chain of the state n of N, answered with k of A.
pub(super) struct ShareChain {
    rewards: Rewards,
    /// The law of the next n, by n and possible k: its first value and the start of its
    /// probabilities.
    laws: Vec<(u32, usize)>,
    /// The start of the laws of each n.
    rows: Vec<usize>,
    probabilities: Vec<f64>,
    choices: Vec<u32>,
}

impl ShareChain {
    pub(super) fn new(
        rewards: Rewards,
        eta: f64,
        watch: &PlanWatch<'_>,
    ) -> Result<Self, Interrupted> {
        let applicants = rewards.applicants;
        let size = f64::from(applicants);
        let (mut laws, mut rows, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
        let mut law = HeadCountLaw::new(0.0, applicants);
        for n in 0..=applicants {
            watch.go_on()?;
            rows.push(laws.len());
            let (low, possible) = rewards.at(n);
            for k in low..low + possible.len() as u32 {
                let mean = f64::from(n) / size + eta * rewards.excess(n, k);
                law.fill(size * mean.clamp(0.0, 1.0), applicants);
                laws.push((law.first(), probabilities.len()));
                probabilities.extend_from_slice(law.weights());
            }
        }
        laws.push((0, probabilities.len()));
        Ok(Self {
            choices: vec![0; applicants as usize + 1],
            rewards,
            laws,
            rows,
            probabilities,
        })
    }

    /// E V of the next n.
    #[inline]
    fn expected(&self, n: u32, nth: usize, values: &[f64]) -> f64 {
        let at = self.rows[n as usize] + nth;
        let (first, start) = self.laws[at];
        let weights = &self.probabilities[start..self.laws[at + 1].1];
        let values = &values[first as usize..first as usize + weights.len()];
        let vector = |numbers| DVectorView::from_slice(numbers, weights.len());
        vector(weights).dot(&vector(values))
    }
}

impl Chain for ShareChain {
    fn states(&self) -> usize {
        self.choices.len()
    }

    fn products(&self) -> (f64, f64) {
        let all = self.probabilities.len() as f64;
        (
            all,
            all / (self.laws.len() - 1) as f64 * self.states() as f64,
        )
    }

    fn improve(
        &mut self,
        gamma: f64,
        values: &[f64],
        next: &mut [f64],
        watch: &PlanWatch<'_>,
    ) -> Result<(), Interrupted> {
        for n in 0..=self.rewards.applicants {
            watch.go_on()?;
            let (low, rewards) = self.rewards.at(n);
            let (mut best, mut highest) = (low, f64::NEG_INFINITY);
            for (nth, reward) in rewards.iter().enumerate() {
                let worth = reward + gamma * self.expected(n, nth, values);
                if worth > highest {
                    (best, highest) = (low + nth as u32, worth);
                }
            }
            self.choices[n as usize] = best;
            next[n as usize] = highest;
        }
        Ok(())
    }

    fn table(&self, _: f64, _: &[f64], _: &PlanWatch<'_>) -> Result<Vec<u32>, Interrupted> {
        Ok(self.choices.clone())
    }

    fn evaluate(&self, gamma: f64, values: &[f64], next: &mut [f64]) {
        for (n, next) in (0..).zip(next) {
            let k = self.choices[n as usize];
            let nth = (k - self.rewards.at(n).0) as usize;
            *next = self.rewards.of(n, k) + gamma * self.expected(n, nth, values);
        }
    }
}
