//! The state s, without chance, on a grid.

use super::look_ahead::LookAhead;
use super::solve::{Chain, PlanWatch};
use kleroterion_core::protocol::{ScoreLaw, density_at};
use kleroterion_core::watch::Interrupted;

/// The chain of the state s = i/m with actions a = j/m, for i, j = 0 ..= m. The point s + eta (a -
/// s) is at i + eta (j - i) of the grid.
pub(super) struct MeanField {
    cells: u32,
    eta: f64,
    /// The least possible j and the start of its rewards, by i.
    rows: Vec<(u32, usize)>,
    rewards: Vec<f64>,
    choices: Vec<u32>,
    /// V at a grid point and by how much it is higher at the next one.
    lines: Vec<(f64, f64)>,
}

impl MeanField {
    pub(super) fn new(ahead: &LookAhead, cells: u32) -> Self {
        let mut chain = Self {
            cells,
            eta: ahead.eta,
            rows: Vec::new(),
            rewards: Vec::new(),
            choices: vec![0; cells as usize + 1],
            lines: Vec::new(),
        };
        let (m, abar) = (f64::from(cells), ahead.admitted);
        for i in 0..=cells {
            // A group of `size` m-ths of the applicants admits abar `part` / `size` of itself.
            let possible =
                |part: u32, size: u32| abar * f64::from(part) <= f64::from(size) * (1.0 + 1e-12);
            let both = |j: &u32| possible(*j, i) && possible(cells - j, cells - i);
            let low = (0..=cells).find(both).unwrap_or(i);
            let high = (low..=cells).rev().find(both).unwrap_or(i);
            chain.rows.push((low, chain.rewards.len()));
            chain.rewards.extend((low..=high).map(|j| {
                let scores = scores(ahead.laws[0], abar, j, i, m)
                    + scores(ahead.laws[1], abar, cells - j, cells - i, m);
                let off = f64::from(j) / m - ahead.target;
                scores - ahead.lambda * off * off
            }));
        }
        chain.rows.push((0, chain.rewards.len()));
        chain
    }

    #[inline]
    fn at(&self, i: u32) -> (u32, &[f64]) {
        let (low, start) = self.rows[i as usize];
        let end = self.rows[i as usize + 1].1;
        (low, &self.rewards[start..end])
    }

    /// Returns the place of s + eta (a - s): the grid point below (not the last), and the distance
    /// beyond it.
    #[inline]
    fn next(&self, i: u32, j: u32) -> (usize, f64) {
        let by = self.eta * (f64::from(j) - f64::from(i));
        let place = (f64::from(i) + by).clamp(0.0, f64::from(self.cells));
        let below = (place as usize).min(self.cells as usize - 1);
        (below, place - below as f64)
    }
}

/// Returns the contribution of a group's admitted to R_G: (a/q) (q mu + sigma phi(z(q))) = a mu +
/// (s/abar) sigma phi(z(q)), q = abar a/s.
fn scores(law: ScoreLaw, abar: f64, part: u32, size: u32, m: f64) -> f64 {
    let (a, s) = (f64::from(part) / m, f64::from(size) / m);
    let tail = if size == 0 {
        0.0
    } else {
        s / abar * law.sd * density_at(abar * f64::from(part) / f64::from(size))
    };
    a * law.mean + tail
}

impl Chain for MeanField {
    fn states(&self) -> usize {
        self.cells as usize + 1
    }

    fn products(&self) -> (f64, f64) {
        (self.rewards.len() as f64, self.states() as f64)
    }

    fn improve(
        &mut self,
        gamma: f64,
        values: &[f64],
        next: &mut [f64],
        watch: &PlanWatch<'_>,
    ) -> Result<(), Interrupted> {
        let pairs = values.windows(2);
        self.lines.clear();
        self.lines
            .extend(pairs.map(|pair| (gamma * pair[0], gamma * (pair[1] - pair[0]))));
        for i in 0..=self.cells {
            watch.go_on()?;
            let (low, rewards) = self.at(i);
            let (mut best, mut highest) = (low, f64::NEG_INFINITY);
            for (j, reward) in (low..).zip(rewards) {
                let (below, beyond) = self.next(i, j);
                let (value, rise) = self.lines[below];
                let worth = reward + (value + beyond * rise);
                if worth > highest {
                    (best, highest) = (j, worth);
                }
            }
            self.choices[i as usize] = best;
            next[i as usize] = highest;
        }
        Ok(())
    }

    fn table(&self, _: f64, _: &[f64], _: &PlanWatch<'_>) -> Result<Vec<u32>, Interrupted> {
        Ok(self.choices.clone())
    }

    fn evaluate(&self, gamma: f64, values: &[f64], next: &mut [f64]) {
        for (i, next) in (0..).zip(next) {
            let j = self.choices[i as usize];
            let (low, rewards) = self.at(i);
            let (below, beyond) = self.next(i, j);
            let (value, rise) = (values[below], values[below + 1] - values[below]);
            let reward = rewards[(j - low) as usize];
            *next = reward + (gamma * value + beyond * (gamma * rise));
        }
    }
}
