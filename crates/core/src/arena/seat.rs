//! The seats of policies: in process, blind or with the truth, or outside.

use super::mail::{SeatCandidate, SeatReply, SeatRequest};
use crate::protocol::{LookReason, LookStats, Move, Oracle, Outcome, Policy, Shown, Truth, View};

/// The act of a seat in its turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// The policy moves.
    Moves(Move),
    /// The policy sent a request, and the reply is still to come.
    Waits,
    /// The policy was asked outside and let its time pass. The round ends without a choice,
    /// whatever the rules require; that is no foul.
    Forfeits,
}

/// The interface that every policy shows to a lane.
pub trait Seat: Send {
    /// Returns the policy's next act for this view.
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Act;

    /// Lets the policy learn the outcome of a choice.
    fn learn(&mut self, outcome: &Outcome<'_>);

    /// Lets the policy learn that a person it chose has declined.
    fn decline(&mut self, round: u64, person: Shown<'_>);

    /// Returns true if the policy can take back outcomes it learnt, as far as is known before it
    /// plays.
    fn corrects(&self) -> bool {
        false
    }

    /// Lets the policy learn that an outcome was this one and not `before`. Returns true if it
    /// could.
    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        let _ = (outcome, before);
        false
    }

    /// The mailbox, if the policy is outside.
    fn mailbox(&mut self) -> Option<&mut Remote> {
        None
    }
}

/// The seat of a policy, which never sees the truth.
#[derive(Clone, Debug)]
pub struct Blind<P>(pub P);

impl<P: Policy> Seat for Blind<P> {
    #[inline]
    fn act(&mut self, view: &mut View<'_>, _: &Truth<'_>) -> Act {
        Act::Moves(self.0.act(view))
    }

    #[inline]
    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.0.learn(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.0.decline(round, person);
    }

    fn corrects(&self) -> bool {
        self.0.corrects()
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        let corrects = self.0.corrects();
        if corrects {
            self.0.correct(outcome, before);
        }
        corrects
    }
}

/// The seat of an oracle, which sees the truth.
#[derive(Clone, Debug)]
pub struct Sighted<O>(pub O);

impl<O: Oracle> Seat for Sighted<O> {
    #[inline]
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Act {
        Act::Moves(self.0.act(view, truth))
    }

    #[inline]
    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.0.learn(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.0.decline(round, person);
    }

    fn corrects(&self) -> bool {
        self.0.corrects()
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        let corrects = self.0.corrects();
        if corrects {
            self.0.correct(outcome, before);
        }
        corrects
    }
}

/// The name of the measure that counts the rounds forfeited by a policy outside. No policy may
/// report a measure of this name.
pub const FORFEITS: &str = "forfeits";

/// The name of the measure that counts corrections of outcomes that a policy could not learn. No
/// policy may report a measure of this name.
pub const NOT_LEARNT: &str = "corrections_not_learnt";

/// The name of the measure that counts interviews that were never answered. People outside were not
/// asked, or did not answer in time. No policy may report a measure of this name.
pub const LOOKS_UNANSWERED: &str = "looks_unanswered";

/// The seat of a policy outside. It keeps the mail, and the lane's task carries it.
#[derive(Clone, Debug, Default)]
pub struct Remote {
    outbox: Vec<SeatRequest>,
    inbox: Option<SeatReply>,
    interviewed: bool,
    forfeits: u64,
}

impl Remote {
    /// Takes the mail to carry, in order. The last message wants an answer.
    pub fn take_outbox(&mut self) -> Vec<SeatRequest> {
        std::mem::take(&mut self.outbox)
    }

    /// Adds a message to the mail.
    pub(super) fn put(&mut self, request: SeatRequest) {
        self.outbox.push(request);
    }

    /// The answer that was delivered.
    pub(super) fn take_inbox(&mut self) -> Option<SeatReply> {
        self.inbox.take()
    }

    /// Delivers the reply.
    pub fn deliver(&mut self, reply: SeatReply) {
        self.inbox = Some(reply);
    }
}

impl Seat for Remote {
    fn act(&mut self, view: &mut View<'_>, _: &Truth<'_>) -> Act {
        match self.inbox.take() {
            Some(SeatReply::Move(said)) => {
                for (name, value) in said.measures {
                    view.measure(name, value);
                }
                self.interviewed = matches!(said.answer, Move::Interview(_));
                if self.interviewed && !said.reason.is_empty() {
                    view.why_look(|| LookReason::of(said.reason.iter().cloned()));
                }
                view.reason(|| said.reason);
                return Act::Moves(said.answer);
            }
            Some(SeatReply::Forfeit) => {
                self.interviewed = false;
                self.forfeits += 1;
                view.measure(FORFEITS, self.forfeits as f64);
                return Act::Forfeits;
            }
            None => {}
        }
        let (looks_left, money_left) = (view.looks_left(), view.money_left());
        self.outbox.push(if self.interviewed {
            SeatRequest::Answers {
                round: view.round(),
                answers: view.answers().to_vec(),
                looks_left,
                money_left,
            }
        } else {
            let slate = view.slate();
            let candidates = slate.candidates().zip(0..);
            SeatRequest::Slate {
                round: view.round(),
                candidates: candidates
                    .map(|(shown, slot)| SeatCandidate::new(shown, view.file(slot)))
                    .collect(),
                places: (view.places().min, view.places().max),
                places_left: view.places_left(),
                looks_left,
                money_left,
            }
        });
        Act::Waits
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.outbox.push(SeatRequest::Outcome {
            decided: outcome.decided(),
            person: SeatCandidate::new(outcome.person(), LookStats::default()),
            value: outcome.value(),
        });
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.outbox.push(SeatRequest::Declined {
            round,
            person: SeatCandidate::new(person, LookStats::default()),
        });
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        self.outbox.push(SeatRequest::Correction {
            decided: outcome.decided(),
            person: SeatCandidate::new(outcome.person(), LookStats::default()),
            before,
            value: outcome.value(),
        });
        // Whether the program can learn it is known to the other side, which counts those that it
        // can't.
        true
    }

