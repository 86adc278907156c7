//! The theory of two groups at N applicants a round.

use crate::pool::{HeadCountLaw, Weighing};
use kleroterion_core::bisect::bisect;
use kleroterion_core::protocol::Choose;

/// The course of theta from theta_0 on, if N apply each round. The first group has N^u = min(N,
/// Poisson(theta N)) of them, and a policy answers n of them with a share a*(n). The drift of theta
/// is eta times E\[a*(n) - n/N\].
#[derive(Clone, Debug)]
pub struct FiniteN {
    applicants: u32,
    start: f64,
    /// The excess a*(n) - n/N, by n from 0.
    excess: Vec<f64>,
}

impl FiniteN {
    /// Makes the theory of any policy that answers with a share alone: `share(n)` for n = 0 ..= N.
    /// `start` is theta_0, from 0 to 1.
    ///
    /// # Panics
    /// Panics if no one applies.
    #[must_use]
    pub fn of(applicants: u32, start: f64, share: impl Fn(u32) -> f64) -> Self {
        assert!(applicants > 0, "someone applies");
        let size = f64::from(applicants);
        let excess = |n: u32| share(n) - f64::from(n) / size;
        Self {
            applicants,
            start,
            excess: (0..=applicants).map(excess).collect(),
        }
    }

    /// Makes the theory of Fair-Greedy, which admits the share `admitted`. If that is no one, theta
    /// stays.
    ///
    /// # Panics
    /// Panics as [`Weighing::share`] does, and if no one applies.
    #[must_use]
    pub fn fair_greedy(weighing: &Weighing, applicants: u32, admitted: f64, start: f64) -> Self {
        let places = Choose::Share(admitted).places(applicants, None).max;
        Self::of(applicants, start, |n| match places {
            0 => f64::from(n) / f64::from(applicants),
            _ => weighing.share(places, [n, applicants - n]),
        })
    }

    /// E f(n) at a theta.
    fn mean(&self, theta: f64, f: impl Fn(usize) -> f64) -> f64 {
        let law = HeadCountLaw::new(theta * f64::from(self.applicants), self.applicants);
        law.iter().map(|(n, p)| p * f(n as usize)).sum()
    }

    /// Returns E\[a*(n) - n/N\] at a theta.
    #[must_use]
    pub fn drift(&self, theta: f64) -> f64 {
        self.mean(theta, |n| self.excess[n])
    }

    /// Returns the drift's derivative by theta: d/dm E f(Poisson(m)) = E\[f(n + 1) - f(n)\].
    #[must_use]
    pub fn slope(&self, theta: f64) -> f64 {
        let next = |n: usize| (n + 1).min(self.applicants as usize);
        let by = |n: usize| self.excess[next(n)] - self.excess[n];
        f64::from(self.applicants) * self.mean(theta, by)
    }

    /// Returns Var\[a*(n) - n/N\] at a theta.
    #[must_use]
    pub fn variance(&self, theta: f64) -> f64 {
        let drift = self.drift(theta);
        self.mean(theta, |n| {
            (self.excess[n] - drift) * (self.excess[n] - drift)
        })
    }

    /// The theta at which the pool comes to rest. Going from theta_0 the way that the drift pushes,
    /// it is the first theta inside (0, 1) at which the drift is 0, to the last bits. Later zeros
    /// are not met.
    ///
    /// The search steps by 1/512. `None` if theta drifts to an end, or nothing pushes it.
    #[must_use]
    pub fn drift_zero(&self) -> Option<f64> {
        const STRETCHES: u32 = 512;
        let at = |i: u32| f64::from(i) / f64::from(STRETCHES);
        let here = self.start * f64::from(STRETCHES);
        let drift = self.drift(self.start);
        let mut last = self.start;
        if drift > 0.0 {
            for next in (here.floor() as u32 + 1..=STRETCHES).map(at) {
                if self.drift(next) <= 0.0 {
                    return Some(self.between(last, next));
                }
                last = next;
            }
        } else if drift < 0.0 {
            for next in (0..here.ceil() as u32).rev().map(at) {
                // Of a group that is gone no one applies: what counts is how the drift begins.
                if self.drift(next) > 0.0 || (next == 0.0 && self.slope(next) > 0.0) {
                    return Some(self.between(next, last));
                }
                last = next;
            }
        }
        None
    }

    /// Where the drift goes from above 0 to below between two thetas.
    fn between(&self, low: f64, high: f64) -> f64 {
        let (low, high) = bisect((low, high), 100, |theta| self.drift(theta) > 0.0);
        0.5 * (low + high)
    }

    /// Returns the end to which theta drifts, 0 or 1, if it meets no zero on its way. `None` also
    /// if nothing pushes it.
    #[must_use]
    pub fn drift_end(&self) -> Option<f64> {
        let drift = self.drift(self.start);
        let meets = drift == 0.0 || self.drift_zero().is_some();
        (!meets).then_some(if drift > 0.0 { 1.0 } else { 0.0 })
    }

    /// Returns the standard deviation of theta once it swings around the drift zero: sqrt(eta v /
    /// (k (2 - eta k))), v the variance and k = -slope there (an autoregression of first order).
    /// `None` if it does not settle.
    #[must_use]
    pub fn stationary_sd(&self, eta: f64) -> Option<f64> {
        let at = self.drift_zero()?;
        let k = -self.slope(at);
        let settles = k > 0.0 && eta * k < 2.0;
        settles.then(|| (eta * self.variance(at) / (k * (2.0 - eta * k))).sqrt())
    }
}
