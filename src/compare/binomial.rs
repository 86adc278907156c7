//! Exact limits of a chance that was met some times of `n`.

use statrs::function::beta::inv_beta_reg;

/// The exact interval (Clopper and Pearson 1934) of a chance that was met `hits` times of `n`: each
/// end is missed with a probability of at most `alpha` / 2.
///
/// # Panics
/// Where `hits` is more than `n`.
#[must_use]
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
}
