//! Courses of runs made by hand: each point is what a run that ended there would say.

use super::*;
use crate::judge::Versus;
use crate::{Rounds, Verdict, compare};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};

/// A lane's value, where it has one, and its ending.
type Lane = (Option<f64>, Ending);

fn run(metric: &str, lanes: &[Lane]) -> RunResult {
    let lane = |value: Option<f64>, ending: Ending| {
        let rows = value.map(|value| MetricRow {
            metric: metric.into(),
            at: None,
            value,
        });
        LaneResult::new(ending, None, rows)
    };
    let a = lanes
        .iter()
        .map(|(value, ending)| lane(value.map(|d| 0.5 + d), *ending));
    let b = lanes.iter().map(|_| lane(Some(0.5), Ending::Filled));
    RunResult {
        replications: lanes.len() as u64,
        policies: vec![
            PolicyRun::new("a", "k").with(a),
            PolicyRun::new("b", "k").with(b),
        ],
        ..RunResult::default()
    }
}

fn judge(metric: &str) -> Judge {
    Judge {
        metrics: vec![metric.into()],
        versus: Versus::Baseline("b".into()),
        alpha: 0.05,
        ..Judge::default()
    }
}

fn filled(values: impl IntoIterator<Item = f64>) -> Vec<Lane> {
    values
        .into_iter()
        .map(|value| (Some(value), Ending::Filled))
        .collect()
}

/// Returns values of `mean` plus a wave.
fn waves(mean: f64, by: f64) -> impl Iterator<Item = f64> {
    (1..=69).map(move |i| mean + by * libm::sin(f64::from(i)))
}

/// The course of a run, held against runs of its first replications; and its last verdict.
fn checked(metric: &str, judge: &Judge, lanes: &[Lane]) -> Verdict {
    let whole = run(metric, lanes);
    let pairs = compare(&whole, judge);
    let course = courses(&whole, judge, &pairs).pop().expect("a course");
    let values = lanes.iter().filter(|lane| lane.0.is_some()).count() as u64;
    // The run that ends with its n-th difference.
    let at = |n: u64| {
        let ends = (1..=lanes.len())
            .find(|end| lanes[..*end].iter().filter(|lane| lane.0.is_some()).count() as u64 == n);
        let first = run(metric, &lanes[..ends.expect("an end")]);
        // Two replications at least: one would be a stream.
        let first = RunResult {
            replications: first.replications.max(2),
            ..first
        };
        compare(&first, judge).remove(0)
    };
    let by_t = pairs[0].method == crate::t::METHOD;
    let decided = (1..=values).find(|n| at(*n).verdict.is_decided());
    let decided = decided.filter(|_| !by_t);
    let kept = |n: &u64| n.is_multiple_of(2) || *n == 1 || Some(*n) == decided || *n == values;
    let known: Vec<u64> = (1..=values).filter(kept).collect();
    let ns: Vec<u64> = course.points.iter().map(|point| point.n).collect();
    assert_eq!(ns, known, "{metric}");
    for point in &course.points {
        let known = at(point.n);
        assert_eq!(point.verdict, known.verdict, "{metric} {}", point.n);
        assert!((point.mean - known.mean.unwrap()).abs() < 1e-12);
        let (found, known) = (point.interval, known.lo.zip(known.hi));
        assert_eq!(found.is_some(), known.is_some(), "{metric} {}", point.n);
        if let Some(((lo, hi), (low, high))) = found.zip(known) {
            assert!((lo - low).abs() < 1e-7 && (hi - high).abs() < 1e-7);
        }
    }
    let first = course.decided_at().map(|point| point.n);
    assert!(by_t || first == decided, "{metric}: {first:?} {decided:?}");
    pairs[0].verdict
}

#[test]
fn a_point_is_what_a_run_that_ended_there_would_say() {
    use Verdict::{Better, Differs, Equivalent, Identical, Undecided, Worse};
    let rate = judge("selection_rate");
    let of = |judge: &Judge, lanes: &[Lane]| checked(&judge.metrics[0].clone(), judge, lanes);
    assert_eq!(of(&rate, &filled(waves(0.3, 0.1))), Better);
    assert_eq!(
        of(&judge("representation_loss"), &filled(waves(0.3, 0.1))),
        Worse
    );
    assert_eq!(of(&rate, &filled([0.0; 69])), Identical);
    let late = [0.0; 9].into_iter().chain(waves(0.4, 0.0).skip(9));
    assert_eq!(of(&rate, &filled(late)), Better);
    let margin = Judge {
        margins: [("selection_rate".to_owned(), 0.4)].into(),
        ..rate.clone()
    };
    assert_eq!(of(&margin, &filled(waves(0.01, 0.02))), Equivalent);
    let neither = Judge {
        ranges: [("accepted".to_owned(), (0.0, 1.0))].into(),
        ..judge("accepted")
    };
    assert_eq!(of(&neither, &filled(waves(0.3, 0.1))), Differs);
    let stated = Judge {
        variances: [("cost".to_owned(), 0.5)].into(),
        ..judge("cost")
    };
    assert_eq!(of(&stated, &filled(waves(2.0, 0.5))), Worse);
    // By t there is no moment of decision, and where the run may stop at any time no interval.
    let mut cost = judge("cost");
    assert_eq!(of(&cost, &filled(waves(-0.3, 0.1))), Better);
    cost.until_decided = true;
    assert_eq!(of(&cost, &filled(waves(-0.3, 0.1))), Undecided);
}

