//! Greedy on the ridge estimate (Grazzi et al. 2022, Section 7, "Greedy"): the highest estimated
//! reward, the groups unheeded. Learns from all of its own rounds whose outcome has arrived.

use super::choice::take_best;
use super::ranks::dot;
use super::{BadParameters, Contexts, Ridge};
use crate::Policy;
use kleroterion_core::protocol::{Move, Outcome, View};

/// Chooses the highest estimated reward.
#[derive(Clone, Debug)]
pub struct RidgeGreedy {
    contexts: Contexts,
    ridge: Ridge,
    rewards: Vec<f64>,
}

impl RidgeGreedy {
    /// Makes the policy with regularisation lambda.
    ///
    /// # Errors
    /// Returns an error if lambda is not a finite number above 0.
    pub fn new(contexts: Contexts, lambda: f64) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        wrong.demand_lambda(lambda);
        wrong.or(Self {
            contexts,
            ridge: Ridge::new(contexts.dimension(), lambda),
            rewards: Vec::new(),
        })
    }
}

impl Policy for RidgeGreedy {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let mu = self.ridge.estimate();
        let contexts = self.contexts;
        self.rewards.clear();
        self.rewards.extend(view.slate().candidates().map(|person| {
            let context = contexts.context(person);
            context.map_or(f64::NAN, |x| dot(&mu, x))
        }));
        take_best("estimated_reward", &self.rewards, &[], view)
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
