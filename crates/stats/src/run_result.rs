//! A finished run, as verdicts are read off it.

use std::collections::BTreeMap;

use super::chances::SeatCounts;
use super::curve::Curves;
use super::least_chance::LeastChance;
use super::outcomes::LaneStream;
use super::rounds::RoundEvidence;
use super::stats::Stats;
use kleroterion_core::score::{Kept, MetricAt, PolicyRun};

/// A finished run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunResult {
    /// The config's name.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// Replications asked for.
    pub replications: u64,
    /// The policies in any order; outputs are in label order.
    pub policies: Vec<PolicyRun>,
    /// What the rounds of the first replication say; places are those in `policies`.
    pub rounds: RoundEvidence,
    /// What the first replication says of each policy by itself, in the order of `policies`; none of
    /// one that was not followed.
    pub streams: Vec<Option<LaneStream>>,
    /// Of each policy, in the order of `policies`, the statistics of the values that were folded
    /// and not held; empty where all are held.
    pub folded: Vec<BTreeMap<MetricAt, Stats>>,
    /// Of each policy, in the order of `policies`, its measures over the course of the run; empty
    /// where they were not asked for.
    pub curves: Vec<Curves>,
    /// The values that are written down.
    pub written: Kept,
    /// How often each respondent was chosen, where they are known beforehand.
    pub seats: Option<SeatCounts>,
    /// The least chance of a respondent under each policy, in the order of `policies`; empty where
    /// chances are not counted.
    pub least_chances: Vec<LeastChance>,
}

impl RunResult {
    /// What the first replication says of a policy by itself, by its place.
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
