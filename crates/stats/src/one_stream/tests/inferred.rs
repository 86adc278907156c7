//! Inferences from one stream: differences round by round, and of mean outcomes.

use super::*;
use crate::sequence::Range;
use crate::{OutcomeMeans, RoundEvidence, RoundPair};

const RATE: &str = "selection_rate";

/// The difference of the first two policies over these rounds.
fn rounds(metric: &str, n: u64, interval: (f64, f64)) -> RoundPair {
    RoundPair {
        metric: metric.into(),
        a: 0,
        b: 1,
        n,
        mean: 0.25,
        interval: (n > 0).then_some(interval),
        alpha: 0.05,
        ln_e_values: [8.0_f64, 0.5].map(libm::log),
        dated: None,
        identical: false,
        needed: Some(12),
        course: Vec::new(),
    }
}

/// The comparisons of two lanes that ended so, of which these rounds are known.
fn by_rounds(endings: [Ending; 2], metrics: &[&str], pairs: Vec<RoundPair>) -> Vec<Pair> {
    let [a, b] = [("a", endings[0]), ("b", endings[1])]
        .map(|(label, ending)| policy(label, "screened", &[(Some(9.0), ending)]));
    let mut evidence = RoundEvidence::default();
    evidence.pairs = pairs;
    let run = RunResult {
        rounds: evidence,
        ..run(vec![a, b])
    };
    let judge = Judge {
        metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
        ..judge(RATE)
    };
    compare(&run, &judge)
}

/// Metric by metric in the order in which they are judged, whatever the order of what is known.
#[test]
fn each_judged_metric_has_the_rounds_of_its_own() {
    let known = vec![
        rounds("fair_regret", 40, (-0.5, 0.75)),
        rounds("selection_rate.sex.F", 30, (0.125, 0.5)),
        rounds(RATE, 50, (-0.25, 0.5)),
    ];
    let metrics = [RATE, "selection_rate.sex.F", "fair_regret"];
    let found = by_rounds([Ending::Horizon; 2], &metrics, known);
    let of = |pair: &Pair| (pair.metric.clone(), pair.n, pair.estimand);
    let known = [
        (RATE.to_owned(), 50, Estimand::Rounds),
        ("selection_rate.sex.F".to_owned(), 30, Estimand::People),
        ("fair_regret".to_owned(), 40, Estimand::Rounds),
    ];
    assert_eq!(found.iter().map(of).collect::<Vec<_>>(), known);
    assert_eq!((found[0].lo, found[0].hi), (Some(-0.25), Some(0.5)));
    assert_eq!((found[0].mean, found[0].alpha), (Some(0.25), 0.05));
    let e_value = found[0].extras.e_value.expect("an e-value");
    assert!((e_value - 4.25).abs() < 1e-12, "{e_value}");
}

/// A lane with a full committee plays no further round, and what is decided needs none.
#[test]
fn further_rounds_are_named_where_it_is_open_and_they_can_come() {
    let (on, full) = (Ending::Interrupted, Ending::Filled);
    for (endings, interval, needed) in [
        ([on, on], (-0.25, 0.5), Some(12)),
        ([Ending::Horizon; 2], (-0.25, 0.5), Some(12)),
        ([full, on], (-0.25, 0.5), None),
        ([on, full], (-0.25, 0.5), None),
        ([full, full], (-0.25, 0.5), None),
        ([on, on], (0.125, 0.5), None),
    ] {
        let found = by_rounds(endings, &[RATE], vec![rounds(RATE, 50, interval)]);
        assert_eq!(found[0].needed, needed, "{endings:?} {interval:?}");
        let is_open = interval.0 < 0.0;
        assert_eq!(found[0].verdict == Verdict::Undecided, is_open);
    }
}

