//! Definitions of measures, by which lanes are checked for comparability.

use super::aims::PoolAim;

/// The definition of a measure: everything its values depend on besides the rounds of its lane.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasureDefinition {
    /// The world, the rules and the report, which are the same in all lanes of a run.
    Run,
    /// The aim of the lane's own policy.
    Aim(PoolAim),
    /// The measure of a policy of this kind, by the rule it is set up with.
    Policy(&'static str, Option<String>),
}

impl MeasureDefinition {
    /// Returns true if lanes with these definitions can be compared. Lanes with aims of their own
    /// never can: an easier aim does not make a lane better.
    pub fn is_comparable(&self, other: &Self) -> bool {
        self == other && !matches!(self, Self::Aim(_))
    }
}
