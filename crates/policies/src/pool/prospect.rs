//! Predictions of theory for a policy's pool before anyone is drawn.

use serde::Serialize;

use super::optimal::LookAhead;
use super::theory::{FiniteN, LargeN};
use super::{Infeasible, Weighing};
use crate::limits::MOST_APPLICANTS;
use kleroterion_core::pool::Eta;
use kleroterion_core::protocol::Choose;

/// The predicted course of the share theta of the first group: its rest, its pace and its swing.
/// Quantities without a theory are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prospect {
    /// The first group, whose share is predicted.
    pub group: String,
    /// The constant theta, if theta never moves. All other fields are then empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stays: Option<Still>,
    /// s*: the theta at which the pool comes to rest for large N, unless `step` is 2 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s_star: Option<f64>,
    /// kappa: near s*, the distance to s* is multiplied by |1 - eta kappa| a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa: Option<f64>,
    /// 1 / (eta kappa), in rounds, if eta kappa is at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_constant: Option<f64>,
    /// eta kappa, if it is above 1. Theta then goes from one side of s* to the other, and with 2 or
    /// more it does not settle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// The standard deviation of theta about s*, for large N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stationary_sd: Option<f64>,
    /// The theta at which the pool comes to rest at this N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift_zero: Option<f64>,
    /// The end, 0 or 1, to which theta drifts at this N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift_end: Option<f64>,
    /// The standard deviation of theta about the drift zero, at this N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stationary_sd_finite: Option<f64>,
    /// True if a step can carry theta to 0, where it stays, because eta is above 1.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_die_out: bool,
}

/// A theta that does not move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Still {
    /// The constant theta_0.
    pub at: f64,
    /// The reason, in words.
    pub because: &'static str,
}

/// A pool of two groups that moves by eta (a - s).
#[derive(Clone, Debug, PartialEq)]
pub struct PoolSetting {
    /// The first group's name.
    pub group: String,
    /// abar: the share of the applicants that is admitted.
    pub admitted: f64,
    /// N, the number of applicants, if it is the same in all rounds.
    pub applicants: Option<u32>,
    /// theta_0, the share of the first group at the start.
    pub start: f64,
    /// The steps eta.
    pub eta: Eta,
}

impl PoolSetting {
    /// The prospect of Fair-Greedy.
    #[must_use]
    pub fn fair_greedy(&self, weighing: &Weighing) -> Prospect {
        if let Some(still) = self.still(weighing.infeasible) {
            return still;
        }
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
            .filter(|n| !weighing.laws.is_empty() && *n <= MOST_APPLICANTS)
            .map(|n| FiniteN::fair_greedy(weighing, n, self.admitted, self.start));
        let eta = self.constant();
        let mut prospect = self.led(
            large.and_then(|large| large.fixed_point()),
            large.and_then(|large| large.kappa()),
            weighing.infeasible,
        );
        prospect.stationary_sd = large
            .zip(eta)
            .zip(self.applicants)
            .and_then(|((large, eta), n)| large.stationary_sd(n, eta));
        if let Some(finite) = finite {
            let sd = eta.and_then(|eta| finite.stationary_sd(eta));
            let settles = sd.is_some() || eta.is_none();
            prospect.drift_zero = finite.drift_zero().filter(|_| settles);
            prospect.drift_end = finite.drift_end();
            prospect.stationary_sd_finite = sd;
        }
        prospect
    }

    /// The prospect of looking ahead: the theta at which the pool comes to rest for large N. It
    /// gives no theta if eta is above 1, because theta need not settle then. It gives none for a
    /// horizon, because the policy then reacts to the horizon's end.
    #[must_use]
    pub fn optimal(&self, ahead: &LookAhead) -> Prospect {
        if let Some(still) = self.still(ahead.infeasible) {
            return still;
        }
        let [u, v] = ahead.laws;
        let large = LargeN {
            u,
            v,
            admitted: ahead.admitted,
            target: ahead.target,
            lambda: ahead.lambda,
        };
        let rest = large.optimal_fixed_point(ahead.gamma, ahead.eta);
        Prospect {
            group: self.group.clone(),
            s_star: rest.filter(|_| ahead.eta <= 1.0 && ahead.horizon.is_none()),
            ..Prospect::default()
        }
    }

