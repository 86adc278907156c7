//! The course of a difference over replications, from the values that a finished run holds.

use crate::course::{DifferencePoint, stays};
use crate::judge::Judge;
use crate::limits::MOST_COURSE_POINTS;
use crate::pair::Pair;
use crate::sequence::{Betting, Catoni, Range};
use crate::signs::Signs;
use crate::stats::Stats;
use crate::t;
use crate::verdict::Verdict;
use kleroterion_core::score::{Direction, PolicyRun};

/// The points before the last of a comparison of these policies.
pub(super) fn points(
    judge: &Judge,
    pair: &Pair,
    policies: [&PolicyRun; 2],
) -> Vec<DifferencePoint> {
    let differences = Differences::of(judge, pair, policies);
    let verdicts = differences.verdicts(judge, pair);
    let at: Vec<usize> = verdicts.iter().map(|(n, _)| *n).collect();
    let intervals = intervals(&differences.values, judge, pair, &at);
    let means = means(&differences.values, &at);
    let points = verdicts.into_iter().zip(intervals).zip(means);
    let points = points.map(|(((n, verdict), interval), mean)| DifferencePoint {
        n: n as u64,
        mean,
        interval,
        verdict: verdict.unwrap_or_else(|| match interval {
            Some((lo, hi)) => Verdict::of(lo, hi, pair.direction, pair.margin),
            None => Verdict::Undecided,
        }),
    });
    points.collect()
}

/// The differences in the order of the replications.
struct Differences {
    values: Vec<f64>,
    /// The number of replications after which a lane had broken off, if one did.
    broken: Option<usize>,
}

impl Differences {
    fn of(judge: &Judge, pair: &Pair, policies: [&PolicyRun; 2]) -> Self {
        let [a, b] = policies.map(|policy| judge.column(&pair.metric, policy));
        let [of_a, of_b] = policies.map(PolicyRun::endings);
        let mut all = Self {
            values: Vec::new(),
            broken: None,
        };
        for ((a, b), endings) in a.zip(b).zip(of_a.iter().zip(of_b)) {
            let is_broken = [endings.0, endings.1]
                .iter()
                .any(|ending| !ending.is_comparable(judge.source_end_is_short));
            if is_broken && all.broken.is_none() {
                all.broken = Some(all.values.len());
            }
            all.values
                .extend(a.zip(b).map(|(a, b)| a - b).filter(|d| d.is_finite()));
        }
        all
    }

    /// The numbers at which there is a point, each with its verdict; none where the interval says
    /// it, which by t is no moment of decision.
    fn verdicts(&self, judge: &Judge, pair: &Pair) -> Vec<(usize, Option<Verdict>)> {
        let gap = gap(self.values.len() as u64);
        let mut signs = Signs::new(&pair.metric, judge, pair.alpha);
        let (mut identical, mut is_decided) = (true, pair.method == t::METHOD);
        let mut all = Vec::new();
        for (before, difference) in self.values.iter().enumerate() {
            let n = before + 1;
            identical &= *difference == 0.0;
            signs.add(*difference);
            let is_kept = stays(n as u64, gap);
            if !is_kept && is_decided {
                continue;
            }
            let verdict = match self.broken {
                Some(broken) if broken < n => Some(Verdict::NotComparable),
                _ if identical => Some(Verdict::Identical),
                _ if pair.method == t::METHOD => None,
                _ => Some(said(&signs, pair.direction)),
            };
            let decides = !is_decided && verdict.is_some_and(Verdict::is_decided);
            is_decided |= decides;
            if is_kept || decides {
                all.push((n, verdict));
            }
        }
        all
    }
}

/// The verdict that the evidence allows.
fn said(signs: &Signs, direction: Direction) -> Verdict {
    match signs.side() {
        Some(_) if direction == Direction::None => Verdict::Differs,
        Some(side) if side == direction => Verdict::Better,
        Some(_) => Verdict::Worse,
        None if signs.is_within() => Verdict::Equivalent,
        None => Verdict::Undecided,
    }
}

/// The least power of two as a gap that keeps at most `MOST_COURSE_POINTS` points of `all`.
fn gap(all: u64) -> u64 {
    let mut gap = 1;
    while all / gap > MOST_COURSE_POINTS {
        gap *= 2;
    }
    gap
}

/// The intervals of the first n differences, by the method of the pair.
fn intervals(values: &[f64], judge: &Judge, pair: &Pair, at: &[usize]) -> Vec<Option<(f64, f64)>> {
    let range = judge
        .range(&pair.metric)
        .filter(|_| pair.method == Betting::METHOD);
    if let Some(range) = range.map(Range::of_differences) {
        // All are in the range, or the method would be another.
        let units = values.iter().map(|d| range.unit(*d).unwrap_or(0.5));
        let units: Vec<f64> = units.collect();
        let ends = Betting::intervals(&units, pair.alpha, at).into_iter();
        return ends
            .map(|(lo, hi)| Some((range.value(lo), range.value(hi))))
            .collect();
    }
    let variance = judge.variance(&pair.metric);
    if let Some(variance) = variance.filter(|_| pair.method == Catoni::METHOD) {
        return Catoni::intervals(values, variance, pair.alpha, at);
    }
    let is_fixed = !judge.until_decided;
    let by_t = |n: &usize| {
        let stats = Stats::of(&values[..*n]).filter(|_| is_fixed)?;
        t::t_interval(stats.mean, stats.se?, stats.n, pair.alpha)
    };
    at.iter().map(by_t).collect()
}

/// The means of the first n differences.
fn means(values: &[f64], at: &[usize]) -> Vec<f64> {
    let (mut sum, mut added) = (0.0, 0);
    let mean = |n: &usize| {
        sum += values[added..*n].iter().sum::<f64>();
        added = *n;
        sum / *n as f64
    };
    at.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_is_the_least_power_of_two_that_keeps_no_more_than_the_most() {
        for (all, least) in [
            (0, 1),
            (1, 1),
            (64, 1),
            (65, 2),
            (129, 2),
            (130, 4),
            (1_000, 16),
        ] {
            assert_eq!(gap(all), least, "{all}");
        }
    }
}
