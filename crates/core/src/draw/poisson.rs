//! Poisson counts by inverse CDF.

use super::uniform;

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
