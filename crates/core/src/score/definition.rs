//! Definitions of measures, to be held against each other.

use super::aims::PoolAim;

/// All that the values of a measure depend on besides the rounds of its lane.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasureDefinition {
    /// The world, the rules and the report: the same in all lanes of a run.
    Run,
    /// The aim of the lane's own policy.
    Aim(PoolAim),
    /// What the policy of a kind counts of itself, by the rule that it is set up with.
    Policy(&'static str, Option<String>),
}

impl MeasureDefinition {
    /// Whether lanes that measure so are compared. By aims of their own they never are: the lane
    /// with the easier aim is no better.
    #[must_use]
    pub fn is_comparable(&self, other: &Self) -> bool {
        self == other && !matches!(self, Self::Aim(_))
    }
}
