//! The sources of answers to interviews and offers, and of outcomes.

use std::sync::Arc;

use crate::protocol::Feedback;

/// The source of an answer.
#[derive(Clone)]
pub enum AnsweredBy {
    /// A generator.
    Drawn(Arc<dyn Feedback>),
    /// A program or people outside the process.
    Outside,
}

/// The sources of answers to interviews and offers, and of outcomes. `None` means that no one is
/// asked.
#[derive(Clone, Default)]
pub struct Answers {
    /// The source of answers to interviews.
    pub looks: Option<AnsweredBy>,
    /// The source of outcomes. `None` if a source records the outcomes or people report them.
    pub outcomes: Option<AnsweredBy>,
    /// The source of replies to offers. `None` means that all who are chosen take their places.
    pub offers: Option<AnsweredBy>,
}

impl Answers {
    /// Answers to interviews and outcomes from one generator.
    #[must_use]
    pub fn drawn(feedback: Arc<dyn Feedback>) -> Self {
        Self {
            looks: Some(AnsweredBy::Drawn(Arc::clone(&feedback))),
            outcomes: Some(AnsweredBy::Drawn(feedback)),
            offers: None,
        }
    }

    /// Returns true if any question has a source of answers.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.any(|_| true)
    }

    /// Returns true if any answers are generated.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.any(|by| matches!(by, AnsweredBy::Drawn(_)))
    }

    /// Returns true if any answers come from outside the process.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        self.any(|by| matches!(by, AnsweredBy::Outside))
    }

    fn any(&self, is: impl Fn(&AnsweredBy) -> bool) -> bool {
        let all = [&self.looks, &self.outcomes, &self.offers];
        all.into_iter().flatten().any(is)
    }
}