/// An open comparison is not decided in this run if its rounds are over, or fewer are left than it
/// needs.
#[test]
fn an_open_pair_says_whether_the_run_ends_before() {
    let (on, over) = (Ending::Interrupted, Ending::SourceEnded);
    let open = (-0.25, 0.5);
    for (endings, interval, rounds_of_run, seats, filled, ends_before) in [
        // As far as is known more may come.
        ([on, on], open, None, None, 0.0, false),
        ([on, over], open, None, None, 0.0, true),
        ([Ending::Horizon; 2], open, None, None, 0.0, true),
        ([Ending::Filled, on], open, None, None, 0.0, true),
        // 12 more are needed after 50.
        ([on, on], open, Some(61), None, 0.0, true),
        ([on, on], open, Some(62), None, 0.0, false),
        // 30 seats: 25 in 50 rounds leave 10 rounds, 20 in 50 leave 25.
        ([on, on], open, None, Some(30), 25.0, true),
        ([on, on], open, None, Some(30), 20.0, false),
        ([on, on], open, None, Some(30), 0.0, false),
        // What is sure needs no more.
        ([over, over], (0.125, 0.5), Some(61), Some(30), 25.0, false),
    ] {
        let [a, b] = [("a", endings[0]), ("b", endings[1])]
            .map(|(label, ending)| policy(label, "accepted", &[(Some(filled), ending)]));
        let mut evidence = RoundEvidence::default();
        evidence.pairs = vec![rounds(RATE, 50, interval)];
        let run = RunResult {
            rounds: evidence,
            ..run(vec![a, b])
        };
        let judge = Judge {
            rounds: rounds_of_run,
            seats,
            ..judge(RATE)
        };
        let pair = compare(&run, &judge).remove(0);
        let of = format!("{endings:?} {rounds_of_run:?} {seats:?} {filled}");
        assert_eq!(pair.ends_before, ends_before, "{of}");
        let standing = match interval.0 > 0.0 {
            true => Standing::Sure,
            false => Standing::Open,
        };
        assert_eq!(pair.standing, standing, "{of}");
    }
}

#[test]
fn without_a_round_there_is_no_mean() {
    let of = |n| {
        let pair = rounds(RATE, n, (-0.25, 0.5));
        by_rounds([Ending::Interrupted; 2], &[RATE], vec![pair]).remove(0)
    };
    assert_eq!((of(0).n, of(0).mean, of(0).lo), (0, None, None));
    assert_eq!((of(1).mean, of(1).hi), (Some(0.25), Some(0.5)));
}

/// A difference of mean outcomes lies between the ends of both, each at half of the pair's alpha.
#[test]
fn mean_outcomes_are_compared_by_the_intervals_of_both() {
    let schema = Arc::new(Schema::new(vec![], vec![], false).expect("a schema"));
    let range = Range::new(0.0, 4.0).expect("a range");
    let lane = |people: u16, most: u16| {
        let mut outcomes = OutcomeMeans::new(&schema, Some(range), 0.05);
        (0..people).for_each(|i| outcomes.add(&[], f64::from(i % most)));
        LaneStream {
            rates: GroupRates::new(&schema, None, 0.05),
            outcomes: Some(outcomes),
        }
    };
    let streams = [lane(900, 5), lane(800, 2)];
    let means = [0, 1].map(|at: usize| {
        let outcomes = streams[at].outcomes.as_ref().expect("outcomes");
        outcomes.mean_of("outcome_mean", 0.025).expect("a mean")
    });
    let lanes = ["a", "b"].map(|label| policy(label, "screened", &[(Some(9.0), Ending::Filled)]));
    let mut run = RunResult {
        streams: streams.map(Some).into(),
        ..run(lanes.to_vec())
    };
    let judge = Judge {
        ranges: [("outcome_mean".to_owned(), (0.0, 4.0))].into(),
        ..judge("outcome_mean")
    };
    let found = compare(&run, &judge);
    let [pair] = &found[..] else {
        panic!("one pair: {found:?}");
    };
    assert_eq!(
        (pair.estimand, pair.n, pair.alpha),
        (Estimand::Outcomes, 800, 0.05)
    );
    assert_eq!(pair.mean, Some(1.5));
    let ends = means.map(|mean| mean.lo.zip(mean.hi).expect("an interval"));
    let [(a_lo, a_hi), (b_lo, b_hi)] = ends;
    assert_eq!((pair.lo, pair.hi), (Some(a_lo - b_hi), Some(a_hi - b_lo)));
    // Where one's are not known there is nothing to compare.
    run.streams[1].as_mut().expect("it is followed").outcomes = None;
    assert!(compare(&run, &judge).is_empty());
}
