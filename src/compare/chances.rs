//! Chances: how often each respondent was chosen over the replications of a run, where all of them
//! are known beforehand.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::function::beta::inv_beta_reg;

use super::stats::quantile;
use crate::protocol::{Respondents, Schema};

/// The shares of the respondents at which [`ChanceSummary::quantiles`] are.
pub const CHANCE_STEPS: u32 = 20;

/// How often each policy chose each respondent.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatCounts {
    /// What the values mean.
    pub schema: Arc<Schema>,
    /// Who could be chosen.
    pub respondents: Arc<Respondents>,
    /// Replications that were counted.
    pub replications: u64,
    /// Of each policy, in the order of the run's policies, in how many replications each respondent
    /// was chosen.
    pub counts: Vec<Vec<u64>>,
}

/// How the chances of the respondents are spread, under one policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChanceSummary {
    /// Respondents.
    pub people: u64,
    /// Replications. The chances are shares of them, so that with few of them the least is too
    /// small and the largest and the Gini coefficient too large.
    pub replications: u64,
    /// The mean: seats filled over respondents.
    pub mean: f64,
    /// The least share of the replications.
    pub least: f64,
    /// The largest.
    pub largest: f64,
    /// The Gini coefficient: 0 where all are alike.
    pub gini: Option<f64>,
    /// The geometric mean: 0 where a respondent was never chosen.
    pub geometric_mean: f64,
    /// Respondents who were never chosen.
    pub never: u64,
    /// An upper bound (95 %, exact) on the chance of a respondent who was never chosen.
    pub never_at_most: f64,
    /// The shares at 0 %, 5 % ... 100 % of the respondents, from the least.
    pub quantiles: Vec<f64>,
    /// The same by attribute and value.
    pub groups: BTreeMap<String, BTreeMap<String, GroupChances>>,
}

/// How the chances of the respondents with a value are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupChances {
    /// Respondents with the value.
    pub people: u64,
    /// The mean share of the replications.
    pub mean: f64,
    /// The least.
    pub least: f64,
    /// The largest.
    pub largest: f64,
    /// Respondents who were never chosen.
    pub never: u64,
}

impl SeatCounts {
    /// Nothing counted yet, for this many policies.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, respondents: &Arc<Respondents>, policies: usize) -> Self {
        Self {
            counts: vec![vec![0; respondents.len()]; policies],
            schema: Arc::clone(schema),
            respondents: Arc::clone(respondents),
            replications: 0,
        }
    }

    /// Counts a replication: of each policy the respondents whom it chose.
    pub fn add(&mut self, panels: &[Vec<u32>]) {
        self.replications += 1;
        for (counts, panel) in self.counts.iter_mut().zip(panels) {
            for &respondent in panel {
                counts[respondent as usize] += 1;
            }
        }
    }

    /// How the chances under the policy in a place are spread; none of no respondents or
    /// replications.
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
            // None of n: (1 - p)^n = .05.
            never_at_most: -libm::expm1(libm::log(0.05) / self.replications as f64),
            quantiles: (0..=CHANCE_STEPS).filter_map(at).collect(),
            groups: self.groups(counts),
        })
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

/// The exact interval (Clopper and Pearson 1934) of a chance that was met `hits` times of `n`: each
/// end is missed with a probability of at most `alpha` / 2.
///
/// # Panics
/// Where `hits` is more than `n`.
#[must_use]
pub fn exact_interval(hits: u64, n: u64, alpha: f64) -> [f64; 2] {
    assert!(hits <= n, "no more hits than tries");
    let (k, n) = (hits as f64, n as f64);
    let low = match hits {
        0 => 0.0,
        _ => inv_beta_reg(k, n - k + 1.0, alpha / 2.0),
    };
    let high = match k < n {
        true => inv_beta_reg(k + 1.0, n - k, 1.0 - alpha / 2.0),
        false => 1.0,
    };
    [low, high]
}

/// The exact interval of the mean of `n` values, each 0 or 1, that have this mean and standard
/// error; none where values from 0 to 1 with these are not all at an end. Two equal values have no
/// standard error, and yet say little.
#[must_use]
pub fn share_interval(mean: f64, se: f64, n: u64, alpha: f64) -> Option<[f64; 2]> {
    // Values from 0 to 1 have the sum of their squares only where each is 0 or 1.
    const ROUNDING: f64 = 1e-9;
    let spread = se * se * n.saturating_sub(1) as f64;
    let hits = (mean * n as f64).round();
    let all_at_ends = (spread - mean * (1.0 - mean)).abs() <= ROUNDING;
    let is_share = n > 0 && all_at_ends && (hits / n as f64 - mean).abs() <= ROUNDING;
    is_share.then(|| exact_interval(hits as u64, n, alpha))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Attribute;

    /// The chance of at least `from` hits of n, term by term.
    fn tail(from: u64, n: u64, p: f64) -> f64 {
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        let term = |k: u64| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
        (from..=n).map(term).sum()
    }

    #[test]
    fn each_end_of_the_exact_interval_is_missed_by_half() {
        for (hits, n) in [
            (0, 1),
            (0, 400),
            (1, 7),
            (3, 7),
            (7, 7),
            (57, 200),
            (199, 200),
        ] {
            let [low, high] = exact_interval(hits, n, 0.05);
            if hits > 0 {
                assert!((tail(hits, n, low) - 0.025).abs() < 1e-9, "{hits} of {n}");
            }
            if hits < n {
                let below = 1.0 - tail(hits + 1, n, high);
                assert!((below - 0.025).abs() < 1e-9, "{hits} of {n}");
            }
            assert!(low <= hits as f64 / n as f64 && hits as f64 / n as f64 <= high);
        }
        // The closed form at no hit.
        let [low, high] = exact_interval(0, 400, 0.05);
        assert_eq!(low, 0.0);
        assert!((high - (1.0 - libm::pow(0.025, 1.0 / 400.0))).abs() < 1e-12);
    }

    #[test]
    fn shares_are_known_by_their_mean_and_spread() {
        let of = |values: &[f64]| {
            let stats = crate::compare::Stats::of(values).expect("values");
            share_interval(stats.mean, stats.se.expect("two values"), stats.n, 0.05)
        };
        for (hits, n) in [(0, 2), (2, 2), (1, 2), (3, 7), (20, 20), (1, 1000)] {
            let values: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i < hits))).collect();
            assert_eq!(
                of(&values),
                Some(exact_interval(hits, n, 0.05)),
                "{hits} of {n}"
            );
        }
        // The law of three: none of 20 is at most some 3/20.
        assert!((of(&[0.0; 20]).expect("a share")[1] - 0.1684).abs() < 1e-3);
        for no_share in [[0.5, 0.5], [0.2, 0.9], [0.0, 0.99], [0.25, 0.75]] {
            assert_eq!(of(&no_share), None, "{no_share:?}");
        }
    }

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
        // 1 - .05^(1/5): none of five, at 95 %.
        assert!((all.never_at_most - (1.0 - libm::pow(0.05, 0.2))).abs() < 1e-12);
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
        // None of 2 replications: (1 - p)^2 = .05.
        let most = 1.0 - 0.05_f64.sqrt();
        assert!((summary.never_at_most - most).abs() < 1e-12);
        assert_eq!(counts.summary(2), None);
    }
}
