//! The scores of a group: a Gaussian, and what its best are worth.

use super::ScoreLaw;
use crate::draw::inverse_normal_cdf;

impl ScoreLaw {
    /// Makes a law from a variance, as Puranik et al. 2022 print it.
    pub fn of_variance(mean: f64, variance: f64) -> Self {
        let sd = variance.sqrt();
        Self { mean, sd }
    }

    /// Returns the score that a share q of the group reaches: t = mu + sigma z(q). Infinite at 0
    /// and 1, unless all score the same.
    pub fn threshold(self, q: f64) -> f64 {
        if self.sd == 0.0 {
            return self.mean;
        }
        self.mean + self.sd * upper_quantile(q)
    }

    /// Returns the sum of the scores of the best share q, per head of the group: q mu + sigma
    /// phi(z(q)) (A.3's conditional expectation times q). It is concave in q, with the threshold as
    /// its derivative.
    pub fn best(self, q: f64) -> f64 {
        q * self.mean + self.sd * density_at(q)
    }
}

/// Returns z(q) = Phi^-1(1 - q).
pub fn upper_quantile(q: f64) -> f64 {
    -inverse_normal_cdf(q)
}

/// Returns phi(z(q)), which is 0 at both ends.
pub fn density_at(q: f64) -> f64 {
    if q <= 0.0 || q >= 1.0 {
        return 0.0;
    }
    density(upper_quantile(q))
}

/// Returns phi, the standard normal density.
pub fn density(x: f64) -> f64 {
    /// 1 / sqrt(2 pi).
    const PEAK: f64 = 0.398_942_280_401_432_7;
    PEAK * libm::exp(-0.5 * x * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_a_variance() {
        let law = ScoreLaw::of_variance(4.9, 2.25);
        assert_eq!((law.mean, law.sd), (4.9, 1.5));
        assert_eq!(law.threshold(0.5), 4.9);
        assert!((law.threshold(0.025) - (4.9 + 1.5 * 1.959_963_984_540_054)).abs() < 1e-13);
    }

    #[test]
    fn the_best_are_worth_the_integral_of_the_thresholds() {
        let law = ScoreLaw::of_variance(-1.46, 2.73);
        assert_eq!(law.best(0.0), 0.0);
        assert_eq!(law.best(1.0), -1.46);
        for q in [0.01, 0.2, 0.5, 0.9] {
            let h = 1e-5;
            let slope = (law.best(q + h) - law.best(q - h)) / (2.0 * h);
            assert!((slope - law.threshold(q)).abs() < 1e-6, "{q}");
        }
    }
}
