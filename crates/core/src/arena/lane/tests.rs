//! Lanes played by hand.

use super::super::by_hand::{batch, rules, state};
use super::super::mail::SeatReply;
use super::super::seat::FORFEITS;
use super::*;
use crate::protocol::{Outcome, Shown, View};

/// The report has the last count of a run.
#[test]
fn each_round_that_a_policy_outside_lets_pass_is_counted() {
    let batch = Arc::new(batch(&[1; 4]));
    let mut lane = Lane::new(Remote::default(), state(rules()));
    let mut ledger = Ledger::new(false);
    let moves = SeatReply::Move(Move::take(0).into());
    for reply in [
        SeatReply::Forfeit,
        moves,
        SeatReply::Forfeit,
        SeatReply::Forfeit,
    ] {
        assert_eq!(lane.play(&batch, &mut ledger), Need::Reply);
        let mailbox = lane.mailbox().expect("it sits outside");
        assert_eq!(mailbox.take_outbox().len(), 1);
        mailbox.deliver(reply);
    }
    assert_eq!(lane.play(&batch, &mut ledger), Need::Batch);
    let counted: Vec<_> = ledger.measures_in(0..4).collect();
    assert_eq!(counted, [(FORFEITS, 1.0), (FORFEITS, 2.0), (FORFEITS, 3.0)]);
    assert_eq!((ledger.forfeits(), ledger.chosen_before(4)), (3, 1));
}

/// A seat that says nothing of corrections takes none, and sits here.
#[test]
fn a_seat_takes_no_correction_unless_it_says_so() {
    struct Deaf;
    impl Seat for Deaf {
        fn act(&mut self, _: &mut View<'_>, _: &Truth<'_>) -> Act {
            Act::Forfeits
        }
        fn learn(&mut self, _: &Outcome<'_>) {}
        fn decline(&mut self, _: u64, _: Shown<'_>) {}
    }
    let batch = batch(&[1]);
    let outcome = Outcome {
        decided: 1,
        person: batch.persons().shown(0),
        value: 1.0,
        p: None,
    };
    assert!(!Deaf.corrects() && !Deaf.correct(&outcome, 0.5));
    assert!(Deaf.mailbox().is_none());
}
