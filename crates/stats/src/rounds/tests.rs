use super::super::{Goal, GoalBound, Versus};
use super::*;

fn judge(versus: Versus) -> Judge {
    Judge {
        metrics: ["screened", "selection_rate", "fair_regret"]
            .map(str::to_owned)
            .into(),
        versus,
        alpha: 0.05,
        ..Judge::default()
    }
}

fn all(labels: &[&str]) -> Rounds {
    Rounds::new(labels, &judge(Versus::Everyone)).unwrap()
}

fn wave(lane: usize, round: usize) -> Option<f64> {
    let value = 0.4 + 0.1 * lane as f64 + 0.3 * libm::sin((round * (lane + 1)) as f64);
    (!(round + lane).is_multiple_of(7)).then_some(value)
}

/// Rounds `from..to` of a lane, both metrics.
fn values(lane: usize, from: usize, to: usize) -> Vec<Vec<Option<f64>>> {
    let of = |shift: usize| (from..to).map(|round| wave(lane, round + shift)).collect();
    vec![of(0), of(1000)]
}

fn add(rounds: &mut Rounds, lane: usize, values: &[Vec<Option<f64>>]) {
    rounds.add(lane, values[0].len() as u64, values);
}

#[test]
fn it_is_the_stream_of_the_differences_in_the_order_of_the_rounds() {
    let mut rounds = all(&["b", "a"]);
    add(&mut rounds, 0, &values(0, 0, 200));
    add(&mut rounds, 1, &values(1, 0, 200));
    let pairs = rounds.pairs();
    let mut plain = StreamSequence::new(0.025, V_OPT);
    let (mut sum, mut n) = (0.0, 0);
    for round in 0..200 {
        if let Some((a, b)) = wave(1, round).zip(wave(0, round)) {
            plain.add((a - b + 1.0) / 2.0);
            sum += a - b;
            n += 1;
        }
    }
    let (lo, hi) = plain.interval();
    let first = &pairs[0];
    assert_eq!((&*first.metric, first.a, first.b), ("selection_rate", 1, 0));
    assert_eq!((first.n, first.alpha), (n, 0.025));
    assert!((first.mean - sum / n as f64).abs() < 1e-12);
    let (ours_lo, ours_hi) = first.interval.unwrap();
    assert!((ours_lo - (2.0 * lo - 1.0)).abs() < 1e-12);
    assert!((ours_hi - (2.0 * hi - 1.0)).abs() < 1e-12);
    assert!(!first.identical);
    assert_eq!(pairs.len(), 2);
    assert_eq!(pairs[1].metric, "fair_regret");
}

#[test]
fn how_lanes_come_in_does_not_matter() {
    let told = |steps: &[(usize, usize)]| {
        let mut rounds = all(&["a", "b", "c"]);
        let mut at = [0; 3];
        for &(lane, step) in steps.iter().cycle() {
            let to = (at[lane] + step).min(300);
            add(&mut rounds, lane, &values(lane, at[lane], to));
            at[lane] = to;
            if at == [300; 3] {
                return rounds.pairs();
            }
        }
        unreachable!()
    };
    let first = told(&[(0, 1), (1, 1), (2, 1)]);
    assert_eq!(first.len(), 6);
    for steps in [
        &[(2, 300), (1, 300), (0, 300)][..],
        &[(0, 7), (2, 64), (1, 1)],
        &[(1, 100), (0, 13), (2, 300), (0, 64)],
    ] {
        assert_eq!(told(steps), first, "{steps:?}");
    }
}

