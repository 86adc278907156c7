//! Runs that stop, held against the verdicts that they stop by.

mod settling;

use super::*;
use crate::{Pair, RunResult, Unfilled, Verdict, Versus, compare};
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{MetricRow, PolicyRun};

const LABELS: [&str; 3] = ["c", "a", "b"];

fn lane(loss: Option<f64>, ending: Ending) -> LaneResult {
    let row = |value| MetricRow {
        metric: "representation_loss".into(),
        at: None,
        value,
    };
    LaneResult::new(ending, None, loss.map(row))
}

/// Plays a replication in which a is a little better than c, and b equal to c on average.
fn replication(number: u64, difference: f64) -> [LaneResult; 3] {
    let mut draw = Key::new(5, number).draw(Purpose::World, 0, 0);
    let mut loss = |mean: f64| {
        let value = mean + 0.1 * (draw.uniform() - 0.5);
        lane(Some(value).filter(|_| number % 7 != 3), Ending::Filled)
    };
    [loss(0.5), loss(0.5 - difference), loss(0.5)]
}

fn judge(margin: Option<f64>, versus: Versus) -> Judge {
    let name = "representation_loss".to_owned();
    Judge {
        metrics: vec![name.clone()],
        margins: margin.map(|margin| (name, margin)).into_iter().collect(),
        versus,
        alpha: 0.05,
        until_decided: true,
        ..Judge::default()
    }
}

fn run(all: &[[LaneResult; 3]]) -> RunResult {
    let policy =
        |at: usize| PolicyRun::new(LABELS[at], "k").with(all.iter().map(|lanes| lanes[at].clone()));
    RunResult {
        name: "t".into(),
        seed: 1,
        replications: all.len() as u64,
        policies: vec![policy(0), policy(1), policy(2)],
        ..RunResult::default()
    }
}

/// The comparisons that the judge asks for.
fn pairs(all: &[[LaneResult; 3]], judge: &Judge) -> Vec<Pair> {
    let mut pairs = compare(&run(all), judge);
    pairs.retain(|pair| judge.asks(&pair.b));
    pairs
}

#[test]
fn all_is_decided_exactly_where_no_verdict_is_open() {
    let baseline = || Versus::Baseline("c".into());
    for (difference, margin, versus, known) in [
        (0.3, Some(0.2), baseline(), true),
        (0.3, Some(0.2), Versus::Everyone, true),
        (0.05, Some(0.3), baseline(), true),
        (0.3, None, baseline(), false),
        (0.0, Some(1.0), baseline(), true),
        (0.0, Some(9.0), baseline(), true),
        (0.3, Some(0.2), Versus::Nobody, false),
    ] {
        let judge = judge(margin, versus);
        let mut decision = UntilDecided::new(&LABELS, &judge);
        let mut all = Vec::new();
        let mut ever = false;
        for number in 0..200 {
            all.push(replication(number, difference));
            let decided = decision.add(&all[number as usize]);
            let pairs = pairs(&all, &judge);
            let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
            assert_eq!(decided, !pairs.is_empty() && !open, "{number}: {pairs:?}");
            ever |= decided;
        }
        assert_eq!(ever, known, "{difference} {margin:?}");
    }
}

/// Lanes of a committee: those of `b` leave places empty in one of `rare` replications.
fn committees(number: u64, rare: u64) -> [LaneResult; 3] {
    let mut lanes = replication(number, 0.3);
    for (at, lane) in lanes.iter_mut().enumerate() {
        let short = at == 2 && number % rare == rare - 1;
        lane.ending = if short {
            Ending::Stalled
        } else {
            Ending::Filled
        };
        let filled = MetricRow {
            metric: FILLED.into(),
            at: None,
            value: f64::from(u8::from(!short)),
        };
        lane.change(|rows| rows.push(filled));
    }
    lanes
}

#[test]
fn committees_with_empty_places_leave_no_verdict_open_where_all_is_decided() {
    let baseline = || Versus::Baseline("c".into());
    for (unfilled, rare, margin, versus, known) in [
        (Unfilled::LeftOut, 2, Some(0.2), baseline(), true),
        (Unfilled::LeftOut, 2, Some(0.2), Versus::Everyone, true),
        (Unfilled::Worst, 3, Some(0.4), baseline(), true),
        // Whether b fills as often as the others is open to the end; with a margin it is not.
        (Unfilled::LeftOut, 190, None, baseline(), false),
        (Unfilled::LeftOut, 190, Some(0.2), baseline(), true),
        // Nobody leaves a place empty.
        (Unfilled::LeftOut, 1000, Some(0.2), baseline(), true),
    ] {
        let mut judge = judge(margin, versus);
        judge.unfilled = unfilled;
        judge
            .margins
            .extend(margin.map(|margin| (FILLED.to_owned(), margin)));
        let mut decision = UntilDecided::new(&LABELS, &judge);
        let (mut all, mut ever) = (Vec::new(), false);
        for number in 0..200 {
            all.push(committees(number, rare));
            let decided = decision.add(&all[number as usize]);
            // Where it turns, and now and then: all of them take long.
            if decided == ever && number % 40 != 39 {
                continue;
            }
            let pairs = pairs(&all, &judge);
            let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
            assert_eq!(decided, !open, "{number}: {pairs:?}");
            let shown = pairs.iter().any(|pair| pair.metric == FILLED);
            assert_eq!(shown, number + 1 >= rare);
            // A committee that is left unfilled can open what was decided, so the last one says it.
            ever = decided;
        }
        assert_eq!(ever, known, "{unfilled:?} {rare} {margin:?}");
    }
}

