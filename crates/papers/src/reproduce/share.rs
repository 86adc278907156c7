//! A share of replications, or of instances: a count, with exact limits. Its standard error says
//! nothing where it is 0 or 1, as few as were tried.

use super::holds::{Holds, SURE};
use kleroterion_stats::exact_interval;

/// The share of the replications in which something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyShare {
    /// The number of replications in which it holds.
    pub hits: u64,
    /// The number of replications, at least one.
    pub n: u64,
}

impl StudyShare {
    /// Counts the replications in which something holds. Returns `None` for no replications.
    #[must_use]
    pub fn of(each: impl IntoIterator<Item = bool>) -> Option<Self> {
        let count = |(hits, n), holds: bool| (hits + u64::from(holds), n + 1);
        let (hits, n) = each.into_iter().fold((0, 0), count);
        (n > 0).then_some(Self { hits, n })
    }

    /// The share itself.
    #[must_use]
    pub fn share(self) -> f64 {
        self.hits as f64 / self.n as f64
    }

    /// The exact limits (Clopper and Pearson 1934), each missed as rarely as a normal mean is off
    /// by this many standard errors to one side.
    #[must_use]
    pub fn limits(self, errors: f64) -> [f64; 2] {
        let both_sides = libm::erfc(errors * std::f64::consts::FRAC_1_SQRT_2);
        exact_interval(self.hits, self.n, both_sides)
    }

    /// Judges that the true share is above a number.
    pub(super) fn above(self, number: f64) -> Holds {
        let [low, high] = self.limits(SURE);
        if low > number {
            Holds::Yes
        } else if high <= number {
            Holds::No
        } else {
            Holds::Unsure
        }
    }

    /// Judges that the true share is below a number.
    pub(super) fn below(self, number: f64) -> Holds {
        self.rest().above(1.0 - number)
    }

    /// Judges that the true share is at most a number.
    pub(super) fn at_most(self, number: f64) -> Holds {
        !self.above(number)
    }

    /// Judges that the true share may be this exactly known number: within limits of four standard
    /// errors.
    pub(super) fn agrees(self, exact: f64) -> Holds {
        let [low, high] = self.limits(4.0);
        (low..=high).contains(&exact).into()
    }

    /// The share in which it does not hold.
    fn rest(self) -> Self {
        Self {
            hits: self.n - self.hits,
            n: self.n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Holds::{No, Unsure, Yes};

    fn share(hits: u64, n: u64) -> StudyShare {
        StudyShare { hits, n }
    }

    /// At three standard errors .00135 is left on either side: 0 in n bounds a share by 1 -
    /// .00135^(1/n).
    #[test]
    fn none_of_few_shows_nothing() {
        for (n, most) in [(1, 0.99865), (4, 0.8083), (30, 0.1977), (400, 0.016_383)] {
            let [low, high] = share(0, n).limits(SURE);
            assert_eq!(low, 0.0);
            assert!((high / most - 1.0).abs() < 1e-3, "{n}: {high}");
        }
        for (hits, n, most, holds) in [
            (0, 4, 0.017, Unsure),
            (0, 30, 0.017, Unsure),
            (0, 30, 0.05, Unsure),
            (0, 128, 0.05, Unsure),
            (0, 129, 0.05, Yes),
            (0, 400, 0.017, Yes),
            (1, 400, 0.017, Unsure),
            (30, 30, 0.05, No),
            (0, 1_000_000, 0.0, Unsure),
            (3, 3, 1.0, Yes),
        ] {
            assert_eq!(share(hits, n).at_most(most), holds, "{hits} of {n}");
        }
    }

    #[test]
    fn all_of_few_shows_nothing_either() {
        for (hits, n, least, holds) in [
            (5, 5, 0.95, Unsure),
            (128, 128, 0.95, Unsure),
            (129, 129, 0.95, Yes),
            (1, 5, 0.0, Yes),
            (0, 5, 0.0, Unsure),
            (5, 5, 1.0, No),
            (60, 100, 0.5, Unsure),
            (70, 100, 0.5, Yes),
            (30, 100, 0.5, No),
        ] {
            assert_eq!(share(hits, n).above(least), holds, "{hits} of {n}");
            let rest = share(n - hits, n);
            assert_eq!(rest.below(1.0 - least), holds, "{hits} of {n}");
        }
    }

    /// (9/10)^62 = .00145, (9/10)^63 = .00131.
    #[test]
    fn none_of_many_is_rare_only_where_they_are_many() {
        for (hits, n, holds) in [(0, 62, Unsure), (0, 63, Yes), (1, 63, Unsure), (20, 63, No)] {
            assert_eq!(share(hits, n).below(0.1), holds, "{hits} of {n}");
        }
    }

    #[test]
    fn a_share_agrees_within_its_limits_alone() {
        assert_eq!(share(0, 4).agrees(0.0), Yes);
        assert_eq!(share(0, 4).agrees(0.5), Yes);
        assert_eq!(share(0, 40).agrees(0.5), No);
        assert_eq!(share(500, 1000).agrees(0.5), Yes);
        assert_eq!(share(600, 1000).agrees(0.5), No);
        assert_eq!(StudyShare::of([]), None);
        assert_eq!(StudyShare::of([true, false, true]), Some(share(2, 3)));
        assert_eq!(share(2, 4).share(), 0.5);
    }
}
