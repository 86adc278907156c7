use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::*;
use crate::limits::READER_PATIENCE;
use kleroterion_core::protocol::{Schema, Stop};
use kleroterion_stats::{Judge, Rounds, Versus};

const LABELS: [&str; 3] = ["a", "b", "c"];

fn watched() -> Watched {
    let judge = Judge {
        metrics: vec!["selection_rate".into()],
        versus: Versus::Everyone,
        alpha: 0.05,
        ..Judge::default()
    };
    let rounds = Rounds::new(&LABELS, &judge).expect("there are pairs");
    let labels = LABELS.map(Arc::from).into();
    let watched = Watched::new("r".into(), Arc::new(Schema::default()), labels, None, judge);
    drop(watched.rounds.set(Arc::new(Mutex::new(rounds))));
    watched
}

fn value(lane: usize, round: u64) -> f64 {
    ((round * (lane as u64 + 3)) % 7) as f64 / 7.0
}

/// Plays rounds of a lane as one batch.
fn play(watched: &Watched, lane: usize, rounds: std::ops::RangeInclusive<u64>) {
    let values: Vec<Option<f64>> = rounds.clone().map(|n| Some(value(lane, n))).collect();
    let shared = watched.rounds.get().expect("they are compared");
    let count = values.len() as u64;
    shared.lock().unwrap().add(lane, count, &[values]);
    watched.gauges.lanes[lane].rounds.add(count);
}

fn leave(watched: &Watched, lane: usize, stop: Option<Stop>) {
    let rounds = watched.gauges.lanes[lane].rounds.get();
    let row = MetricRow {
        metric: "selection_rate".into(),
        at: None,
        value: value(lane, rounds),
    };
    let cut = LaneCut {
        rounds,
        persons: rounds,
        rows: vec![row],
        stop,
        ..LaneCut::default()
    };
    watched.leave(lane, cut);
}

/// The lanes that are shown are all of the cut's round, and so are their comparisons.
fn is_one_moment(cut: &Cut) {
    for (lane, own) in cut.lanes.iter().enumerate() {
        let Some(own) = own else { continue };
        assert_eq!((own.rounds, own.persons), (cut.round, cut.round));
        assert_eq!(
            own.rows[0].value.to_bits(),
            value(lane, cut.round).to_bits()
        );
    }
    let here = cut.lanes.iter().flatten().count();
    assert_eq!(cut.evidence.pairs.len(), here * here.saturating_sub(1) / 2);
    for pair in &cut.evidence.pairs {
        assert_eq!(pair.n, cut.round);
        let differences = (1..=cut.round).map(|n| value(pair.a, n) - value(pair.b, n));
        let mean = differences.sum::<f64>() / cut.round as f64;
        assert!((pair.mean - mean).abs() < 1e-9, "{} of {mean}", pair.mean);
    }
}

/// Lanes on threads of their own, which wait now and then, in batches of all sizes: what is seen of
/// them is of one round, and goes on.
#[test]
fn what_is_seen_of_lanes_at_full_speed_is_of_one_round() {
    let watched = watched();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (watched, is_over) = (&watched, &is_over);
        let mut ways = Vec::new();
        for lane in 0..LABELS.len() {
            let (send, batches) = std::sync::mpsc::sync_channel::<(u64, u64)>(2);
            ways.push(send);
            scope.spawn(move || {
                while let Ok((from, to)) = batches.recv() {
                    watched.gauges.lanes[lane].waiting.sub(1);
                    play(watched, lane, from..=to);
                    let is_idle = watched.gauges.lanes[lane].waiting.get() == 0;
                    if is_idle || watched.cuts.is_marked(to) {
                        leave(watched, lane, None);
                    }
                }
            });
        }
        scope.spawn(move || {
            let mut next = 1;
            while !is_over.load(Ordering::SeqCst) {
                let to = next + next % 5;
                watched.gauges.rounds.add(to + 1 - next);
                for (lane, way) in ways.iter().enumerate() {
                    watched.gauges.lanes[lane].waiting.add(1);
                    way.send((next, to)).expect("it plays");
                }
                next = to + 1;
                if next % 64 < 2 {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        });
        let mut seen = Vec::new();
        while seen.len() < 60 {
            let cut = watched.cut();
            if cut.round > 0 && seen.last() != Some(&cut.round) {
                assert_eq!(cut.lanes.iter().flatten().count(), 3, "all are here");
                is_one_moment(&cut);
                seen.push(cut.round);
            }
        }
        is_over.store(true, Ordering::SeqCst);
        assert!(seen.is_sorted());
    });
}

