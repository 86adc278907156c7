use proptest::prelude::*;

use kleroterion_io::trace::Decision;

use super::*;
use crate::limits::{MOST_KEPT_BYTES, MOST_KEPT_DECISIONS};

const LABELS: [&str; 3] = ["c", "a", "b"];

fn labels() -> Vec<Arc<str>> {
    LABELS.map(Arc::from).into()
}

fn decided(lane: usize, round: u64) -> Unplaced {
    Unplaced {
        slots: (0..(lane as u64 + round) % 3)
            .map(|slot| slot as u32)
            .collect(),
        decision: LateDecision::Made(Box::new(Decision {
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
        })),
    }
}

/// Hands in the rounds of each lane, `ends` in all, in stretches as `steps` (lane, how many) say,
/// then the rest.
fn told(ends: [u64; 3], steps: &[(usize, u64)]) -> Vec<Arc<LaneDecision>> {
    let decisions = Decisions::new(&labels(), Some(2));
    let mut at = [0_u64; 3];
    let rest = (0..3).map(|lane| (lane, u64::MAX));
    for (lane, step) in steps.iter().copied().chain(rest) {
        let to = at[lane].saturating_add(step).min(ends[lane]);
        decisions.hand(lane, (at[lane] + 1..=to).map(|round| decided(lane, round)));
        if to == ends[lane] {
            decisions.end(lane);
        }
        at[lane] = to;
    }
    decisions.since(0, usize::MAX)
}

proptest! {
    #[test]
    fn any_interleaving_tells_the_same(
        ends in [0u64..30, 0u64..30, 0u64..30],
        steps in prop::collection::vec((0usize..3, 0u64..12), 0..40),
    ) {
        let events = told(ends, &steps);
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
            prop_assert_eq!(event.event.seq(), seq as u64);
            let known = decided(event.lane, event.round());
            let LateDecision::Made(made) = known.decision else { unreachable!() };
            prop_assert_eq!(&event.event.decision, &*made);
            prop_assert_eq!(&event.slots, &known.slots);
        }
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
}

#[test]
fn only_the_latest_are_kept_and_no_round_in_part() {
    let decisions = Decisions::new(&labels(), None);
    let rounds = 2 * MOST_KEPT_DECISIONS as u64 / 3;
    for lane in 0..3 {
        decisions.hand(lane, (1..=rounds).map(|round| decided(lane, round)));
    }
    let all = decisions.since(0, usize::MAX);
    assert_eq!(all.len(), MOST_KEPT_DECISIONS);
    let (first, last) = (all[0].event.seq, all[MOST_KEPT_DECISIONS - 1].event.seq);
    assert_eq!(
        (last, last - first),
        (3 * rounds - 1, MOST_KEPT_DECISIONS as u64 - 1)
    );
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

/// Lanes hand in from tasks of their own; the taker has each decision once, in its order.
#[test]
fn a_taker_has_every_decision_once_and_in_order_whoever_hands_it_in() {
    let decisions = Arc::new(Decisions::new(&labels(), None));
    let taken = Arc::new(Mutex::new(Vec::new()));
    let keeps = Arc::clone(&taken);
    decisions.have_taken(move |some: &[Arc<LaneDecision>], _| {
        let seqs = some.iter().map(|one| one.event.seq);
        keeps.lock().unwrap().extend(seqs);
    });
    let rounds = 3 * MOST_KEPT_DECISIONS as u64;
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
        let shown = vec!["x".repeat(MOST_KEPT_BYTES / 4)];
        let decision = Decision {
            round,
            shown,
            ..Decision::default()
        };
        one.decision = decision.into();
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
