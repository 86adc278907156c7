//! Chances: the share of a run's replications in which each respondent was chosen, if all
//! respondents are known beforehand.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::least_chance::LeastChance;
use super::stats::quantile;
use kleroterion_core::protocol::{Respondents, Schema};

/// The number of equal steps of the respondents at which [`ChanceSummary::quantiles`] are given.
pub const CHANCE_STEPS: u32 = 20;

/// The number of times that each policy chose each respondent.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatCounts {
    /// The attributes and values of the respondents.
    pub schema: Arc<Schema>,
    /// The respondents who could be chosen.
    pub respondents: Arc<Respondents>,
    /// The number of replications counted.
    pub replications: u64,
    /// The number of replications in which each respondent was chosen, for each policy in the run's
    /// order.
    pub counts: Vec<Vec<u64>>,
    /// The least chance of a respondent under each policy, if it is known without counting. Empty
    /// if none is.
    pub exact: Vec<Option<f64>>,
    /// The respondents who can be on no panel that keeps the quotas, in increasing order.
    pub impossible: Vec<u32>,
}

/// The spread of the respondents' chances under one policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChanceSummary {
    /// The number of respondents.
    pub people: u64,
    /// The number of replications. The chances are shares of them, so with few of them the least is
    /// too small and the largest and the Gini coefficient too large.
    pub replications: u64,
    /// The mean chance: seats filled over respondents.
    pub mean: f64,
    /// The least chance.
    pub least: f64,
    /// The largest chance.
    pub largest: f64,
    /// The Gini coefficient: 0 if all chances are equal.
    pub gini: Option<f64>,
    /// The geometric mean: 0 if a respondent was never chosen.
    pub geometric_mean: f64,
    /// The number of respondents who were never chosen.
    pub never: u64,
    /// An upper bound (95 %, exact, for all of them together) on the chances of the respondents who
    /// were never chosen.
    pub never_at_most: f64,
    /// The chances at 0 %, 5 % ... 100 % of the respondents, from the least.
    pub quantiles: Vec<f64>,
    /// The least chance of those who can be on a panel: exact, or with a limit. Null for runs
    /// written by older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_chance: Option<LeastChance>,
    /// The spread by attribute and value.
    pub groups: BTreeMap<String, BTreeMap<String, GroupChances>>,
}

/// The spread of the chances of the respondents with a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupChances {
    /// The number of respondents with the value.
    pub people: u64,
    /// The mean chance.
    pub mean: f64,
    /// The least chance.
    pub least: f64,
    /// The largest chance.
    pub largest: f64,
    /// The number of respondents who were never chosen.
    pub never: u64,
}

