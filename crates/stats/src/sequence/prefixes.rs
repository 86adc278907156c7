//! Limits of a confidence sequence at several numbers of values, one search after the other.
//!
//! A limit is the m at which evidence that falls in m crosses 0. From one number of values to the
//! next it moves little, so each search starts where the last one ended.

/// A search for limits.
pub(super) struct Search {
    /// The least and the greatest value of a limit; either may be infinite.
    pub(super) ends: (f64, f64),
    /// The largest distance of a limit from the crossing, on the side where the evidence is above
    /// 0.
    pub(super) tolerance: f64,
}

/// The most evaluations of one limit.
const STEPS: usize = 200;

impl Search {
    /// The limits after each number of values of `at`, which rise from 1. `excess(n, m)` is the
    /// evidence of the first n values against a mean of m, less its level.
    pub(super) fn limits(
        &self,
        at: &[usize],
        start: f64,
        excess: impl Fn(usize, f64) -> f64,
    ) -> Vec<f64> {
        let (mut limit, mut change) = (start, 0.0);
        let next = at.iter().map(|&n| {
            // Changes shrink as n grows.
            let step = (0.25 * f64::abs(change)).max(1e3 * self.tolerance);
            let found = self.limit(limit + 0.6 * change, step, |m| excess(n, m));
            (change, limit) = (found - limit, found);
            found
        });
        next.collect()
    }

    /// The limit, searched from a guess in steps of about this length.
    fn limit(&self, guess: f64, step: f64, excess: impl Fn(f64) -> f64) -> f64 {
        let (mut lo, mut hi) = self.bracket(guess, step, &excess);
        let mut was_low = None;
        for _ in 0..STEPS {
            if hi.0 - lo.0 <= self.tolerance {
                break;
            }
            let next = self.between(lo, hi);
            if next <= lo.0 || next >= hi.0 {
                break;
            }
            let found = excess(next);
            let is_low = found >= 0.0;
            let (near, far) = match is_low {
                true => (&mut lo, &mut hi),
                false => (&mut hi, &mut lo),
            };
            *near = (next, found);
            // An end that stays twice counts for half, so that it moves (Illinois).
            if was_low.replace(is_low) == Some(is_low) {
                far.1 /= 2.0;
            }
        }
        lo.0
    }

    /// Finds two places with the crossing between them, each with its excess.
    fn bracket(
        &self,
        guess: f64,
        step: f64,
        excess: &impl Fn(f64) -> f64,
    ) -> ((f64, f64), (f64, f64)) {
        let (least, most) = self.ends;
        let (mut lo, mut hi) = ((least, f64::INFINITY), (most, f64::NEG_INFINITY));
        let (mut at, mut step) = (guess, step);
        for _ in 0..STEPS {
            if at <= least || at >= most {
                break;
            }
            let found = excess(at);
            if found >= 0.0 {
                lo = (at, found);
            } else {
                hi = (at, found);
            }
            if lo.1.is_finite() && hi.1.is_finite() {
                break;
            }
            at = if found >= 0.0 { at + step } else { at - step };
            step *= 4.0;
        }
        (lo, hi)
    }

    /// Returns the likely place where the excess crosses 0; never nearer to an end than half of the
    /// tolerance.
    fn between(&self, (lo, above): (f64, f64), (hi, below): (f64, f64)) -> f64 {
        let hair = 0.5 * self.tolerance;
        let secant = lo + (hi - lo) * (above / (above - below));
        match secant.is_finite() && above.is_finite() && below.is_finite() {
            true => secant.clamp(lo + hair, hi - hair),
            false => 0.5 * lo + 0.5 * hi,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The limits at 1 to 200 values where the evidence crosses 0 at the cube root of
    /// 0.6 - 0.5 / sqrt(n), and how many evaluations they took.
    fn found(start: f64, ends: (f64, f64)) -> (Vec<f64>, usize) {
        let search = Search {
            ends,
            tolerance: 1e-8,
        };
        let at: Vec<usize> = (1..=200).collect();
        let count = Cell::new(0);
        let limits = search.limits(&at, start, |n, m| {
            count.set(count.get() + 1);
            0.6 - 0.5 / (n as f64).sqrt() - m.powi(3)
        });
        (limits, count.get())
    }

    #[test]
    fn a_limit_lies_just_below_the_crossing_and_takes_few_evaluations() {
        let ends = [(0.0, 1.0), (f64::NEG_INFINITY, f64::INFINITY)];
        for start in [0.25, 0.0, 0.9, 40.0, -3.0] {
            for ends in ends {
                let (limits, evaluations) = found(start, ends);
                assert_eq!(limits.len(), 200);
                for (n, limit) in (1..).zip(&limits) {
                    let gap = (0.6 - 0.5 / f64::from(n).sqrt()).cbrt() - limit;
                    assert!((0.0..=1e-8).contains(&gap), "{start}: {gap:e} at {n}");
                }
                // Bisection alone takes 27 for each limit between 0 and 1.
                assert!(evaluations <= 1_130, "{start}: {evaluations}");
            }
        }
    }

    #[test]
    fn without_a_crossing_the_limit_is_an_end() {
        let search = Search {
            ends: (0.0, 1.0),
            tolerance: 1e-8,
        };
        assert_eq!(search.limits(&[1, 2], 0.5, |_, _| -1.0), [0.0, 0.0]);
        let above = search.limits(&[1, 2], 0.5, |_, _| 1.0);
        assert!(above.iter().all(|limit| *limit > 1.0 - 1e-8), "{above:?}");
    }

    /// A search among large numbers ends between neighbours, which lie further apart than the
    /// tolerance.
    #[test]
    fn a_search_among_large_numbers_ends_between_neighbours() {
        let search = Search {
            ends: (f64::NEG_INFINITY, f64::INFINITY),
            tolerance: 1e-8,
        };
        let crossing = 1e9 + 0.25;
        let count = Cell::new(0);
        let limits = search.limits(&[1, 2, 3], 1e9, |_, m| {
            count.set(count.get() + 1);
            (crossing - m) + (crossing - m).powi(3)
        });
        let below = crossing.next_down();
        assert!(
            limits
                .iter()
                .all(|limit| (below..=crossing).contains(limit)),
            "{limits:?}"
        );
        assert!(count.get() < 150, "{}", count.get());
    }
}
