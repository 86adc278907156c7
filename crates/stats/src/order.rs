//! Statistics that heavy tails leave intact: medians and other quantiles, with intervals that hold
//! whatever the law, and the share of replications in which one policy beats the other.

use super::sequence::Betting;
use super::stats::quantile;
use kleroterion_core::score::Direction;
use statrs::distribution::{Binomial, DiscreteCDF};
use statrs::function::beta::inv_beta_reg;

/// A number and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalEstimate {
    /// The number.
    pub value: f64,
    /// The interval's lower end. `None` if nothing bounds it from below.
    pub lo: Option<f64>,
    /// The interval's upper end. `None` if nothing bounds it from above.
    pub hi: Option<f64>,
}

/// Estimates the `q`-quantile, 0 < q < 1, of the law that `values` came from independently. The
/// estimate is the sample's own quantile. The interval has a level of at least `1 - alpha`, with
/// order statistics as ends, for a number of values fixed beforehand. `None` if there are no
/// values; an end is missing if there are too few.
///
/// The chance that the l-th value from below exceeds the quantile is P(Bin(n, q) < l) at most, ties
/// or no ties.
#[must_use]
pub fn quantile_interval(values: &[f64], q: f64, alpha: f64) -> Option<IntervalEstimate> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let value = quantile(&sorted, q)?;
    let n = sorted.len() as u64;
    let below = Binomial::new(q, n).ok()?;
    let above = Binomial::new(1.0 - q, n).ok()?;
    let end = |rank: Option<usize>| rank.map(|rank| sorted[rank]);
    Some(IntervalEstimate {
        value,
        lo: end(rank(&below, n, alpha / 2.0)),
        hi: end(rank(&above, n, alpha / 2.0).map(|rank| sorted.len() - 1 - rank)),
    })
}

/// The greatest rank r, from 0, with P(Bin <= r) <= a.
fn rank(binomial: &Binomial, n: u64, a: f64) -> Option<usize> {
    let (mut none, mut some) = (n, None);
    let mut at_most = 0;
    // The first r with P(Bin <= r) > a lies in at_most..=none.
    while at_most < none {
        let middle = at_most + (none - at_most) / 2;
        if binomial.cdf(middle) <= a {
            some = Some(middle as usize);
            at_most = middle + 1;
        } else {
            none = middle;
        }
    }
    some
}

/// Estimates the probability that a beats b in a replication, a tie counting for half. The estimate
/// is the share of `differences`, value(a) - value(b), on the metric's better side (above 0 if it
/// has none). The interval is by betting, valid at any time. `None` if there are no differences.
#[must_use]
pub fn beats(differences: &[f64], direction: Direction, alpha: f64) -> Option<IntervalEstimate> {
    let wins: Vec<f64> = differences
        .iter()
        .map(|d| match (*d, direction) {
            (0.0, _) => 0.5,
            (d, Direction::Lower) => f64::from(u8::from(d < 0.0)),
            (d, _) => f64::from(u8::from(d > 0.0)),
        })
        .collect();
    if wins.is_empty() {
        return None;
    }
    let (lo, hi) = Betting::interval(&wins, alpha);
    Some(IntervalEstimate {
        value: wins.iter().sum::<f64>() / wins.len() as f64,
        lo: Some(lo),
        hi: Some(hi),
    })
}

/// Returns the exact interval (Clopper and Pearson 1934) of a probability with `hits` hits in `n`
/// trials. Each end is missed with a probability of at most `alpha` / 2.
///
/// # Panics
/// Panics if `hits` is more than `n`.
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

