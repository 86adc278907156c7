//! Exact limits of a chance that was met some times of `n`.

use statrs::function::beta::inv_beta_reg;

/// Returns the exact interval (Clopper and Pearson 1934) of a probability with `hits` hits in `n`
/// trials. Each end is missed with a probability of at most `alpha` / 2.
///
/// # Panics
/// Panics if `hits` is more than `n`.
pub fn exact_interval(hits: u64, n: u64, alpha: f64) -> [f64; 2] {
    assert!(hits <= n, "no more hits than tries");
    [
        lower_limit(hits, n, alpha / 2.0),
        upper_limit(hits, n, alpha / 2.0),
    ]
}

/// The lower end alone, which is missed with a probability of at most `alpha`.
pub(super) fn lower_limit(hits: u64, n: u64, alpha: f64) -> f64 {
    let (k, n) = (hits as f64, n as f64);
    match hits {
        0 => 0.0,
        _ => inv_beta_reg(k, n - k + 1.0, alpha),
    }
}

/// The upper end alone, which is missed with a probability of at most `alpha`.
pub(super) fn upper_limit(hits: u64, n: u64, alpha: f64) -> f64 {
    let (k, n) = (hits as f64, n as f64);
    match k < n {
        true => inv_beta_reg(k + 1.0, n - k, 1.0 - alpha),
        false => 1.0,
    }
}

/// Returns the exact interval of the mean of `n` values, each 0 or 1, from this mean and standard
/// error. `None` unless they are those of values that are all 0 or 1. Two equal values have no
/// standard error, and yet say little.
pub fn share_interval(mean: f64, se: f64, n: u64, alpha: f64) -> Option<[f64; 2]> {
    // Values from 0 to 1 have the sum of their squares only where each is 0 or 1.
    const ROUNDING: f64 = 1e-9;
    let spread = se * se * n.saturating_sub(1) as f64;
    let hits = (mean * n as f64).round();
    let all_at_ends = (spread - mean * (1.0 - mean)).abs() <= ROUNDING;
    let is_share = n > 0 && all_at_ends && (hits / n as f64 - mean).abs() <= ROUNDING;
    is_share.then(|| exact_interval(hits as u64, n, alpha))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance of at least `from` hits of n, term by term.
    fn tail(from: u64, n: u64, p: f64) -> f64 {
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        let term = |k: u64| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
        (from..=n).map(term).sum()
    }

    #[test]
    fn each_end_of_the_exact_interval_is_missed_by_half() {
        for (hits, n) in [
            (0, 1),
            (0, 400),
            (1, 7),
            (3, 7),
            (7, 7),
            (57, 200),
            (199, 200),
        ] {
            let [low, high] = exact_interval(hits, n, 0.05);
            if hits > 0 {
                assert!((tail(hits, n, low) - 0.025).abs() < 1e-9, "{hits} of {n}");
            }
            if hits < n {
                let below = 1.0 - tail(hits + 1, n, high);
                assert!((below - 0.025).abs() < 1e-9, "{hits} of {n}");
            }
            assert!(low <= hits as f64 / n as f64 && hits as f64 / n as f64 <= high);
        }
        // The closed form at no hit.
        let [low, high] = exact_interval(0, 400, 0.05);
        assert_eq!(low, 0.0);
        assert!((high - (1.0 - libm::pow(0.025, 1.0 / 400.0))).abs() < 1e-12);
    }

    #[test]
    fn shares_are_known_by_their_mean_and_spread() {
        let of = |values: &[f64]| {
            let stats = crate::Stats::of(values).expect("values");
            share_interval(stats.mean, stats.se.expect("two values"), stats.n, 0.05)
        };
        for (hits, n) in [(0, 2), (2, 2), (1, 2), (3, 7), (20, 20), (1, 1000)] {
            let values: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i < hits))).collect();
            assert_eq!(
                of(&values),
                Some(exact_interval(hits, n, 0.05)),
                "{hits} of {n}"
            );
        }
        // The law of three: none of 20 is at most some 3/20.
        assert!((of(&[0.0; 20]).expect("a share")[1] - 0.1684).abs() < 1e-3);
        for no_share in [[0.5, 0.5], [0.2, 0.9], [0.0, 0.99], [0.25, 0.75]] {
            assert_eq!(of(&no_share), None, "{no_share:?}");
        }
    }
}
