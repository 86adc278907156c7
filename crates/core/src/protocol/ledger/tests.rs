//! Ledgers written by hand, read back.

use std::sync::Arc;

use super::super::schema::Schema;
use super::*;

/// Rounds of 2, 1 and 3 people.
fn batch() -> Batch {
    let mut batch = Batch::new(Arc::new(Schema::default()), 5, 0);
    for roster in [2, 1, 3] {
        (0..roster).for_each(|_| batch.persons_mut().push(0, &[], &[], None));
        batch.close_round();
    }
    batch
}

/// A round with all that may be noted of it.
fn play(ledger: &mut Ledger, rows: &[u32], spent: (f64, u64)) {
    for row in rows {
        ledger.note_chosen(*row);
        ledger.note_outcome(Some(f64::from(*row)));
        ledger.note_delay(u64::from(*row));
    }
    ledger.note_spent(spent.0, spent.1, 0);
    ledger.note_p(0.5);
    ledger.note_declared([0.25, 0.75].into());
    ledger.note_measure("m".into(), spent.0);
    ledger.note_reason("r".into(), spent.0 + 1.0);
}

fn three_rounds() -> Ledger {
    let mut ledger = Ledger::new(false);
    let rounds: [(&[u32], (f64, u64)); 3] =
        [(&[0, 1], (1.5, 1)), (&[], (0.0, 0)), (&[4], (2.0, 3))];
    for (rows, spent) in rounds {
        play(&mut ledger, rows, spent);
        ledger.commit();
    }
    ledger
}

#[test]
fn stretches_of_rounds_are_read_back() {
    let (batch, ledger) = (batch(), three_rounds());
    assert_eq!((batch.round_number(2), batch.rounds()), (7, 3));
    assert_eq!(ledger.rounds(), 3);
    for (rounds, shown) in [(0..0, 0), (0..1, 2), (1..3, 4), (2..3, 3), (0..3, 6)] {
        assert_eq!(ledger.applied_in(&batch, rounds), shown);
    }
    assert!(ledger.whole_rosters());
    assert_eq!(
        ledger.chosen_in(0..3),
        (&[0, 1, 4][..], &[Some(0.0), Some(1.0), Some(4.0)][..])
    );
    assert_eq!(
        (ledger.chosen_before(2), ledger.delays_in(2..3)),
        (2, &[4][..])
    );
    assert_eq!(ledger.round_reaching(2), Some(0));
    assert_eq!(ledger.round_reaching(3), Some(2));
    assert_eq!(ledger.round_reaching(4), None);
    let spent: Vec<(f64, u64)> = ledger.spending_in(0..3).collect();
    assert_eq!(spent, [(1.5, 1), (0.0, 0), (2.0, 3)]);
    assert_eq!(ledger.spending_at(2), (2.0, 3));
    assert_eq!(Ledger::new(false).spending_at(0), (0.0, 0));
    assert_eq!(
        ledger.measures_in(1..3).collect::<Vec<_>>(),
        [("m", 0.0), ("m", 2.0)]
    );
    assert_eq!(ledger.reasons_at(2).collect::<Vec<_>>(), [("r", 3.0)]);
    assert_eq!((ledger.p_at(1), ledger.p_at(3)), (Some(0.5), None));
    assert_eq!(ledger.declared_at(2), Some(&[0.25, 0.75][..]));
}

#[test]
fn what_was_not_committed_is_forgotten() {
    let mut ledger = three_rounds();
    play(&mut ledger, &[5], (9.0, 9));
    assert_eq!(
        (ledger.choosing(), ledger.choosing_p()),
        (&[5][..], Some(0.5))
    );
    ledger.roll_back();
    assert_eq!((ledger.rounds(), ledger.outcomes()), (3, 3));
    assert!(ledger.choosing().is_empty() && ledger.choosing_p().is_none());
    play(&mut ledger, &[3], (4.0, 2));
    ledger.commit();
    assert_eq!(ledger.chosen_in(3..4), (&[3][..], &[Some(3.0)][..]));
    assert_eq!(
        (ledger.delays_in(3..4), ledger.spending_at(3)),
        (&[3][..], (4.0, 2))
    );
    assert_eq!(ledger.measures_in(3..4).collect::<Vec<_>>(), [("m", 4.0)]);
    assert_eq!(ledger.reasons_at(3).collect::<Vec<_>>(), [("r", 5.0)]);
}