    /// The prospect of a policy that admits the target's share, as far as there are applicants.
    #[must_use]
    pub fn target_share(&self, target: f64) -> Prospect {
        self.still(Infeasible::Feasible)
            .unwrap_or_else(|| self.led(Some(target), Some(1.0), Infeasible::Feasible))
    }

    /// That theta does not move, whatever the policy, where it does not.
    fn still(&self, infeasible: Infeasible) -> Option<Prospect> {
        let (nobody, everybody) = match self.applicants {
            Some(n) => {
                let places = Choose::Share(self.admitted).places(n, None).max;
                (places == 0, places == n)
            }
            None => (self.admitted == 0.0, self.admitted == 1.0),
        };
        // Nominal shares move the pool even where no choice is left.
        let filled = infeasible == Infeasible::Feasible;
        let because = if self.eta.at(1) == 0.0 {
            "eta is 0"
        } else if nobody {
            "nobody is admitted"
        } else if everybody && filled {
            "everybody is admitted"
        } else if self.start == 0.0 && filled {
            "of a group that is gone nobody is admitted"
        } else {
            return None;
        };
        Some(Prospect {
            group: self.group.clone(),
            stays: Some(Still {
                at: self.start,
                because,
            }),
            ..Prospect::default()
        })
    }

    /// Returns the prospect of a pool that is led to s*, at the rate of kappa.
    fn led(&self, s_star: Option<f64>, kappa: Option<f64>, infeasible: Infeasible) -> Prospect {
        let step = self.constant().zip(kappa).map(|(eta, kappa)| eta * kappa);
        Prospect {
            group: self.group.clone(),
            s_star,
            kappa,
            time_constant: step.filter(|step| *step <= 1.0).map(|step| 1.0 / step),
            step: step.filter(|step| *step > 1.0),
            may_die_out: self.eta.at(1) > 1.0 && infeasible == Infeasible::Feasible,
            ..Prospect::default()
        }
    }

    /// Returns eta, if it is constant.
    fn constant(&self) -> Option<f64> {
        match self.eta {
            Eta::Constant(eta) => Some(eta),
            Eta::Power { .. } => None,
        }
    }
}

impl Prospect {
    /// Returns the prospect in a sentence without its full stop; `None` if nothing is known.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let share = |x: f64| format!("{x:.4}");
        let subject = format!("the pool's share of {}", self.group);
        if let Some(Still { at, because }) = self.stays {
            return Some(format!(
                "theory says: {subject} stays at {}, since {because}",
                share(at)
            ));
        }
        let settles = self.step.is_none_or(|step| step < 2.0);
        let mut parts = Vec::new();
        if let Some(s) = self.s_star {
            let does = if settles {
                "goes to"
            } else {
                "does not settle at"
            };
            parts.push(format!(
                "for many applicants {subject} {does} s* = {}",
                share(s)
            ));
        }
        if let Some(kappa) = self.kappa {
            parts.push(format!("kappa = {}", share(kappa)));
        }
        if let Some(rounds) = self.time_constant {
            parts.push(format!("time constant {rounds:.1} rounds"));
        }
        if let Some(step) = self.step {
            parts.push(format!(
                "from one side to the other, each time {} times as far off",
                share(step - 1.0)
            ));
        }
        if let Some(sd) = self.stationary_sd {
            parts.push(format!("sd {}", share(sd)));
        }
        let goes = match self.s_star {
            Some(_) if settles => "at this many applicants".to_owned(),
            Some(_) => "at this many applicants it goes".to_owned(),
            None => format!("{subject} goes at this many applicants"),
        };
        if let Some(zero) = self.drift_zero {
            parts.push(format!("{goes} to {}", share(zero)));
        }
        if let Some(sd) = self.stationary_sd_finite {
            parts.push(format!("sd {}", share(sd)));
        }
        if let Some(end) = self.drift_end {
            parts.push(format!("{goes} to the end, {end}"));
        }
        if self.may_die_out && !parts.is_empty() {
            parts.push("unless a step carries it to 0, where it stays".to_owned());
        }
        (!parts.is_empty()).then(|| format!("theory says: {}", parts.join(", ")))
    }
}
