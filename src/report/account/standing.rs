//! Who leads on a measure, by what the intervals let one say.

use super::super::finished::{Finished, SummaryPair};
use crate::compare::Estimand;
use crate::score::{Direction, MetricInfo};

/// A measure's comparisons, and who they leave in front.
pub(super) struct MeasureStanding<'a> {
    pub(super) metric: &'a str,
    pub(super) direction: Direction,
    /// Whom all others are held against, where there is one.
    pub(super) baseline: Option<&'a str>,
    /// The comparisons that were asked for, best first.
    pub(super) pairs: Vec<&'a SummaryPair>,
    /// Those that only the answer needs.
    between: Vec<&'a SummaryPair>,
    /// The contenders that no other is surely better than, by their means the best first; empty
    /// where neither way is better.
    pub(super) leaders: Vec<&'a str>,
    /// The contenders that can be compared, by their means the best first.
    pub(super) contenders: Vec<&'a str>,
    /// All that can be compared, by their means the best first.
    pub(super) comparable: Vec<&'a str>,
    /// Those that can't, as they did not do what they were to do.
    pub(super) left_out: Vec<&'a str>,
}

/// The word for what can't be compared.
pub(super) const NOT_COMPARABLE: &str = "not_comparable";

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
        let mut pairs: Vec<&SummaryPair> = pairs.collect();
        let first = pairs.first().map(|pair| pair.b.as_str());
        let baseline = first.filter(|b| pairs.iter().all(|pair| pair.b == *b));
        let (mut comparable, left_out) = labels(&pairs);
        let mean = |label: &str| mean_of(label, metric, &pairs, baseline, run);
        comparable.sort_by(|a, b| best_first(mean(a), mean(b), direction).then(a.cmp(b)));
        pairs.sort_by(|a, b| {
            let of = |pair: &SummaryPair| pair.mean.filter(|_| pair.verdict != NOT_COMPARABLE);
            best_first(of(a), of(b), direction)
        });
        let contenders = comparable.iter().copied();
        let contenders = contenders.filter(|label| run.is_contender(label));
        let contenders: Vec<&str> = contenders.collect();
        let between = run.answer.iter().flat_map(|answer| &answer.between);
        let between = between.filter(|pair| pair.metric == metric);
        let mut known: Vec<&SummaryPair> = pairs.iter().copied().chain(between).collect();
        let leads = |p: &&str| {
            let mut others = contenders.iter();
            !others.any(|q| beats(&known, q, p, direction, run.replications))
        };
        let leaders = match direction {
            Direction::None => Vec::new(),
            _ => contenders.iter().copied().filter(leads).collect(),
        };
        Self {
            metric,
            direction,
            baseline,
            between: known.split_off(pairs.len()),
            pairs,
            leaders,
            contenders,
            comparable,
            left_out,
        }
    }

    /// What its comparisons are of.
    pub(super) fn estimand(&self) -> Estimand {
        let mut pairs = self.pairs.iter();
        pairs
            .next()
            .map_or_else(Estimand::default, |pair| pair.estimand)
    }

    /// Whether it is a fact about one stream, and estimates nothing.
    pub(super) fn is_fact(&self) -> bool {
        self.estimand().is_fact()
    }

    /// In how many rounds (or replications) all who may lead had the same values, where nothing
    /// else is known of them.
    pub(super) fn alike_so_far(&self) -> Option<u64> {
        let (first, others) = self.leaders.split_first()?;
        let mut pairs = others.iter().map(|other| self.pair(first, other));
        let identical = |pair: Option<&SummaryPair>| {
            pair.filter(|pair| pair.verdict == "identical")
                .map(|pair| pair.n)
        };
        let fewest = identical(pairs.next()?)?;
        pairs.try_fold(fewest, |fewest, pair| Some(fewest.min(identical(pair)?)))
    }

    /// The comparison of two, whichever way round.
    pub(super) fn pair(&self, a: &str, b: &str) -> Option<&'a SummaryPair> {
        let mut pairs = self.pairs.iter().chain(&self.between);
        let is_it =
            |pair: &&&SummaryPair| (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
        pairs.find(is_it).copied()
    }
}

