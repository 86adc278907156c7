//! Batches, rules and policies made by hand, for the tests of this room.

use std::sync::Arc;

use super::seat::{Act, Seat};
use super::state::LaneState;
use crate::draw::{Draw, Key, Purpose};
use crate::protocol::{
    Attribute, Batch, Choose, Drawn, Feedback, Gain, InterviewKind, Move, Oracle, Outcome, Person,
    Policy, Probe, Rules, Schema, Shown, Truth, Until, View,
};

pub(super) fn key() -> Key {
    Key::new(7, 0)
}

/// Rounds of these numbers of people, from round 1 and person 0 on. Person n lives in district n
/// mod 3.
pub(super) fn batch(rosters: &[u32]) -> Batch {
    batch_from(1, 0, rosters)
}

/// Makes a batch that starts at another round and person.
pub(super) fn batch_from(first_round: u64, first_person: u64, rosters: &[u32]) -> Batch {
    let district = Attribute {
        name: "district".into(),
        values: ["a", "b", "c"].map(str::to_owned).into(),
    };
    let schema = Schema::new(vec![district], vec![], false).unwrap();
    let mut batch = Batch::new(Arc::new(schema), first_round, first_person);
    let mut number = first_person;
    for roster in rosters {
        for _ in 0..*roster {
            let value = (number % 3) as u16;
            batch
                .persons_mut()
                .push(u32::from(value), &[value], &[], None);
            number += 1;
        }
        batch.close_round();
    }
    batch
}

/// Answers everything with the person's number.
pub(super) struct Numbered;

impl Feedback for Numbered {
    fn answer(&self, person: Person<'_>, _: Probe, _: &mut Draw) -> f64 {
        person.number() as f64
    }
}

pub(super) fn drawn() -> Drawn {
    Drawn {
        feedback: Arc::new(Numbered),
        key: key(),
    }
}

/// Rules of a run as long as the stream; each round chooses at most one.
pub(super) fn rules() -> Rules {
    Rules::new(Choose::AtMost(1), Until::SourceEnds)
}

/// Makes rules with interviews for sale that cost 1.
pub(super) fn selling(cap: u64, budget: f64) -> Rules {
    let kind = InterviewKind {
        name: "call".into(),
        cost: 1.0,
        gain: Gain::Same(1.0),
    };
    Rules {
        interviews: vec![kind],
        interview_cap: cap,
        budget,
        ..rules()
    }
}

/// The state of a lane at its start, without a pool and with reasons.
pub(super) fn state(rules: Rules) -> LaneState {
    LaneState::new(Arc::new(rules), key(), "me", false, true)
}

pub(super) fn draw() -> Draw {
    key().draw(Purpose::Policy, 0, 0)
}

/// A policy that takes the first candidate. It may or may not be able to take back what it learnt.
#[derive(Clone)]
pub(super) struct First {
    pub(super) corrects: bool,
}

impl Policy for First {
    fn act(&mut self, _: &mut View<'_>) -> Move {
        Move::take(0)
    }

    fn corrects(&self) -> bool {
        self.corrects
    }
}

impl Oracle for First {
    fn act(&mut self, _: &mut View<'_>, _: &Truth<'_>) -> Move {
        Move::take(0)
    }

    fn corrects(&self) -> bool {
        self.corrects
    }
}

/// A seat that writes down what it hears, and lets each round pass.
#[derive(Default)]
pub(super) struct Listener {
    pub(super) corrects: bool,
    /// The round of the choice, the person, the outcome, the propensity.
    pub(super) learnt: Vec<(u64, u64, f64, Option<f64>)>,
    /// The corrections heard, each with the outcome before.
    pub(super) corrected: Vec<(u64, u64, f64, Option<f64>, f64)>,
}

impl Seat for Listener {
    fn act(&mut self, _: &mut View<'_>, _: &Truth<'_>) -> Act {
        Act::Forfeits
    }

    fn learn(&mut self, of: &Outcome<'_>) {
        let number = of.person().number();
        self.learnt.push((of.decided(), number, of.value(), of.p()));
    }

    fn decline(&mut self, _: u64, _: Shown<'_>) {}

    fn corrects(&self) -> bool {
        self.corrects
    }

    fn correct(&mut self, of: &Outcome<'_>, before: f64) -> bool {
        let number = of.person().number();
        let all = (of.decided(), number, of.value(), of.p(), before);
        self.corrected.push(all);
        self.corrects
    }
}
