//! Tests of a goal's constraints over replications, and what the goal comes to.

use super::goal::{Constraint, Goal, GoalBound, Meets, Tested};
use super::judge::Judge;
use super::relation::Relation;
use super::sequence::{Bets, Betting, Range};
use kleroterion_core::score::{LaneResult, PolicyRun};

/// Bounds nearer to an end of the range than this lie at the end.
const END: f64 = 1e-100;

impl Goal {
    /// Returns the probability of any wrong statement about constraints, split over policies times
    /// constraints.
    #[must_use]
    pub fn alpha(&self, judge: &Judge, contenders: usize) -> f64 {
        judge.alpha / 2.0 / (contenders * self.constraints.len()).max(1) as f64
    }
}

/// A test of one constraint on one policy, replication by replication.
///
/// Values are turned so that the constraint reads "the mean of v in \[0, 1\] is at least c".
#[derive(Clone, Debug)]
pub(super) struct Test {
    constraint: Constraint,
    judge: Judge,
    alpha: f64,
    /// The declared range. `None` once a value has left it: then nothing is ever settled.
    range: Option<Range>,
    /// The bound c.
    bound: f64,
    /// That the mean of v is above c; none where c is 0, which every mean meets.
    meets: Option<Bets>,
    /// That the mean of 1 - v is above 1 - c; none where c is 1, which one v below 1 refutes.
    fails: Option<Bets>,
    /// The values v so far.
    values: Vec<f64>,
    sum: f64,
    settled: Option<Meets>,
}

impl Test {
    pub(super) fn new(constraint: &Constraint, judge: &Judge, alpha: f64) -> Self {
        let range = judge.range(&constraint.metric);
        let unit = range.and_then(|range| range.unit(constraint.bound.value()).ok());
        let bound = match constraint.bound {
            GoalBound::AtLeast(_) => unit,
            GoalBound::AtMost(_) => unit.map(|unit| 1.0 - unit),
        };
        let bets = |m: f64| (m > END).then(|| Bets::against(m));
        Self {
            constraint: constraint.clone(),
            judge: judge.clone(),
            alpha,
            range: range.filter(|_| bound.is_some()),
            bound: bound.unwrap_or(0.5),
            meets: bound.and_then(bets),
            fails: bound.and_then(|bound| bets(1.0 - bound)),
            values: Vec::new(),
            sum: 0.0,
            settled: bound.filter(|bound| *bound <= END).map(|_| Meets::Surely),
        }
    }

    /// Takes in the next replication.
    pub(super) fn add(&mut self, lane: &LaneResult) {
        self.take(self.judge.value(&self.constraint.metric, lane));
    }

    /// Takes in all replications of a policy.
    pub(super) fn add_all(&mut self, policy: &PolicyRun) {
        let metric = self.constraint.metric.clone();
        let values: Vec<_> = self.judge.column(&metric, policy).collect();
        values.into_iter().for_each(|value| self.take(value));
    }

    /// Takes in the value of the next replication, where one counts.
    fn take(&mut self, value: Option<f64>) {
        let (Some(value), Some(range)) = (value, self.range) else {
            return;
        };
        let Ok(unit) = range.unit(value) else {
            (self.range, self.settled) = (None, None);
            return;
        };
        let v = match self.constraint.bound {
            GoalBound::AtLeast(_) => unit,
            GoalBound::AtMost(_) => 1.0 - unit,
        };
        self.values.push(v);
        self.sum += value;
        for (bets, value) in [(&mut self.meets, v), (&mut self.fails, 1.0 - v)] {
            bets.iter_mut().for_each(|bets| bets.add(value));
        }
        let level = -libm::log(self.alpha);
        let reached = |bets: &Option<Bets>| bets.as_ref().is_some_and(|b| b.ln_e() >= level);
        if self.settled.is_none() {
            self.settled = match () {
                () if reached(&self.meets) => Some(Meets::Surely),
                () if reached(&self.fails) => Some(Meets::SurelyNot),
                () if self.fails.is_none() && v < 1.0 => Some(Meets::SurelyNot),
                () => None,
            };
        }
    }

    pub(super) fn meets(&self) -> Meets {
        self.settled.unwrap_or(Meets::Open)
    }

    pub(super) fn tested(&self, label: &str) -> Tested {
        let n = self.values.len();
        let e = |bets: &Option<Bets>| bets.as_ref().map_or(1.0, Bets::e_value);
        let mean = (n > 0).then(|| self.sum / n as f64);
        Tested {
            e_meets: e(&self.meets),
            e_fails: e(&self.fails),
            meets: self.meets(),
            needed: self.needed(),
            ..Tested::by(&self.constraint, label, n as u64, mean, None, self.alpha)
        }
    }

    /// About how many more values are likely to settle it, if they are like those so far.
    fn needed(&self) -> Option<u64> {
        if self.settled.is_some() || self.range.is_none() || self.values.is_empty() {
            return None;
        }
        let down: Vec<f64> = self.values.iter().map(|v| 1.0 - v).collect();
        let sides = [(&self.values, self.bound), (&down, 1.0 - self.bound)];
        let likely = |(values, m): (&Vec<f64>, f64)| match m > END {
            true => Betting::likely(values, m, self.alpha),
            false => None,
        };
        let all = sides.into_iter().filter_map(likely);
        let enough = all.min_by(f64::total_cmp)?;
        let so_far = self.values.len() as u64;
        Some((enough.ceil() as u64).saturating_sub(so_far).max(1))
    }
}

/// The settlement of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// The best of those that surely meet every constraint, and those that are not surely different
    /// from it.
    pub(super) answer: Vec<usize>,
    /// True if more replications could change nothing but by error.
    pub(super) is_settled: bool,
    /// The comparisons on the best metric, as places, that leave it open.
    pub(super) open: Vec<(usize, usize)>,
    /// The policies whose constraints leave it open.
    pub(super) unsure: Vec<usize>,
}

/// Settles a goal from what is known of each contender's constraints and of pairs on the best
/// metric.
pub(super) fn settle(
    contenders: &[usize],
    meets: impl Fn(usize) -> Meets,
    relation: impl Fn(usize, usize) -> Relation,
) -> Settled {
    let those = |what: Meets| {
        let those = contenders.iter().copied();
        those.filter(|p| meets(*p) == what).collect::<Vec<_>>()
    };
    let sure = those(Meets::Surely);
    let is_beaten = |p: usize| sure.iter().any(|q| relation(*q, p) == Relation::Better);
    let answer: Vec<usize> = sure.iter().copied().filter(|p| !is_beaten(*p)).collect();
    let unsure = those(Meets::Open).into_iter().filter(|p| !is_beaten(*p));
    let unsure: Vec<usize> = unsure.collect();
    let pairs = answer.iter().enumerate();
    let pairs = pairs.flat_map(|(at, a)| answer[at + 1..].iter().map(|b| (*a, *b)));
    let open: Vec<_> = pairs
        .filter(|(a, b)| relation(*a, *b) == Relation::Open)
        .collect();
    Settled {
        is_settled: unsure.is_empty() && open.is_empty(),
        answer,
        open,
        unsure,
    }
}

#[cfg(test)]
mod tests;
