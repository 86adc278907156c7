//! Poisson counts by inverse CDF.

use super::{Draw, uniform};

/// Below this share of the most likely count's probability a count is left out; the rounding of the
/// sum is larger.
const NEGLIGIBLE: f64 = 1e-20;

/// A Poisson count of this mean: the first n with uniform(word) < P(0) + ... + P(n). 0 where the
/// mean is not above 0.
///
/// Probabilities are computed relative to that of floor(mean), by products and quotients alone, so
/// it takes about 20 sqrt(mean) steps and no transcendental function. One word whatever the mean:
/// counts of two means that share a word differ as little as they can.
///
/// # Panics
/// Panics if the mean is not below 2^52.
#[must_use]
pub fn poisson(word: u64, mean: f64) -> u64 {
    if mean.is_nan() || mean <= 0.0 {
        return 0;
    }
    assert!(mean < (1u64 << 52) as f64, "a mean below 2^52");
    let mode = mean as u64;
    let (mut below, mut p, mut n) = (0.0, 1.0, mode);
    while n > 0 && p > NEGLIGIBLE {
        p *= n as f64 / mean;
        n -= 1;
        below += p;
    }
    let (mut above, mut p, mut n) = (1.0, 1.0, mode);
    while p > NEGLIGIBLE {
        n += 1;
        p *= mean / n as f64;
        above += p;
    }
    let wanted = uniform(word) * (below + above);
    let (mut sum, mut p, mut n) = (below, 1.0, mode);
    if wanted < below {
        loop {
            p *= n as f64 / mean;
            n -= 1;
            sum -= p;
            if wanted >= sum || n == 0 {
                return n;
            }
        }
    }
    while wanted >= sum + p && p > NEGLIGIBLE {
        sum += p;
        n += 1;
        p *= mean / n as f64;
    }
    n
}

/// Returns the number of independent trials of probability `p` up to and including the first
/// success, at least 1: the first n with uniform(word) < 1 - (1 - p)^n. Returns `u64::MAX` if no
/// trial can succeed.
#[must_use]
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

/// Draws a number of the beta law with two parameters of at least 1. It takes as many words as the
/// rejection needs.
///
/// # Panics
/// Panics if a parameter is below 1 or not finite.
#[must_use]
pub fn beta(draw: &mut Draw, a: f64, b: f64) -> f64 {
    assert!(a >= 1.0 && b >= 1.0 && a.is_finite() && b.is_finite());
    let (x, y) = (gamma(draw, a), gamma(draw, b));
    x / (x + y)
}

/// A number of the gamma law of scale 1.
fn gamma(draw: &mut Draw, shape: f64) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = draw.normal();
        let root = 1.0 + c * x;
        let v = root * root * root;
        // In (0, 1], so that the logarithm is finite.
        let u = 1.0 - draw.uniform();
        if v > 0.0 && libm::log(u) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Key, Purpose};

    fn word(u: f64) -> u64 {
        ((u * (1u64 << 53) as f64) as u64) << 11
    }

    /// The CDF, added up from 0 as the formula has it.
    fn plainly(mean: f64) -> Vec<f64> {
        let mut p = libm::exp(-mean);
        let mut sum = p;
        let mut cdf = vec![sum];
        for n in 1..2000 {
            p *= mean / f64::from(n);
            sum += p;
            cdf.push(sum);
        }
        cdf
    }

    #[test]
    fn counts_are_those_of_the_inverse_cdf() {
        let mut draw = Key::new(6, 0).draw(Purpose::World, 0, 0);
        for mean in [1e-9, 0.3, 1.0, 4.0, 30.0, 40.5, 99.999, 600.0] {
            let cdf = plainly(mean);
            for _ in 0..2000 {
                let word = draw.word();
                let u = uniform(word);
                let plain = cdf.iter().position(|sum| u < *sum).unwrap() as u64;
                let n = poisson(word, mean);
                let edge = cdf.iter().any(|sum| (u - sum).abs() < 1e-12);
                assert!(n == plain || edge, "mean {mean}, u {u}: {n}, not {plain}");
            }
        }
    }

    #[test]
    fn moments_of_large_means_and_the_ends() {
        let mut draw = Key::new(6, 1).draw(Purpose::World, 0, 0);
        for mean in [1e4, 5e4] {
            let counts: Vec<f64> = (0..4000)
                .map(|_| poisson(draw.word(), mean) as f64)
                .collect();
            let average = counts.iter().sum::<f64>() / 4000.0;
            let square = counts
                .iter()
                .map(|n| (n - average) * (n - average))
                .sum::<f64>()
                / 4000.0;
            assert!(
                (average - mean).abs() < 4.0 * (mean / 4000.0).sqrt(),
                "{average}"
            );
            assert!(
                (square / mean - 1.0).abs() < 4.0 * (2.0_f64 / 4000.0).sqrt(),
                "{square}"
            );
        }
        assert_eq!(
            (
                poisson(0, 0.0),
                poisson(u64::MAX, -1.0),
                poisson(5, f64::NAN)
            ),
            (0, 0, 0)
        );
        assert_eq!(poisson(0, 3.0), 0);
        // 1 - 2^-53: about 8.2 standard deviations up.
        assert!((1800..2000).contains(&poisson(u64::MAX, 1500.0)));
    }

    #[test]
    fn a_larger_mean_never_gives_a_smaller_count_of_the_same_word() {
        for at in 0..200 {
            let word = word((f64::from(at) + 0.5) / 200.0);
            let counts = (0..400).map(|k| poisson(word, f64::from(k) * 0.25));
            let counts: Vec<u64> = counts.collect();
            assert!(counts.windows(2).all(|pair| pair[0] <= pair[1]));
        }
    }
}

#[cfg(test)]
mod geometric_tests {
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

#[cfg(test)]
mod beta_tests {
    use super::*;
    use crate::draw::{Key, Purpose};

    #[test]
    fn numbers_have_the_laws_mean_and_variance() {
        let mut draw = Key::new(2, 0).draw(Purpose::World, 0, 0);
        for (a, b) in [(1.0, 1.0), (1.0, 30.0), (62.0, 1_940.0)] {
            let n = 100_000;
            let drawn = (0..n).map(|_| beta(&mut draw, a, b));
            let (sum, squares) = drawn.fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
            let (mean, variance) = (sum / f64::from(n), squares / f64::from(n));
            let due = a / (a + b);
            let spread = a * b / ((a + b) * (a + b) * (a + b + 1.0));
            assert!(
                (mean - due).abs() < 4.0 * (spread / f64::from(n)).sqrt(),
                "{mean}"
            );
            assert!(
                (variance - mean * mean - spread).abs() < 0.05 * spread,
                "{a} {b}"
            );
        }
    }
}