    fn mailbox(&mut self) -> Option<&mut Remote> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::protocol::{Persons, Schema};

    /// The round loop moves one of these at each decision.
    #[test]
    fn an_act_is_no_larger_than_a_move() {
        assert_eq!(size_of::<Act>(), size_of::<Move>());
    }

    /// Notes what it is handed; takes back outcomes where it says so.
    #[derive(Default)]
    struct Noting {
        corrects: bool,
        learnt: Vec<f64>,
        declined: Vec<u64>,
        corrected: Vec<(f64, f64)>,
    }

    impl Oracle for Noting {
        fn act(&mut self, _: &mut View<'_>, _: &Truth<'_>) -> Move {
            unreachable!("it is asked for no choice")
        }
        fn learn(&mut self, outcome: &Outcome<'_>) {
            self.learnt.push(outcome.value);
        }
        fn decline(&mut self, round: u64, _: Shown<'_>) {
            self.declined.push(round);
        }
        fn corrects(&self) -> bool {
            self.corrects
        }
        fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
            self.corrected.push((outcome.value, before));
        }
    }

    #[test]
    fn an_oracle_hears_outcomes_who_declines_and_corrections_where_it_takes_them() {
        let mut persons = Persons::new(Arc::new(Schema::default()), 0);
        persons.push(0, &[], &[], None);
        let outcome = Outcome {
            decided: 3,
            person: persons.shown(0),
            value: 1.0,
            p: None,
        };
        let mut seat = Sighted(Noting::default());
        seat.decline(5, persons.shown(0));
        seat.learn(&outcome);
        assert!(!Seat::corrects(&seat) && !Seat::correct(&mut seat, &outcome, 0.5));
        seat.0.corrects = true;
        assert!(Seat::corrects(&seat) && Seat::correct(&mut seat, &outcome, 0.5));
        assert_eq!((seat.0.learnt, seat.0.declined), (vec![1.0], vec![5]));
        assert_eq!(seat.0.corrected, [(1.0, 0.5)]);
    }

    impl Policy for Noting {
        fn act(&mut self, _: &mut View<'_>) -> Move {
            unreachable!("it is asked for no choice")
        }
        fn learn(&mut self, outcome: &Outcome<'_>) {
            self.learnt.push(outcome.value);
        }
        fn decline(&mut self, round: u64, _: Shown<'_>) {
            self.declined.push(round);
        }
        fn corrects(&self) -> bool {
            self.corrects
        }
        fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
            self.corrected.push((outcome.value, before));
        }
    }

    /// A policy that takes nothing back is handed no correction, and the lane hears that.
    #[test]
    fn a_policy_hears_outcomes_who_declines_and_the_corrections_that_it_takes() {
        let mut persons = Persons::new(Arc::new(Schema::default()), 0);
        persons.push(0, &[], &[], None);
        let outcome = Outcome {
            decided: 3,
            person: persons.shown(0),
            value: 1.0,
            p: None,
        };
        let mut seat = Blind(Noting::default());
        Seat::learn(&mut seat, &outcome);
        Seat::decline(&mut seat, 5, persons.shown(0));
        assert!(seat.mailbox().is_none());
        assert!(!Seat::corrects(&seat) && !Seat::correct(&mut seat, &outcome, 0.5));
        seat.0.corrects = true;
        assert!(Seat::corrects(&seat) && Seat::correct(&mut seat, &outcome, 0.5));
        assert_eq!((seat.0.learnt, seat.0.declined), (vec![1.0], vec![5]));
        assert_eq!(seat.0.corrected, [(1.0, 0.5)]);
    }

    /// Messages for a policy outside wait in its mailbox, in order, until they are carried.
    #[test]
    fn a_policy_outside_has_what_it_hears_as_mail() {
        let mut persons = Persons::new(Arc::new(Schema::default()), 0);
        persons.push(7, &[], &[], None);
        let outcome = Outcome {
            decided: 3,
            person: persons.shown(0),
            value: 1.0,
            p: None,
        };
        let person = || SeatCandidate::new(persons.shown(0), LookStats::default());
        let mut seat = Remote::default();
        assert!(!Seat::corrects(&seat));
        seat.learn(&outcome);
        seat.decline(5, persons.shown(0));
        assert!(seat.correct(&outcome, 0.5));
        let mail = seat.mailbox().expect("it has one").take_outbox();
        let known = [
            SeatRequest::Outcome {
                decided: 3,
                person: person(),
                value: 1.0,
            },
            SeatRequest::Declined {
                round: 5,
                person: person(),
            },
            SeatRequest::Correction {
                decided: 3,
                person: person(),
                before: 0.5,
                value: 1.0,
            },
        ];
        assert_eq!(mail, known);
        assert!(seat.take_outbox().is_empty());
        seat.deliver(SeatReply::Forfeit);
        assert_eq!(seat.take_inbox(), Some(SeatReply::Forfeit));
        assert_eq!(seat.take_inbox(), None);
    }
}
