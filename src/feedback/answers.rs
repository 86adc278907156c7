//! Two sources of feedback as one: the first answers interviews, the second reports outcomes.

use std::sync::Arc;

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// Looks and outcomes, each from someone of their own. Whoever is not there answers NaN, which the
/// referee takes for a foul.
#[derive(Clone, Default)]
pub struct Answers {
    /// Who answers interviews.
    pub looks: Option<Arc<dyn Feedback>>,
    /// The source of outcomes.
    pub outcomes: Option<Arc<dyn Feedback>>,
}

impl Feedback for Answers {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let who = match probe {
            Probe::Interview { .. } => &self.looks,
            Probe::Outcome => &self.outcomes,
        };
        who.as_ref()
            .map_or(f64::NAN, |who| who.answer(person, probe, draw))
    }

    fn has_outcomes(&self) -> bool {
        self.outcomes.is_some()
    }
}
