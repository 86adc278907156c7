use proptest::prelude::*;

use super::*;

const LABELS: [&str; 3] = ["c", "a", "b"];

fn labels() -> Vec<Arc<str>> {
    LABELS.map(Arc::from).into()
}

fn decided(lane: usize, round: u64) -> Unplaced {
    Unplaced {
        slots: (0..(lane as u64 + round) % 3)
            .map(|slot| slot as u32)
            .collect(),
        decision: Decision {
            replication: 0,
            round,
            policy: LABELS[lane].into(),
            shown: Vec::new(),
            chosen: Vec::new(),
            declined: Vec::new(),
            groups: Vec::new(),
            forfeit: false,
            p: None,
            reason: Vec::new(),
            cost: 0.0,
            at: Vec::new(),
            ..Decision::default()
        },
    }
}

/// Whom the acting lane chose, by round.
type Acted = Vec<(u64, Vec<u32>)>;

/// Hands in the rounds of each lane, `ends` in all, in stretches as `steps` (lane, how many) say,
/// then the rest; and all that was shown.
fn told(ends: [u64; 3], steps: &[(usize, u64)]) -> (Vec<Arc<LaneDecision>>, Acted) {
    let decisions = Decisions::new(&labels(), Some(2));
    let mut at = [0_u64; 3];
    let mut acted = Vec::new();
    let rest = (0..3).map(|lane| (lane, u64::MAX));
    for (lane, step) in steps.iter().copied().chain(rest) {
        let to = at[lane].saturating_add(step).min(ends[lane]);
        decisions.hand(lane, (at[lane] + 1..=to).map(|round| decided(lane, round)));
        if to == ends[lane] {
            decisions.end(lane);
        }
        at[lane] = to;
        acted.extend(decisions.take_acted());
    }
    (decisions.since(0, usize::MAX), acted)
}

proptest! {
    #[test]
    fn any_interleaving_tells_the_same(
        ends in [0u64..30, 0u64..30, 0u64..30],
        steps in prop::collection::vec((0usize..3, 0u64..12), 0..40),
    ) {
        let (events, acted) = told(ends, &steps);
        let mut plain = Vec::new();
        for round in 1..=30 {
            for lane in [1, 2, 0] {
                if round <= ends[lane] {
                    plain.push((round, lane));
                }
            }
        }
        let order: Vec<_> = events.iter().map(|event| (event.round(), event.lane)).collect();
        prop_assert_eq!(order, plain);
        for (seq, event) in events.iter().enumerate() {
            prop_assert_eq!(event.event.seq, seq as u64);
            let known = decided(event.lane, event.round());
            prop_assert_eq!(&event.event.decision, &known.decision);
            prop_assert_eq!(&event.slots, &known.slots);
        }
        let known: Vec<_> = (1..=ends[2]).map(|round| (round, decided(2, round).slots)).collect();
        prop_assert_eq!(acted, known);
    }
}

#[test]
fn a_round_is_told_once_all_that_play_have_decided_it() {
    let decisions = Decisions::new(&labels(), None);
    let watch = decisions.watch();
    decisions.hand(0, [decided(0, 1), decided(0, 2)]);
    decisions.hand(1, [decided(1, 1)]);
    assert_eq!((decisions.of_round(1), *watch.borrow()), (None, 0));
    decisions.hand(2, [decided(2, 1)]);
    let round = decisions.of_round(1).expect("all have decided it");
    assert_eq!(round.iter().map(|e| e.lane).collect::<Vec<_>>(), [1, 2, 0]);
    assert_eq!(*watch.borrow(), 3);
    assert!(watch.has_changed().is_ok_and(|changed| changed));
    // Two end: the third waits for no other, and no other for it.
    decisions.end(1);
    assert_eq!(decisions.of_round(2), None);
    decisions.end(2);
    assert_eq!(decisions.of_round(2).map(|round| round.len()), Some(1));
    assert_eq!(decisions.of_round(3), None);
    assert!(decisions.take_acted().is_empty());
}

#[test]
fn only_the_latest_are_kept_and_no_round_in_part() {
    let decisions = Decisions::new(&labels(), None);
    let rounds = 2 * KEPT as u64 / 3;
    for lane in 0..3 {
        decisions.hand(lane, (1..=rounds).map(|round| decided(lane, round)));
    }
    let all = decisions.since(0, usize::MAX);
    assert_eq!(all.len(), KEPT);
    let (first, last) = (all[0].event.seq, all[KEPT - 1].event.seq);
    assert_eq!((last, last - first), (3 * rounds - 1, KEPT as u64 - 1));
    assert_eq!(decisions.since(last, 9).len(), 1);
    assert_eq!(decisions.since(last + 1, 9), []);
    assert_eq!(decisions.since(u64::MAX, 9), []);
    assert_eq!(decisions.since(first + 5, 2)[1].event.seq, first + 6);
    // 4096 is no multiple of 3: of one round only a part is left.
    let cut = all[0].round();
    assert_eq!(decisions.of_round(cut), None);
    assert_eq!(
        decisions.of_round(cut + 1).map(|round| round.len()),
        Some(3)
    );
    assert_eq!(decisions.of_round(0), None);
}

