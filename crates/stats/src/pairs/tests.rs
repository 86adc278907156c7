//! Intervals by hand, verdicts, obstacles to them, and the pairs that are compared.

use super::super::Versus;
use super::super::sequence::{Betting, Range};
use super::*;
use crate::{Blocked, Verdict};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, MetricRow};

fn policy(label: &str, metric: &str, values: &[f64]) -> PolicyRun {
    let lane = |value: &f64| {
        LaneResult::new(
            Ending::Filled,
            None,
            vec![MetricRow {
                metric: metric.into(),
                at: None,
                value: *value,
            }],
        )
    };
    PolicyRun::new(label, "k").with(values.iter().map(lane))
}

fn run(policies: Vec<PolicyRun>) -> RunResult {
    RunResult {
        name: "t".into(),
        seed: 1,
        replications: 5,
        policies,
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

/// The only pair of `a` against `b`, on `metric`.
fn only(metric: &str, a: &[f64], b: &[f64], margin: Option<f64>) -> Pair {
    let judge = Judge {
        margins: margin.map(|m| (metric.to_owned(), m)).into_iter().collect(),
        ..judge(metric)
    };
    let run = run(vec![policy("a", metric, a), policy("b", metric, b)]);
    compare(&run, &judge).remove(0)
}

/// D = 1, 2, 3, 4, 5: mean 3, se 1/sqrt 2, t(.025, 4) = 2.7764.
#[test]
fn an_interval_by_hand() {
    let a = [11.0, 22.0, 33.0, 44.0, 55.0];
    let b = [10.0, 20.0, 30.0, 40.0, 50.0];
    let pair = only("screened", &a, &b, None);
    assert_eq!((pair.n, pair.mean, pair.alpha), (5, Some(3.0), 0.05));
    assert!((pair.se.unwrap() - 0.5_f64.sqrt()).abs() < 1e-15);
    assert!((pair.lo.unwrap() - 1.036_756_838_522_439).abs() < 1e-12);
    assert!((pair.hi.unwrap() - 4.963_243_161_477_561).abs() < 1e-12);
    assert_eq!(
        (pair.verdict, &*pair.method),
        (Verdict::Worse, "t (fixed n)")
    );
}

#[test]
fn the_direction_of_the_metric_makes_the_verdict() {
    let (high, low) = ([0.5, 0.6, 0.55].repeat(20), [0.1, 0.21, 0.14].repeat(20));
    for (metric, up, down) in [
        ("representation_loss", Verdict::Worse, Verdict::Better),
        ("selection_rate", Verdict::Better, Verdict::Worse),
        ("share.F", Verdict::Differs, Verdict::Differs),
        ("a measure of mine", Verdict::Differs, Verdict::Differs),
    ] {
        assert_eq!(only(metric, &high, &low, None).verdict, up, "{metric}");
        assert_eq!(only(metric, &low, &high, None).verdict, down, "{metric}");
    }
}

#[test]
fn equivalence_needs_a_margin_and_an_open_sign() {
    let (a, b) = ([0.101, 0.099, 0.100], [0.100, 0.100, 0.1001]);
    let verdict = |margin| only("cost", &a, &b, margin).verdict;
    assert_eq!(verdict(None), Verdict::Undecided);
    assert_eq!(verdict(Some(0.001)), Verdict::Undecided);
    assert_eq!(verdict(Some(0.01)), Verdict::Equivalent);
    let far = [0.2, 0.2, 0.2001];
    let sure = only("cost", &a, &far, Some(0.5));
    assert_eq!(sure.verdict, Verdict::Better);
}

#[test]
fn identical_is_exact() {
    let pair = only("cost", &[1.0, 2.0], &[1.0, 2.0], Some(1.0));
    assert_eq!(pair.verdict, Verdict::Identical);
    assert_eq!(
        (pair.mean, pair.lo, pair.hi),
        (Some(0.0), Some(0.0), Some(0.0))
    );
    let nearly = only("cost", &[1.0, 2.0], &[1.0, 2.0 + 1e-15], None);
    assert_eq!(nearly.verdict, Verdict::Undecided);
    let one = only("cost", &[1.0], &[1.0], None);
    assert_eq!(one.verdict, Verdict::Identical);
}

/// Ranks given away in a round lie in [0, 1], so those of 40 rounds in [0, 40].
#[test]
fn sums_over_a_fixed_number_of_rounds_have_a_range() {
    let values = [[30.0, 28.0, 31.0].repeat(20), [2.0, 3.0, 4.0].repeat(20)];
    let both = || {
        vec![
            policy("a", "fair_regret", &values[0]),
            policy("b", "fair_regret", &values[1]),
        ]
    };
    let fixed = Judge {
        rounds: Some(40),
        ..judge("fair_regret")
    };
    let bet = compare(&run(both()), &fixed).remove(0);
    assert_eq!(
        (&*bet.method, bet.verdict),
        (Betting::METHOD, Verdict::Worse)
    );
    let (lo, hi) = (bet.lo.unwrap(), bet.hi.unwrap());
    let units: Vec<f64> = values[0]
        .iter()
        .zip(&values[1])
        .map(|(a, b)| (a - b + 40.0) / 80.0)
        .collect();
    let known = Betting::interval(&units, 0.05);
    assert!((lo - (80.0 * known.0 - 40.0)).abs() < 1e-9);
    assert!((hi - (80.0 * known.1 - 40.0)).abs() < 1e-9);
    let open = compare(&run(both()), &judge("fair_regret")).remove(0);
    assert_eq!(open.method, "t (fixed n)");
    assert!(fixed.range("screened").is_none() && fixed.range("reward_regret").is_none());
    assert_eq!(fixed.range("selection_rate"), Range::new(0.0, 1.0));
}

#[test]
fn one_replication_or_none_decides_nothing() {
    let one = only("cost", &[1.0], &[5.0], Some(9.0));
    assert_eq!((one.n, one.mean, one.se), (1, Some(-4.0), None));
    assert_eq!((one.lo, one.hi, one.needed), (None, None, None));
    assert_eq!(one.verdict, Verdict::Undecided);
    let none = only("cost", &[], &[], None);
    assert_eq!((none.n, none.mean), (0, None));
    assert_eq!(none.verdict, Verdict::Undecided);
}

#[test]
fn a_lane_that_failed_forbids_comparison_even_where_figures_agree() {
    for ending in Ending::ALL {
        for (short, at) in [(true, 0), (false, 0), (true, 1), (false, 1)] {
            let same = [1.0, 2.0, 3.0];
            let mut both = vec![policy("a", "cost", &same), policy("b", "cost", &same)];
            both[at].change(|lanes| lanes[1].ending = ending);
            let judge = Judge {
                source_end_is_short: short,
                ..judge("cost")
            };
            let pair = compare(&run(both), &judge).remove(0);
            if ending.is_comparable(short) {
                assert_eq!((pair.verdict, pair.blocked), (Verdict::Identical, vec![]));
            } else {
                assert_eq!(pair.verdict, Verdict::NotComparable);
                let label = ["a", "b"][at].into();
                let lanes = 1;
                assert_eq!(
                    pair.blocked,
                    [Blocked {
                        label,
                        ending,
                        lanes
                    }]
                );
            }
        }
    }
}

#[test]
fn only_replications_in_which_both_have_the_value_count() {
    let pair = only("cost", &[1.0, f64::NAN, 3.0], &[0.0, 7.0, 5.0], None);
    assert_eq!((pair.n, pair.mean), (2, Some(-0.5)));
    // An interrupted run has lanes for one policy more than for the other.
    assert_eq!(only("cost", &[1.0, 2.0, 3.0], &[0.0], None).n, 1);
}

#[test]
fn alpha_is_split_and_pairs_are_in_label_order() {
    let policies = || ["c", "b", "d", "a"].map(|label| policy(label, "cost", &[1.0, 2.0]));
    let mut judge = judge("cost");
    judge.metrics.push("pulls".into());
    let names = |judge: &Judge| {
        let pairs = compare(&run(policies().into()), judge);
        for pair in &pairs {
            assert_eq!(pair.alpha, 0.05 / pairs.len() as f64);
        }
        let names = pairs
            .iter()
            .map(|p| format!("{}{}{}", &p.metric[..1], p.a, p.b));
        names.collect::<Vec<_>>().join(" ")
    };
    // Those that were asked for, then those that dominance needs.
    assert_eq!(
        names(&judge),
        "cab ccb cdb cac cad ccd pab pcb pdb pac pad pcd"
    );
    judge.yardsticks = vec!["a".into(), "d".into()];
    assert_eq!(names(&judge), "cab ccb cdb pab pcb pdb");
    judge.versus = Versus::Everyone;
    assert_eq!(
        names(&judge),
        "cab cac cad cbc cbd ccd pab pac pad pbc pbd pcd"
    );
    judge.versus = Versus::Baseline("nobody".into());
    assert_eq!(names(&judge), "");
    judge.versus = Versus::Nobody;
    assert_eq!(names(&judge), "");
}

/// Committees of `a` with the places that they left empty, as `(loss, ending)`; those of `b` all
/// fill, with a loss of .1.
fn committees(of_a: &[(f64, Ending)]) -> RunResult {
    let row = |metric: &str, value: f64| MetricRow {
        metric: metric.into(),
        at: None,
        value,
    };
    let lane = |&(loss, ending): &(f64, Ending)| {
        let filled = f64::from(u8::from(ending == Ending::Filled));
        LaneResult::new(
            ending,
            None,
            vec![
                row("representation_loss", loss),
                row("quotas_kept", filled),
                row("filled", filled),
                row("cost", loss),
            ],
        )
    };
    let policy = |label: &str, lanes: &[(f64, Ending)]| {
        PolicyRun::new(label, "k").with(lanes.iter().map(lane))
    };
    let of_b = vec![(0.1, Ending::Filled); of_a.len()];
    run(vec![policy("a", of_a), policy("b", &of_b)])
}

#[test]
fn empty_places_are_a_result_of_their_own_and_other_measures_are_of_filled_committees() {
    use crate::{FILLED, Unfilled};
    let run = committees(&[
        (0.2, Ending::Filled),
        (0.9, Ending::Stalled),
        (0.4, Ending::Filled),
        (0.7, Ending::SourceEnded),
    ]);
    let metrics = ["representation_loss", "quotas_kept", "cost"];
    let mut judge = Judge {
        metrics: metrics.map(str::to_owned).into(),
        unfilled: Unfilled::LeftOut,
        ..judge("")
    };
    let said = |judge: &Judge| {
        let pairs = compare(&run, judge).into_iter();
        let said = pairs.map(|pair| (pair.metric, pair.n, pair.unfilled, pair.mean.unwrap()));
        said.collect::<Vec<_>>()
    };
    let is = |metric: &str, n, unfilled, mean: f64| (metric.to_owned(), n, unfilled, mean);
    let near = |ours: &[(String, u64, u64, f64)], known: &[(String, u64, u64, f64)]| {
        assert_eq!(ours.len(), known.len(), "{ours:?}");
        for (ours, known) in ours.iter().zip(known) {
            assert_eq!((&ours.0, ours.1, ours.2), (&known.0, known.1, known.2));
            assert!((ours.3 - known.3).abs() < 1e-12, "{ours:?} {known:?}");
        }
    };
    near(
        &said(&judge),
        &[
            is("representation_loss", 2, 2, 0.2),
            is("quotas_kept", 4, 0, -0.5),
            is("cost", 2, 2, 0.2),
            is(FILLED, 4, 0, -0.5),
        ],
    );
    // The worst loss is 1: (.1 + .9 + .3 + .9) / 4.
    judge.metrics.pop();
    judge.unfilled = Unfilled::Worst;
    near(
        &said(&judge),
        &[
            is("representation_loss", 4, 2, 0.55),
            is("quotas_kept", 4, 0, -0.5),
            is(FILLED, 4, 0, -0.5),
        ],
    );
    // `filled` has its share of alpha whether or not a lane left places empty, and once only where
    // the config names it.
    for (ending, pairs) in [(Ending::Stalled, 3), (Ending::Filled, 2)] {
        let found = compare(&committees(&[(0.2, ending)].repeat(3)), &judge);
        assert_eq!(found.len(), pairs);
        assert!(found.iter().all(|pair| pair.alpha == 0.05 / 3.0));
    }
    judge.metrics.push(FILLED.into());
    let found = compare(&committees(&[(0.2, Ending::Filled); 3]), &judge);
    assert_eq!((found.len(), found[0].alpha), (3, 0.05 / 3.0));
    assert_eq!(found[2].verdict, Verdict::Identical);
}

/// A lane that broke a rule still forbids a comparison that an empty place does not, because
/// filling depends on the policy.
#[test]
fn a_lane_that_broke_a_rule_is_not_compared_though_others_only_stalled() {
    use crate::Unfilled;
    let judge = Judge {
        unfilled: Unfilled::LeftOut,
        ..judge("representation_loss")
    };
    let run = committees(&[(0.2, Ending::Stalled), (0.2, Ending::Disqualified)]);
    for pair in compare(&run, &judge) {
        assert_eq!(pair.verdict, Verdict::NotComparable, "{}", pair.metric);
        assert_eq!(pair.blocked.len(), 1);
    }
}
