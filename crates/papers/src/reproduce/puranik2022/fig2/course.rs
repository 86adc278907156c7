//! The exact law of theta at N applicants, carried from round to round.
//!
//! k of A admitted and n of N applicants move theta by eta (k/A - n/N): a multiple of eta over the
//! least common multiple of A and N. From a start among the multiples of that theta stays among
//! them, so that its law is a vector.

use kleroterion_policies::pool::HeadCountLaw;

/// N, A and eta.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    applicants: u32,
    places: u32,
    /// The least common multiple of both.
    common: u32,
    /// The number of steps from 0 to 1.
    steps: u32,
}

/// Probabilities below this are left out; what is lost in all stays far below the rounding that is
/// printed.
const NEGLIGIBLE: f64 = 1e-20;

impl Lattice {
    /// `None` where 1 is no multiple of the step.
    pub(super) fn new(applicants: u32, places: u32, eta: f64) -> Option<Self> {
        let common = places / gcd(places, applicants) * applicants;
        let steps = f64::from(common) / eta;
        let whole = (steps - steps.round()).abs() < 1e-6 && (1.0..1e6).contains(&steps);
        whole.then_some(Self {
            applicants,
            places,
            common,
            steps: steps.round() as u32,
        })
    }

    /// Mean and standard deviation of theta after some rounds; `share(theta, n)` is the share
    /// admitted. `None` where the start is not on the lattice.
    pub(super) fn carried(
        &self,
        start: f64,
        rounds: u64,
        share: impl Fn(f64, u32) -> f64,
    ) -> Option<(f64, f64)> {
        let last = f64::from(self.steps);
        let at = start * last;
        if (at - at.round()).abs() > 1e-6 || !(0.0..=last).contains(&at.round()) {
            return None;
        }
        let moves: Vec<Vec<(usize, f64)>> =
            (0..=self.steps).map(|i| self.moves(i, &share)).collect();
        let mut law = vec![0.0; moves.len()];
        law[at.round() as usize] = 1.0;
        for _ in 0..rounds {
            let mut next = vec![0.0; law.len()];
            for (p, moves) in law.iter().zip(&moves).filter(|(p, _)| **p > NEGLIGIBLE) {
                for (to, part) in moves {
                    next[*to] += p * part;
                }
            }
            law = next;
        }
        let theta = |i: usize| i as f64 / last;
        let total: f64 = law.iter().sum();
        let mean = (0..law.len()).map(|i| law[i] * theta(i)).sum::<f64>() / total;
        let square = |i: usize| law[i] * (theta(i) - mean) * (theta(i) - mean);
        let variance = (0..law.len()).map(square).sum::<f64>() / total;
        Some((mean, variance.sqrt()))
    }

    /// Returns the steps that theta may reach from step `i`, with their probabilities.
    fn moves(&self, i: u32, share: &impl Fn(f64, u32) -> f64) -> Vec<(usize, f64)> {
        let theta = f64::from(i) / f64::from(self.steps);
        let law = HeadCountLaw::new(theta * f64::from(self.applicants), self.applicants);
        let to = |n: u32| {
            let admitted = (share(theta, n) * f64::from(self.places)).round() as i64;
            let gained = admitted * i64::from(self.common / self.places);
            let spent = i64::from(n) * i64::from(self.common / self.applicants);
            (i64::from(i) + gained - spent).clamp(0, i64::from(self.steps)) as usize
        };
        law.iter().map(|(n, p)| (to(n), p)).collect()
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// k = 12 of 30 whoever applies: theta' = theta + eta (.4 - s), s with mean theta and variance
    /// theta / N.
    #[test]
    fn a_constant_answer_has_the_moments_of_the_recursion() {
        let lattice = Lattice::new(100, 30, 0.05).unwrap();
        let (mut mean, mut variance) = (0.1, 0.0);
        for rounds in 0..200u64 {
            if [0, 1, 7, 199].contains(&rounds) {
                let (ours, sd) = lattice.carried(0.1, rounds, |_, _| 0.4).unwrap();
                assert!((ours - mean).abs() < 1e-9, "{rounds}: {ours} {mean}");
                assert!((sd * sd - variance).abs() < 1e-9, "{rounds}: {sd}");
            }
            variance = 0.95f64.powi(2) * variance + 0.05f64.powi(2) * mean / 100.0;
            mean += 0.05 * (0.4 - mean);
        }
    }

    #[test]
    fn what_is_off_the_lattice_is_not_carried() {
        assert!(Lattice::new(100, 30, 0.07).is_none());
        let lattice = Lattice::new(10, 4, 0.5).unwrap();
        assert!(lattice.carried(0.1, 1, |_, _| 0.5).is_some());
        assert!(lattice.carried(0.11, 1, |_, _| 0.5).is_none());
        // Everybody of the other group: theta stops at 0.
        assert_eq!(lattice.carried(0.0, 9, |_, _| 0.0), Some((0.0, 0.0)));
    }
}
