//! Who answers interviews and offers, and who says what becomes of the chosen.

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

/// Who answers interviews and offers, and who says what becomes of the chosen; each, where anyone
/// does.
#[derive(Clone, Default)]
pub struct Answers {
    /// Who answers interviews.
    pub looks: Option<AnsweredBy>,
    /// Who says what becomes of the chosen. The outcomes that a source records, or that people
    /// report, are not asked for.
    pub outcomes: Option<AnsweredBy>,
    /// Who says whether the chosen take their places; all do where no one is asked.
    pub offers: Option<AnsweredBy>,
}

impl Answers {
    /// Interviews and outcomes by one generator.
    #[must_use]
    pub fn drawn(feedback: Arc<dyn Feedback>) -> Self {
        Self {
            looks: Some(AnsweredBy::Drawn(Arc::clone(&feedback))),
            outcomes: Some(AnsweredBy::Drawn(feedback)),
            offers: None,
        }
    }

    /// Whether anyone answers anything.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.any(|_| true)
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
        let all = [&self.looks, &self.outcomes, &self.offers];
        all.into_iter().flatten().any(is)
    }
}
