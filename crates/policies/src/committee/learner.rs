//! The learning policies as lanes play them: `rl_cmdp` and `plugin_cmdp` over the attributes that
//! have a target.

use std::sync::Arc;

use super::learning::{
    CertaintyEquivalence, Learner, Optimist, Parameters, Planner, PluginCmdp, RlCmdp,
};
use super::program::ProgramError;
use super::{OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Move, Schema, Shown, Target, View};

/// A learner as a committee policy. It counts candidates by the attributes that have a target.
#[derive(Clone, Debug)]
pub struct Learning<P> {
    learner: Learner<P>,
    radix: Radix,
    /// The probability for the last candidate.
    judged: f64,
    /// The round of the last slate, and whether it acts again in it: it has counted its people.
    round: u64,
    again: bool,
    /// Failed plans that have been reported.
    reported: u64,
}

impl Learning<Optimist> {
    /// Makes RL-CMDP (Do et al. 2021, Algorithm 1).
    ///
    /// # Errors
    /// Returns an error if the target is no target on the schema's values.
    pub fn optimist(
        schema: &Schema,
        target: &Target,
        parameters: Parameters,
    ) -> Result<Self, ProgramError> {
        let (levels, rho, radix) = shape(schema, target);
        Ok(Self::new(RlCmdp::new(&levels, &rho, parameters)?, radix))
    }
}

impl Learning<CertaintyEquivalence> {
    /// Makes the learner without optimism: the program is solved for the counts.
    ///
    /// # Errors
    /// The errors of [`Learning::optimist`].
    pub fn plugin(schema: &Schema, target: &Target) -> Result<Self, ProgramError> {
        let (levels, rho, radix) = shape(schema, target);
        Ok(Self::new(PluginCmdp::new(&levels, &rho)?, radix))
    }
}

/// (attribute, how many values), in the program's order.
type Radix = Arc<[(usize, u32)]>;

/// The levels and targets of the attributes that have a target, and the places of their values.
fn shape(schema: &Schema, target: &Target) -> (Vec<usize>, Vec<Vec<f64>>, Radix) {
    let rows = target.rows().iter();
    let levels: Vec<usize> = rows.clone().map(|(_, shares)| shares.len()).collect();
    let rho = rows.clone().map(|(_, shares)| shares.clone()).collect();
    let all = schema.attributes();
    let radix = rows
        .map(|(a, _)| (*a, all[*a].values.len() as u32))
        .collect();
    (levels, rho, radix)
}

impl<P: Planner> Learning<P> {
    fn new(learner: Learner<P>, radix: Radix) -> Self {
        Self {
            learner,
            radix,
            judged: 0.0,
            round: 0,
            again: false,
            reported: 0,
        }
    }
}

impl<P: Planner + Send> OneByOne for Learning<P> {
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        let values = person.values();
        let cell = self.radix.iter().fold(0, |cell, &(attribute, levels)| {
            cell * levels + u32::from(values[attribute])
        });
        self.judged = self.learner.probability(cell);
        if !self.again {
            self.learner.observe(cell);
        }
        self.judged
    }

    fn meet(&mut self, round: u64) {
        self.again = round == self.round;
        self.round = round;
    }

    fn why(&self, _: Shown<'_>) -> Vec<(&'static str, f64)> {
        vec![("acceptance", self.judged)]
    }

    fn report(&mut self, view: &mut View<'_>) {
        if self.learner.unsolved() > self.reported {
            self.reported = self.learner.unsolved();
            view.measure("unsolved", self.reported as f64);
        }
    }
}

impl<P: Planner + Send> Policy for Learning<P> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
