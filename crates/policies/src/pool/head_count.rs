//! The head-count of a group: min(N, Poisson(mean)).

/// Weights below this share of the greatest are left out.
const NEGLIGIBLE: f64 = 1e-18;

/// The law of min(`most`, Poisson(mean)), without negligible probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadCountLaw {
    first: u32,
    weights: Vec<f64>,
}

impl HeadCountLaw {
    /// Makes the law for a mean of 0 or more.
    #[must_use]
    pub fn new(mean: f64, most: u32) -> Self {
        let mut law = Self {
            first: 0,
            weights: Vec::new(),
        };
        law.fill(mean, most);
        law
    }

    /// Replaces the law by that of another mean, in the same memory.
    pub fn fill(&mut self, mean: f64, most: u32) {
        // From the mode outwards by ratios, then divided by the sum: no logarithms, no underflow.
        let mode = mean.floor();
        let weights = &mut self.weights;
        weights.clear();
        let (mut n, mut weight) = (mode, 1.0);
        while weight > NEGLIGIBLE {
            weights.push(weight);
            if n == 0.0 {
                break;
            }
            weight *= n / mean;
            n -= 1.0;
        }
        let first = mode as u64 + 1 - weights.len() as u64;
        weights.reverse();
        (n, weight) = (mode + 1.0, mean / (mode + 1.0));
        while weight > NEGLIGIBLE {
            weights.push(weight);
            n += 1.0;
            weight *= mean / n;
        }
        let total: f64 = weights.iter().sum();
        for weight in weights.iter_mut() {
            *weight /= total;
        }
        // Whatever is above `most` counts as `most`.
        let most = u64::from(most);
        let room = (most + 1).saturating_sub(first) as usize;
        if room == 0 {
            weights.clear();
            weights.push(1.0);
        } else if weights.len() > room {
            let beyond: f64 = weights.drain(room..).sum();
            weights[room - 1] += beyond;
        }
        self.first = first.min(most) as u32;
    }

    /// The head-counts that are not negligible and their probabilities, in increasing order; the
    /// probabilities sum to 1.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        (self.first..).zip(self.weights.iter().copied())
    }

    /// The smallest head-count that is not negligible.
    #[inline]
    #[must_use]
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The probabilities from [`HeadCountLaw::first`] on.
    #[inline]
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_printed_formula() {
        for mean in [0.0, 1e-9, 0.3, 1.0, 7.5, 40.0, 99.0, 100.0, 130.0] {
            for most in [0u32, 1, 10, 100, 1_000] {
                let law = HeadCountLaw::new(mean, most);
                let pmf = |n: u32| {
                    if mean == 0.0 {
                        return if n == 0 { 1.0 } else { 0.0 };
                    }
                    let n = f64::from(n);
                    libm::exp(n * libm::log(mean) - mean - libm::lgamma(n + 1.0))
                };
                let mut found = vec![0.0; most as usize + 1];
                for (n, p) in law.iter() {
                    found[n as usize] = p;
                }
                let mut below = 0.0;
                for n in 0..most {
                    assert!((found[n as usize] - pmf(n)).abs() < 1e-13, "{mean} {n}");
                    below += pmf(n);
                }
                assert!((found[most as usize] - (1.0 - below)).abs() < 1e-12);
                let total: f64 = law.weights().iter().sum();
                assert!((total - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_mean_far_beyond_the_most_is_the_most() {
        let law = HeadCountLaw::new(1e6, 100);
        assert_eq!(law.iter().collect::<Vec<_>>(), [(100, 1.0)]);
    }
}
