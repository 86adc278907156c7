//! The least chance of a respondent under a policy.
//!
//! A lottery over panels states it exactly. Of any other rule there are counts: in how many of `n`
//! replications each of `m` people was chosen. Were every chance at least p, the one who was chosen
//! least often, `k` times, would show a tail of probability at most `m P(Bin(n, p) <= k)`. So p is
//! at most the limit (Clopper and Pearson 1934) of that one's chance at `alpha / m`. Without the
//! `m` it would be none: who was chosen least often was picked after the fact. The lower
//! limit needs no share: the limit of the one of the least chance holds by itself, and the least
//! limit is no higher.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::order::{lower_limit, upper_limit};

/// The name of the metric for the least chance of a respondent.
pub const LEAST_CHANCE: &str = "least_chance";

/// The error rate of [`LeastChance::at_most`].
const ALPHA: f64 = 0.05;

/// The least chance of a respondent, among those who can be on a panel that keeps the quotas.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeastChance {
    /// The exact least chance, if it is known without playing, as for a lottery over panels.
    pub exact: Option<f64>,
    /// An upper limit on the least chance (95 %), from the counts of the chosen. The exact chance
    /// if that is known.
    pub at_most: f64,
    /// The number of replications in which the respondent chosen least often was chosen.
    pub selected: u64,
    /// The number of replications.
    pub replications: u64,
    /// The number of respondents who can be on a panel that keeps the quotas.
    pub people: u64,
    /// The number of respondents who can be on no such panel; they do not count.
    pub impossible: u64,
}

impl LeastChance {
    /// The name of this method for intervals of a difference.
    pub const METHOD: &'static str = "exact limits of chances";

    /// The least chance of people who were chosen so often; none of no people or replications.
    pub(super) fn of(
        exact: Option<f64>,
        counts: impl Iterator<Item = u64>,
        replications: u64,
        impossible: u64,
    ) -> Option<Self> {
        let (mut people, mut selected) = (0, replications);
        for count in counts {
            people += 1;
            selected = selected.min(count);
        }
        let found = Self {
            exact,
            at_most: 1.0,
            selected,
            replications,
            people,
            impossible,
        };
        (people > 0 && replications > 0).then(|| Self {
            at_most: exact.unwrap_or_else(|| found.upper(ALPHA)),
            ..found
        })
    }

    /// The exact least chance, else the least share that was seen.
    pub(super) fn value(&self) -> f64 {
        let seen = self.selected as f64 / self.replications as f64;
        self.exact.unwrap_or(seen)
    }

    /// The limit that the least chance exceeds with a probability of at most `alpha`.
    fn upper(&self, alpha: f64) -> f64 {
        upper_limit(self.selected, self.replications, alpha / self.people as f64)
    }

    /// Returns both limits, of which one is wrong with a probability of at most `alpha`.
    pub(super) fn limits(&self, alpha: f64) -> (f64, f64) {
        match self.exact {
            Some(exact) => (exact, exact),
            None => {
                let low = lower_limit(self.selected, self.replications, alpha / 2.0);
                (low, self.upper(alpha / 2.0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(counts: &[u64], replications: u64) -> LeastChance {
        LeastChance::of(None, counts.iter().copied(), replications, 0).expect("people")
    }

    /// None of n by one of m people: `m (1 - p)^n = alpha`; all of n: 1.
    #[test]
    fn the_limit_has_its_closed_form_where_someone_was_never_chosen() {
        for (people, replications) in [(1_usize, 5_u64), (4, 60), (300, 200), (800, 1_000)] {
            let mut counts = vec![replications / 2; people];
            counts[people / 2] = 0;
            let least = played(&counts, replications);
            let due = 1.0 - libm::pow(0.05 / people as f64, 1.0 / replications as f64);
            assert!((least.at_most - due).abs() < 1e-10, "{people}: {least:?}");
            assert_eq!((least.selected, least.people), (0, people as u64));
        }
        assert_eq!(played(&[9, 9], 9).at_most, 1.0);
        assert_eq!(LeastChance::of(None, std::iter::empty(), 9, 3), None);
        assert_eq!(LeastChance::of(None, [0].into_iter(), 0, 0), None);
    }

    /// Returns how often the limit is below .1, summed over the least count. The people have a
    /// chance of .1 each and are chosen independently.
    #[test]
    fn the_limit_is_wrong_as_seldom_as_it_says_and_without_the_number_of_people_it_is_not() {
        let (people, n, p) = (80_u64, 100_u64, 0.1_f64);
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        let term = |k: u64| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
        let above = |k: u64| 1.0 - (0..k).map(term).sum::<f64>();
        let least_is = |k: u64| {
            above(k).max(0.0).powi(people as i32) - above(k + 1).max(0.0).powi(people as i32)
        };
        let wrong = |limit: &dyn Fn(u64) -> f64| -> f64 {
            (0..n).filter(|k| limit(*k) < p).map(least_is).sum()
        };
        let corrected = wrong(&|k| upper_limit(k, n, 0.05 / people as f64));
        assert!(corrected > 0.0 && corrected <= 0.05, "{corrected}");
        let alone = wrong(&|k| upper_limit(k, n, 0.05));
        assert!(alone > 0.5, "{alone}");
    }
}
