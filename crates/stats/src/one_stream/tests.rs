//! Facts and ratios of one stream, and what forbids their comparison.

mod inferred;

use std::sync::Arc;

use super::*;
use crate::{Blocked, GroupRates, LaneStream, Standing, Unfilled, Verdict, Versus, compare};
use kleroterion_core::protocol::{Attribute, Ending, Schema};
use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};

const LOSS: &str = "representation_loss";

fn judge(metric: &str) -> Judge {
    Judge {
        metrics: vec![metric.into()],
        versus: Versus::Baseline("b".into()),
        alpha: 0.05,
        ..Judge::default()
    }
}

/// A policy whose lanes ended so, each with a value of a metric or none.
fn policy(label: &str, metric: &str, lanes: &[(Option<f64>, Ending)]) -> PolicyRun {
    let lane = |&(value, ending): &(Option<f64>, Ending)| {
        let row = |value| MetricRow {
            metric: metric.into(),
            at: None,
            value,
        };
        LaneResult::new(ending, None, value.map(row))
    };
    PolicyRun::new(label, "k").with(lanes.iter().map(lane))
}

fn run(policies: Vec<PolicyRun>) -> RunResult {
    RunResult {
        replications: policies[0].endings().len() as u64,
        policies,
        ..RunResult::default()
    }
}

/// Compares two lanes of one stream with these endings, each with a loss or none.
fn facts(a: (Option<f64>, Ending), b: (Option<f64>, Ending), judge: &Judge) -> Pair {
    let run = run(vec![policy("a", LOSS, &[a]), policy("b", LOSS, &[b])]);
    compare(&run, judge).remove(0)
}

/// Facts of one stream differ as they were played, whatever the margin.
#[test]
fn a_fact_of_one_stream_is_judged_as_it_was_played() {
    let mut judge = judge(LOSS);
    judge.margins.insert(LOSS.into(), 0.5);
    let loss = |loss| (Some(loss), Ending::Filled);
    let pair = facts(loss(0.125), loss(0.375), &judge);
    assert_eq!((pair.mean, pair.n, pair.alpha), (Some(-0.25), 1, 0.0));
    assert_eq!((pair.lo, pair.se, pair.needed), (None, None, None));
    assert_eq!((&*pair.method, pair.estimand), ("fact", Estimand::Facts));
    let so_far = (Verdict::SoFar, Standing::SoFar);
    assert_eq!((pair.verdict, pair.standing), so_far);
    let turned = facts(loss(0.375), loss(0.125), &judge);
    assert_eq!(turned.mean, Some(0.25));
    assert_eq!((turned.verdict, turned.standing), so_far);
    let same = facts(loss(0.2), loss(0.2), &judge);
    assert_eq!(
        (same.verdict, same.standing),
        (Verdict::Identical, Standing::SoFar)
    );
    let open = facts((None, Ending::Filled), loss(0.2), &judge);
    assert_eq!(
        (open.n, open.mean, open.verdict),
        (0, None, Verdict::Undecided)
    );
}

/// The rounds played were played: neither an interrupt nor the end of the people forbids their
/// comparison. A lane that failed does, and of replications an interrupt too.
#[test]
fn only_a_lane_that_failed_forbids_the_comparison_of_one_stream() {
    let asked = judge(LOSS);
    let of = |a: Ending, b: Ending| facts((Some(0.1), a), (Some(0.3), b), &asked);
    for ending in [Ending::Interrupted, Ending::SourceEnded, Ending::Stalled] {
        let pair = of(ending, ending);
        assert_eq!(
            (pair.verdict, pair.blocked),
            (Verdict::SoFar, vec![]),
            "{ending:?}"
        );
    }
    let blocked = |label: &str| Blocked {
        label: label.into(),
        ending: Ending::Panicked,
        lanes: 1,
    };
    let pair = of(Ending::Interrupted, Ending::Panicked);
    assert_eq!(
        (pair.verdict, pair.blocked),
        (Verdict::NotComparable, vec![blocked("b")])
    );
    let pair = of(Ending::Panicked, Ending::Panicked);
    assert_eq!(pair.blocked, [blocked("a"), blocked("b")]);
    let apart = Judge {
        unfilled: Unfilled::LeftOut,
        ..judge(LOSS)
    };
    let stalled = |a: Ending| facts((Some(0.1), a), (Some(0.3), Ending::Filled), &apart);
    assert_eq!(
        (
            stalled(Ending::Stalled).unfilled,
            stalled(Ending::Filled).unfilled
        ),
        (1, 0)
    );
    let lanes = |loss| [(Some(loss), Ending::Filled); 9];
    let mut broken = lanes(0.3);
    broken[4].1 = Ending::Interrupted;
    let many = vec![policy("a", LOSS, &lanes(0.1)), policy("b", LOSS, &broken)];
    let pair = compare(&run(many), &asked).remove(0);
    assert_eq!(pair.verdict, Verdict::NotComparable);
}

/// A difference of ratios lies between the ends of both, each at half of the pair's alpha.
#[test]
fn ratios_of_one_stream_are_joined_from_the_intervals_of_both() {
    let sex = Attribute {
        name: "sex".into(),
        values: vec!["f".into(), "m".into()],
    };
    let schema = Arc::new(Schema::new(vec![sex], vec![], false).expect("a schema"));
    let lane = |people: u16, every: u16| {
        let mut rates = GroupRates::new(&schema, None, 0.05);
        for i in 0..people {
            rates.add(&[i % 2], i % 2 == 0 && i % 4 == 0 || i % every == 1);
        }
        LaneStream {
            rates,
            outcomes: None,
        }
    };
    let streams = [lane(900, 4), lane(800, 2)];
    let ratios = [0, 1].map(|at: usize| streams[at].rates.impact_ratio(0.025).expect("a ratio"));
    let lanes = ["a", "b"].map(|label| policy(label, "screened", &[(Some(9.0), Ending::Filled)]));
    let run = RunResult {
        streams: streams.map(Some).into(),
        ..run(lanes.to_vec())
    };
    let pairs = compare(&run, &judge("impact_ratio"));
    let [pair] = &pairs[..] else {
        panic!("one pair: {pairs:?}");
    };
    assert_eq!(
        (pair.estimand, pair.n, pair.alpha),
        (Estimand::Ratios, 800, 0.05)
    );
    let [a, b] = ratios;
    assert_eq!((pair.lo, pair.hi), (Some(a.lo - b.hi), Some(a.hi - b.lo)));
    assert_eq!(pair.mean, a.value.zip(b.value).map(|(a, b)| a - b));
    assert_eq!((a.value, b.value), (Some(1.0), Some(0.5)));
    // What no stream says anything of has no pair.
    assert!(compare(&run, &judge("screened")).is_empty());
}
