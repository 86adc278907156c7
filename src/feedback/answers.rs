//! Who answers interviews, and who says what becomes of the chosen.

use std::sync::Arc;

use crate::protocol::Feedback;

/// Who gives an answer.
#[derive(Clone)]
pub enum AnsweredBy {
    /// A generator.
    Drawn(Arc<dyn Feedback>),
    /// A program or people outside.
    Outside,
}

/// Who answers interviews, and who says what becomes of the chosen; each, where anyone does.
#[derive(Clone, Default)]
pub struct Answers {
    /// Who answers interviews.
    pub looks: Option<AnsweredBy>,
    /// Who says what becomes of the chosen. The outcomes that a source records, or that people
    /// report, are not asked for.
    pub outcomes: Option<AnsweredBy>,
}

impl Answers {
    /// Both by one generator.
    #[must_use]
    pub fn drawn(feedback: Arc<dyn Feedback>) -> Self {
        Self {
            looks: Some(AnsweredBy::Drawn(Arc::clone(&feedback))),
            outcomes: Some(AnsweredBy::Drawn(feedback)),
        }
    }

    /// Whether anyone answers anything.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.looks.is_some() || self.outcomes.is_some()
    }

    /// Whether a generator gives an answer.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.any(|by| matches!(by, AnsweredBy::Drawn(_)))
    }

    /// Whether anyone outside gives an answer.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        self.any(|by| matches!(by, AnsweredBy::Outside))
    }

    fn any(&self, is: impl Fn(&AnsweredBy) -> bool) -> bool {
        let all = [&self.looks, &self.outcomes];
        all.into_iter().flatten().any(is)
    }
}
