//! The leaders on a measure, as far as the intervals show.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::finished::Finished;
use super::super::number::{noiseless, of_differences};
use super::difference::{ShownDifference, ahead_first, size};
use kleroterion_core::score::{Direction, MeasureWords, MetricInfo};
use kleroterion_stats::{ByPair, Estimand, Pair, PairCourse, Verdict};

/// A measure's comparisons, and the leaders that follow from them.
pub(super) struct MeasureStanding<'a> {
    pub(super) metric: &'a str,
    /// The name, the unit and the format of the measure.
    pub(super) words: MeasureWords,
    /// The decimals of all differences on the measure, and of their intervals.
    decimals: [Option<i32>; 2],
    pub(super) direction: Direction,
    /// The baseline, if there is one.
    pub(super) baseline: Option<&'a str>,
    /// True if a comparison leaves out replications because a committee was not filled.
    pub(super) has_unfilled: bool,
    /// The comparisons that were asked for, best first.
    pub(super) pairs: Vec<&'a Pair>,
    /// The comparisons that were asked for and those that only the answer needs, by their policies.
    known: ByPair<'a, Pair>,
    /// The contenders that no other is surely better than, best mean first. Empty if the measure
    /// has no better direction.
    pub(super) leaders: Vec<&'a str>,
    /// The contenders that can be compared, best mean first.
    pub(super) contenders: Vec<&'a str>,
    /// All policies that can be compared, best mean first.
    pub(super) comparable: Vec<&'a str>,
    /// The policies that can't be compared, since their lanes did not end as planned.
    pub(super) left_out: Vec<&'a str>,
}

impl<'a> MeasureStanding<'a> {
    /// The standings on all measures that were judged, in the order of the run.
    pub(super) fn all(run: &'a Finished) -> Vec<Self> {
        let mut metrics: Vec<&str> = Vec::new();
        for pair in &run.pairs {
            if !metrics.contains(&pair.metric.as_str()) {
                metrics.push(&pair.metric);
            }
        }
        metrics
            .into_iter()
            .map(|metric| Self::of(metric, run))
            .collect()
    }

    fn of(metric: &'a str, run: &'a Finished) -> Self {
        let direction = run.directions.of(metric);
        let pairs = run.pairs.iter().filter(|pair| pair.metric == metric);
        let mut pairs: Vec<&Pair> = pairs.collect();
        let first = pairs.first().map(|pair| pair.b.as_str());
        let baseline = first.filter(|b| pairs.iter().all(|pair| pair.b == *b));
        let (mut comparable, left_out) = labels(&pairs);
        let means = means(metric, &pairs, baseline, run);
        let mean = |label: &str| means.get(label).copied();
        comparable.sort_by(|a, b| direction.best_first(mean(a), mean(b)).then(a.cmp(b)));
        pairs.sort_by(|a, b| {
            let of = |pair: &Pair| pair.mean.filter(|_| pair.verdict != Verdict::NotComparable);
            direction.best_first(of(a), of(b))
        });
        let contenders = comparable.iter().copied();
        let contenders = contenders.filter(|label| run.is_contender(label));
        let contenders: Vec<&str> = contenders.collect();
        let between = run.answer.iter().flat_map(|answer| &answer.between);
        let between = between.filter(|pair| pair.metric == metric);
        let known = pairs.iter().copied().chain(between);
        let known = ByPair::of(known.map(|pair| ([&*pair.a, &*pair.b], pair)));
        let mut from: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
        for pair in &pairs {
            from.entry(&pair.a).or_default().push(pair);
        }
        let beats = |q: &str, p: &str| match known.get(q, p) {
            Some((pair, from_q)) => {
                matches!(
                    (pair.verdict, from_q),
                    (Verdict::Better, true) | (Verdict::Worse, false)
                )
            }
            None => {
                let mut of_q = from.get(q).into_iter().flatten();
                of_q.any(|of_q| {
                    let of_p = known.get(p, &of_q.b).filter(|(_, from_p)| *from_p);
                    of_p.is_some_and(|(of_p, _)| lie_apart(of_q, of_p, direction, run))
                })
            }
        };
        let leads = |p: &&str| !contenders.iter().any(|q| beats(q, p));
        let leaders = match direction {
            Direction::None => Vec::new(),
            _ => contenders.iter().copied().filter(leads).collect(),
        };
        let column = pairs
            .iter()
            .filter(|pair| pair.verdict != Verdict::NotComparable);
        let column = column.map(|pair| {
            let error = pair.se.map(|se| noiseless(se, size(run, pair)));
            (error, pair.lo.zip(pair.hi))
        });
        Self {
            metric,
            words: run.catalogue.words(metric),
            decimals: of_differences(&column.collect::<Vec<_>>()),
            direction,
            baseline,
            has_unfilled: pairs.iter().any(|pair| pair.unfilled > 0),
            known,
            pairs,
            leaders,
            contenders,
            comparable,
            left_out,
        }
    }

