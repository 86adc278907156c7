//! The expected best, second best, ... of n standard normal numbers.

use std::sync::OnceLock;

use kleroterion_core::draw::inverse_normal_cdf;
use kleroterion_core::protocol::density;

use crate::limits::MOST_TABULATED;

static TABLES: [OnceLock<Box<[f64]>>; MOST_TABULATED as usize + 1] =
    [const { OnceLock::new() }; MOST_TABULATED as usize + 1];

/// Returns Blom's approximation of [`expected`]: Phi^-1(1 - (r - 3/8) / (n + 1/4)).
#[inline]
#[must_use]
pub fn blom(rank: u32, n: u32) -> f64 {
    -inverse_normal_cdf((f64::from(rank) - 0.375) / (f64::from(n) + 0.25))
}

/// Returns the expectation of the `rank`-th largest (from 1) of n independent standard normal
/// numbers, to about 1e-12.
///
/// # Panics
/// Panics if there is no rank of this number.
#[must_use]
pub fn expected(rank: u32, n: u32) -> f64 {
    assert!(rank >= 1 && rank <= n, "no rank {rank}");
    if n > MOST_TABULATED {
        return integrated(rank, n);
    }
    let table = TABLES[n as usize].get_or_init(|| {
        let upper = (1..=n / 2).map(|rank| integrated(rank, n));
        upper.collect()
    });
    // Symmetric around the middle, which is 0.
    let mirrored = n + 1 - rank;
    match rank.cmp(&mirrored) {
        std::cmp::Ordering::Less => table[rank as usize - 1],
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Greater => -table[mirrored as usize - 1],
    }
}

/// The density of the rank-th largest is Q(x)^(r-1) Phi(x)^(n-r) phi(x) up to a constant, which the
/// quotient of two sums by one trapezoid rule needs not know. The rule converges exponentially: the
/// integrand is smooth and vanishes at both ends.
fn integrated(rank: u32, n: u32) -> f64 {
    /// Weights below e^-42 of the greatest are left out.
    const NEGLIGIBLE: f64 = -42.0;
    let p = (f64::from(rank) - 0.375) / (f64::from(n) + 0.25);
    let centre = blom(rank, n);
    let sd = (p * (1.0 - p) / (f64::from(n) + 2.0)).sqrt() / density(centre);
    let step = sd / 6.0;
    let (above, below) = (f64::from(rank - 1), f64::from(n - rank));
    let peak = exponent(centre, above, below);
    let (mut weights, mut moments) = (1.0, 0.0);
    for direction in [step, -step] {
        let mut greatest = 0.0f64;
        for i in 1.. {
            let offset = direction * f64::from(i);
            let e = exponent(centre + offset, above, below) - peak;
            greatest = greatest.max(e);
            if e < greatest + NEGLIGIBLE {
                break;
            }
            let weight = libm::exp(e);
            weights += weight;
            moments += weight * offset;
        }
    }
    centre + moments / weights
}

/// Returns `above` ln Q(x) + `below` ln Phi(x) - x^2 / 2.
fn exponent(x: f64, above: f64, below: f64) -> f64 {
    let tail = 0.5 * libm::erfc(x.abs() * std::f64::consts::FRAC_1_SQRT_2);
    let (small, large) = (libm::log(tail), libm::log1p(-tail));
    let (upper, lower) = if x > 0.0 {
        (small, large)
    } else {
        (large, small)
    };
    // None above or below must not become 0 times infinity.
    let times = |count: f64, log: f64| if count == 0.0 { 0.0 } else { count * log };
    times(above, upper) + times(below, lower) - 0.5 * x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_what_is_known_in_closed_form() {
        let root = std::f64::consts::PI.sqrt();
        assert_eq!(expected(1, 1), 0.0);
        assert!((expected(1, 2) - 1.0 / root).abs() < 1e-12);
        assert!((expected(1, 3) - 1.5 / root).abs() < 1e-12);
        assert_eq!(expected(2, 3), 0.0);
        // E of the greatest of 5: 5/(4 sqrt pi) (1 + (6/pi) asin(1/3)).
        let five = 1.25 / root * (1.0 + 6.0 / std::f64::consts::PI * (1.0f64 / 3.0).asin());
        assert!((expected(1, 5) - five).abs() < 1e-12);
    }

    /// The density with its constant, by Simpson's rule over everything: another route.
    fn plain(rank: u32, n: u32) -> f64 {
        let (r, m) = (f64::from(rank), f64::from(n));
        let constant = libm::lgamma(m + 1.0) - libm::lgamma(r) - libm::lgamma(m - r + 1.0);
        let steps = 40_000;
        let (low, high) = (-9.0, 9.0);
        let h = (high - low) / f64::from(steps);
        let f = |i: i32| {
            let x = low + h * f64::from(i);
            let half_log_tau = 0.918_938_533_204_672_7;
            x * libm::exp(exponent(x, r - 1.0, m - r) + constant - half_log_tau)
        };
        let inner: f64 = (1..steps)
            .map(|i| if i % 2 == 1 { 4.0 * f(i) } else { 2.0 * f(i) })
            .sum();
        (f(0) + inner + f(steps)) * h / 3.0
    }

    #[test]
    fn equals_simpsons_rule() {
        for n in [1, 2, 4, 7, 30, 100, 999, 1000, 1001, 3000] {
            for rank in [1, 2, n / 4, n / 3, n / 2, n] {
                let rank = rank.clamp(1, n);
                let (ours, plain) = (expected(rank, n), plain(rank, n));
                assert!((ours - plain).abs() < 1e-9, "{rank} of {n}: {ours} {plain}");
            }
        }
    }

    #[test]
    fn all_of_an_n_add_up_and_blom_is_near() {
        for n in [10, 100, 1_000, 1_001] {
            // The variances of the order statistics and their squared means add up to n: so the
            // squared means stay below n.
            let squares: f64 = (1..=n).map(|rank| expected(rank, n).powi(2)).sum();
            let n_f = f64::from(n);
            assert!(squares < n_f && squares > n_f - 4.0 - libm::log(n_f));
            for rank in [1, 2, n / 3] {
                let off = expected(rank, n) - blom(rank, n);
                assert!(off.abs() < 0.02 && off != 0.0, "{rank} of {n}: {off}");
            }
            let falling = (1..n).all(|rank| expected(rank, n) > expected(rank + 1, n));
            assert!(falling, "{n}");
        }
    }

    #[test]
    fn large_groups_are_integrated_as_well() {
        // The greatest of a million by Simpson's rule on 1 - Phi^n in y = n Q, an independent form:
        // E = int (1 - F) - int F.
        let n = 1_000_000;
        let steps = 400_000;
        let (low, high) = (2.0, 12.0);
        let h = (high - low) / f64::from(steps);
        let f = |i: i32| {
            let x = low + h * f64::from(i);
            let tail = 0.5 * libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2);
            1.0 - libm::exp(f64::from(n) * libm::log1p(-tail))
        };
        let inner: f64 = (1..steps)
            .map(|i| if i % 2 == 1 { 4.0 * f(i) } else { 2.0 * f(i) })
            .sum();
        let plain = low + (f(0) + inner + f(steps)) * h / 3.0;
        let ours = expected(1, n as u32);
        assert!((ours - plain).abs() < 1e-9, "{ours} {plain}");
    }
}