impl SeatCounts {
    /// Makes empty counts for this many policies.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, respondents: &Arc<Respondents>, policies: usize) -> Self {
        Self {
            counts: vec![vec![0; respondents.len()]; policies],
            schema: Arc::clone(schema),
            respondents: Arc::clone(respondents),
            replications: 0,
            exact: Vec::new(),
            impossible: Vec::new(),
        }
    }

    /// Counts a replication, given the respondents that each policy chose.
    pub fn add(&mut self, panels: &[Vec<u32>]) {
        self.replications += 1;
        for (counts, panel) in self.counts.iter_mut().zip(panels) {
            for &respondent in panel {
                counts[respondent as usize] += 1;
            }
        }
    }

    /// Returns the spread of the chances under the policy in a place. `None` if there are no
    /// respondents or replications.
    #[must_use]
    pub fn summary(&self, place: usize) -> Option<ChanceSummary> {
        let counts = self.counts.get(place)?;
        let all = self.respondents.len();
        if all == 0 || self.replications == 0 {
            return None;
        }
        let everyone: Vec<u32> = (0..all as u32).collect();
        let sorted = sorted(counts, &everyone);
        let whole = self.spread(&sorted);
        let shares: Vec<f64> = sorted.iter().map(|count| self.share(*count)).collect();
        let at = |step: u32| quantile(&shares, f64::from(step) / f64::from(CHANCE_STEPS));
        Some(ChanceSummary {
            people: whole.people,
            replications: self.replications,
            mean: whole.mean,
            least: whole.least,
            largest: whole.largest,
            gini: gini(&sorted),
            geometric_mean: geometric_mean(&shares),
            never: whole.never,
            // None of n, of any of m people: m (1 - p)^n = .05.
            never_at_most: -libm::expm1(libm::log(0.05 / all as f64) / self.replications as f64),
            quantiles: (0..=CHANCE_STEPS).filter_map(at).collect(),
            least_chance: self.least_chance(place),
            groups: self.groups(counts),
        })
    }

    /// Returns the least chance under the policy in a place.
    #[must_use]
    pub fn least_chance(&self, place: usize) -> Option<LeastChance> {
        let is_possible = |one: &u32| self.impossible.binary_search(one).is_err();
        let people = (0_u32..).zip(self.counts.get(place)?);
        let counts = people.filter(|(one, _)| is_possible(one));
        LeastChance::of(
            self.exact.get(place).copied().flatten(),
            counts.map(|(_, count)| *count),
            self.replications,
            self.impossible.len() as u64,
        )
    }

    fn groups(&self, counts: &[u64]) -> BTreeMap<String, BTreeMap<String, GroupChances>> {
        let attributes = self.schema.attributes().iter().enumerate();
        let attribute = attributes.map(|(at, attribute)| {
            let mut with = vec![Vec::new(); attribute.values.len()];
            for respondent in 0..self.respondents.len() as u32 {
                with[usize::from(self.respondents.values(respondent)[at])].push(respondent);
            }
            let values = attribute.values.iter().zip(&with);
            let values = values.filter(|(_, with)| !with.is_empty());
            let values =
                values.map(|(value, with)| (value.clone(), self.spread(&sorted(counts, with))));
            (attribute.name.clone(), values.collect())
        });
        attribute.collect()
    }

    /// The spread of counts, from the least; of at least one.
    fn spread(&self, sorted: &[u64]) -> GroupChances {
        let seats: u64 = sorted.iter().sum();
        let most = sorted.len() as f64 * self.replications as f64;
        GroupChances {
            people: sorted.len() as u64,
            mean: seats as f64 / most,
            least: self.share(sorted[0]),
            largest: self.share(sorted[sorted.len() - 1]),
            never: sorted.iter().take_while(|count| **count == 0).count() as u64,
        }
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.replications as f64
    }
}

/// The counts of some respondents, from the least.
fn sorted(counts: &[u64], respondents: &[u32]) -> Vec<u64> {
    let mut counts: Vec<u64> = respondents.iter().map(|&r| counts[r as usize]).collect();
    counts.sort_unstable();
    counts
}

/// The Gini coefficient of counts from the least: half the mean difference of two of them over
/// their mean; none where all are 0.
fn gini(sorted: &[u64]) -> Option<f64> {
    let sum: i128 = sorted.iter().map(|count| i128::from(*count)).sum();
    let n = sorted.len() as i128;
    let ranked = (1..)
        .zip(sorted)
        .map(|(rank, count): (i128, _)| rank * i128::from(*count));
    let above = 2 * ranked.sum::<i128>() - (n + 1) * sum;
    (sum > 0).then(|| above as f64 / (n * sum) as f64)
}

