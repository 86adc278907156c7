//! The p-values of counts and of samples: the probability of being as far off by chance alone.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use kleroterion_core::draw::{Key, Purpose};

/// The number of samples drawn for the test of normality.
pub(super) const SAMPLES: u64 = 9_999;

/// Returns the p-value of counts with known expected shares, by Pearson's chi-square. The shares
/// are above 0 and sum to 1. `totals` is the number of sums of the counts to which the shares were
/// scaled; 1 for their whole alone.
#[must_use]
pub(super) fn of_counts(counts: &[u64], shares: &[f64], totals: usize) -> f64 {
    let n: u64 = counts.iter().sum();
    let terms = counts.iter().zip(shares).map(|(count, share)| {
        let expected = share * n as f64;
        let gap = *count as f64 - expected;
        gap * gap / expected
    });
    let statistic: f64 = terms.sum();
    let freedom = counts.len().saturating_sub(totals).max(1) as f64;
    ChiSquared::new(freedom).map_or(f64::NAN, |law| law.sf(statistic))
}

/// Returns the p-value of a sample being uniform on \[0, 1\], and the largest gap between its CDF
/// and that of the uniform law. It uses Stephens' approximation of Kolmogorov's test, sound from
/// about ten values on.
#[must_use]
pub(super) fn of_uniforms(sample: &mut [f64]) -> (f64, f64) {
    let n = sample.len() as f64;
    let distance = from_uniform(sample);
    let scaled = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    (kolmogorov(scaled), distance)
}

/// Returns the largest gap between the CDF of a sample and that of the uniform law; sorts the
/// sample.
fn from_uniform(sample: &mut [f64]) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let gaps = sample.iter().enumerate().map(|(rank, u)| {
        let rank = rank as f64;
        (u - rank / n).max((rank + 1.0) / n - u)
    });
    gaps.fold(0.0, f64::max)
}

/// The distance of a sample from the normal law with its own mean and variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Normality {
    /// The largest gap between the sample's CDF and that of the law.
    pub distance: f64,
    /// The usual distance of a normal sample of as many values: the median of those drawn.
    pub usual: f64,
    /// The share of normal samples that are as far off, with this one counted among them.
    pub p: f64,
}

/// Lilliefors's test (1967) of a sample to be normal, of whatever mean and variance, against
/// [`SAMPLES`] drawn samples of as many values, the law being fitted to each. The draws are of
/// addresses of their own: the same sample has the same p-value everywhere.
#[must_use]
pub(super) fn of_normals(sample: &[f64]) -> Normality {
    let distance = from_normal(sample.to_vec());
    let drawn = (0..SAMPLES).map(|nth| {
        let mut draw = Key::new(0, nth).draw(Purpose::World, 0, 0);
        from_normal(sample.iter().map(|_| draw.normal()).collect())
    });
    let mut drawn: Vec<f64> = drawn.collect();
    drawn.sort_by(f64::total_cmp);
    let farther = drawn.iter().filter(|other| **other >= distance).count();
    Normality {
        distance,
        usual: drawn[drawn.len() / 2],
        p: (farther + 1) as f64 / (SAMPLES + 1) as f64,
    }
}

fn from_normal(mut sample: Vec<f64>) -> f64 {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
    if squares <= 0.0 {
        // Equal values lie as far from any normal law as can be.
        return 1.0;
    }
    let scale = -std::f64::consts::FRAC_1_SQRT_2 / (squares / n).sqrt();
    for x in &mut sample {
        *x = 0.5 * libm::erfc((*x - mean) * scale);
    }
    from_uniform(&mut sample)
}

/// Returns the probability that Kolmogorov's statistic exceeds a number.
fn kolmogorov(x: f64) -> f64 {
    if x < 0.2 {
        // Where the series is slow the probability is 1 to twelve digits.
        return 1.0;
    }
    let term = |k: i32| {
        let k = f64::from(k);
        libm::exp(-2.0 * k * k * x * x)
    };
    let sum: f64 = (1..=40)
        .map(|k| if k % 2 == 1 { term(k) } else { -term(k) })
        .sum();
    (2.0 * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published points: chi-square .05 at 3 degrees is 7.8147; Kolmogorov's .05 and .01 are 1.3581
    /// and 1.6276.
    #[test]
    fn tables() {
        // Counts 100 + g, 100 - g, 100, 100 have the statistic 2 g^2 / 100.
        let off = (7.814_728_f64 * 50.0).sqrt();
        let near = of_counts(&[119, 81, 100, 100], &[0.25; 4], 1);
        let far = of_counts(&[120, 80, 100, 100], &[0.25; 4], 1);
        assert!((19.0..20.0).contains(&off) && near > 0.05 && far < 0.05);
        assert_eq!(of_counts(&[20, 60, 20], &[0.2, 0.6, 0.2], 1), 1.0);
        // Two rows by their own totals: 2 degrees, the tail exp(-x/2) at x = 4 * 4^2 / 50.
        let rows = of_counts(&[54, 46, 54, 46], &[0.25; 4], 2);
        assert!((rows - libm::exp(-0.64)).abs() < 1e-12);
        assert!((kolmogorov(1.3581) - 0.05).abs() < 1e-4);
        assert!((kolmogorov(1.6276) - 0.01).abs() < 1e-4);
        assert_eq!(kolmogorov(0.0), 1.0);
    }

    #[test]
    fn what_is_not_uniform_is_seen() {
        let mut even: Vec<f64> = (0..1000).map(|i| (f64::from(i) + 0.5) / 1000.0).collect();
        let (p, distance) = of_uniforms(&mut even);
        assert!(p > 0.999 && (distance - 0.0005).abs() < 1e-12);
        let mut bent: Vec<f64> = even.iter().map(|u| u * u).collect();
        assert!(of_uniforms(&mut bent).0 < 1e-9);
    }

    /// Lilliefors's critical distances, .886 / sqrt(n) at .05 and 1.031 / sqrt(n) at .01 for n
    /// above 30.
    #[test]
    fn distances_of_normal_samples_are_those_of_the_table() {
        let n = 400;
        let even = |n: i32| {
            (0..n).map(move |i| {
                kleroterion_core::draw::inverse_normal_cdf((f64::from(i) + 0.5) / f64::from(n))
            })
        };
        let near = of_normals(&even(n).collect::<Vec<_>>());
        assert!(near.p > 0.99 && near.distance < 0.005, "{near:?}");
        // Samples that are bent more and more: each p-value with what the table says of its
        // distance.
        let mut met = [false; 2];
        for bend in 1..60 {
            let bent: Vec<f64> = even(n)
                .map(|z| z + f64::from(bend) / 200.0 * z * z)
                .collect();
            let scaled = from_normal(bent.clone()) * f64::from(n).sqrt();
            for (met, (critical, level)) in met.iter_mut().zip([(0.886, 0.05), (1.031, 0.01)]) {
                if (scaled - critical).abs() < 0.03 {
                    *met = true;
                    let p = of_normals(&bent).p;
                    assert!(libm::log(p / level).abs() < 0.6, "{scaled}: {p}");
                }
            }
        }
        assert_eq!(met, [true; 2]);
        assert!((0.5..0.7).contains(&(near.usual * f64::from(n).sqrt())));
    }
}
