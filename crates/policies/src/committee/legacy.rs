//! A panel by the greedy of the tools in use, drawn at the first act, seated as its members come.

use std::sync::Arc;

use super::{OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Move, Shown, View};
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::legacy::legacy;

/// Seats a panel that the greedy method draws. The probability of a panel is not known, so its
/// decisions have no propensity.
#[derive(Clone, Debug)]
pub struct Legacy {
    question: Arc<PanelQuestion>,
    /// The members of the panel. `None` before the first act; empty if the greedy found no panel.
    panel: Option<Vec<u32>>,
}

impl Legacy {
    /// Makes the policy of a question.
    #[must_use]
    pub fn new(question: Arc<PanelQuestion>) -> Self {
        Self {
            question,
            panel: None,
        }
    }

    /// Returns 1 if a person is on the panel, else 0.
    fn sits(&self, person: Shown<'_>) -> f64 {
        let panel = self.panel.as_deref().unwrap_or_default();
        let one = person.respondent();
        f64::from(u8::from(
            one.is_some_and(|one| panel.binary_search(&one).is_ok()),
        ))
    }
}

impl OneByOne for Legacy {
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        self.sits(person)
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        vec![("acceptance", self.sits(person))]
    }
}

impl Policy for Legacy {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if self.panel.is_none() {
            let drawn = legacy(&self.question, view.draw());
            let tries = drawn.as_ref().map(|(_, tries)| *tries);
            view.measure(
                "restarts",
                f64::from(tries.map_or(kleroterion_sortition::legacy::TRIES, |t| t - 1)),
            );
            self.panel = Some(drawn.map(|(panel, _)| panel).unwrap_or_default());
        }
        if self.panel.as_ref().is_some_and(Vec::is_empty) {
            view.reason(|| [("acceptance", 0.0)]);
            return Move::Stall;
        }
        decide(self, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
