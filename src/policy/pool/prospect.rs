//! What theory says of a policy's pool before anybody is drawn.

use serde::Serialize;

use super::Weighing;
use super::optimal::LookAhead;
use super::theory::{FiniteN, LargeN};

/// Where the share theta of the first group is led, how fast, and how much it swings. What there is no theory of is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prospect {
    /// The first group, whose share this is about.
    pub group: String,
    /// s*: where theta comes to rest for large N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s_star: Option<f64>,
    /// The distance to s* shrinks by the factor 1 - eta kappa a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa: Option<f64>,
    /// 1 / (eta kappa), in rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_constant: Option<f64>,
    /// The standard deviation of theta about s*, for large N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stationary_sd: Option<f64>,
    /// Where theta comes to rest at this N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift_zero: Option<f64>,
    /// The standard deviation of theta about the drift zero, at this N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stationary_sd_finite: Option<f64>,
}

/// A pool of two groups that moves by eta (a - s).
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The first group's name.
    pub group: String,
    /// abar: the share of the applicants that is admitted.
    pub admitted: f64,
    /// N, where all rounds have the same.
    pub applicants: Option<u32>,
    /// eta, where it is constant.
    pub eta: Option<f64>,
}

/// Beyond so many applicants a round the limit of large N is all that is told.
const MOST: u32 = 20_000;

impl Setting {
    /// Of Fair-Greedy.
    #[must_use]
    pub fn fair_greedy(&self, weighing: &Weighing) -> Prospect {
        let large = match weighing.laws[..] {
            [u, v] => Some(LargeN {
                u,
                v,
                admitted: self.admitted,
                target: weighing.target[0],
                lambda: weighing.lambda,
            }),
            _ => None,
        };
        let finite = self
            .applicants
            .filter(|n| !weighing.laws.is_empty() && *n <= MOST);
        let finite = finite.map(|n| FiniteN::fair_greedy(weighing, n, self.admitted));
        self.prospect(large.as_ref(), finite.as_ref())
    }

    /// Of looking ahead: where theta comes to rest for large N.
    #[must_use]
    pub fn optimal(&self, ahead: &LookAhead) -> Prospect {
        let [u, v] = ahead.laws;
        let large = LargeN {
            u,
            v,
            admitted: ahead.admitted,
            target: ahead.target,
            lambda: ahead.lambda,
        };
        Prospect {
            group: self.group.clone(),
            s_star: large.optimal_fixed_point(ahead.gamma, ahead.eta),
            ..Prospect::default()
        }
    }

    /// Of admitting the target's share, as far as there are applicants.
    #[must_use]
    pub fn target_share(&self, target: f64) -> Prospect {
        Prospect {
            group: self.group.clone(),
            s_star: Some(target),
            kappa: Some(1.0),
            time_constant: self.eta.filter(|eta| *eta > 0.0).map(|eta| 1.0 / eta),
            ..Prospect::default()
        }
    }

    fn prospect(&self, large: Option<&LargeN>, finite: Option<&FiniteN>) -> Prospect {
        let eta = self.eta.filter(|eta| *eta > 0.0);
        Prospect {
            group: self.group.clone(),
            s_star: large.and_then(LargeN::fixed_point),
            kappa: large.and_then(LargeN::kappa),
            time_constant: large
                .zip(eta)
                .and_then(|(large, eta)| large.time_constant(eta)),
            stationary_sd: large
                .zip(eta)
                .zip(self.applicants)
                .and_then(|((large, eta), n)| large.stationary_sd(n, eta)),
            drift_zero: finite.and_then(FiniteN::drift_zero),
            stationary_sd_finite: finite
                .zip(eta)
                .and_then(|(finite, eta)| finite.stationary_sd(eta)),
        }
    }
}

impl Prospect {
    /// What is known, in a sentence without its full stop; none where nothing is.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let share = |x: f64| format!("{x:.4}");
        let mut parts = Vec::new();
        if let Some(s) = self.s_star {
            parts.push(format!(
                "for many applicants the pool's share of {} goes to s* = {}",
                self.group,
                share(s)
            ));
        }
        if let Some(kappa) = self.kappa {
            parts.push(format!("kappa = {}", share(kappa)));
        }
        if let Some(rounds) = self.time_constant {
            parts.push(format!("time constant {rounds:.1} rounds"));
        }
        if let Some(sd) = self.stationary_sd {
            parts.push(format!("sd {}", share(sd)));
        }
        if let Some(zero) = self.drift_zero {
            parts.push(format!("at this many applicants to {}", share(zero)));
        }
        if let Some(sd) = self.stationary_sd_finite {
            parts.push(format!("sd {}", share(sd)));
        }
        (!parts.is_empty()).then(|| format!("theory says: {}", parts.join(", ")))
    }
}
