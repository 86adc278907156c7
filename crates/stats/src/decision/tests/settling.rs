//! The moment at which a run stops, read from lanes made by hand.

use super::*;
use crate::{Constraint, GoalBound};

const LOSS: &str = "representation_loss";
const RATE: &str = "selection_rate";

/// A policy's loss, which is to be low, and its rate, which its constraint is on.
type Lane = (f64, f64);

fn lane_of((loss, rate): Lane, ending: Ending) -> LaneResult {
    let row = |(metric, value): (&str, f64)| MetricRow {
        metric: metric.into(),
        at: None,
        value,
    };
    LaneResult::new(ending, None, [(LOSS, loss), (RATE, rate)].map(row))
}

/// The least loss of those whose rate is at least a half.
fn goal() -> Judge {
    let mut judge = judge(None, Versus::Nobody);
    judge.goal = Some(Goal {
        best: LOSS.into(),
        constraints: vec![Constraint {
            metric: RATE.into(),
            bound: GoalBound::AtLeast(0.5),
        }],
    });
    judge
}

/// A rate that surely is enough, one that surely is not, and one that stays open.
const ENOUGH: [f64; 2] = [0.9, 0.9];
const LITTLE: [f64; 2] = [0.1, 0.1];
const OPEN: [f64; 2] = [0.3, 0.7];

/// Returns the number of replications, out of 60, after which the goal is settled, if it is at the
/// end. The policies have these labels, losses and rates in turn.
fn settled(judge: &Judge, policies: &[(&str, f64, [f64; 2])]) -> Option<usize> {
    let labels: Vec<&str> = policies.iter().map(|policy| policy.0).collect();
    let mut decision = UntilDecided::new(&labels, judge);
    let decided: Vec<bool> = (0..60)
        .map(|number| {
            let lane = |&(_, loss, rates): &(&str, f64, [f64; 2])| {
                lane_of((loss, rates[number % 2]), Ending::Filled)
            };
            let lanes: Vec<LaneResult> = policies.iter().map(lane).collect();
            decision.add(&lanes)
        })
        .collect();
    let open = decided.iter().rposition(|decided| !decided);
    let first = open.map_or(1, |open| open + 2);
    (first <= 60).then_some(first)
}

/// Whichever of the two comes first in the run and by its label.
#[test]
fn an_open_constraint_matters_only_to_who_is_not_surely_worse() {
    let judge = goal();
    for [one, other] in [["a", "b"], ["b", "a"]] {
        for is_turned in [false, true] {
            let of = |losses: [f64; 2]| {
                let mut policies = [(one, losses[0], ENOUGH), (other, losses[1], OPEN)];
                if is_turned {
                    policies.reverse();
                }
                settled(&judge, &policies)
            };
            let first = of([0.1, 0.6]).expect("the open one is behind");
            assert!((3..50).contains(&first), "{first}");
            assert_eq!(of([0.6, 0.1]), None);
            // Nor where neither is behind.
            assert_eq!(of([0.4, 0.4]), None);
        }
    }
}

/// Each pair of three answers for itself.
#[test]
fn every_open_contender_must_be_behind_one_that_meets_the_goal() {
    let judge = goal();
    let behind = [("a", 0.1, ENOUGH), ("b", 0.6, OPEN), ("c", 0.6, OPEN)];
    assert!(settled(&judge, &behind).is_some());
    for level in [1, 2] {
        let mut policies = behind;
        policies[level].1 = 0.1;
        assert_eq!(settled(&judge, &policies), None, "{level}");
    }
    // The best is not the first.
    let last = [("a", 0.6, OPEN), ("b", 0.6, OPEN), ("c", 0.1, ENOUGH)];
    assert!(settled(&judge, &last).is_some());
    // One that surely fails is ahead of no one.
    let failing = [("a", 0.1, LITTLE), ("b", 0.6, OPEN), ("c", 0.9, LITTLE)];
    assert_eq!(settled(&judge, &failing), None);
    let failing = failing.map(|(label, loss, _)| (label, loss, LITTLE));
    assert!(settled(&judge, &failing).is_some());
    // A yardstick is no contender, so it can be ahead of all.
    let with_yardstick = Judge {
        yardsticks: vec!["b".into()],
        ..judge
    };
    assert!(settled(&with_yardstick, &[("a", 0.6, ENOUGH), ("b", 0.1, OPEN)]).is_some());
}

#[test]
fn a_contender_whose_lane_broke_off_is_left_out_of_the_goal_and_all_of_them_settle_nothing() {
    let judge = goal();
    let ends = |broken: [bool; 2]| {
        let mut decision = UntilDecided::new(&["a", "b"], &judge);
        let mut last = false;
        for number in 0..60 {
            let ending = |is_broken| match is_broken && number == 5 {
                true => Ending::Panicked,
                false => Ending::Filled,
            };
            let [a, b] = broken.map(ending);
            let lanes = [lane_of((0.4, 0.9), a), lane_of((0.4, OPEN[number % 2]), b)];
            last = decision.add(&lanes);
        }
        last
    };
    assert!(!ends([false, false]));
    assert!(ends([false, true]));
    assert!(!ends([true, false]));
    assert!(!ends([true, true]));
}

/// A committee of `a` and one of `b`, with empty places or not.
fn committees(losses: [f64; 2], endings: [Ending; 2]) -> [LaneResult; 2] {
    [0, 1].map(|at: usize| {
        let is_full = endings[at] == Ending::Filled;
        let filled = MetricRow {
            metric: FILLED.into(),
            at: None,
            value: f64::from(u8::from(is_full)),
        };
        let mut lane = lane(Some(losses[at]), endings[at]);
        lane.change(|rows| rows.push(filled));
        lane
    })
}

/// Policies that fill alike wait for nothing; once they differ, who fills more often must be sure.
#[test]
fn empty_places_are_waited_for_only_where_two_differ_in_them() {
    let judge = Judge {
        unfilled: Unfilled::LeftOut,
        ..judge(None, Versus::Baseline("b".into()))
    };
    let mut decision = UntilDecided::new(&["a", "b"], &judge);
    let mut add = |endings: [Ending; 2], times: usize| {
        let lanes = committees([0.1, 0.6], endings);
        (0..times).map(|_| decision.add(&lanes)).last()
    };
    let (full, short) = (Ending::Filled, Ending::Stalled);
    assert_eq!(add([full, full], 60), Some(true));
    assert_eq!(add([short, short], 1), Some(true));
    assert_eq!(add([full, short], 1), Some(false));
    assert_eq!(add([full, full], 1), Some(false));
    assert_eq!(add([full, short], 200), Some(true));
}

#[test]
fn nothing_is_decided_of_one_policy() {
    let judge = judge(None, Versus::Everyone);
    let mut decision = UntilDecided::new(&["a"], &judge);
    assert!((0..60).all(|_| !decision.add(&[lane_of((0.1, 0.9), Ending::Filled)])));
}
