//! The constrained-MDP policy for a known law p (Do et al. 2021, Section 4): the stationary pi that
//! solves program (2), stopped when the committee is full. Lemma 2: the number rejected is negative
//! binomial, E tau = K/g*.

use std::sync::Arc;

use super::program::{self, AcceptanceRule, ProgramError, Solution};
use super::{OneByOne, decide};
use crate::Policy;
use crate::limits::MOST_LOOKED_UP_CELLS;
use kleroterion_core::protocol::{Law, Move, Schema, Shown, Target, View};

/// Accepts x with probability pi(x).
#[derive(Clone, Debug)]
pub struct Cmdp {
    solution: Arc<Solution>,
    /// The attributes that have a target, in the program's order.
    attributes: Arc<[usize]>,
    /// The probabilities pi by cell of the schema; empty if there are too many cells.
    table: Arc<[f64]>,
}

impl Cmdp {
    /// Solves the program for a target and the candidates' law.
    ///
    /// # Errors
    /// Returns an error if no policy meets the target, or the solver fails.
    pub fn new(schema: &Schema, target: &Target, law: &Law) -> Result<Self, ProgramError> {
        let attributes: Arc<[usize]> = target.rows().iter().map(|(a, _)| *a).collect();
        let rho: Vec<Vec<f64>> = target
            .rows()
            .iter()
            .map(|(_, shares)| shares.clone())
            .collect();
        let all = schema.levels();
        let levels: Vec<usize> = attributes.iter().map(|&a| all[a]).collect();
        let law = law.project(&all, &attributes);
        let solution = program::solve(&levels, &law, &rho)?;
        let mut policy = Self {
            solution: Arc::new(solution),
            attributes,
            table: [].into(),
        };
        if schema.cells() <= MOST_LOOKED_UP_CELLS {
            let cells = (0..schema.cells()).map(|cell| schema.values(cell));
            policy.table = cells.map(|values| policy.multiply(&values)).collect();
        }
        Ok(policy)
    }

    /// The solution of the program: gain, method, violation.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The probabilities pi, over the attributes that have a target.
    #[must_use]
    pub fn acceptance(&self) -> &AcceptanceRule {
        &self.solution.acceptance
    }

    /// The probability that one of these values is accepted.
    pub(super) fn accepts(&self, values: &[u16]) -> f64 {
        self.multiply(values)
    }

    /// The probability that a candidate is accepted.
    #[inline]
    fn probability(&self, person: Shown<'_>) -> f64 {
        match self.table.get(person.cell() as usize) {
            Some(likely) => *likely,
            None => self.multiply(person.values()),
        }
    }

    fn multiply(&self, values: &[u16]) -> f64 {
        if self.attributes.len() == values.len() {
            return self.solution.acceptance.probability(values);
        }
        let chosen: Vec<u16> = self.attributes.iter().map(|&a| values[a]).collect();
        self.solution.acceptance.probability(&chosen)
    }
}

impl OneByOne for Cmdp {
    #[inline]
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        self.probability(person)
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        vec![("acceptance", self.probability(person))]
    }
}

impl Policy for Cmdp {
    #[inline]
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