    /// The comparison with the better by the mean first, where no baseline says who is held against
    /// whom.
    pub(super) fn better_first<'p>(&self, pair: &'p Pair) -> Cow<'p, Pair> {
        match self.baseline {
            None => ahead_first(pair, self.direction),
            Some(_) => Cow::Borrowed(pair),
        }
    }

    /// The difference of a pair, with the decimals of the measure's differences.
    pub(super) fn shown(&self, pair: &Pair, run: &Finished) -> ShownDifference {
        ShownDifference::of(pair, self.decimals, run)
    }

    /// The courses of its comparisons, by their policies.
    pub(super) fn courses(&self, run: &'a Finished) -> ByPair<'a, PairCourse> {
        let courses = run.courses.iter();
        let courses = courses.filter(|course| course.metric == self.metric);
        ByPair::of(courses.map(|course| ([&*course.a, &*course.b], course)))
    }

    /// The estimand of its comparisons.
    pub(super) fn estimand(&self) -> Estimand {
        let mut pairs = self.pairs.iter();
        pairs
            .next()
            .map_or_else(Estimand::default, |pair| pair.estimand)
    }

    /// Returns true if the comparison is a fact about one stream, which estimates nothing.
    pub(super) fn is_fact(&self) -> bool {
        self.estimand().is_fact()
    }

    /// Returns the number of rounds (or replications) in which all leaders had the same values.
    /// `None` if more is known of them.
    pub(super) fn alike(&self) -> Option<u64> {
        let (first, others) = self.leaders.split_first()?;
        let mut pairs = others.iter().map(|other| self.pair(first, other));
        let identical = |pair: Option<&Pair>| {
            pair.filter(|pair| pair.verdict == Verdict::Identical)
                .map(|pair| pair.n)
        };
        let fewest = identical(pairs.next()?)?;
        pairs.try_fold(fewest, |fewest, pair| Some(fewest.min(identical(pair)?)))
    }

    /// The comparison of two, whichever way round.
    pub(super) fn pair(&self, a: &str, b: &str) -> Option<&'a Pair> {
        self.known.get(a, b).map(|(pair, _)| pair)
    }
}

/// The policies of the pairs: those that can be compared, and those of which no comparison could be
/// made.
fn labels<'a>(pairs: &[&'a Pair]) -> (Vec<&'a str>, Vec<&'a str>) {
    let mut labels: Vec<&str> = Vec::new();
    let mut compared: BTreeMap<&str, bool> = BTreeMap::new();
    for pair in pairs {
        for label in [&*pair.a, &*pair.b] {
            let is_compared = compared.entry(label).or_insert_with(|| {
                labels.push(label);
                false
            });
            *is_compared |= pair.verdict != Verdict::NotComparable;
        }
    }
    labels.into_iter().partition(|label| compared[label])
}

/// The means by which policies are placed among each other; those without one are left out.
fn means<'a>(
    metric: &str,
    pairs: &[&'a Pair],
    baseline: Option<&'a str>,
    run: &'a Finished,
) -> BTreeMap<&'a str, f64> {
    let of_others = |pair: &&Pair| match pair.estimand {
        _ if pair.unfilled > 0 => true,
        Estimand::Replications | Estimand::Facts => false,
        Estimand::Cases => pair.n != run.replications,
        _ => true,
    };
    if !pairs.iter().any(of_others) {
        let known = run.policies.iter().filter_map(|(label, policy)| {
            let stats = policy.metrics.get(metric)?;
            Some((label.as_str(), stats.mean))
        });
        return known.collect();
    }
    // Means of whole lanes may be of other rounds or replications than those compared: the
    // differences from the others.
    let mut means = BTreeMap::new();
    for pair in pairs {
        if let Some(mean) = pair.mean {
            *means.entry(&*pair.a).or_insert(0.0) += mean;
            *means.entry(&*pair.b).or_insert(0.0) -= mean;
        }
    }
    means.extend(baseline.map(|label| (label, 0.0)));
    means
}

/// By how much the averages of a difference over two numbers of rounds may lie apart, where the
/// more hold the fewer: each round that one has beyond the other counts for the whole range. While
/// a run goes on, one pair may be a little ahead.
fn ahead(metric: &MetricInfo, n: u64, other: u64) -> f64 {
    let Some((least, most)) = metric.by_round else {
        return f64::INFINITY;
    };
    2.0 * (most - least) * n.abs_diff(other) as f64 / n.max(other) as f64
}

/// Returns true if q is surely better than p, although they are not compared directly. Their
/// intervals against the same third policy hold together and lie apart. Both must be over all
/// replications or about as many rounds, since otherwise their means may be of other people.
fn lie_apart(of_q: &Pair, of_p: &Pair, direction: Direction, run: &Finished) -> bool {
    let is_whole = |pair: &Pair| {
        pair.verdict != Verdict::NotComparable
            && (pair.estimand.is_stream() || pair.n == run.replications)
    };
    // A fact has no interval: nothing is sure by it.
    let limits = [of_q, of_p].map(|pair| pair.lo.zip(pair.hi).filter(|_| is_whole(pair)));
    let [Some(q), Some(p)] = limits else {
        return false;
    };
    let apart = match direction {
        Direction::Higher => q.0 - p.1,
        Direction::Lower => p.0 - q.1,
        Direction::None => return false,
    };
    let room = match of_q.estimand {
        _ if of_q.n == of_p.n => 0.0,
        Estimand::Replications | Estimand::Cases => return false,
        // Both are held against the third as it is at this moment.
        Estimand::Facts | Estimand::Ratios | Estimand::Outcomes | Estimand::LeastChances => 0.0,
        Estimand::Rounds | Estimand::People => {
            let info = run.catalogue.of(&of_q.metric);
            info.words(&of_q.metric).scale() * ahead(&info, of_q.n, of_p.n)
        }
    };
    apart > room
}
