//! The evidence of one stream, played once, on a bound on a policy's mean: a goal's constraint.
//!
//! What the bound is tested on is the running average over the rounds played of the conditional
//! means of the policy's values, at all times at once: [`StreamSequence`]. It moves as policies
//! learn, so a constraint that is surely met now may be open later.

use super::goal::{Constraint, GoalBound, Meets, Tested};
use super::judge::{Ground, Judge};
use super::rates::V_OPT;
use super::sequence::{Range, StreamSequence};
use super::sureness::Sureness;

/// The values of one policy, round by round (or person by person), against one bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RoundMean {
    constraint: Constraint,
    /// Place of the policy in the run.
    lane: usize,
    range: Range,
    /// The bound's place in the range, in \[0, 1\].
    bound: f64,
    stream: StreamSequence,
    alpha: f64,
    /// True if a value left the range.
    is_beyond: bool,
    sureness: Sureness<Meets>,
}

impl RoundMean {
    /// Makes the evidence before any round. `None` if the metric has no value in each round, or the
    /// bound lies beyond its possible values.
    pub(super) fn new(
        constraint: &Constraint,
        lane: usize,
        judge: &Judge,
        alpha: f64,
    ) -> Option<Self> {
        let Some(Ground::Rounds(range)) = judge.ground(&constraint.metric) else {
            return None;
        };
        let bound = judge.in_a_round(&constraint.metric, constraint.bound.value())?;
        let bound = range.unit(bound).ok()?;
        Some(Self {
            constraint: constraint.clone(),
            lane,
            range,
            bound,
            sureness: Sureness::new(vec![bound]),
            stream: StreamSequence::new(alpha, V_OPT),
            alpha,
            is_beyond: false,
        })
    }

    pub(super) fn metric(&self) -> &str {
        &self.constraint.metric
    }

    /// Adds the next values of a lane; `None` stands for no value.
    pub(super) fn add(&mut self, lane: usize, values: &[Option<f64>]) {
        if lane != self.lane {
            return;
        }
        for value in values.iter().flatten() {
            match self.range.unit(*value) {
                Ok(unit) => self.stream.add(unit),
                Err(_) => self.is_beyond = true,
            }
            let (met_by, bound) = (self.constraint.bound, self.bound);
            self.sureness.note(&self.stream, |interval| {
                let meets = met_by.met_by(interval, bound);
                (meets != Meets::Open).then_some(meets)
            });
        }
    }

    /// Returns the test so far.
    pub(super) fn tested(&self, label: &str) -> Tested {
        let stream = &self.stream;
        let n = stream.count();
        let [above, below] = stream.e_values(self.bound);
        let interval = stream.interval();
        let meets = match self.is_beyond || n == 0 {
            true => Meets::Open,
            false => self.constraint.bound.met_by(interval, self.bound),
        };
        let dates = self.sureness.dates().filter(|_| !self.is_beyond);
        let all = (meets == Meets::Open).then(|| stream.likely(self.bound));
        let (e_meets, e_fails) = match self.constraint.bound {
            GoalBound::AtLeast(_) => (above, below),
            GoalBound::AtMost(_) => (below, above),
        };
        let mean = (n > 0).then(|| self.range.value(stream.mean()));
        Tested {
            e_meets,
            e_fails,
            meets,
            needed: all.flatten().map(|all| all.saturating_sub(n).max(1)),
            sure_at: dates.map(|((sure_at, _), ..)| sure_at),
            open_at: dates.and_then(|(_, open_at, _)| open_at),
            since: dates.and_then(|(.., since)| since),
            ..Tested::by(&self.constraint, label, n, mean, None, self.alpha)
        }
    }

    /// Place of the policy in the run.
    pub(super) fn lane(&self) -> usize {
        self.lane
    }

    pub(super) fn is_of(&self, lane: usize, constraint: &Constraint) -> bool {
        self.lane == lane && self.constraint == *constraint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Rounds};
    use kleroterion_core::draw::{Key, Purpose};

    const LABELS: [&str; 2] = ["a", "yardstick"];

    fn judge(metric: &str, bound: GoalBound) -> Judge {
        let constraint = Constraint {
            metric: metric.into(),
            bound,
        };
        Judge {
            metrics: vec!["screened".into()],
            yardsticks: vec!["yardstick".into()],
            goal: Some(Goal {
                best: "screened".into(),
                constraints: vec![constraint],
            }),
            alpha: 0.05,
            rounds: Some(400),
            ..Judge::default()
        }
    }

