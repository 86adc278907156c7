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
    /// Per metric without a range, what the variance of the difference of two policies in a replication is stated not to exceed;
    /// positive.
    pub variances: BTreeMap<String, f64>,
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

    /// The stated bound on the variance of a metric's differences, where it has no range.
    #[must_use]
    pub fn variance(&self, metric: &str) -> Option<f64> {
        let stated = self.variances.get(metric).copied();
        stated.filter(|_| self.range(metric).is_none())
    }

    /// The judged metrics that have a value in each round, with its range.
    pub fn by_round(&self) -> impl Iterator<Item = (String, Range)> {
        self.metrics.iter().filter_map(|metric| {
            let (least, most) = MetricInfo::of(metric).by_round?;
            Some((metric.clone(), Range::new(least, most)?))
        })
    }
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
