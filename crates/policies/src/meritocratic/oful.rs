//! OFUL (Abbasi-Yadkori, Pál, Szepesvári: Improved Algorithms for Linear Stochastic Bandits, NIPS
//! 2011), as Grazzi et al. 2022 compare with it: the highest upper confidence bound of the reward,
//! the groups unheeded. In two forms; the authors' own code has the first.

use super::choice::{take_best, taken};
use super::ranks::dot;
use super::{BadParameters, Contexts, Ridge};
use crate::Policy;
use kleroterion_core::protocol::{Move, Outcome, View};

/// The bonus on the estimated reward of a context x in round t, with D = ln(det V / det lambda I)
/// and w = sqrt(x'V^-1 x).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bonus {
    /// ec sqrt(2 D) w sqrt(ln t): the form of the authors' code, with ec = 1 in Section 6 and .01
    /// on the census.
    Authors {
        /// The scale of exploration, 0 or more.
        ec: f64,
    },
    /// (R sqrt(D + 2 ln(1/delta)) + sqrt(lambda) S) w (Abbasi-Yadkori et al. 2011, Theorem 2).
    AbbasiYadkori {
        /// R: the subgaussian constant of the noise; 0 or more.
        noise: f64,
        /// The probability that the bound may fail, in (0, 1).
        delta: f64,
        /// S: a bound on |mu|, 0 or more.
        norm: f64,
    },
}

/// Chooses the highest upper confidence bound of the reward.
#[derive(Clone, Debug)]
pub struct Oful {
    contexts: Contexts,
    bonus: Bonus,
    ridge: Ridge,
    bounds: Vec<f64>,
}

impl Oful {
    /// Makes the policy with regularisation lambda.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(contexts: Contexts, lambda: f64, bonus: Bonus) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        wrong.demand_lambda(lambda);
        let mut at_least_0 = |name, x: f64| {
            let right = x.is_finite() && x >= 0.0;
            wrong.demand(name, x, right, "a finite number, 0 or more");
        };
        match bonus {
            Bonus::Authors { ec } => at_least_0("ec", ec),
            Bonus::AbbasiYadkori { noise, delta, norm } => {
                at_least_0("R", noise);
                at_least_0("S", norm);
                let right = delta > 0.0 && delta < 1.0;
                wrong.demand("delta", delta, right, "above 0 and below 1");
            }
        }
        wrong.or(Self {
            contexts,
            bonus,
            ridge: Ridge::new(contexts.dimension(), lambda),
            bounds: Vec::new(),
        })
    }

    /// Returns the factor by which the bonus multiplies w.
    fn scale(&self, round: u64) -> f64 {
        let log_det = self.ridge.log_det();
        match self.bonus {
            Bonus::Authors { ec } => {
                ec * (2.0 * log_det).sqrt() * libm::log(round as f64).max(0.0).sqrt()
            }
            Bonus::AbbasiYadkori { noise, delta, norm } => {
                noise * (log_det - 2.0 * libm::log(delta)).sqrt()
                    + self.ridge.lambda().sqrt() * norm
            }
        }
    }
}

impl Policy for Oful {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let mu = self.ridge.estimate();
        let scale = self.scale(view.round());
        let (contexts, ridge) = (self.contexts, &self.ridge);
        self.bounds.clear();
        self.bounds.extend(view.slate().candidates().map(|person| {
            let context = contexts.context(person);
            context.map_or(f64::NAN, |x| dot(&mu, x) + scale * ridge.spread(x).sqrt())
        }));
        let answer = take_best("upper_bound", &self.bounds, &[], view);
        let slate = view.slate();
        if let Some(slot) = taken(&answer)
            && let Some(x) = contexts.context(slate.candidate(slot))
        {
            view.reason(|| {
                let radius = scale * ridge.spread(x).sqrt();
                [("estimated_reward", dot(&mu, x)), ("radius", radius)]
            });
        }
        answer
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.ridge.learn(outcome);
    }

    fn corrects(&self) -> bool {
        true
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.ridge.correct(outcome, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::protocol::{Attribute, Schema};

    /// Returns the scale after x = (2, 0) with lambda = 4, so that V = diag(8, 4) and D = ln 2.
    fn scale(bonus: Bonus, round: u64) -> f64 {
        let group = Attribute {
            name: "group".to_owned(),
            values: vec!["all".to_owned()],
        };
        let features = vec!["a".to_owned(), "b".to_owned()];
        let schema = Schema::new(vec![group], features, false).unwrap();
        let contexts = Contexts::of(&schema, 0).unwrap();
        let mut oful = Oful::new(contexts, 4.0, bonus).unwrap();
        assert!(oful.ridge.observe(&[2.0, 0.0], 1.0));
        oful.scale(round)
    }

    #[test]
    fn both_bonuses_have_their_closed_forms() {
        let ln2 = std::f64::consts::LN_2;
        let authors = Bonus::Authors { ec: 0.3 };
        let bound = Bonus::AbbasiYadkori {
            noise: 0.5,
            delta: 0.25,
            norm: 3.0,
        };
        let cases = [
            (authors, 1, 0.0),
            (authors, 8, 0.3 * (2.0 * ln2).sqrt() * (3.0 * ln2).sqrt()),
            (bound, 1, 0.5 * (5.0 * ln2).sqrt() + 6.0),
            (bound, 8, 0.5 * (5.0 * ln2).sqrt() + 6.0),
        ];
        for (bonus, round, right) in cases {
            let scale = scale(bonus, round);
            assert!((scale - right).abs() < 1e-12, "{bonus:?}: {scale}, {right}");
        }
    }
}