    /// Returns the test of the first policy on rounds with these values.
    fn tested(judge: &Judge, values: &[f64]) -> Option<Tested> {
        let mut rounds = Rounds::new(&LABELS, judge)?;
        let values: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        rounds.add(0, values.len() as u64, &[values]);
        rounds.add(1, 400, &[vec![Some(1.0); 400]]);
        let constraint = &judge.goal.as_ref()?.constraints[0];
        rounds.read().tested(0, constraint, "a")
    }

    #[test]
    fn a_rate_is_tested_by_the_interval_of_its_stream() {
        let rate = |bound| judge("selection_rate", bound);
        let values: Vec<f64> = (0..400_u16)
            .map(|i| f64::from(u8::from(i % 4 == 0)))
            .collect();
        for (bound, meets) in [
            (GoalBound::AtLeast(0.1), Meets::Surely),
            (GoalBound::AtLeast(0.24), Meets::Open),
            (GoalBound::AtLeast(0.5), Meets::SurelyNot),
            (GoalBound::AtMost(0.5), Meets::Surely),
            (GoalBound::AtMost(0.1), Meets::SurelyNot),
        ] {
            let tested = tested(&rate(bound), &values).unwrap();
            assert_eq!(tested.meets, meets, "{bound}");
            assert_eq!((tested.n, tested.mean), (400, Some(0.25)));
            assert_eq!(tested.alpha, 0.025);
            assert_eq!(tested.needed.is_some(), meets == Meets::Open, "{bound}");
            let level = 2.0 / tested.alpha;
            assert_eq!(tested.e_meets > level, meets == Meets::Surely, "{bound}");
            assert_eq!(tested.e_fails > level, meets == Meets::SurelyNot, "{bound}");
        }
        let nothing = tested(&rate(GoalBound::AtLeast(0.1)), &[]).unwrap();
        assert_eq!((nothing.n, nothing.mean), (0, None));
        assert_eq!(nothing.meets, Meets::Open);
        let beyond = tested(
            &rate(GoalBound::AtMost(0.9)),
            &[[0.1; 399].as_slice(), &[7.0]].concat(),
        );
        assert_eq!(beyond.unwrap().meets, Meets::Open);
    }

    #[test]
    fn a_bound_on_a_sum_is_spread_over_the_rounds_and_yardsticks_are_not_tested() {
        let sum = judge("fair_regret", GoalBound::AtMost(100.0));
        let tested = |values| tested(&sum, values).unwrap().meets;
        assert_eq!(tested(&[0.01; 400]), Meets::Surely);
        assert_eq!(tested(&[0.9; 400]), Meets::SurelyNot);
        let open_ended = Judge {
            rounds: None,
            ..sum.clone()
        };
        assert!(Rounds::new(&LABELS, &open_ended).is_none());
        let constraint = &sum.goal.as_ref().unwrap().constraints[0];
        let rounds = Rounds::new(&LABELS, &sum).unwrap().read();
        assert!(rounds.tested(1, constraint, "yardstick").is_none());
    }

    /// Returns the number of streams that a look after some round settles. Values are 1 with the
    /// probability that the bound names; `width` scales the interval.
    fn settled(streams: u64, width: f64) -> f64 {
        let judge = judge("selection_rate", GoalBound::AtLeast(0.3));
        let constraint = &judge.goal.as_ref().unwrap().constraints[0];
        let is_settled = |stream: &u64| {
            let mut mean = RoundMean::new(constraint, 0, &judge, judge.alpha).unwrap();
            let mut draw = Key::new(99, *stream).draw(Purpose::World, 0, 0);
            (0..400).any(|_| {
                mean.add(0, &[Some(f64::from(u8::from(draw.uniform() < 0.3)))]);
                let (at, (lo, hi)) = (mean.stream.mean(), mean.stream.interval());
                let narrowed = [lo, hi].map(|end| at + width * (end - at));
                let meets = constraint
                    .bound
                    .met_by((narrowed[0], narrowed[1]), mean.bound);
                if width == 1.0 {
                    assert_eq!(meets, mean.tested("a").meets);
                }
                meets != Meets::Open
            })
        };
        (0..streams).filter(is_settled).count() as f64
    }

    /// In the long form (KLERO_LONG) 2,000 streams.
    #[test]
    fn alarms_of_a_rate_at_its_bound_are_rare() {
        let streams = match std::env::var_os("KLERO_LONG") {
            Some(_) => 2_000,
            None => 100,
        };
        let n = streams as f64;
        let most = n * 0.05 + 4.0 * (n * 0.05 * 0.95).sqrt();
        let [wrong, broken] = [1.0, 0.5].map(|width| settled(streams, width));
        assert!(wrong <= most, "{wrong} of {streams}");
        assert!(
            broken > most,
            "{broken} of {streams}: half the width goes unseen"
        );
    }
}