#[test]
fn rounds_that_one_did_not_play_do_not_count_and_are_not_kept() {
    for early in [0, 1] {
        for first in [0, 1] {
            let mut rounds = all(&["a", "b"]);
            let to = |lane| if lane == early { 50 } else { 400 };
            for lane in [first, 1 - first] {
                add(&mut rounds, lane, &values(lane, 0, to(lane)));
                rounds.end(lane);
            }
            let mut both = all(&["a", "b"]);
            add(&mut both, 0, &values(0, 0, 50));
            add(&mut both, 1, &values(1, 0, 50));
            assert_eq!(rounds.pairs(), both.pairs());
            assert!(rounds.watches.iter().all(|watch| watch.waiting.is_empty()));
        }
    }
    // The one that goes on after the other's end keeps nothing.
    let mut rounds = all(&["a", "b"]);
    add(&mut rounds, 0, &values(0, 0, 5));
    rounds.end(0);
    add(&mut rounds, 1, &values(1, 0, 400));
    assert!(rounds.watches.iter().all(|watch| watch.waiting.is_empty()));
}

#[test]
fn the_same_in_every_round_is_identical_and_what_leaves_its_range_has_no_interval() {
    let mut rounds = all(&["a", "b"]);
    let same = vec![vec![Some(0.25); 30], vec![Some(0.5); 30]];
    add(&mut rounds, 0, &same);
    add(&mut rounds, 1, &same);
    assert!(
        rounds
            .pairs()
            .iter()
            .all(|pair| pair.identical && pair.needed.is_none())
    );
    add(&mut rounds, 0, &[vec![Some(0.25)], vec![Some(9.0)]]);
    add(&mut rounds, 1, &[vec![Some(0.26)], vec![Some(0.5)]]);
    let pairs = rounds.pairs();
    assert!(!pairs[0].identical && pairs[0].interval.is_some());
    assert!(!pairs[1].identical && pairs[1].interval.is_none());
    let none = all(&["a", "b"]).pairs();
    assert!(!none[0].identical && none[0].interval.is_none());
}

#[test]
fn it_is_there_only_where_rounds_are_compared() {
    let labels = ["a", "b"];
    let ends_alone = Judge {
        metrics: vec!["screened".into(), "representation_loss".into()],
        ..judge(Versus::Everyone)
    };
    let stopping = Judge {
        until_decided: true,
        ..judge(Versus::Everyone)
    };
    for judge in [ends_alone, stopping, judge(Versus::Nobody)] {
        assert!(Rounds::new(&labels, &judge).is_none());
    }
    assert!(Rounds::new(&labels[..1], &judge(Versus::Everyone)).is_none());
}

/// A row of values for each, in this order.
#[test]
fn the_metrics_that_are_followed_are_those_of_rounds_and_of_the_goal() {
    let mut judge = judge(Versus::Everyone);
    let metrics = |judge: &Judge| {
        let rounds = Rounds::new(&["a", "b"], judge).expect("rounds are followed");
        rounds.metrics().to_vec()
    };
    assert_eq!(metrics(&judge), ["selection_rate", "fair_regret"]);
    let bound = |metric: &str| Constraint {
        metric: metric.into(),
        bound: GoalBound::AtLeast(0.1),
    };
    judge.goal = Some(Goal {
        best: "fair_regret".into(),
        constraints: ["selection_rate", "selection_rate.sex.F", "impact_ratio"]
            .map(bound)
            .into(),
    });
    let known = ["selection_rate", "fair_regret", "selection_rate.sex.F"];
    assert_eq!(metrics(&judge), known);
}

/// The constraint of a contender takes the row of its own metric.
#[test]
fn a_constraint_is_tested_on_the_values_of_its_metric() {
    let mut judge = judge(Versus::Everyone);
    let constraint = Constraint {
        metric: "selection_rate.sex.F".into(),
        bound: GoalBound::AtLeast(0.1),
    };
    judge.goal = Some(Goal {
        best: "fair_regret".into(),
        constraints: vec![constraint.clone()],
    });
    let mut rounds = Rounds::new(&["a", "b"], &judge).expect("rounds are followed");
    for (lane, by) in [(0, 0.25), (1, 0.5)] {
        let row = |value| vec![Some(value); 8];
        add(&mut rounds, lane, &[row(0.0), row(1.0), row(by)]);
    }
    let read = rounds.read();
    for (lane, known) in [(0, 0.25), (1, 0.5)] {
        let tested = read.tested(lane, &constraint, "x").expect("it is tested");
        assert_eq!((tested.n, tested.mean), (8, Some(known)));
    }
}

