//! The naive stratified baseline: accepts with probability c prod_i rho^i / p^i, where p is known
//! by its marginals.
//!
//! With independent attributes the accepted have the target's shares exactly; c = min_x prod_i
//! p^i / rho^i makes the largest probability 1.

use super::{ByValue, OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Move, Shown, Target, View};

/// Accepts with a probability that is a product over the attributes.
#[derive(Clone, Debug)]
pub struct Proportional {
    factors: ByValue<f64>,
}

/// The error that a value wanted by the target never comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("value {value} of attribute {attribute} has a target but never comes")]
pub struct NeverComes {
    /// The attribute's index in the schema.
    pub attribute: usize,
    /// The value's index.
    pub value: usize,
}

impl Proportional {
    /// Makes the policy. `marginals` is the share of each value among those who come, with a row
    /// per attribute of the schema.
    ///
    /// # Errors
    /// Returns an error if a value has a positive target but never comes.
    pub fn new(target: &Target, marginals: &[Vec<f64>]) -> Result<Self, NeverComes> {
        for (attribute, shares) in target.rows() {
            let mut pairs = shares.iter().zip(&marginals[*attribute]);
            if let Some(value) = pairs.position(|(rho, p)| *rho > 0.0 && *p <= 0.0) {
                let attribute = *attribute;
                return Err(NeverComes { attribute, value });
            }
        }
        let factors = ByValue::new(target, |attribute, shares| {
            let pairs = shares.iter().zip(&marginals[attribute]);
            let ratios: Vec<f64> = pairs
                .map(|(rho, p)| if *rho > 0.0 { rho / p } else { 0.0 })
                .collect();
            let most = ratios.iter().copied().fold(0.0, f64::max);
            ratios.iter().map(|ratio| ratio / most).collect()
        });
        Ok(Self { factors })
    }

    /// The probability that a candidate of these values is accepted.
    // Inside a lane's loop its product would go through memory.
    #[inline(never)]
    #[must_use]
    pub fn probability(&self, values: &[u16]) -> f64 {
        self.factors.of(values).product()
    }
}

impl OneByOne for Proportional {
    #[inline]
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        self.probability(person.values())
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        vec![("acceptance", self.probability(person.values()))]
    }
}

impl Policy for Proportional {
    #[inline]
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

/// Accepts every candidate while there are places.
#[derive(Clone, Debug, Default)]
pub struct AcceptAll;

impl OneByOne for AcceptAll {
    fn judge(&mut self, _: Shown<'_>) -> f64 {
        1.0
    }

    fn why(&self, _: Shown<'_>) -> Vec<(&'static str, f64)> {
        vec![("acceptance", 1.0)]
    }
}

impl Policy for AcceptAll {
    #[inline]
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
