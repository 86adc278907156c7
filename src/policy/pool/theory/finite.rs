//! The same at N applicants a round.

use crate::policy::pool::{HeadCount, Weighing};
use crate::protocol::Choose;

/// How theta moves where N apply each round: N^u = min(N, Poisson(theta N)) of the first group, and a policy answers n of them
/// with a share a*(n). The drift of theta is eta times E\[a*(n) - n/N\].
#[derive(Clone, Debug)]
pub struct FiniteN {
    applicants: u32,
    /// a*(n) - n/N, by n from 0.
    excess: Vec<f64>,
}

impl FiniteN {
    /// For any policy that answers with a share alone: `share(n)` for n = 0 ..= N.
    ///
    /// # Panics
    /// Where nobody applies.
    #[must_use]
    pub fn of(applicants: u32, share: impl Fn(u32) -> f64) -> Self {
        assert!(applicants > 0, "someone applies");
        let size = f64::from(applicants);
        let excess = |n: u32| share(n) - f64::from(n) / size;
        Self {
            applicants,
            excess: (0..=applicants).map(excess).collect(),
        }
    }

    /// For Fair-Greedy, where the share `admitted` is admitted. Where that is nobody, theta stays.
    ///
    /// # Panics
    /// As [`Weighing::share`], and where nobody applies.
    #[must_use]
    pub fn fair_greedy(weighing: &Weighing, applicants: u32, admitted: f64) -> Self {
        let places = Choose::Share(admitted).places(applicants, None).max;
        Self::of(applicants, |n| match places {
            0 => f64::from(n) / f64::from(applicants),
            _ => weighing.share(places, [n, applicants - n]),
        })
    }

    /// E f(n) at a theta.
    fn mean(&self, theta: f64, f: impl Fn(usize) -> f64) -> f64 {
        let law = HeadCount::new(theta * f64::from(self.applicants), self.applicants);
        law.iter().map(|(n, p)| p * f(n as usize)).sum()
    }

    /// E\[a*(n) - n/N\] at a theta.
    #[must_use]
    pub fn drift(&self, theta: f64) -> f64 {
        self.mean(theta, |n| self.excess[n])
    }

    /// The drift's derivative by theta: d/dm E f(Poisson(m)) = E\[f(n + 1) - f(n)\].
    #[must_use]
    pub fn slope(&self, theta: f64) -> f64 {
        let next = |n: usize| (n + 1).min(self.applicants as usize);
        let by = |n: usize| self.excess[next(n)] - self.excess[n];
        f64::from(self.applicants) * self.mean(theta, by)
    }

    /// Var\[a*(n) - n/N\] at a theta.
    #[must_use]
    pub fn variance(&self, theta: f64) -> f64 {
        let drift = self.drift(theta);
        self.mean(theta, |n| {
            (self.excess[n] - drift) * (self.excess[n] - drift)
        })
    }

    /// Where theta comes to rest: the lowest theta inside (0, 1) at which the drift goes from above 0 to below, to the last
    /// bits. Looked for on 512 stretches; `None` where there is none, as where theta drifts to an end.
    #[must_use]
    pub fn drift_zero(&self) -> Option<f64> {
        const STRETCHES: u32 = 512;
        let at = |i: u32| f64::from(i) / f64::from(STRETCHES);
        let falls = |i: &u32| self.drift(at(*i)) > 0.0 && self.drift(at(i + 1)) <= 0.0;
        let stretch = (1..STRETCHES).find(falls)?;
        let (mut low, mut high) = (at(stretch), at(stretch + 1));
        for _ in 0..100 {
            let theta = 0.5 * (low + high);
            if theta <= low || theta >= high {
                break;
            }
            if self.drift(theta) > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
        }
        Some(0.5 * (low + high))
    }

    /// The standard deviation of theta once it swings around the drift zero: sqrt(eta v / (k (2 - eta k))), v the variance and
    /// k = -slope there (an autoregression of first order). `None` where it does not settle.
    #[must_use]
    pub fn stationary_sd(&self, eta: f64) -> Option<f64> {
        let at = self.drift_zero()?;
        let k = -self.slope(at);
        let settles = k > 0.0 && eta * k < 2.0;
        settles.then(|| (eta * self.variance(at) / (k * (2.0 - eta * k))).sqrt())
    }
}
