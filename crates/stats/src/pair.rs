//! A comparison of two policies on a metric, as `summary.json` has it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::estimand::Estimand;
use super::evidence::PairExtras;
use super::standing::{self, Dated, Standing};
use super::verdict::Verdict;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::Direction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One comparison of two policies on one metric. Members that this version does not know are
/// ignored when it is read; the direction, the standing and the endings are not read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// The metric.
    pub metric: String,
    /// The better side of the metric.
    #[serde(skip)]
    pub direction: Direction,
    /// The label of the policy that the verdict is about.
    pub a: String,
    /// The label of the policy it is compared with.
    pub b: String,
    /// The quantity that the interval covers.
    #[serde(default)]
    #[schemars(!default)]
    pub estimand: Estimand,
    /// The number of replications (or rounds) in which both have a value.
    pub n: u64,
    /// The number of replications in which one of the two left places empty, if the metric is about
    /// filled committees. They are left out of `n`, or count with the worst value of the range, as
    /// the config asks.
    #[serde(default)]
    #[schemars(!default)]
    pub unfilled: u64,
    /// The mean of D. Null at n = 0.
    pub mean: Option<f64>,
    /// The standard error of the mean over replications. Null below n = 2, and over rounds, which
    /// are not independent.
    pub se: Option<f64>,
    /// The lower end of the interval. Null at n = 0, and at n = 1 by t.
    pub lo: Option<f64>,
    /// The upper end of the interval. Null if there is no lower end.
    pub hi: Option<f64>,
    /// The share of alpha of this comparison; 0 for a fact, which takes none.
    pub alpha: f64,
    /// The method of the interval: [`Betting::METHOD`](super::sequence::Betting::METHOD),
    /// [`StreamSequence::METHOD`](super::sequence::StreamSequence::METHOD),
    /// [`Catoni::METHOD`](super::sequence::Catoni::METHOD) or [`t::METHOD`](super::t::METHOD);
    /// [`FACT`](super::FACT) if there is no interval.
    #[schemars(description = "How the interval was made; `fact` where there is none to make.")]
    pub method: Cow<'static, str>,
    /// The verdict.
    pub verdict: Verdict,
    /// The standing of the verdict: inferred and sure, inferred and open, or a fact so far.
    #[serde(skip_deserializing)]
    #[schemars(!skip_deserializing)]
    pub standing: Standing,
    /// The moment at which a running average over rounds was sure, if it ever was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dated: Option<Dated>,
    /// True if the run ends before an open comparison is likely to be decided: its rounds are over,
    /// or fewer are left than needed.
    #[serde(default)]
    #[schemars(!default)]
    pub ends_before: bool,
    /// Further statistics.
    #[serde(flatten)]
    pub extras: PairExtras,
    /// The margin stated for the metric.
    pub margin: Option<f64>,
    /// The approximate number of further replications (or rounds) that decide the pair by this
    /// method, if they are like those so far. Null if it is decided, or if no number would.
    pub needed: Option<u64>,
    /// The endings that forbid the comparison.
    #[serde(skip)]
    pub blocked: Vec<Blocked>,
}

impl Pair {
    /// Returns, in words, the moment since which the verdict is sure. `None` if there is none to
    /// state.
    #[must_use]
    pub fn when(&self, unit: &str) -> Option<String> {
        let says = (self.standing, self.verdict.word());
        let of = (self.estimand, self.n);
        standing::when(says, of, self.dated.as_ref(), unit)
    }
}

/// Lanes that ended before they completed their task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The label of the policy.
    pub label: String,
    /// The ending of these lanes.
    pub ending: Ending,
    /// The number of lanes.
    pub lanes: u64,
}

#[cfg(test)]
impl Pair {
    /// A comparison of ten replications made by hand: all lies between -1 and 1.
    pub(crate) fn by_hand(metric: &str, a: &str, b: &str, verdict: Verdict) -> Self {
        Self {
            metric: metric.into(),
            direction: Direction::Lower,
            a: a.into(),
            b: b.into(),
            estimand: Estimand::Replications,
            n: 10,
            unfilled: 0,
            mean: Some(0.0),
            se: None,
            lo: Some(-1.0),
            hi: Some(1.0),
            alpha: 0.05,
            method: "t".into(),
            verdict,
            standing: Standing::of(verdict, Estimand::Replications, false),
            dated: None,
            ends_before: false,
            extras: PairExtras::default(),
            margin: None,
            needed: None,
            blocked: Vec::new(),
        }
    }
}

/// The comparisons on one metric, indexed by both labels.
#[derive(Debug)]
pub struct ByPair<'a, P> {
    places: BTreeMap<&'a str, u32>,
    pairs: BTreeMap<[u32; 2], &'a P>,
}

impl<'a, P> ByPair<'a, P> {
    /// Makes the index of comparisons, each given with its a and b. The first of two with the same
    /// policies counts.
    pub fn of(pairs: impl IntoIterator<Item = ([&'a str; 2], &'a P)>) -> Self {
        let mut all = Self {
            places: BTreeMap::new(),
            pairs: BTreeMap::new(),
        };
        for (labels, pair) in pairs {
            let sides = labels.map(|label| {
                let next = all.places.len() as u32;
                *all.places.entry(label).or_insert(next)
            });
            let [a, b] = sides;
            if !all.pairs.contains_key(&[b, a]) {
                all.pairs.entry(sides).or_insert(pair);
            }
        }
        all
    }

    /// Returns the comparison of two policies, in either order, and true if it is from `a` to `b`.
    /// `None` if they are not compared.
    pub fn get(&self, a: &str, b: &str) -> Option<(&'a P, bool)> {
        let [a, b] = [*self.places.get(a)?, *self.places.get(b)?];
        let from_a = self.pairs.get(&[a, b]).map(|pair| (*pair, true));
        from_a.or_else(|| self.pairs.get(&[b, a]).map(|pair| (*pair, false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_found_from_both_sides_and_the_first_counts() {
        let said = ["a from b", "b from a", "c from a"];
        let labels = [["a", "b"], ["b", "a"], ["c", "a"]];
        let all = ByPair::of(labels.into_iter().zip(&said));
        assert_eq!(all.get("a", "b"), Some((&said[0], true)));
        assert_eq!(all.get("b", "a"), Some((&said[0], false)));
        assert_eq!(all.get("a", "c"), Some((&said[2], false)));
        assert_eq!((all.get("b", "c"), all.get("a", "d")), (None, None));
    }
}
