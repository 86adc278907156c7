use super::super::Versus;
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

#[test]
fn it_is_the_stream_of_the_differences_in_the_order_of_the_rounds() {
    let mut rounds = all(&["b", "a"]);
    rounds.add(0, &values(0, 0, 200));
    rounds.add(1, &values(1, 0, 200));
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
            rounds.add(lane, &values(lane, at[lane], to));
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
                rounds.add(lane, &values(lane, 0, to(lane)));
                rounds.end(lane);
            }
            let mut both = all(&["a", "b"]);
            both.add(0, &values(0, 0, 50));
            both.add(1, &values(1, 0, 50));
            assert_eq!(rounds.pairs(), both.pairs());
            assert!(rounds.watches.iter().all(|watch| watch.waiting.is_empty()));
        }
    }
    // The one that goes on after the other's end keeps nothing.
    let mut rounds = all(&["a", "b"]);
    rounds.add(0, &values(0, 0, 5));
    rounds.end(0);
    rounds.add(1, &values(1, 0, 400));
    assert!(rounds.watches.iter().all(|watch| watch.waiting.is_empty()));
}

#[test]
fn the_same_in_every_round_is_identical_and_what_leaves_its_range_has_no_interval() {
    let mut rounds = all(&["a", "b"]);
    let same = vec![vec![Some(0.25); 30], vec![Some(0.5); 30]];
    rounds.add(0, &same);
    rounds.add(1, &same);
    assert!(
        rounds
            .pairs()
            .iter()
            .all(|pair| pair.identical && pair.needed.is_none())
    );
    rounds.add(0, &[vec![Some(0.25)], vec![Some(9.0)]]);
    rounds.add(1, &[vec![Some(0.26)], vec![Some(0.5)]]);
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
