//! Policies overheard as they play, and their moves repeated elsewhere.

use std::sync::Mutex;

use super::super::by_hand::{First, batch, drawn, selling, state};
use super::super::lane::Need;
use super::super::mail::SeatCandidate;
use super::super::seat::{Blind, Sighted};
use super::*;
use crate::protocol::{
    Batch, Delay, Ledger, LookStats, Move, Persons, Policy, Pull, Pulls, SealedAnswers,
    SealedOutcomes,
};

/// The turns that were heard: round, turn, reply.
type Heard = Vec<(u64, u32, SeatReply)>;

/// An ear, and what it has heard.
fn ear() -> (Ear, Arc<Mutex<Heard>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&heard);
    let ear = move |round, turn, reply| into.lock().unwrap().push((round, turn, reply));
    (Arc::new(ear), heard)
}

/// Interviews the first and, in even rounds, the second, one a turn; takes who has the best answer.
/// Reports the sum of what it has learnt.
#[derive(Clone, Default)]
struct Buyer {
    learnt: f64,
}

impl Policy for Buyer {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let looks = u32::from(view.file(0).looks > 0) + u32::from(view.file(1).looks > 0);
        view.reason(|| [("looks", f64::from(looks))]);
        if looks < 2 - (view.round() % 2) as u32 {
            return Move::Interview(Pulls::One(Pull {
                slot: looks,
                kind: 0,
            }));
        }
        view.measure("learnt", self.learnt);
        Move::take(looks - 1)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.learnt += outcome.value();
    }
}

/// Four rounds of two, whose interviews and outcomes are their numbers; outcomes come a round late.
fn world() -> (Arc<Batch>, LaneState) {
    let mut batch = batch(&[2; 4]);
    batch.seal_looks(SealedAnswers::Drawn(drawn()));
    batch.seal_outcomes(SealedOutcomes::Drawn(drawn()));
    let mut rules = selling(2, 9.0);
    rules.delay = Delay::Fixed(1);
    (Arc::new(batch), state(rules))
}

#[test]
fn each_turn_is_heard_with_its_round_its_place_and_all_notes_of_the_round() {
    let ((batch, state), (ear, heard)) = (world(), ear());
    let buyer = Blind(Buyer::default());
    let mut lane = Overhearing::new(&buyer, ear).lane(state).unwrap();
    let mut ledger = Ledger::new(false);
    assert_eq!(lane.play(&batch, &mut ledger), Need::Batch);
    let heard = heard.lock().unwrap();
    let turns: Vec<_> = heard
        .iter()
        .map(|(round, turn, _)| (*round, *turn))
        .collect();
    let known = [
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
        (2, 2),
        (3, 0),
        (3, 1),
        (4, 0),
        (4, 1),
        (4, 2),
    ];
    assert_eq!(turns, known);
    let SeatReply::Move(last) = &heard[9].2 else {
        panic!("it moves");
    };
    // It has learnt of person 0, of round 1, and 3, of round 2.
    let looks = |looks: f64| ("looks".to_owned(), looks);
    let known = SeatMove {
        answer: Move::take(1),
        measures: vec![("learnt".into(), 3.0)],
        reason: vec![looks(0.0), looks(1.0), looks(2.0)],
    };
    assert_eq!(last, &known);
}

#[test]
fn what_is_overheard_there_and_repeated_here_is_the_same_run() {
    let ((batch, state), (ear, heard)) = (world(), ear());
    let buyer = Blind(Buyer::default());
    let mut plain = Ledger::new(false);
    assert_eq!(
        buyer.lane(world().1).unwrap().play(&batch, &mut plain),
        Need::Batch
    );
    let mut there = Ledger::new(false);
    Overhearing::new(&buyer, ear)
        .lane(state)
        .unwrap()
        .play(&batch, &mut there);
    let mut lane = Elsewhere::new(false).lane(world().1).unwrap();
    let mut here = Ledger::new(false);
    for (round, _, reply) in std::mem::take(&mut *heard.lock().unwrap()) {
        assert_eq!(lane.play(&batch, &mut here), Need::Reply);
        let mailbox = lane.mailbox().expect("its replies come from outside");
        // What it saw there is not sent again.
        let mail = mailbox.take_outbox();
        assert!(
            matches!(&mail[..], [SeatRequest::Slate { round: at, candidates, .. }]
            if *at == round && candidates.is_empty())
        );
        mailbox.deliver(reply);
    }
    assert_eq!(lane.play(&batch, &mut here), Need::Batch);
    assert_eq!(here.chosen_in(0..4).0, [0, 3, 4, 7]);
    assert_eq!(format!("{here:?}"), format!("{there:?}"));
    assert_eq!(format!("{there:?}"), format!("{plain:?}"));
}