/// Returns the exact interval of the mean of `n` values, each 0 or 1, from this mean and standard
/// error. `None` unless they are those of values that are all 0 or 1. Two equal values have no
/// standard error, and yet say little.
#[must_use]
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
    use kleroterion_core::draw::{Key, Purpose};

    fn numbers(n: usize) -> Vec<f64> {
        (1..=n).rev().map(|i| i as f64).collect()
    }

    fn ends(n: usize, q: f64, alpha: f64) -> (Option<f64>, Option<f64>) {
        let estimate = quantile_interval(&numbers(n), q, alpha).unwrap();
        (estimate.lo, estimate.hi)
    }

    /// The ranks in tables of the sign test at 5 % (Conover, Practical Nonparametric Statistics): 2
    /// and 9 of 10, 6 and 15 of 20, 18 and 33 of 50, 40 and 61 of 100; none of 5, P(Bin(5, 1/2) =
    /// 0) = 1/32.
    #[test]
    fn intervals_of_medians_are_those_of_the_sign_test() {
        for (n, lo, hi) in [
            (10, 2.0, 9.0),
            (20, 6.0, 15.0),
            (50, 18.0, 33.0),
            (100, 40.0, 61.0),
        ] {
            assert_eq!(ends(n, 0.5, 0.05), (Some(lo), Some(hi)), "{n}");
        }
        assert_eq!(ends(5, 0.5, 0.05), (None, None));
        assert_eq!(ends(6, 0.5, 0.05), (Some(1.0), Some(6.0)));
        assert_eq!(quantile_interval(&[], 0.5, 0.05), None);
        let one = quantile_interval(&[3.0], 0.5, 0.05).unwrap();
        assert_eq!((one.value, one.lo, one.hi), (3.0, None, None));
    }

    /// By summing the binomial's terms.
    #[test]
    fn ranks_by_plain_sums() {
        for n in [1_usize, 2, 7, 19, 60, 137] {
            for q in [0.1, 0.5, 0.9] {
                for alpha in [0.21, 0.05, 0.001] {
                    let mut term = (0..n).map(|_| 1.0 - q).product::<f64>();
                    let (mut sum, mut lo, mut hi) = (0.0, None, None);
                    for k in 0..n {
                        // P(Bin < k + 1) for the lower end, P(Bin >= k + 1) for the upper.
                        sum += term;
                        if sum <= alpha / 2.0 {
                            lo = Some(k as f64 + 1.0);
                        }
                        if 1.0 - sum <= alpha / 2.0 && hi.is_none() {
                            hi = Some(k as f64 + 1.0);
                        }
                        term *= (n - k) as f64 / (k + 1) as f64 * q / (1.0 - q);
                    }
                    assert_eq!(ends(n, q, alpha), (lo, hi), "{n} {q} {alpha}");
                }
            }
        }
    }

    /// 2,000 samples of 40 from a law with no mean, 1/(1 - u)^2: the median is 4.
    #[test]
    fn a_heavy_tail_is_covered() {
        let key = Key::new(7, 0);
        let mut missed = 0;
        for sample in 0..2_000 {
            let mut draw = key.draw(Purpose::World, sample, 0);
            let value = |_| {
                let rest = 1.0 - draw.uniform();
                1.0 / (rest * rest)
            };
            let values: Vec<f64> = (0..40).map(value).collect();
            let estimate = quantile_interval(&values, 0.5, 0.05).unwrap();
            let covered = estimate.lo.unwrap() <= 4.0 && 4.0 <= estimate.hi.unwrap();
            missed += u32::from(!covered);
        }
        // The level of these ranks is 3.8 %: 77 of 2,000, and four standard errors more are 111.
        assert!((40..111).contains(&missed), "{missed} of 2000");
    }

    #[test]
    fn who_beats_whom() {
        let differences = [-1.0, -2.0, 3.0, 0.0];
        let value = |direction| beats(&differences, direction, 0.05).unwrap().value;
        assert_eq!(value(Direction::Lower), 0.625);
        assert_eq!(value(Direction::Higher), 0.375);
        assert_eq!(value(Direction::None), 0.375);
        assert_eq!(beats(&[], Direction::Lower, 0.05), None);
        let always = beats(&[-1.0; 100], Direction::Lower, 0.05).unwrap();
        assert!(always.lo.unwrap() > 0.9 && always.hi == Some(1.0));
        let ties = beats(&[0.0, -0.0], Direction::Lower, 0.05).unwrap();
        assert_eq!(ties.value, 0.5);
    }
}

#[cfg(test)]
mod binomial_tests {
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
