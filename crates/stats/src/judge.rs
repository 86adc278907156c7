//! The judge of a run: the metrics, the pairs compared and the error probability allowed.

use std::collections::BTreeMap;

use super::estimand::Estimand;
use super::goal::Goal;
use super::outcomes::is_outcome_mean;
use super::sequence::Range;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{Directions, MetricInfo, Metrics, impact_of};

/// The judge of a run: the metrics to be judged, and how strictly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judge {
    /// The judged metrics, each once, by their values at the end of the run.
    pub metrics: Vec<String>,
    /// The difference up to which two policies count as equivalent, by metric; positive.
    pub margins: BTreeMap<String, f64>,
    /// The stated upper bound on the variance of the difference of two policies in a replication,
    /// by metric without a range; positive.
    pub variances: BTreeMap<String, f64>,
    /// The pairs of policies that are compared.
    pub versus: Versus,
    /// The labels of yardsticks: policies that are drawn in charts and compared, but never the
    /// answer.
    pub yardsticks: Vec<String>,
    /// The user's goal, if the config states one.
    pub goal: Option<Goal>,
    /// The error probability allowed to all statements together. Without a goal it is split equally
    /// over judged metrics times comparisons. With one, half of it goes to the goal's constraints.
    /// `filled` counts as judged if lanes are to fill a committee.
    pub alpha: f64,
    /// True if the run stops when every pair is decided. Then no interval is given that needs a
    /// number of replications fixed beforehand.
    pub until_decided: bool,
    /// True if the values are those of a table's cases, and no run was played.
    pub of_cases: bool,
    /// The number of rounds at which a run ends, if it is to end so.
    pub rounds: Option<u64>,
    /// The number of filled places at which a run ends, if it is to end so.
    pub seats: Option<u64>,
    /// True if a round is one person. Rounds are then counted as people.
    pub one_by_one: bool,
    /// True if the run was to end after a number of rounds. A source that ends first then cuts its
    /// lanes short.
    pub source_end_is_short: bool,
    /// The treatment of replications in which a lane did not fill its committee.
    pub unfilled: Unfilled,
    /// The least and greatest value of metrics with a range that follows from the rules or the
    /// people.
    pub ranges: BTreeMap<String, (f64, f64)>,
    /// The better side of each metric.
    pub directions: Directions,
    /// The metrics of the run that a program adds to the catalogue.
    pub catalogue: Metrics,
    /// The metrics that are not the same measure in all lanes, because policies measure themselves
    /// by rules or aims of their own. They are shown and never compared.
    pub apart: Vec<String>,
}

impl Judge {
    /// The error probability allowed if the config gives none.
    pub const ALPHA: f64 = 0.05;

    /// Returns the description of a metric of the run.
    #[must_use]
    pub fn info(&self, metric: &str) -> MetricInfo {
        self.catalogue.of(metric)
    }

    /// Returns the units of a comparison, in the singular and the plural. A round of one person
    /// counts as a person.
    #[must_use]
    pub const fn units(&self, estimand: Estimand) -> (&'static str, &'static str) {
        estimand.counted(self.one_by_one)
    }

    /// Returns the range of a metric at the end of a run: the declared one, or else the one that
    /// follows from the rules. For a sum over rounds it is the range in a round times the number of
    /// rounds, if that is fixed.
    #[must_use]
    pub fn range(&self, metric: &str) -> Option<Range> {
        let info = self.info(metric);
        let summed = || {
            let (least, most) = info.by_round.filter(|_| info.cumulative)?;
            let rounds = self.rounds? as f64;
            Some((rounds * least, rounds * most))
        };
        let (least, most) = info
            .range
            .or_else(|| self.ranges.get(metric).copied())
            .or_else(summed)?;
        Range::new(least, most)
    }

    /// Returns the value per round of a value at the end of a run. `None` if the metric adds up and
    /// the number of rounds is open.
    pub(super) fn in_a_round(&self, metric: &str, value: f64) -> Option<f64> {
        match self.info(metric).cumulative {
            true => Some(value / self.rounds? as f64),
            false => Some(value),
        }
    }

    /// Returns the ground on which two policies are compared on a metric, on one stream that is
    /// played once. `None` if the stream says nothing about it.
    #[must_use]
    pub fn ground(&self, metric: &str) -> Option<Ground> {
        let info = self.info(metric);
        let by_round = info.by_round;
        match by_round.and_then(|(least, most)| Range::new(least, most)) {
            Some(range) => Some(Ground::Rounds(range)),
            None if impact_of(metric).is_some() => Some(Ground::Ratios),
            None if is_outcome_mean(metric) => self.range(metric).map(|_| Ground::Outcomes),
            None => info.of_selected.then_some(Ground::Facts),
        }
    }

    /// Returns the share of alpha of each inferred comparison on one stream, for this many pairs of
    /// policies. Facts take none.
    #[must_use]
    pub fn alpha_of_stream(&self, pairs: usize) -> f64 {
        let metrics = self.metrics.iter();
        let inferred = metrics.filter(|metric| {
            matches!(
                self.ground(metric),
                Some(Ground::Rounds(_) | Ground::Ratios | Ground::Outcomes)
            )
        });
        self.difference_alpha() / (inferred.count() * pairs) as f64
    }