fn geometric_mean(sorted: &[f64]) -> f64 {
    if sorted[0] == 0.0 {
        return 0.0;
    }
    let logs: f64 = sorted.iter().map(|share| libm::log(*share)).sum();
    libm::exp(logs / sorted.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::protocol::Attribute;

    fn counts(values: &[u16], counts: &[u64], replications: u64) -> SeatCounts {
        let attribute = Attribute {
            name: "age".into(),
            values: vec!["old".into(), "young".into(), "none".into()],
        };
        let names = values.iter().map(|_| Box::from("")).collect();
        let respondents = Respondents::new(1, values.to_vec(), None, names);
        SeatCounts {
            schema: Arc::new(Schema::new(vec![attribute], vec![], false).unwrap()),
            respondents: Arc::new(respondents),
            replications,
            counts: vec![counts.to_vec()],
            exact: Vec::new(),
            impossible: Vec::new(),
        }
    }

    #[test]
    fn the_spread_is_that_of_the_shares() {
        let seats = counts(&[0, 1, 0, 1], &[2, 4, 6, 8], 10);
        let all = seats.summary(0).unwrap();
        assert_eq!((all.people, all.never), (4, 0));
        assert_eq!((all.least, all.largest), (0.2, 0.8));
        assert!((all.mean - 0.5).abs() < 1e-15);
        // Mean differences of all 16 pairs: 2 (.2 3 + .4 2 + .6) / 16 = .25; over twice the mean.
        assert!((all.gini.unwrap() - 0.25).abs() < 1e-15);
        let product = 0.2_f64 * 0.4 * 0.6 * 0.8;
        assert!((all.geometric_mean - libm::pow(product, 0.25)).abs() < 1e-15);
        assert_eq!(all.quantiles.len(), 21);
        assert_eq!((all.quantiles[0], all.quantiles[20]), (0.2, 0.8));
        // Halfway lies between the second and the third, and a quarter three quarters of the way to
        // the second.
        assert!((all.quantiles[10] - 0.5).abs() < 1e-12);
        assert!((all.quantiles[5] - 0.35).abs() < 1e-12);
        // No respondent has the third value.
        let groups = &all.groups["age"];
        assert_eq!(groups.keys().collect::<Vec<_>>(), ["old", "young"]);
        assert!((groups["old"].mean - 0.4).abs() < 1e-15);
        assert_eq!((groups["young"].least, groups["young"].largest), (0.4, 0.8));
    }

    #[test]
    fn who_is_never_chosen_is_counted() {
        let all = counts(&[0, 1, 0], &[0, 0, 5], 5).summary(0).unwrap();
        assert_eq!((all.never, all.geometric_mean), (2, 0.0));
        assert!((all.gini.unwrap() - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(all.groups["age"]["young"].never, 1);
        // None of five, of any of three.
        assert!((all.never_at_most - (1.0 - libm::pow(0.05 / 3.0, 0.2))).abs() < 1e-12);
        let nothing = counts(&[0, 1], &[0, 0], 5).summary(0).unwrap();
        assert_eq!(nothing.gini, None);
        assert_eq!(counts(&[0], &[0], 0).summary(0), None);
        assert_eq!(counts(&[], &[], 3).summary(0), None);
    }

    #[test]
    fn replications_are_counted_person_by_person_and_summed_up() {
        let schema = Arc::new(Schema::new(vec![], vec![], false).unwrap());
        let names: Vec<Box<str>> = ["a", "b", "c", "d"].map(Into::into).into();
        let respondents = Arc::new(Respondents::new(0, vec![], None, names.into()));
        let mut counts = SeatCounts::new(&schema, &respondents, 2);
        assert_eq!(counts.summary(0), None);
        counts.add(&[vec![0, 1], vec![3]]);
        counts.add(&[vec![1, 2], vec![3]]);
        assert_eq!(counts.replications, 2);
        assert_eq!(counts.counts, [[1, 2, 1, 0], [0, 0, 0, 2]]);
        let summary = counts.summary(0).unwrap();
        assert_eq!((summary.people, summary.never, summary.mean), (4, 1, 0.5));
        assert_eq!((summary.least, summary.largest), (0.0, 1.0));
        // None of 2 replications, of any of four: 4 (1 - p)^2 = .05.
        let most = 1.0 - (0.05_f64 / 4.0).sqrt();
        assert!((summary.never_at_most - most).abs() < 1e-12);
        assert_eq!(counts.summary(2), None);
    }
}
