//! Seats a mind in the real arena: blind, with the truth in hand, or outside.

use kleroterion::arena::{Blind, CannotBegin, Lane, LaneState, Play, Prototype, Remote, Sighted};
use kleroterion::policy::{Oracle, Policy};
use kleroterion::protocol::{Move, Outcome, Shown, Truth, View};

use super::mind::{Deed, Diary, Event, Heard, Mind, MindMaker, Seen, Sight};
use super::witness::number;

/// Where a mind sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    Blind,
    Sighted,
    Outside,
}

/// A mind that is ready to play.
pub struct Cast {
    pub seating: Seating,
    pub mind: MindMaker,
    pub diary: Diary,
}

impl Cast {
    /// The mind as a policy, for a lane that is stepped by hand.
    pub fn policy(&self) -> impl Policy {
        Seated {
            mind: (self.mind)(),
            diary: self.diary.clone(),
        }
    }
}

impl Prototype for Cast {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        let seated = || Seated {
            mind: (self.mind)(),
            diary: self.diary.clone(),
        };
        match self.seating {
            Seating::Blind => Ok(Box::new(Lane::new(Blind(seated()), state))),
            Seating::Sighted => Ok(Box::new(Lane::new(Sighted(seated()), state))),
            Seating::Outside => Remote::default().lane(state),
        }
    }
}

/// A mind in process.
struct Seated {
    mind: Box<dyn Mind>,
    diary: Diary,
}

impl Seated {
    fn think(&mut self, view: &mut View<'_>, truth: Option<&Truth<'_>>) -> Move {
        let slots = 0..view.slate().len();
        let seen = slots.map(|slot| {
            let shown = view.candidate(slot);
            Seen {
                number: number(shown),
                group: shown.values()[0],
                x: shown.features()[0],
                score: shown.score().unwrap(),
                file: view.file(slot),
                merit: truth.map(|truth| truth.merit(slot).unwrap()),
            }
        });
        let sight = Sight {
            round: view.round(),
            seen: seen.collect(),
            places: (view.places().min, view.places().max),
            places_left: view.places_left(),
            looks_left: view.looks_left(),
            money_left: view.money_left(),
            answers: view.answers().to_vec(),
        };
        self.diary.write(Event::Saw(sight.clone()));
        let mut luck = || view.draw().word();
        let thought = self.mind.act(&sight, Some(&mut luck));
        for (name, value) in thought.measures {
            view.measure(name, value);
        }
        for (name, value) in thought.reasons {
            view.reason(|| [(name, value)]);
        }
        match thought.deed {
            Deed::Move(answer) => answer,
            Deed::Panic(words) => panic!("{words}"),
            Deed::Leave => panic!("only a policy outside can leave"),
        }
    }

    fn hear(&mut self, outcome: &Outcome<'_>) {
        let person = outcome.person();
        let heard = Heard {
            decided: outcome.decided(),
            number: number(person),
            group: person.values()[0],
            x: person.features()[0],
            score: person.score().unwrap(),
            value: outcome.value(),
            p: outcome.p(),
        };
        self.diary.write(Event::Heard(heard.clone()));
        if let Some(words) = self.mind.learn(&heard) {
            panic!("{words}");
        }
    }
}

impl Seated {
    fn lose(&mut self, round: u64, person: Shown<'_>) {
        let number = number(person);
        self.diary.write(Event::Declined(round, number));
        self.mind.decline(round, number);
    }
}

impl Policy for Seated {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        self.think(view, None)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.hear(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.lose(round, person);
    }
}

impl Oracle for Seated {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move {
        self.think(view, Some(truth))
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.hear(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.lose(round, person);
    }
}
