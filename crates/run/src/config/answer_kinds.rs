//! The kinds of `[feedback.interview]` and `[feedback.outcome]`: their names, keys and readers.

use std::sync::Arc;

use crate::document::Reader;
use crate::document::param::{Entry, Param};
use kleroterion_core::feedback::Feedback;
use kleroterion_core::protocol::Fact;
use kleroterion_stats::sequence::Range;

/// The built-in forms of answers to interviews.
#[derive(Clone, Copy)]
pub(super) enum InterviewForm {
    Gaussian,
    Recorded,
    Bernoulli,
    People,
    Exec,
}

/// A program's reader of a table of interviews.
type ReadInterviews = dyn Fn(&mut Reader<'_>) -> Option<DrawnInterviews> + Send + Sync;

/// The reader of the table of a kind of interviews.
#[derive(Clone)]
pub(super) enum InterviewReader {
    BuiltIn(InterviewForm),
    Own(Arc<ReadInterviews>),
}

/// One kind of answers to interviews.
#[derive(Clone)]
pub struct InterviewsKind {
    /// The name in configs.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    pub(super) params: &'static [Param],
    pub(super) read: InterviewReader,
}

/// Answers to interviews that a generator of a program's own draws.
#[derive(Clone)]
pub struct DrawnInterviews {
    pub(super) feedback: Arc<dyn Feedback>,
    pub(super) noise: Fact<f64>,
    pub(super) needs_merit: bool,
}

impl DrawnInterviews {
    /// Answers of this generator, with unknown noise, which need not know what people are worth.
    #[must_use]
    pub fn new(feedback: impl Feedback + 'static) -> Self {
        Self {
            feedback: Arc::new(feedback),
            noise: Fact::Unknown,
            needs_merit: false,
        }
    }

    /// Sets the standard deviation of an interview of gain 1 around what the person is worth.
    /// Policies that weigh answers need it.
    #[must_use]
    pub fn with_noise(mut self, noise: Fact<f64>) -> Self {
        self.noise = noise;
        self
    }

    /// Refuses people who are worth nothing in particular.
    #[must_use]
    pub fn of_merit(mut self) -> Self {
        self.needs_merit = true;
        self
    }
}

impl InterviewsKind {
    /// A kind of answers without keys, which `read` makes from the table.
    pub fn new(
        name: &'static str,
        about: &'static str,
        read: impl Fn(&mut Reader<'_>) -> Option<DrawnInterviews> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            about,
            params: &[],
            read: InterviewReader::Own(Arc::new(read)),
        }
    }

    /// Sets its keys.
    #[must_use]
    pub fn with(mut self, params: &'static [Param]) -> Self {
        self.params = params;
        self
    }

    /// A built-in kind.
    pub(super) fn built_in(
        form: InterviewForm,
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
    ) -> Self {
        Self {
            name,
            about,
            params,
            read: InterviewReader::BuiltIn(form),
        }
    }

    /// The kind with all its keys.
    pub(crate) fn entry(&self) -> Entry {
        Entry {
            name: self.name,
            about: self.about,
            params: self.params.to_vec(),
        }
    }
}

/// The built-in forms of outcomes.
#[derive(Clone, Copy)]
pub(super) enum OutcomeForm {
    Linear,
    Bernoulli,
    Recorded,
    Reported,
    Exec,
}

/// A program's reader of a table of outcomes.
type ReadOutcomes = dyn Fn(&mut Reader<'_>) -> Option<DrawnOutcomes> + Send + Sync;

/// The reader of the table of a kind of outcomes.
#[derive(Clone)]
pub(super) enum OutcomeReader {
    BuiltIn(OutcomeForm),
    Own(Arc<ReadOutcomes>),
}

/// One kind of outcomes.
#[derive(Clone)]
pub struct OutcomesKind {
    /// The name in configs.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    pub(super) params: &'static [Param],
    pub(super) read: OutcomeReader,
}

/// Outcomes that a generator of a program's own draws.
#[derive(Clone)]
pub struct DrawnOutcomes {
    pub(super) feedback: Arc<dyn Feedback>,
    pub(super) noise: Option<f64>,
    pub(super) range: Option<Range>,
    pub(super) needs_merit: bool,
}

impl DrawnOutcomes {
    /// Outcomes of this generator, with unknown noise and range, which need not know what people
    /// are worth.
    #[must_use]
    pub fn new(feedback: impl Feedback + 'static) -> Self {
        Self {
            feedback: Arc::new(feedback),
            noise: None,
            range: None,
            needs_merit: false,
        }
    }

    /// Sets the standard deviation around what the person is worth. Policies that learn from
    /// outcomes need it.
    #[must_use]
    pub fn with_noise(mut self, noise: f64) -> Self {
        self.noise = Some(noise);
        self
    }

    /// Sets the least and the greatest outcome. One stream is judged on outcomes only within a
    /// range.
    #[must_use]
    pub fn within(mut self, range: Range) -> Self {
        self.range = Some(range);
        self
    }

    /// Refuses people who are worth nothing in particular.
    #[must_use]
    pub fn of_merit(mut self) -> Self {
        self.needs_merit = true;
        self
    }
}

impl OutcomesKind {
    /// A kind of outcomes without keys beyond `delay` and `good`, which `read` makes from the table.
    pub fn new(
        name: &'static str,
        about: &'static str,
        read: impl Fn(&mut Reader<'_>) -> Option<DrawnOutcomes> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            about,
            params: &[],
            read: OutcomeReader::Own(Arc::new(read)),
        }
    }

    /// Sets its keys beyond `delay` and `good`.
    #[must_use]
    pub fn with(mut self, params: &'static [Param]) -> Self {
        self.params = params;
        self
    }

    /// A built-in kind.
    pub(super) fn built_in(
        form: OutcomeForm,
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
    ) -> Self {
        Self {
            name,
            about,
            params,
            read: OutcomeReader::BuiltIn(form),
        }
    }
}
