//! The slates that lanes play, and the cohorts that their policies would choose now.

use std::sync::Arc;

use super::book::Candidate;

/// The name of the set of people that a policy would choose without any further interview, in the
/// reasons of its interviews.
pub const BEST: &str = "m";

/// A person who applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlateMember {
    /// The person's id.
    pub id: Candidate,
    /// The value of each attribute, as an index into the schema's values.
    pub values: Vec<u16>,
}

/// The slate that a lane plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneSlate {
    /// The round, from 1; 0 before the first.
    pub round: u64,
    /// The people on the slate, in the order in which they applied.
    pub people: Arc<[SlateMember]>,
    /// The ids of those whom the policy would choose if it heard no more. Empty if it does not say
    /// so.
    pub best: Vec<Candidate>,
}

impl LaneSlate {
    /// Goes on to what a lane asks. `people` is empty but for the first question of a round.
    pub(super) fn ask(&mut self, round: u64, people: Vec<SlateMember>, best: Vec<Candidate>) {
        if self.round != round {
            self.people = people.into();
        }
        (self.round, self.best) = (round, best);
    }
}
