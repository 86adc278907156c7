//! Outcomes of choices made by hand, and when a policy learns them.

use super::super::by_hand::{Listener, batch, batch_from, key};
use super::*;
use crate::draw::Purpose;
use crate::protocol::SealedOutcomes;

fn outcomes(delay: Delay) -> Outcomes {
    Outcomes::new(delay, key().draw(Purpose::Delay, 0, 0))
}

/// A round in which these rows were chosen together with probability 1/2.
fn choosing(rows: &[u32]) -> Ledger {
    let mut ledger = Ledger::new(false);
    rows.iter().for_each(|row| ledger.note_chosen(*row));
    ledger.note_p(0.5);
    ledger
}

/// Four people, of the second of whom nothing ever comes.
fn recorded() -> Batch {
    let mut batch = batch(&[4]);
    let values = [Some(1.0), None, Some(0.5), Some(0.25)];
    batch.seal_outcomes(SealedOutcomes::Recorded(values.into()));
    batch
}

#[test]
fn without_a_choice_nothing_is_awaited() {
    for delay in [Delay::Fixed(0), Delay::Uniform { low: 1, high: 2 }] {
        let outcomes = outcomes(delay);
        assert_eq!((outcomes.pending(), outcomes.awaits()), (0, false));
        assert!(!outcomes.lacks(0) && !outcomes.lacks(1_000_000));
        assert_eq!(outcomes.are_late(), delay != Delay::Fixed(0));
    }
    assert!(outcomes(Delay::Fixed(1)).are_late());
}

#[test]
fn outcomes_without_a_delay_are_learnt_with_the_round_that_chose() {
    let (batch, mut ledger) = (recorded(), choosing(&[0, 1, 2]));
    let (mut outcomes, mut asking) = (outcomes(Delay::Fixed(0)), false);
    outcomes.open(1, &batch, &mut ledger, Come::Here, &mut asking);
    ledger.commit();
    // Two are due; the third never comes, and is no reason to wait.
    assert_eq!((outcomes.pending(), outcomes.awaits()), (3, true));
    assert!(!asking && !outcomes.lacks(1));
    assert!(ledger.delays_in(0..1).is_empty());
    let known = [Some(1.0), None, Some(0.5)];
    assert_eq!(ledger.chosen_in(0..1).1, known);
    let mut seat = Listener::default();
    outcomes.deliver(1, &batch, &mut ledger, &mut seat);
    let learnt = [(1, 0, 1.0, Some(0.5)), (1, 2, 0.5, Some(0.5))];
    assert_eq!(seat.learnt, learnt);
    assert_eq!((outcomes.pending(), outcomes.awaits()), (1, false));
}

#[test]
fn outcomes_with_a_delay_are_learnt_before_the_round_in_which_they_are_due() {
    let (batch, mut ledger) = (recorded(), choosing(&[0, 1, 3]));
    let (mut outcomes, mut asking) = (outcomes(Delay::Fixed(2)), false);
    outcomes.open(1, &batch, &mut ledger, Come::Here, &mut asking);
    ledger.commit();
    assert_eq!((outcomes.pending(), outcomes.awaits()), (3, true));
    assert_eq!(ledger.delays_in(0..1), [2, 2, 2]);
    let mut seat = Listener::default();
    for round in 1..3 {
        outcomes.deliver(round, &batch, &mut ledger, &mut seat);
        assert!(seat.learnt.is_empty() && outcomes.awaits());
    }
    outcomes.deliver(3, &batch, &mut ledger, &mut seat);
    let learnt = [(1, 0, 1.0, Some(0.5)), (1, 3, 0.25, Some(0.5))];
    assert_eq!(seat.learnt, learnt);
    assert_eq!((outcomes.pending(), outcomes.awaits()), (1, false));
}

/// The feedback task is asked for those of two rounds at once, when the first of them is due.
#[test]
fn outcomes_that_are_asked_for_later_lack_until_they_are_filled_in() {
    let (batch, mut ledger) = (recorded(), choosing(&[0, 1]));
    let (mut outcomes, mut asking) = (outcomes(Delay::Fixed(2)), false);
    outcomes.open(1, &batch, &mut ledger, Come::Later, &mut asking);
    ledger.commit();
    ledger.note_chosen(3);
    outcomes.open(2, &batch, &mut ledger, Come::Later, &mut asking);
    ledger.commit();
    assert!(outcomes.awaits());
    assert_eq!(
        [1, 2, 3].map(|round| outcomes.lacks(round)),
        [false, false, true]
    );
    assert_eq!(outcomes.open_rows().collect::<Vec<_>>(), [0, 1, 3]);
    outcomes.fill(&[Some(4.0), None, Some(6.0)], &batch, &mut ledger);
    assert_eq!(outcomes.open_rows().count(), 0);
    assert!(!outcomes.lacks(3) && outcomes.awaits());
    // The one that never comes is pending for ever.
    assert_eq!(outcomes.pending(), 3);
    assert_eq!(ledger.chosen_in(0..2).1, [Some(4.0), None, Some(6.0)]);
    let mut seat = Listener::default();
    outcomes.deliver(3, &batch, &mut ledger, &mut seat);
    assert_eq!(seat.learnt, [(1, 0, 4.0, Some(0.5))]);
    outcomes.deliver(4, &batch, &mut ledger, &mut seat);
    assert_eq!(seat.learnt[1..], [(2, 3, 6.0, None)]);
    assert_eq!((outcomes.pending(), outcomes.awaits()), (1, false));
}

/// Whatever the batch, a person waits as long.
#[test]
fn random_delays_belong_to_the_person_and_reach_both_ends_and_no_further() {
    let delays = |batch: &Batch, delay| {
        let rows: Vec<u32> = batch.roster(0).collect();
        let (mut ledger, mut asking) = (choosing(&rows), false);
        outcomes(delay).open(1, batch, &mut ledger, Come::Here, &mut asking);
        ledger.commit();
        ledger.delays_in(0..1).to_vec()
    };
    let two_or_three = Delay::Uniform { low: 2, high: 3 };
    let all = delays(&batch(&[40]), two_or_three);
    let count = |rounds| all.iter().filter(|delay| **delay == rounds).count();
    assert_eq!(count(2) + count(3), 40);
    assert!(count(2) >= 10 && count(3) >= 10);
    assert_eq!(delays(&batch_from(1, 30, &[10]), two_or_three), all[30..]);
    let four = Delay::Uniform { low: 4, high: 4 };
    assert_eq!(delays(&batch(&[3]), four), [4, 4, 4]);
}