#[test]
fn a_goal_is_settled_exactly_where_the_answer_says_so() {
    use crate::{Constraint, GoalBound, Summary};
    let mut settled = 0;
    for (difference, loss, margin) in [
        (0.3, 0.4, None),
        (0.3, 0.6, Some(0.2)),
        (0.05, 0.6, Some(0.3)),
        (0.3, 0.01, None),
        (0.3, 1.0, None),
    ] {
        for versus in [Versus::Nobody, Versus::Baseline("c".into())] {
            let mut judge = judge(margin, versus);
            judge.goal = Some(Goal {
                best: "representation_loss".into(),
                constraints: vec![Constraint {
                    metric: "representation_loss".into(),
                    bound: GoalBound::AtMost(loss),
                }],
            });
            let mut decision = UntilDecided::new(&LABELS, &judge);
            let mut all = Vec::new();
            for number in 0..120 {
                all.push(replication(number, difference));
                let decided = decision.add(&all[number as usize]);
                let answer = Summary::of(&run(&all), &judge).answer;
                let goal = answer.goal.expect("a goal");
                assert_eq!(decided, goal.settled, "{number}: {goal:?}");
                settled += u64::from(decided);
            }
        }
    }
    assert!(settled > 100 && settled < 1100, "{settled}");
}

#[test]
fn a_lane_that_failed_decides_its_pairs_and_a_value_beyond_the_range_never_does() {
    let judge = judge(None, Versus::Baseline("c".into()));
    let far = |number| replication(number, 0.4);
    let mut decision = UntilDecided::new(&LABELS, &judge);
    let ended = (0..200).position(|number| {
        let mut lanes = far(number);
        if number == 20 {
            lanes[2] = lane(None, Ending::Left);
        }
        decision.add(&lanes)
    });
    let ended = ended.expect("it is decided");
    assert!(ended >= 20, "{ended}");
    let mut decision = UntilDecided::new(&LABELS, &judge);
    for number in 0..200 {
        let mut lanes = far(number);
        lanes[2] = lane(Some(if number == 4 { 7.0 } else { 0.9 }), Ending::Filled);
        assert!(!decision.add(&lanes));
    }
}

/// A metric without a range is decided by the stated bound on the variance, exactly where no
/// verdict is open.
#[test]
fn a_stated_variance_decides_too() {
    for (difference, stated, known) in [(0.3, Some(0.02), true), (0.3, None, false)] {
        let judge = Judge {
            metrics: vec!["cost".into()],
            variances: stated.map(|v| ("cost".to_owned(), v)).into_iter().collect(),
            ..judge(None, Versus::Baseline("c".into()))
        };
        let named = |mut lanes: [LaneResult; 3]| {
            for (place, lane) in lanes.iter_mut().enumerate() {
                // b far on the other side, so that both pairs can be decided.
                let by = if place == 2 { 0.4 } else { 0.0 };
                lane.change(|rows| {
                    for row in rows {
                        (row.metric, row.value) = ("cost".into(), row.value + by);
                    }
                });
            }
            lanes
        };
        let mut decision = UntilDecided::new(&LABELS, &judge);
        let (mut all, mut ever) = (Vec::new(), false);
        for number in 0..60 {
            all.push(named(replication(number, difference)));
            let decided = decision.add(&all[number as usize]);
            let pairs = pairs(&all, &judge);
            if stated.is_some() {
                let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
                assert_eq!(decided, !open, "{number}: {pairs:?}");
                assert!(pairs[0].method.starts_with("Catoni"), "{}", pairs[0].method);
            }
            ever |= decided;
        }
        assert_eq!(ever, known, "{stated:?}");
    }
}

#[test]
fn nothing_that_needs_a_fixed_number_is_given() {
    let all: Vec<_> = (0..40).map(|number| replication(number, 0.4)).collect();
    for pair in pairs(&all, &judge(None, Versus::Everyone)) {
        assert_eq!((pair.extras.t_lo, pair.extras.median_lo), (None, None));
        assert!(pair.lo.is_some() && pair.extras.e_value.is_some());
    }
}