#[test]
fn the_decision_that_counts_waits_for_no_other_lane() {
    let decisions = Decisions::new(&labels(), Some(2)).falling_back(Some(0));
    let lanes = |round| {
        let of_it = decisions.so_far(round);
        of_it.map(|of_it| {
            of_it
                .iter()
                .map(|told| (told.lane, told.acts))
                .collect::<Vec<_>>()
        })
    };
    decisions.hand(1, [decided(1, 1)]);
    assert_eq!((lanes(1), decisions.take_acted()), (None, vec![]));
    decisions.hand(2, [decided(2, 1), decided(2, 2)]);
    let acted = [1, 2].map(|round| (round, decided(2, round).slots));
    assert_eq!(decisions.take_acted(), acted);
    assert_eq!(lanes(1), Some(vec![(1, false), (2, true)]));
    assert_eq!(lanes(2), Some(vec![(2, true)]));
    assert_eq!((lanes(3), decisions.of_round(1)), (None, None));
    // From where it broke off on the fallback's count, and wait for none either.
    decisions.break_off(2);
    decisions.hand(0, (1..=3).map(|round| decided(0, round)));
    assert_eq!(decisions.take_acted(), [(3, decided(0, 3).slots)]);
    assert_eq!(lanes(3), Some(vec![(0, true)]));
    assert_eq!(lanes(1), Some(vec![(1, false), (2, true), (0, false)]));
    assert_eq!(decisions.has_acted(), None);
    decisions.end(0);
    assert_eq!(decisions.has_acted(), Some(0));
}

#[tokio::test]
async fn who_records_is_woken_when_the_acting_lane_has_acted() {
    let decisions = Decisions::new(&labels(), Some(0));
    let waiting = async {
        decisions.acted().await;
        decisions.take_acted()
    };
    let handing = async {
        tokio::task::yield_now().await;
        for lane in 0..3 {
            decisions.hand(lane, [decided(lane, 1)]);
        }
    };
    let both = async { tokio::join!(waiting, handing).0 };
    let acted = tokio::time::timeout(std::time::Duration::from_secs(60), both).await;
    assert_eq!(acted, Ok(vec![(1, vec![0])]));
}

proptest! {
    #[test]
    fn the_fallback_acts_from_where_the_acting_lane_broke_off_in_any_interleaving(
        ends in [0u64..20, 0u64..20, 0u64..20],
        broke_off: bool,
        steps in prop::collection::vec((0usize..3, 0u64..6), 0..30),
    ) {
        let decisions = Decisions::new(&labels(), Some(2)).falling_back(Some(0));
        let mut at = [0_u64; 3];
        let mut acted = Vec::new();
        let rest = (0..3).map(|lane| (lane, u64::MAX));
        for (lane, step) in steps.iter().copied().chain(rest) {
            let to = at[lane].saturating_add(step).min(ends[lane]);
            decisions.hand(lane, (at[lane] + 1..=to).map(|round| decided(lane, round)));
            if to == ends[lane] {
                match broke_off && lane == 2 {
                    true => decisions.break_off(lane),
                    false => decisions.end(lane),
                }
            }
            at[lane] = to;
            acted.extend(decisions.take_acted());
        }
        let own = (1..=ends[2]).map(|round| (round, decided(2, round).slots));
        let others = (ends[2] + 1..=ends[0]).map(|round| (round, decided(0, round).slots));
        let others: Vec<_> = others.filter(|_| broke_off).collect();
        let from = others.first().map(|(round, _)| *round);
        prop_assert_eq!(decisions.taken_over(), from);
        prop_assert_eq!(acted, own.chain(others).collect::<Vec<_>>());
        for event in decisions.since(0, usize::MAX) {
            let actor = if from.is_some_and(|from| event.round() >= from) { 0 } else { 2 };
            prop_assert_eq!(event.acts, event.lane == actor);
        }
        prop_assert_eq!(decisions.has_acted(), Some(if broke_off { 0 } else { 2 }));
    }
}

/// Lanes hand in from tasks of their own; the taker has each decision once, in its order.
#[test]
fn a_taker_has_every_decision_once_and_in_order_whoever_hands_it_in() {
    let decisions = Arc::new(Decisions::new(&labels(), None));
    let taken = Arc::new(Mutex::new(Vec::new()));
    let keeps = Arc::clone(&taken);
    decisions.have_taken(Taker(Box::new(move |some, _| {
        let seqs = some.iter().map(|one| one.event.seq);
        keeps.lock().unwrap().extend(seqs);
    })));
    let rounds = 3 * KEPT as u64;
    std::thread::scope(|scope| {
        for lane in 0..3 {
            let decisions = &decisions;
            scope.spawn(move || {
                // One lane hands in all at once, more than are kept.
                let step = if lane == 1 { rounds } else { 7 + lane as u64 };
                for first in (1..=rounds).step_by(step as usize) {
                    let last = (first + step - 1).min(rounds);
                    decisions.hand(lane, (first..=last).map(|round| decided(lane, round)));
                }
                decisions.end(lane);
            });
        }
    });
    let taken = taken.lock().unwrap();
    assert!(taken.iter().copied().eq(0..3 * rounds), "{}", taken.len());
}

/// Decisions that hold many interviews are kept in bounded memory.
#[test]
fn large_decisions_are_forgotten_before_there_are_many() {
    let decisions = Decisions::new(&labels()[..1], None);
    let large = |round| {
        let mut one = decided(0, round);
        one.decision.shown = vec!["x".repeat(KEPT_BYTES / 4)];
        one
    };
    for round in 1..=20 {
        decisions.hand(0, [large(round)]);
    }
    let kept: Vec<u64> = decisions
        .since(0, usize::MAX)
        .iter()
        .map(|one| one.round())
        .collect();
    assert_eq!(kept, [18, 19, 20]);
    assert!(decisions.of_round(17).is_none() && decisions.of_round(18).is_some());
}