#[test]
fn who_waits_is_not_heard_and_who_lets_a_round_pass_is() {
    let ((batch, state), (ear, heard)) = (world(), ear());
    let outside = Remote::default();
    let mut lane = Overhearing::new(&outside, ear).lane(state).unwrap();
    let mut ledger = Ledger::new(false);
    for _ in 0..4 {
        assert_eq!(lane.play(&batch, &mut ledger), Need::Reply);
        let mailbox = lane.mailbox().expect("it sits outside");
        assert!(!mailbox.take_outbox().is_empty());
        mailbox.deliver(SeatReply::Forfeit);
    }
    assert_eq!(lane.play(&batch, &mut ledger), Need::Batch);
    let known: Heard = (1..5).map(|round| (round, 0, SeatReply::Forfeit)).collect();
    assert_eq!(*heard.lock().unwrap(), known);
}

/// An oracle can be overheard as well.
#[test]
fn an_oracle_is_overheard() {
    let ((batch, state), (ear, heard)) = (world(), ear());
    let oracle = Sighted(First { corrects: false });
    let mut lane = Overhearing::new(&oracle, ear).lane(state).unwrap();
    lane.play(&batch, &mut Ledger::new(false));
    let known: Heard = (1..5)
        .map(|round| (round, 0, SeatReply::Move(Move::take(0).into())))
        .collect();
    assert_eq!(*heard.lock().unwrap(), known);
}

fn overheard(seat: impl Seat + 'static) -> Overheard {
    let (ear, _) = ear();
    Overheard {
        seat: Box::new(seat),
        ear,
        turn: (0, 0),
    }
}

fn person() -> Persons {
    let mut persons = Persons::new(Arc::default(), 7);
    persons.push(0, &[], &[], None);
    persons
}

/// The outcome of choosing the first of them in round 3.
fn outcome(persons: &Persons) -> Outcome<'_> {
    Outcome {
        decided: 3,
        person: persons.shown(0),
        value: 1.0,
        p: None,
    }
}

/// The seat outside writes all that it hears into its mail.
#[test]
fn who_is_overheard_hears_what_it_would_hear_alone() {
    let person = person();
    let candidate = || SeatCandidate::new(person.shown(0), LookStats::default());
    let mut seat = overheard(Remote::default());
    seat.learn(&outcome(&person));
    seat.decline(5, person.shown(0));
    assert!(seat.correct(&outcome(&person), 0.5));
    let known = [
        SeatRequest::Outcome {
            decided: 3,
            person: candidate(),
            value: 1.0,
        },
        SeatRequest::Declined {
            round: 5,
            person: candidate(),
        },
        SeatRequest::Correction {
            decided: 3,
            person: candidate(),
            before: 0.5,
            value: 1.0,
        },
    ];
    assert_eq!(seat.mailbox().expect("it has one").take_outbox(), known);
    for corrects in [false, true] {
        let mut seat = overheard(Blind(First { corrects }));
        assert_eq!(seat.corrects(), corrects);
        assert_eq!(seat.correct(&outcome(&person), 0.5), corrects);
        assert!(seat.mailbox().is_none());
    }
}

/// It learnt there what it is to learn; here only its answer counts, whether it can correct that.
#[test]
fn who_plays_elsewhere_hears_nothing_here() {
    let person = person();
    for corrects in [false, true] {
        assert_eq!(Prototype::corrects(&Elsewhere::new(corrects)), corrects);
        let mut seat = Elsewhere::new(corrects);
        seat.learn(&outcome(&person));
        seat.decline(5, person.shown(0));
        assert_eq!(Seat::corrects(&seat), corrects);
        assert_eq!(seat.correct(&outcome(&person), 0.5), corrects);
        assert!(seat.mailbox().expect("it has one").take_outbox().is_empty());
    }
}

#[test]
fn rounds_that_were_forfeited_elsewhere_are_counted_here() {
    let (batch, state) = world();
    let mut lane = Elsewhere::new(false).lane(state).unwrap();
    let mut ledger = Ledger::new(false);
    let first: SeatReply = SeatReply::Move(Move::take(0).into());
    for reply in [SeatReply::Forfeit, first, SeatReply::Forfeit] {
        assert_eq!(lane.play(&batch, &mut ledger), Need::Reply);
        lane.mailbox().expect("it has one").deliver(reply);
    }
    assert_eq!(lane.play(&batch, &mut ledger), Need::Reply);
    let counted: Vec<_> = ledger.measures_in(0..3).collect();
    assert_eq!(counted, [(FORFEITS, 1.0), (FORFEITS, 2.0)]);
    assert_eq!((ledger.forfeits(), ledger.chosen_before(3)), (2, 1));
}
