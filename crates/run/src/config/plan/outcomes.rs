//! The outcomes in a plan.

use kleroterion_core::score::{Direction, GoodOutcome};

/// The people whose outcomes a run comes to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeReach {
    /// All people shown, chosen or not. The world has their outcomes.
    All,
    /// The people chosen, about whom someone outside is asked.
    Chosen,
    /// The people whose outcomes are reported from outside.
    Reported,
}

/// The outcomes of those chosen, as far as measures depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutcomePlan {
    /// The people whose outcomes are known.
    pub reach: OutcomeReach,
    /// The least and the greatest possible outcome, if bounded.
    pub range: Option<(f64, f64)>,
    /// The outcomes that count as good, if the config or the data define them.
    pub good: Option<GoodOutcome>,
    /// True if scores and outcomes share one scale, from 0 to 1.
    pub is_scored: bool,
}

impl OutcomePlan {
    /// Returns the outcomes that count as good, if the outcome of everyone shown is known.
    #[must_use]
    pub fn separated(&self) -> Option<GoodOutcome> {
        self.good.filter(|_| self.reach == OutcomeReach::All)
    }

    /// Returns true if outcomes are reported from outside. The observer of the run then records
    /// them, not its lanes.
    #[must_use]
    pub fn is_reported(&self) -> bool {
        self.reach == OutcomeReach::Reported
    }

    /// Returns the metrics whose better side follows from which outcomes are good.
    #[must_use]
    pub fn sides(&self) -> Option<(String, Direction)> {
        let side = match self.good? {
            GoodOutcome::AtLeast(_) => Direction::Higher,
            GoodOutcome::AtMost(_) => Direction::Lower,
        };
        Some(("outcome_mean".to_owned(), side))
    }
}
