//! Who judges: on which metrics, whom against whom, how strictly.

use std::collections::BTreeMap;

use super::sequence::Range;
use crate::score::MetricInfo;

/// What is to be judged and how strictly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judge {
    /// The judged metrics, each once, as they are at the end of the run.
    pub metrics: Vec<String>,
    /// Per metric, the difference up to which two policies count as equivalent; positive.
    pub margins: BTreeMap<String, f64>,
    /// Who is compared with whom.
    pub versus: Versus,
    /// The chance of any wrong interval, split equally over judged metrics times comparisons.
    pub alpha: f64,
    /// Whether the run stops when every pair is decided. Then no interval is given that needs a number of replications fixed
    /// beforehand.
    pub until_decided: bool,
    /// How many rounds a run has at most, where it is to end with one.
    pub rounds: Option<u64>,
    /// Whether the run was to end otherwise than with its source, which then ends it short.
    pub source_end_is_short: bool,
}

impl Judge {
    /// The range of a metric at the end of a run: the declared one; of a sum over rounds that of its values in a round times the
    /// number of rounds, where that is fixed.
    #[must_use]
    pub fn range(&self, metric: &str) -> Option<Range> {
        let info = MetricInfo::of(metric);
        let summed = || {
            let (least, most) = info.by_round.filter(|_| info.cumulative)?;
            let rounds = self.rounds? as f64;
            Some((rounds * least, rounds * most))
        };
        let (least, most) = info.range.or_else(summed)?;
        Range::new(least, most)
    }

    /// What two policies are compared by on a metric, on one stream that is played once; none where it tells nothing of it.
    #[must_use]
    pub fn ground(&self, metric: &str) -> Option<Ground> {
        let info = MetricInfo::of(metric);
        let by_round = info.by_round;
        match by_round.and_then(|(least, most)| Range::new(least, most)) {
            Some(range) => Some(Ground::Rounds(range)),
            None if metric == IMPACT_RATIO => Some(Ground::Ratios),
            None => info.of_selected.then_some(Ground::Facts),
        }
    }

    /// The share of alpha of each inferred comparison on one stream, of so many pairs of policies: facts take none.
    #[must_use]
    pub fn alpha_of_stream(&self, pairs: usize) -> f64 {
        let metrics = self.metrics.iter();
        let inferred = metrics.filter(|metric| {
            matches!(
                self.ground(metric),
                Some(Ground::Rounds(_) | Ground::Ratios)
            )
        });
        self.alpha / (inferred.count() * pairs) as f64
    }

    /// The chance that any interval of the selection rates by group of one stream is ever wrong, and that any of the mean outcomes
    /// is: each apart from the verdicts, and as theirs where something is judged.
    #[must_use]
    pub fn alpha_of_rates(&self) -> f64 {
        if self.alpha > 0.0 { self.alpha } else { 0.05 }
    }

    /// The judged metrics that have a value in each round, with its range.
    pub fn by_round(&self) -> impl Iterator<Item = (String, Range)> {
        self.metrics
            .iter()
            .filter_map(|metric| match self.ground(metric)? {
                Ground::Rounds(range) => Some((metric.clone(), range)),
                Ground::Ratios | Ground::Facts => None,
            })
    }
}

/// The metric that is the least ratio of groups' rates.
const IMPACT_RATIO: &str = "impact_ratio";

/// What policies are compared by on one stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ground {
    /// Values in each round (or of each person of a group), of this range.
    Rounds(Range),
    /// The ratios of groups' rates, joined from the groups' sequences.
    Ratios,
    /// Whom each has selected, as it was played.
    Facts,
}

/// Who is compared with whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Versus {
    /// Nobody: no pairs.
    #[default]
    Nobody,
    /// Every other policy with the one of this label; no pairs where the run has none.
    Baseline(String),
    /// Every policy with every later one in label order.
    Everyone,
}

/// Who is compared with whom, as places among the labels of a run, in label order.
pub(super) fn against(labels: &[&str], versus: &Versus) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|place| labels[*place]);
    let later = |at: usize| order[at + 1..].iter().map(move |b| (at, *b));
    match versus {
        Versus::Nobody => Vec::new(),
        Versus::Baseline(label) => {
            let b = order.iter().copied().find(|b| labels[*b] == label);
            let others = order.iter().filter(|a| Some(**a) != b);
            others.filter_map(|a| Some((*a, b?))).collect()
        }
        Versus::Everyone => (0..order.len())
            .flat_map(later)
            .map(|(at, b)| (order[at], b))
            .collect(),
    }
}
