//! A finished run, in the form from which verdicts are computed.

use std::collections::BTreeMap;

use super::chances::SeatCounts;
use super::least_chance::LeastChance;
use super::outcomes::LaneStream;
use super::rounds::RoundEvidence;
use super::stats::{Curves, Stats};
use kleroterion_core::score::{Kept, MetricAt, PolicyRun};

/// A finished run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunResult {
    /// The config's name.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// The number of replications asked for.
    pub replications: u64,
    /// The policies in any order; outputs are in label order.
    pub policies: Vec<PolicyRun>,
    /// The evidence from the rounds of the first replication. Places are those in `policies`.
    pub rounds: RoundEvidence,
    /// The evidence from the first replication about each policy by itself, in the order of
    /// `policies`. `None` for a policy that was not followed.
    pub streams: Vec<Option<LaneStream>>,
    /// The statistics of values that were folded and not held, for each policy in the order of
    /// `policies`. Empty if all values are held.
    pub folded: Vec<BTreeMap<MetricAt, Stats>>,
    /// The measures over the course of the run, for each policy in the order of `policies`. Empty
    /// if they were not requested.
    pub curves: Vec<Curves>,
    /// The values that are written to files.
    pub written: Kept,
    /// The number of times each respondent was chosen, if the respondents are known beforehand.
    pub seats: Option<SeatCounts>,
    /// The least chance of a respondent under each policy, in the order of `policies`. Empty if
    /// chances are not counted.
    pub least_chances: Vec<LeastChance>,
}

impl RunResult {
    /// Returns the evidence of the first replication about a policy by itself, by its place.
    pub(super) fn stream(&self, place: usize) -> Option<&LaneStream> {
        self.streams.get(place)?.as_ref()
    }

    /// The policies in label order.
    pub fn in_label_order(&self) -> Vec<&PolicyRun> {
        let mut policies: Vec<_> = self.policies.iter().collect();
        policies.sort_by(|a, b| a.label.cmp(&b.label));
        policies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_listed_by_label_whatever_their_order() {
        let policies = ["b", "c", "a"].map(|label| PolicyRun::new(label, "k"));
        let run = RunResult {
            policies: policies.into(),
            ..RunResult::default()
        };
        let labels = run
            .in_label_order()
            .into_iter()
            .map(|policy| &*policy.label);
        assert_eq!(labels.collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
