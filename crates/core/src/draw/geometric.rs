//! Geometric counts by inverse CDF.

use super::uniform;

/// Returns the number of independent trials of probability `p` up to and including the first
/// success, at least 1: the first n with uniform(word) < 1 - (1 - p)^n. Returns `u64::MAX` if no
/// trial can succeed.
pub fn geometric(word: u64, p: f64) -> u64 {
    if p.is_nan() || p <= 0.0 {
        return u64::MAX;
    }
    if p >= 1.0 {
        return 1;
    }
    let failures = libm::log1p(-uniform(word)) / libm::log1p(-p);
    1 + failures.floor() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Key, Purpose};

    #[test]
    fn counts_have_the_laws_mean_and_variance() {
        let mut draw = Key::new(1, 0).draw(Purpose::World, 0, 0);
        for p in [0.02, 0.3, 0.9] {
            let n = 200_000;
            let counts = (0..n).map(|_| geometric(draw.word(), p) as f64);
            let (sum, squares) = counts.fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
            let (mean, variance) = (sum / f64::from(n), squares / f64::from(n));
            let (due, spread) = (1.0 / p, (1.0 - p) / (p * p));
            assert!(
                (mean - due).abs() < 4.0 * (spread / f64::from(n)).sqrt(),
                "{mean}"
            );
            assert!(
                (variance - mean * mean - spread).abs() < 0.05 * spread,
                "{p}"
            );
        }
    }

    #[test]
    fn the_ends() {
        assert_eq!(geometric(0, 0.5), 1);
        assert_eq!(geometric(u64::MAX, 1.0), 1);
        assert_eq!(geometric(7, 0.0), u64::MAX);
        // 1 - u = 2^-53, so that 53 halvings are needed.
        assert_eq!(geometric(u64::MAX, 0.5), 54);
    }
}