/// A lane that has ended has what it had; the others go on.
#[test]
fn who_has_ended_is_shown_as_it_ended() {
    let watched = watched();
    watched.gauges.rounds.set(9);
    for (lane, last) in [(0, 9), (1, 9), (2, 4)] {
        play(&watched, lane, 1..=last);
        leave(&watched, lane, (lane == 2).then(|| Ending::Filled.into()));
    }
    let shared = watched.rounds.get().expect("they are compared");
    shared.lock().unwrap().end(2);
    let cut = watched.cut();
    assert_eq!(cut.round, 9);
    assert_eq!(cut.lane(2).map(|lane| lane.rounds), Some(4));
    let of_ended = cut
        .evidence
        .pairs
        .iter()
        .filter(|pair| [pair.a, pair.b].contains(&2));
    assert!(of_ended.map(|pair| pair.n).eq([4; 2]));
    let run = watched.so_far(&cut);
    assert_eq!(run.pairs.len(), 3);
    assert_eq!(
        run.policies["c"].endings.keys().collect::<Vec<_>>(),
        [&Ending::Filled]
    );
}

/// A lane that hangs is shown no more, with none of its numbers, and comes back once it is near.
#[test]
fn who_is_far_behind_is_left_out_until_it_comes_back() {
    let watched = watched();
    let all = |last: [u64; 3]| {
        watched
            .gauges
            .rounds
            .set(last.into_iter().max().unwrap_or(0));
        for (lane, last) in last.into_iter().enumerate() {
            let from = watched.gauges.lanes[lane].rounds.get() + 1;
            if from <= last {
                play(&watched, lane, from..=last);
                leave(&watched, lane, None);
            }
        }
    };
    let until = |round: u64| {
        let begun = Instant::now();
        loop {
            let cut = watched.cut();
            if cut.round >= round || begun.elapsed() > 4 * READER_PATIENCE {
                is_one_moment(&cut);
                return cut;
            }
        }
    };
    all([5; 3]);
    assert_eq!(until(5).lanes.iter().flatten().count(), 3);
    all([20, 20, 5]);
    let begun = Instant::now();
    let cut = until(20);
    assert!(begun.elapsed() >= READER_PATIENCE, "it was waited for");
    assert_eq!((cut.round, cut.lane(2)), (20, None));
    assert_eq!(watched.so_far(&cut).pairs.len(), 1);
    all([30; 3]);
    assert_eq!(until(30).lanes.iter().flatten().count(), 3);
}

/// Checks that the moment before a long round is shown at once if all lanes are in that round.
#[test]
fn a_round_that_takes_long_hides_nothing() {
    let watched = watched();
    watched.gauges.rounds.set(3);
    for lane in 0..3 {
        play(&watched, lane, 1..=2);
        leave(&watched, lane, None);
    }
    let cut = watched.cut();
    assert_eq!(cut.round, 2);
    is_one_moment(&cut);
    assert_eq!(watched.cut().round, 2);
}

/// Before the first round there is nothing to see, and no one waits for it.
#[test]
fn before_the_first_round_there_is_nothing() {
    let cut = watched().cut();
    assert_eq!(*cut, Cut::default());
}