#[test]
fn the_last_round_is_a_ledger_of_its_own() {
    let mut ledger = three_rounds();
    let last = ledger.last();
    assert_eq!(
        (last.rounds(), last.chosen_in(0..1)),
        (1, (&[4][..], &[Some(4.0)][..]))
    );
    assert_eq!(
        (last.delays_in(0..1), last.spending_at(0)),
        (&[4][..], (2.0, 3))
    );
    assert_eq!(last.p_at(0), Some(0.5));
    assert_eq!(last.declared_at(0), Some(&[0.25, 0.75][..]));
    // A round that is let pass, and one in which the policy chose before.
    ledger.note_forfeit();
    ledger.commit();
    ledger.note_chosen(2);
    ledger.note_forfeit();
    ledger.commit();
    assert_eq!(
        (
            ledger.forfeits(),
            ledger.is_forfeit(3),
            ledger.is_forfeit(4)
        ),
        (1, true, false)
    );
}

#[test]
fn a_policy_that_acts_again_multiplies_its_propensities() {
    let mut ledger = Ledger::new(false);
    ledger.commit();
    ledger.note_p(0.5);
    ledger.note_p(0.25);
    ledger.note_declared([1.0].into());
    ledger.note_declared([0.5].into());
    ledger.commit();
    assert_eq!((ledger.p_at(0), ledger.p_at(1)), (None, Some(0.125)));
    assert_eq!(
        (ledger.declared_at(0), ledger.declared_at(1)),
        (None, Some(&[1.0][..]))
    );
}

#[test]
fn who_declines_leaves_the_choice_in_slot_order() {
    let mut ledger = Ledger::new(false);
    [7, 3, 9, 5]
        .into_iter()
        .for_each(|row| ledger.note_chosen(row));
    ledger.note_replies(1, |place, row| (place, row) != (1, 9));
    assert_eq!(ledger.choosing(), [7, 3, 5]);
    assert_eq!(ledger.declining_last(1), [9]);
    ledger.close_offers(Some(|row: u32| row));
    ledger.commit();
    assert_eq!(ledger.chosen_in(0..1).0, [3, 5, 7]);
    assert_eq!(ledger.declined_in(0..1), [9]);
    assert_eq!(ledger.last().declined_in(0..1), [9]);
}

/// An undone round is gone, and rounds committed before stay.
#[test]
fn undoing_a_round_leaves_those_before_it() {
    let mut ledger = three_rounds();
    ledger.note_forfeit();
    ledger.commit();
    play(&mut ledger, &[5], (9.0, 9));
    ledger.roll_back();
    ledger.note_forfeit();
    ledger.roll_back();
    assert_eq!((ledger.forfeits(), ledger.is_forfeit(3)), (1, true));
    assert_eq!(ledger.declared_at(2), Some(&[0.25, 0.75][..]));
    assert_eq!(ledger.declared_at(4), None);
    let measures: Vec<_> = ledger.measures_in(0..5).collect();
    assert_eq!(measures, [("m", 1.5), ("m", 0.0), ("m", 2.0)]);
    let reasons = |round| ledger.reasons_at(round).collect::<Vec<_>>();
    assert_eq!((reasons(1), reasons(4)), (vec![("r", 1.0)], vec![]));
}

#[test]
fn who_applied_and_what_the_pool_said_are_read_back_and_undone() {
    let batch = batch();
    let mut ledger = Ledger::new(true);
    assert!(!ledger.whole_rosters());
    for (applied, state) in [(&[1][..], &[0.5, 0.25][..]), (&[], &[]), (&[0, 2], &[0.75])] {
        ledger.note_muster(applied, state);
        ledger.commit();
    }
    ledger.note_muster(&[0], &[9.0]);
    ledger.roll_back();
    assert_eq!(ledger.applied_at(0), Some(&[1][..]));
    assert_eq!(ledger.applied_at(2), Some(&[0, 2][..]));
    assert_eq!(ledger.state_at(0), [0.5, 0.25]);
    assert_eq!(
        (ledger.state_at(1), ledger.state_at(2)),
        (&[][..], &[0.75][..])
    );
    for (rounds, shown) in [(0..1, 1), (1..2, 0), (0..3, 3), (2..3, 2)] {
        assert_eq!(ledger.applied_in(&batch, rounds), shown);
    }
}

/// A round in which offers were made was answered, even if no one took a place.
#[test]
fn a_round_in_which_all_declined_is_not_let_pass() {
    let mut ledger = Ledger::new(false);
    ledger.note_chosen(3);
    ledger.note_replies(0, |_, _| false);
    ledger.note_forfeit();
    assert_eq!((ledger.choosing().len(), ledger.forfeits()), (0, 0));
    ledger.close_offers(None::<fn(u32) -> u32>);
    ledger.commit();
    ledger.note_chosen(4);
    ledger.note_outcome(None);
    ledger.fill_outcome(0, Some(0.5));
    ledger.close_offers(None::<fn(u32) -> u32>);
    ledger.commit();
    assert_eq!(ledger.chosen_in(1..2), (&[4][..], &[Some(0.5)][..]));
    assert_eq!(ledger.declined_in(0..2), [3]);
}
