//! Statistics that heavy tails leave intact: medians and other quantiles, with intervals that hold
//! whatever the law, and the share of replications in which one policy beats the other.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::sequence::Betting;
use super::stats::quantile;
use kleroterion_core::score::Direction;

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