    /// Returns the probability that any interval of one policy's selection rates by group on one
    /// stream is ever wrong. The same holds for its mean outcomes. Both are separate from the
    /// verdicts and from other policies, so they do not depend on a policy's company.
    #[must_use]
    pub fn alpha_of_rates(&self) -> f64 {
        if self.alpha > 0.0 {
            self.alpha
        } else {
            Self::ALPHA
        }
    }

    /// Returns the stated bound on the variance of a metric's differences, if it has no range.
    #[must_use]
    pub fn variance(&self, metric: &str) -> Option<f64> {
        let stated = self.variances.get(metric).copied();
        stated.filter(|_| self.range(metric).is_none())
    }

    /// Returns the probability of any wrong interval of a difference.
    #[must_use]
    pub fn difference_alpha(&self) -> f64 {
        match &self.goal {
            Some(goal) if !goal.constraints.is_empty() => self.alpha / 2.0,
            _ => self.alpha,
        }
    }

    /// Returns true if the config asks for the comparison with `b`. The other comparisons only
    /// decide dominance.
    pub fn asks(&self, b: &str) -> bool {
        match &self.versus {
            Versus::Nobody => false,
            Versus::Baseline(label) => label == b,
            Versus::Everyone => true,
        }
    }

    /// Returns true if a policy can be the answer.
    #[must_use]
    pub fn is_contender(&self, label: &str) -> bool {
        !self.yardsticks.iter().any(|known| known == label)
    }

    /// Returns the judged metrics that have a value in each round, with its range.
    pub fn by_round(&self) -> impl Iterator<Item = (String, Range)> {
        self.metrics
            .iter()
            .filter_map(|metric| match self.ground(metric)? {
                Ground::Rounds(range) => Some((metric.clone(), range)),
                Ground::Ratios | Ground::Outcomes | Ground::Facts => None,
            })
    }
}

/// The ground on which policies are compared on one stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ground {
    /// Values in each round (or of each person of a group), of this range.
    Rounds(Range),
    /// The ratios of groups' rates, joined from the groups' sequences.
    Ratios,
    /// The mean outcomes of the selected, each by a sequence.
    Outcomes,
    /// The facts about whom each policy selected.
    Facts,
}

/// The pairs of policies that are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Versus {
    /// No pairs.
    #[default]
    Nobody,
    /// Every other policy with the policy of this label. No pairs if the run has none of this
    /// label.
    Baseline(String),
    /// Every policy with every later one in label order.
    Everyone,
}

/// Returns the pairs to compare, as places among the labels of a run. First come those that the
/// config asks for, in label order, then those of contenders that it does not ask for. Dominance
/// and goals need the latter, because two differences from a baseline leave the order of two
/// policies open.
pub(super) fn against(labels: &[&str], judge: &Judge) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|place| labels[*place]);
    let everyone = || {
        let order = &order;
        let later = move |at: usize| order[at + 1..].iter().map(move |b| (order[at], *b));
        (0..order.len()).flat_map(later)
    };
    let is_contender = |place: usize| judge.is_contender(labels[place]);
    let both = |&(a, b): &(usize, usize)| is_contender(a) && is_contender(b);
    match &judge.versus {
        Versus::Nobody if judge.goal.is_none() => Vec::new(),
        Versus::Nobody => everyone().filter(both).collect(),
        Versus::Baseline(label) => {
            let Some(base) = order.iter().copied().find(|b| labels[*b] == label) else {
                return Vec::new();
            };
            let others = order.iter().filter(|a| **a != base);
            let asked = others.map(|a| (*a, base));
            let between = everyone()
                .filter(both)
                .filter(|(a, b)| *a != base && *b != base);
            asked.chain(between).collect()
        }
        Versus::Everyone => everyone().collect(),
    }
}

// The treatment of a committee with empty places when policies are compared.
//
// Whether a lane fills its committee is itself a result, so unfilled lanes are compared: `filled`
// is judged by itself wherever any lane of the run leaves a place empty, and every other measure
// over the replications in which both committees filled. That some lane will do so is not known
// beforehand, so `filled` has its share of alpha in every run whose lanes are to fill a committee.

/// The name of the metric that says whether a committee is filled.
pub const FILLED: &str = "filled";

/// The treatment of replications in which a lane did not fill its committee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unfilled {
    /// No lane is to fill a committee.
    #[default]
    NoCommittee,
    /// The replication is left out of every measure about filled committees.
    LeftOut,
    /// The lane counts with the worst value of the measure's declared range.
    Worst,
}