/// The policies of the pairs: those that can be compared, and those of which no comparison could be
/// made.
fn labels<'a>(pairs: &[&'a SummaryPair]) -> (Vec<&'a str>, Vec<&'a str>) {
    let mut labels: Vec<&str> = Vec::new();
    for label in pairs.iter().flat_map(|pair| [&pair.a, &pair.b]) {
        if !labels.contains(&label.as_str()) {
            labels.push(label);
        }
    }
    let is_compared = |label: &&str| {
        let mut with = pairs
            .iter()
            .filter(|pair| pair.a == *label || pair.b == *label);
        with.any(|pair| pair.verdict != NOT_COMPARABLE)
    };
    labels.into_iter().partition(is_compared)
}

/// The mean by which a policy is placed among the others.
fn mean_of(
    label: &str,
    metric: &str,
    pairs: &[&SummaryPair],
    baseline: Option<&str>,
    run: &Finished,
) -> Option<f64> {
    let of_others = |pair: &&SummaryPair| {
        pair.unfilled > 0 || !matches!(pair.estimand, Estimand::Replications | Estimand::Facts)
    };
    if !pairs.iter().any(of_others) {
        let policy = run.policies.get(label)?;
        return policy.metrics.get(metric).map(|stats| stats.mean);
    }
    // Means of whole lanes may be of other rounds or replications than those compared: the
    // differences from the others.
    if baseline == Some(label) {
        return Some(0.0);
    }
    let side = |pair: &&SummaryPair| match (pair.a == label, pair.b == label) {
        (true, _) => pair.mean,
        (_, true) => pair.mean.map(|mean| -mean),
        _ => None,
    };
    let known: Vec<f64> = pairs.iter().filter_map(side).collect();
    (!known.is_empty()).then(|| known.iter().sum())
}

/// The better mean first; who has none comes last.
fn best_first(a: Option<f64>, b: Option<f64>, direction: Direction) -> std::cmp::Ordering {
    match (a, b) {
        (Some(a), Some(b)) if direction == Direction::Lower => a.total_cmp(&b),
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

/// By how much the averages of a difference over two numbers of rounds may lie apart, where the
/// more hold the fewer: each round that one has beyond the other counts for the whole range. While
/// a run goes on, one pair may be a little ahead.
fn ahead(metric: &str, n: u64, other: u64) -> f64 {
    let Some((least, most)) = MetricInfo::of(metric).by_round else {
        return f64::INFINITY;
    };
    2.0 * (most - least) * n.abs_diff(other) as f64 / n.max(other) as f64
}

/// Whether `q` is surely better than `p`: by their own comparison, or because the intervals of both
/// against a third, which hold together, lie apart.
fn beats(
    pairs: &[&SummaryPair],
    q: &str,
    p: &str,
    direction: Direction,
    replications: u64,
) -> bool {
    let direct = pairs.iter().any(|pair| {
        (pair.a == q && pair.b == p && pair.verdict == "better")
            || (pair.a == p && pair.b == q && pair.verdict == "worse")
    });
    let through = |other: &SummaryPair| {
        // Both held against the same third, in all replications or about as many rounds: of others
        // the means may speak of other people.
        let third = &other.b;
        let of = |label: &str| {
            let mut found = pairs
                .iter()
                .filter(|pair| pair.a == label && pair.b == *third);
            found
                .find(|pair| pair.verdict != NOT_COMPARABLE)
                .filter(|pair| pair.estimand.is_stream() || pair.n == replications)
                .and_then(|pair| {
                    // A fact is as far apart as it is.
                    let fact = pair.mean.filter(|_| pair.estimand.is_fact());
                    Some((pair.lo.or(fact)?, pair.hi.or(fact)?, pair.n))
                })
        };
        let (Some(q), Some(p)) = (of(q), of(p)) else {
            return false;
        };
        let apart = match direction {
            Direction::Higher => q.0 - p.1,
            Direction::Lower => p.0 - q.1,
            Direction::None => return false,
        };
        let room = match other.estimand {
            _ if q.2 == p.2 => 0.0,
            Estimand::Replications => return false,
            // Both are held against the third as it is at this moment.
            Estimand::Facts | Estimand::Ratios | Estimand::Outcomes | Estimand::LeastChances => 0.0,
            Estimand::Rounds | Estimand::People => ahead(&other.metric, q.2, p.2),
        };
        apart > room
    };
    direct || pairs.iter().any(|pair| pair.a == q && through(pair))
}
