//! Where a policy sits: in process, blind or with the truth in hand, or outside.

use std::sync::Arc;

use crate::draw::Key;
use crate::policy::{Oracle, Policy};
use crate::protocol::{Answer, File, Move, Outcome, Shown, Stop, Truth, View};

/// What a seat does when it is its turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// It moves.
    Moves(Move),
    /// It was asked outside, and the answer is still to come.
    Asked,
    /// It was asked outside and let its time pass: the round ends with nobody chosen, whatever the rules ask for. No foul.
    Forfeits,
}

/// The one face that all policies show to a lane.
pub trait Seat: Send {
    /// What the policy does.
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Act;

    /// Tells the policy what came of a choice.
    fn learn(&mut self, outcome: &Outcome<'_>);

    /// Whether the policy can take back what it learnt, as far as is known before it plays.
    fn corrects(&self) -> bool {
        false
    }

    /// Tells the policy that what came of a choice was not `before` but this; whether that could be told.
    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        let _ = (outcome, before);
        false
    }

    /// The mailbox, where the policy sits outside.
    fn mailbox(&mut self) -> Option<&mut Remote> {
        None
    }
}

/// Seats a policy: it never meets the truth.
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

/// Seats an oracle.
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

/// A candidate as an outside policy is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedPerson {
    /// Who it is.
    pub id: String,
    /// The value of each attribute, as an index into the schema's values.
    pub values: Vec<u16>,
    /// The features.
    pub features: Vec<f64>,
    /// The score, where the setting shows one.
    pub score: Option<f64>,
    /// The looks bought so far.
    pub file: File,
}

impl AskedPerson {
    fn new(shown: Shown<'_>, file: File) -> Self {
        Self {
            id: shown.id().to_string(),
            values: shown.values().to_vec(),
            features: shown.features().to_vec(),
            score: shown.score(),
            file,
        }
    }
}

/// What a lane tells an outside policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A slate: a move is wanted.
    Slate {
        /// The round, from 1.
        round: u64,
        /// The candidates, by slot.
        candidates: Vec<AskedPerson>,
        /// The fewest and the most to choose.
        places: (u32, u32),
        /// Places left in the run.
        places_left: Option<u64>,
        /// Looks left in the round.
        looks_left: u64,
        /// Money left.
        money_left: f64,
    },
    /// The answers to an interview: another move is wanted.
    Answers {
        /// The round, from 1.
        round: u64,
        /// In the order asked.
        answers: Vec<Answer>,
        /// Looks left in the round.
        looks_left: u64,
        /// Money left.
        money_left: f64,
    },
    /// What came of a choice; wants no answer.
    Outcome {
        /// The round of the choice.
        decided: u64,
        /// The person.
        person: AskedPerson,
        /// What it turned out to be.
        value: f64,
    },
    /// What came of a choice was told before, and was something else; wants no answer.
    Correction {
        /// The round of the choice.
        decided: u64,
        /// The person.
        person: AskedPerson,
        /// What was told before.
        before: f64,
        /// What it turned out to be.
        value: f64,
    },
}

/// What an outside policy answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Replied {
    /// Its move.
    pub answer: Move,
    /// Numbers of its own, for the report.
    pub measures: Vec<(String, f64)>,
    /// Why, in named terms.
    pub reason: Vec<(String, f64)>,
}

impl From<Move> for Replied {
    fn from(answer: Move) -> Self {
        Self {
            answer,
            measures: Vec::new(),
            reason: Vec::new(),
        }
    }
}

/// What came back for the last of the mail.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The policy's answer.
    Said(Replied),
    /// None in time: the round passes with nobody chosen.
    Forfeit,
}

/// The measure that counts the rounds which a policy outside let pass. No policy may report one of that name.
pub const FORFEITS: &str = "forfeits";

/// The measure that counts corrections of outcomes which a policy could not learn. No policy may report one of that name.
pub const NOT_LEARNT: &str = "corrections_not_learnt";

/// The seat of a policy that sits outside: it only keeps the mail, the lane's task carries it.
#[derive(Clone, Debug, Default)]
pub struct Remote {
    outbox: Vec<Asked>,
    inbox: Option<Reply>,
    interviewed: bool,
    forfeits: u64,
}

impl Remote {
    /// The mail to carry, in order; the last wants an answer.
    pub fn take_outbox(&mut self) -> Vec<Asked> {
        std::mem::take(&mut self.outbox)
    }

    /// Delivers the answer.
    pub fn deliver(&mut self, reply: Reply) {
        self.inbox = Some(reply);
    }
}

impl Seat for Remote {
    fn act(&mut self, view: &mut View<'_>, _: &Truth<'_>) -> Act {
        match self.inbox.take() {
            Some(Reply::Said(said)) => {
                for (name, value) in said.measures {
                    view.measure(name, value);
                }
                view.give_reason(said.reason);
                self.interviewed = matches!(said.answer, Move::Interview(_));
                return Act::Moves(said.answer);
            }
            Some(Reply::Forfeit) => {
                self.interviewed = false;
                self.forfeits += 1;
                view.measure(FORFEITS, self.forfeits as f64);
                return Act::Forfeits;
            }
            None => {}
        }
        let (looks_left, money_left) = (view.looks_left(), view.money_left());
        self.outbox.push(if self.interviewed {
            Asked::Answers {
                round: view.round(),
                answers: view.answers().to_vec(),
                looks_left,
                money_left,
            }
        } else {
            let slate = view.slate();
            let candidates = slate.candidates().zip(0..);
            Asked::Slate {
                round: view.round(),
                candidates: candidates
                    .map(|(shown, slot)| AskedPerson::new(shown, view.file(slot)))
                    .collect(),
                places: (view.places().min, view.places().max),
                places_left: view.places_left(),
                looks_left,
                money_left,
            }
        });
        Act::Asked
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.outbox.push(Asked::Outcome {
            decided: outcome.decided(),
            person: AskedPerson::new(outcome.person(), File::default()),
            value: outcome.value(),
        });
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        self.outbox.push(Asked::Correction {
            decided: outcome.decided(),
            person: AskedPerson::new(outcome.person(), File::default()),
            before,
            value: outcome.value(),
        });
        // Whether the program can learn it is known to the other side, which counts those that it can't.
        true
    }

    fn mailbox(&mut self) -> Option<&mut Remote> {
        Some(self)
    }
}

/// An outside policy: answers mail, in a task of its own.
#[async_trait::async_trait]
pub trait Outside: Send {
    /// Reads mail; answers the last message, which wants it.
    ///
    /// # Errors
    /// How its lane ends, where it has left or can't be understood.
    async fn answer(&mut self, mail: Vec<Asked>) -> Result<Reply, Stop>;

    /// Reads the last mail, when the lane has ended.
    async fn farewell(&mut self, mail: Vec<Asked>) {
        drop(mail);
    }
}

/// Makes an outside policy for a replication.
pub type OutsideMaker = Arc<dyn Fn(Key) -> Box<dyn Outside> + Send + Sync>;

#[cfg(test)]
mod tests {
    use super::*;

    /// The round loop moves one of these at each decision.
    #[test]
    fn an_act_is_no_larger_than_a_move() {
        assert_eq!(size_of::<Act>(), size_of::<Move>());
    }
}