/// Returns true if a lane that should fill a committee left places empty: it stalled, or its source
/// had no more people.
pub(super) fn is_unfilled(ending: Ending) -> bool {
    matches!(ending, Ending::Stalled | Ending::SourceEnded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraint, GoalBound};

    const LABELS: [&str; 4] = ["c", "a", "yard", "b"];

    fn named(judge: &Judge) -> Vec<(&'static str, &'static str)> {
        let pairs = against(&LABELS, judge).into_iter();
        pairs.map(|(a, b)| (LABELS[a], LABELS[b])).collect()
    }

    fn judge(versus: Versus) -> Judge {
        Judge {
            versus,
            yardsticks: vec!["yard".into()],
            ..Judge::default()
        }
    }

    #[test]
    fn contenders_meet_each_other_after_the_comparisons_that_were_asked_for() {
        let base = judge(Versus::Baseline("c".into()));
        let asked = [("a", "c"), ("b", "c"), ("yard", "c")];
        assert_eq!(named(&base), [&asked[..], &[("a", "b")]].concat());
        assert!(base.asks("c") && !base.asks("b"));
        let yard = judge(Versus::Baseline("yard".into()));
        let asked = [("a", "yard"), ("b", "yard"), ("c", "yard")];
        let between = [("a", "b"), ("a", "c"), ("b", "c")];
        assert_eq!(named(&yard), [asked, between].concat());
        assert_eq!(named(&judge(Versus::Everyone)).len(), 6);
        assert!(named(&judge(Versus::Nobody)).is_empty());
        assert!(named(&judge(Versus::Baseline("none".into()))).is_empty());
        let mut goal = judge(Versus::Nobody);
        goal.goal = Some(Goal {
            best: "screened".into(),
            constraints: Vec::new(),
        });
        assert_eq!(named(&goal), between);
    }

    /// A sum over rounds lies within its values in a round, times the rounds, where those are
    /// fixed.
    #[test]
    fn the_range_of_a_sum_follows_from_the_number_of_rounds() {
        let open = Judge::default();
        assert_eq!(open.range("fair_regret"), None);
        assert_eq!(open.in_a_round("fair_regret", 10.0), None);
        assert_eq!(open.in_a_round("selection_rate", 0.5), Some(0.5));
        let fixed = Judge {
            rounds: Some(40),
            ranges: [("cost".to_owned(), (-2.0, 6.0))].into(),
            ..Judge::default()
        };
        let ends = |metric| fixed.range(metric).map(Range::ends);
        assert_eq!(ends("fair_regret"), Some((0.0, 40.0)));
        assert_eq!(ends("selection_rate"), Some((0.0, 1.0)));
        assert_eq!(ends("cost"), Some((-2.0, 6.0)));
        assert_eq!(ends("reward_regret"), None);
        assert_eq!(fixed.in_a_round("fair_regret", 10.0), Some(0.25));
    }

    #[test]
    fn each_metric_has_its_ground_on_one_stream_or_none() {
        let judge = Judge {
            ranges: [("outcome_mean".to_owned(), (0.0, 100.0))].into(),
            ..Judge::default()
        };
        let unit = Range::new(0.0, 1.0).expect("a range");
        assert_eq!(judge.ground("selection_rate"), Some(Ground::Rounds(unit)));
        assert_eq!(judge.ground("impact_ratio"), Some(Ground::Ratios));
        assert_eq!(judge.ground("outcome_mean"), Some(Ground::Outcomes));
        assert_eq!(judge.ground("outcome_mean.sex.F"), None);
        assert_eq!(judge.ground("representation_loss"), Some(Ground::Facts));
        assert_eq!(judge.ground("cost"), None);
    }

    /// Half of alpha is for a goal's constraints, where it has any; facts take no share of the
    /// rest.
    #[test]
    fn alpha_is_split_over_what_is_inferred() {
        let metrics = ["selection_rate", "representation_loss", "impact_ratio"];
        let mut judge = Judge {
            metrics: metrics.map(str::to_owned).to_vec(),
            alpha: 0.08,
            ..Judge::default()
        };
        assert_eq!(
            (judge.difference_alpha(), judge.alpha_of_rates()),
            (0.08, 0.08)
        );
        assert!((judge.alpha_of_stream(2) - 0.02).abs() < 1e-15);
        judge.goal = Some(Goal {
            best: "selection_rate".into(),
            constraints: Vec::new(),
        });
        assert_eq!(judge.difference_alpha(), 0.08);
        let goal = judge.goal.as_mut().expect("a goal");
        goal.constraints.push(Constraint {
            metric: "impact_ratio".into(),
            bound: GoalBound::AtLeast(0.8),
        });
        assert_eq!(judge.difference_alpha(), 0.04);
        assert!((judge.alpha_of_stream(2) - 0.01).abs() < 1e-15);
        judge.alpha = 0.0;
        assert_eq!(judge.alpha_of_rates(), Judge::ALPHA);
    }

    /// A variance that is stated counts where no range is known.
    #[test]
    fn a_range_takes_the_place_of_a_stated_variance() {
        let stated = ["cost", "selection_rate"].map(|metric| (metric.to_owned(), 2.5));
        let judge = Judge {
            variances: stated.into(),
            ..Judge::default()
        };
        assert_eq!(judge.variance("cost"), Some(2.5));
        assert_eq!(judge.variance("selection_rate"), None);
        assert_eq!(judge.variance("pulls"), None);
    }
}