#[test]
fn what_broke_off_is_not_comparable_from_there_on_and_what_is_missing_does_not_count() {
    let rate = judge("selection_rate");
    let mut lanes = filled(waves(0.3, 0.1));
    lanes.push((None, Ending::Filled));
    lanes.swap(4, 69);
    assert_eq!(checked("selection_rate", &rate, &lanes), Verdict::Better);
    lanes[20].1 = Ending::Panicked;
    lanes[30].1 = Ending::Stalled;
    assert_eq!(
        checked("selection_rate", &rate, &lanes),
        Verdict::NotComparable
    );
}

/// A policy that is not in the run has no course, and neither has a fact.
#[test]
fn there_is_no_course_of_what_was_not_followed() {
    let rate = judge("selection_rate");
    let whole = run("selection_rate", &filled(waves(0.3, 0.1)));
    let mut pairs = compare(&whole, &rate);
    assert_eq!(courses(&whole, &rate, &pairs).len(), 1);
    for (a, b) in [("x", "b"), ("a", "x")] {
        (pairs[0].a, pairs[0].b) = (a.into(), b.into());
        assert!(courses(&whole, &rate, &pairs).is_empty());
    }
    (pairs[0].a, pairs[0].b) = ("a".into(), "b".into());
    pairs[0].estimand = Estimand::Facts;
    assert!(courses(&whole, &rate, &pairs).is_empty());
    // Of rounds that no one followed.
    pairs[0].estimand = Estimand::Rounds;
    assert!(courses(&whole, &rate, &pairs).is_empty());
}

/// Every point is kept of few replications.
#[test]
fn the_last_difference_before_a_lane_broke_off_has_its_verdict() {
    let rate = judge("selection_rate");
    let mut lanes = filled([0.45; 40]);
    lanes[30].1 = Ending::Panicked;
    let whole = run("selection_rate", &lanes);
    let pairs = compare(&whole, &rate);
    let course = courses(&whole, &rate, &pairs).pop().expect("a course");
    let verdicts: Vec<Verdict> = course.points.iter().map(|point| point.verdict).collect();
    assert_eq!(verdicts.len(), 40);
    assert_eq!(verdicts[29], Verdict::Better);
    assert_eq!(verdicts[30..], [Verdict::NotComparable; 10]);
    let decided = course.decided_at().expect("decided before").n as usize;
    assert!(
        verdicts[..decided - 1]
            .iter()
            .all(|v| *v == Verdict::Undecided)
    );
    assert!(
        verdicts[decided - 1..30]
            .iter()
            .all(|v| *v == Verdict::Better)
    );
}

/// The course of one stream's rounds, pair by pair and metric by metric.
#[test]
fn the_course_of_rounds_is_that_of_its_own_pair_and_metric() {
    let metrics = ["selection_rate", "fair_regret"];
    let judge = Judge {
        metrics: metrics.map(str::to_owned).to_vec(),
        versus: Versus::Everyone,
        alpha: 0.05,
        ..Judge::default()
    };
    let labels = ["a", "b", "c"];
    let mut rounds = Rounds::new(&labels, &judge).expect("compared round by round");
    for lane in 0..3 {
        let of = |by: f64| vec![Some(0.5 + by * lane as f64); 20];
        rounds.add(lane, 20, &[of(0.01), of(0.1)]);
    }
    let policy = |label| {
        let lane = LaneResult::new(Ending::Horizon, None, Vec::<MetricRow>::new());
        PolicyRun::new(label, "k").with([lane])
    };
    let run = RunResult {
        replications: 1,
        rounds: rounds.read(),
        policies: labels.map(policy).to_vec(),
        ..RunResult::default()
    };
    let pairs = compare(&run, &judge);
    let found = courses(&run, &judge, &pairs);
    let known = [("a", "b", 1.0), ("a", "c", 2.0), ("b", "c", 1.0)];
    let known: Vec<_> = [0.01, 0.1]
        .into_iter()
        .flat_map(|by| known.map(|(a, b, steps)| (a, b, -by * steps)))
        .collect();
    assert_eq!((pairs.len(), found.len()), (6, 6));
    for (course, (a, b, mean)) in found.iter().zip(known) {
        assert_eq!((&*course.a, &*course.b, course.points.len()), (a, b, 20));
        for point in &course.points {
            assert!((point.mean - mean).abs() < 1e-12, "{a} {b} {point:?}");
        }
    }
}
