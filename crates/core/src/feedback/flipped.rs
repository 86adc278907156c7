//! Outcomes that are sometimes recorded wrong.

use std::sync::Arc;

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// Feedback with label noise: each outcome, 0 or 1, is reported as the other one with some
/// probability. All other answers are unchanged. The address's next word decides, so an outcome
/// that is not flipped equals that without label noise.
#[derive(Clone)]
pub struct Flipped {
    /// The feedback that gives the answers before they are flipped.
    pub inner: Arc<dyn Feedback>,
    /// The attribute whose value as shown decides the probability of a flip. `None` if it is the
    /// same for all.
    pub attribute: Option<usize>,
    /// The probabilities of a flip: one for all, or one per value.
    pub rates: Vec<f64>,
}

impl Feedback for Flipped {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let answer = self.inner.answer(person, probe, draw);
        if probe != Probe::Outcome {
            return answer;
        }
        let values = person.shown().values();
        let place = self.attribute.map_or(0, |at| usize::from(values[at]));
        match draw.uniform() < self.rates[place] {
            true => 1.0 - answer,
            false => answer,
        }
    }
}
