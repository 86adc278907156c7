//! Theory of two groups, before anything is simulated. Here for large N; [`FiniteN`] for a given N.
//!
//! theta' = theta + eta (a*(theta) - theta), where a*(s) maximises R(s, a) = R_G - lambda (a -
//! sbar)^2 and R_G is the scores of the best shares q_u = abar a / s and q_v = abar (1 - a) / (1 -
//! s) of the groups. dR_G/da = t_u - t_v (A.3 of the paper), so the fixed point, where a = s and
//! both q are abar, has a closed form, and so has the slope of a* there. Not in the paper.

mod finite;

pub use finite::FiniteN;

use kleroterion_core::bisect::bisect;
use kleroterion_core::protocol::{ScoreLaw, density_at, upper_quantile};

/// Two groups, u and v, and the parameters of Fair-Greedy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargeN {
    /// The scores of the first group, to which s, a and theta refer.
    pub u: ScoreLaw,
    /// The scores of the second group.
    pub v: ScoreLaw,
    /// abar: the share of the applicants that is admitted, from 0 to 1.
    pub admitted: f64,
    /// sbar: the share of the first group that is wanted among the admitted.
    pub target: f64,
    /// lambda: the weight of the loss, 0 or more.
    pub lambda: f64,
}

impl LargeN {
    /// D = mu_u - mu_v + (sigma_u - sigma_v) z(abar): by how much the threshold of the first group
    /// is higher where both admit the same share.
    fn advantage(&self) -> f64 {
        let z = upper_quantile(self.admitted);
        let spread = self.u.sd - self.v.sd;
        // Where all or none are admitted z is infinite.
        let tail = if spread == 0.0 { 0.0 } else { spread * z };
        self.u.mean - self.v.mean + tail
    }

    /// Returns `sbar + gain / (2 lambda)`, clipped to \[0, 1\].
    fn shifted(&self, gain: f64) -> Option<f64> {
        let inside = self.admitted > 0.0 && self.admitted < 1.0;
        if !inside || (self.lambda == 0.0 && gain == 0.0) {
            return None;
        }
        let shift = if gain == 0.0 {
            0.0
        } else {
            gain / (2.0 * self.lambda)
        };
        Some((self.target + shift).clamp(0.0, 1.0))
    }

    /// Returns s* = sbar + D / (2 lambda), clipped to \[0, 1\]: the theta at which the pool comes
    /// to rest under Fair-Greedy. `None` if every theta is at rest: all or none are admitted, or
    /// lambda = 0 and D = 0.
    #[must_use]
    pub fn fixed_point(&self) -> Option<f64> {
        self.shifted(self.advantage())
    }

    /// Returns the rest for the optimal policy of discount gamma and step eta: sbar + (D + w G) /
    /// (2 lambda). G = (sigma_u - sigma_v) (phi(z) - abar z) / abar is the gain of R_G by s, and w
    /// = gamma eta / (1 - gamma (1 - eta)).
    #[must_use]
    pub fn optimal_fixed_point(&self, gamma: f64, eta: f64) -> Option<f64> {
        let (abar, z) = (self.admitted, upper_quantile(self.admitted));
        let spread = self.u.sd - self.v.sd;
        let gain = match spread {
            0.0 => 0.0,
            spread => spread * (density_at(abar) - abar * z) / abar,
        };
        let weight = gamma * eta / (1.0 - gamma * (1.0 - eta));
        self.shifted(self.advantage() + weight * gain)
    }

    /// Returns kappa = 2 lambda / (K + 2 lambda), K = (abar / phi(z(abar))) (sigma_u / s* + sigma_v
    /// / (1 - s*)). The distance of theta to s* shrinks by the factor 1 - eta kappa a round. `None`
    /// if s* is not inside (0, 1).
    #[must_use]
    pub fn kappa(&self) -> Option<f64> {
        let at = self.fixed_point().filter(|&s| s > 0.0 && s < 1.0)?;
        let pull = 2.0 * self.lambda;
        Some(pull / (self.curvature(at) + pull))
    }

    /// K = -d2 R_G / da2 at a = s.
    fn curvature(&self, s: f64) -> f64 {
        let abar = self.admitted;
        abar / density_at(abar) * (self.u.sd / s + self.v.sd / (1.0 - s))
    }

    /// Returns 1 / (eta kappa), in rounds.
    #[must_use]
    pub fn time_constant(&self, eta: f64) -> Option<f64> {
        Some(1.0 / (eta * self.kappa()?))
    }

    /// Returns the standard deviation of theta once it swings around s*, about sqrt(eta kappa s* /
    /// (N (2 - eta kappa))), for N applicants a round and N large. `None` also if it does not
    /// settle (eta kappa of 2 or more). See [`FiniteN::stationary_sd`].
    #[must_use]
    pub fn stationary_sd(&self, applicants: u32, eta: f64) -> Option<f64> {
        let step = eta * self.kappa()?;
        let at = self.fixed_point()?;
        (step < 2.0).then(|| (step * at / (f64::from(applicants) * (2.0 - step))).sqrt())
    }

    /// The range of a that is possible at s: no group admits more than it has.
    #[must_use]
    pub fn feasible(&self, s: f64) -> (f64, f64) {
        let abar = self.admitted;
        let low = (1.0 - (1.0 - s) / abar).max(0.0);
        let high = (s / abar).min(1.0);
        (low.min(high), high)
    }

    /// Returns a*(s): the root of t_u(a) - t_v(a) = 2 lambda (a - sbar), to the last bits, or the
    /// end of the possible shares nearest to it. It is s itself if all or none are admitted.
    #[must_use]
    pub fn best_response(&self, s: f64) -> f64 {
        if self.admitted <= 0.0 || self.admitted >= 1.0 {
            return s;
        }
        // R_G is concave in a: its slope falls from one end to the other.
        let (low, high) = bisect(self.feasible(s), 200, |a| self.slope(s, a) > 0.0);
        0.5 * (low + high)
    }

    /// Returns dR/da = t_u - t_v - 2 lambda (a - sbar).
    fn slope(&self, s: f64, a: f64) -> f64 {
        let abar = self.admitted;
        let upper = self.u.threshold(abar * a / s);
        let lower = self.v.threshold(abar * (1.0 - a) / (1.0 - s));
        upper - lower - 2.0 * self.lambda * (a - self.target)
    }

    /// Returns theta_0 ... theta_`rounds` without chance: theta + eta_t (a*(theta) - theta), on
    /// \[0, 1\]. `eta` is asked for each round from 0 on.
    #[must_use]
    pub fn path(&self, start: f64, rounds: usize, eta: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut theta = start;
        let mut path = vec![theta];
        path.extend((0..rounds).map(|round| {
            theta += eta(round) * (self.best_response(theta) - theta);
            theta = theta.clamp(0.0, 1.0);
            theta
        }));
        path
    }
}