/// A course goes on to the last round that lay within the range.
#[test]
fn the_course_of_a_pair_ends_where_a_value_leaves_its_range() {
    let mut rounds = all(&["a", "b"]);
    for lane in [0, 1] {
        add(&mut rounds, lane, &values(lane, 0, 20));
    }
    let before: Vec<usize> = rounds
        .pairs()
        .iter()
        .map(|pair| pair.course.len())
        .collect();
    // Of 20 rounds those in which either has no value do not count.
    assert_eq!(before, [15, 14]);
    add(&mut rounds, 0, &[vec![Some(9.0)], vec![Some(0.5)]]);
    add(&mut rounds, 1, &[vec![Some(0.5)], vec![Some(0.5)]]);
    for lane in [0, 1] {
        add(&mut rounds, lane, &values(lane, 21, 30));
    }
    let pairs = rounds.pairs();
    assert_eq!(pairs[0].course.len(), 15);
    assert!(pairs[1].course.len() > 16, "{:?}", pairs[1].course.len());
}

/// A mark gives the evidence of the rounds up to it, whenever it was set and however the lanes come
/// to it.
#[test]
fn a_marked_round_is_that_of_a_run_which_ended_there() {
    let labels = ["a", "b", "c"];
    let until = |round: usize, ended: usize| {
        let mut rounds = all(&labels);
        for lane in 0..3 {
            add(
                &mut rounds,
                lane,
                &values(lane, 0, if lane == 2 { ended } else { round }),
            );
        }
        rounds.read()
    };
    let here = [true; 3];
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        for (mark, ended) in [(40, 90), (40, 40), (60, 20)] {
            for marked_after in 0..=3 {
                let mut rounds = all(&labels);
                let last = |lane: usize| if lane == 2 { ended } else { 100 };
                for (place, lane) in order.into_iter().enumerate() {
                    add(&mut rounds, lane, &values(lane, 0, last(lane).min(20)));
                    if place == marked_after {
                        rounds.mark(mark as u64);
                    }
                }
                if marked_after == 3 {
                    rounds.mark(mark as u64);
                }
                for lane in order {
                    for from in (20..last(lane)).step_by(20) {
                        add(
                            &mut rounds,
                            lane,
                            &values(lane, from, last(lane).min(from + 20)),
                        );
                    }
                    if lane == 2 {
                        rounds.end(2);
                    }
                }
                let known = rounds.marked(&here).expect("all came there");
                assert_eq!(
                    known,
                    until(mark, ended.min(mark)),
                    "{order:?} {mark} {ended}"
                );
            }
        }
    }
}

/// A lane that is behind gives no evidence at the mark; a mark that two lanes had passed gives none
/// at all.
#[test]
fn a_mark_waits_for_lanes_and_is_none_where_they_had_passed_it() {
    let mut rounds = all(&["a", "b", "c"]);
    for lane in [0, 1] {
        add(&mut rounds, lane, &values(lane, 0, 10));
    }
    rounds.mark(10);
    assert_eq!(rounds.marked(&[true; 3]), None);
    let two = rounds.marked(&[true, true, false]).expect("two are there");
    assert_eq!(two.pairs.len(), 2, "of each metric");
    add(&mut rounds, 2, &values(2, 0, 10));
    let all_of = rounds.marked(&[true; 3]).expect("all are there");
    assert_eq!(all_of.pairs.len(), 6);
    add(&mut rounds, 0, &values(0, 10, 20));
    rounds.mark(10);
    assert!(rounds.marked(&[true; 3]).is_some(), "one alone went on");
    add(&mut rounds, 1, &values(1, 10, 20));
    rounds.mark(10);
    assert_eq!(rounds.marked(&[true; 3]), None);
    assert!(rounds.marked(&[true, false, true]).is_some());
}
