//! Quantiles of the chi-square and F distributions.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

/// Returns the x with `P(X < x) = p` under chi-square with `freedom` degrees; `0 < p < 1`, `freedom
/// > 0`.
pub fn chi_square_quantile(p: f64, freedom: f64) -> f64 {
    let law = ChiSquared::new(freedom).expect("degrees of freedom are positive");
    bisect(p, freedom, |x| law.cdf(x))
}

/// Returns the x with `P(X < x) = p` under F with `above` and `below` degrees; `0 < p < 1`, degrees
/// positive.
pub fn f_quantile(p: f64, above: f64, below: f64) -> f64 {
    let law = FisherSnedecor::new(above, below).expect("degrees of freedom are positive");
    bisect(p, 1.0, |x| law.cdf(x))
}

/// Returns the positive number at which an increasing function passes `p`, searched from a guess.
/// It is exact to the last digits, where the inverses of statrs stop earlier.
fn bisect(p: f64, guess: f64, cdf: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (guess, guess);
    while cdf(low) > p && low > f64::MIN_POSITIVE {
        low /= 2.0;
    }
    while cdf(high) < p && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if cdf(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_close(ours: f64, known: f64, relative: f64) {
        let gap = ((ours - known) / known).abs();
        assert!(gap <= relative, "{ours} against {known}: {gap:e}");
    }

    /// Digits of published tables, as many as they print.
    #[test]
    fn tables() {
        for (p, freedom, known) in [
            (0.975, 1.0, 5.024),
            (0.025, 5.0, 0.831),
            (0.975, 10.0, 20.483),
            (0.025, 10.0, 3.247),
            (0.975, 30.0, 46.979),
            (0.025, 100.0, 74.222),
        ] {
            let ours = chi_square_quantile(p, freedom);
            assert!((ours - known).abs() <= 5.1e-4, "{p} {freedom}: {ours}");
        }
        for (p, above, below, known) in [
            (0.95, 1.0, 1.0, 161.4),
            (0.975, 5.0, 10.0, 4.24),
            (0.975, 10.0, 5.0, 6.62),
            (0.95, 3.0, 20.0, 3.10),
            (0.975, 10.0, 30.0, 2.51),
        ] {
            let ours = f_quantile(p, above, below);
            assert!(
                (ours / known - 1.0).abs() <= 2e-3,
                "{p} {above} {below}: {ours}"
            );
        }
    }

    /// Two degrees: -2 log(1 - p). F with two above: d/2 ((1 - p)^(-2/d) - 1). And upside down.
    #[test]
    fn closed_forms() {
        for p in [0.001, 0.025, 0.5, 0.975, 0.999] {
            assert_close(chi_square_quantile(p, 2.0), -2.0 * libm::log1p(-p), 1e-11);
            for below in [1.0, 2.0, 7.0, 100.0] {
                let known = below / 2.0 * libm::expm1(-2.0 / below * libm::log1p(-p));
                assert_close(f_quantile(p, 2.0, below), known, 1e-9);
            }
            assert_close(
                f_quantile(p, 7.0, 12.0),
                1.0 / f_quantile(1.0 - p, 12.0, 7.0),
                1e-10,
            );
        }
    }

    /// Far out half the log of F has the quantile z sqrt((1/a + 1/b)/2), nearly, and chi-square
    /// that of Cornish and Fisher.
    #[test]
    fn many_degrees_meet_the_normal() {
        let z = 1.959_963_984_540_054;
        for freedom in [1e3, 1e4, 1e5, 1e6] {
            let half = libm::log(f_quantile(0.975, freedom, freedom)) / 2.0;
            assert_close(half, z / freedom.sqrt(), 2.0 / freedom);
            let root = (2.0 * freedom).sqrt();
            let known = freedom
                + z * root
                + 2.0 / 3.0 * (z * z - 1.0)
                + (z.powi(3) - 7.0 * z) / (9.0 * root)
                - (6.0 * z.powi(4) + 14.0 * z * z - 32.0) / (405.0 * freedom);
            assert_close(chi_square_quantile(0.975, freedom), known, 1e-8);
        }
    }
}
