//! Policies ready to play, and how their lanes begin.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::lane::{Lane, Need, Play, last_words};
use super::seat::{Remote, Seat};
use super::state::LaneState;
use crate::protocol::{Batch, Ending, Ledger, Stop};

/// The reason why a policy can't begin a lane, as a sentence. Any error is one, and any text.
pub type CannotBegin = Box<dyn Error + Send + Sync>;

/// A policy ready to play. Every replication gets a copy of it.
pub trait Prototype: Send + Sync {
    /// Makes a lane of this policy at its start. The state says which lane of which replication it
    /// is, and has the policy's own random numbers for its set-up ([`LaneState::draw`]).
    ///
    /// # Errors
    /// Returns an error if the policy can't play. Its lane then ends in its first round as `left`,
    /// with the error as its reason, and all other lanes go on.
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin>;

    /// Returns true if the policy can take back outcomes it learnt, as far as is known before it
    /// plays.
    fn corrects(&self) -> bool {
        false
    }

    /// Returns the policy on its seat, for reporting its turns. `None` if that is not possible.
    ///
    /// # Errors
    /// Returns an error if the policy can't play, as [`Prototype::lane`] does.
    fn seat(&self, state: &LaneState) -> Result<Option<Box<dyn Seat>>, CannotBegin> {
        let _ = state;
        Ok(None)
    }
}

/// A seat that can be copied is ready to play.
impl<S: Seat + Clone + Sync + 'static> Prototype for S {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        Ok(Box::new(Lane::new(self.clone(), state)))
    }

    fn corrects(&self) -> bool {
        Seat::corrects(self)
    }

    fn seat(&self, _: &LaneState) -> Result<Option<Box<dyn Seat>>, CannotBegin> {
        Ok(Some(Box::new(self.clone())))
    }
}

/// Makes a lane of a policy. A policy that can't begin, or panics, gets a lane that ends in its
/// first round.
pub(super) fn begin(policy: &dyn Prototype, state: impl Fn() -> LaneState) -> Box<dyn Play> {
    let begun = catch_unwind(AssertUnwindSafe(|| policy.lane(state())));
    let stop = match begun {
        Ok(Ok(lane)) => return lane,
        Ok(Err(error)) => Stop::because(Ending::Left, format!("it can't begin: {error}")),
        Err(payload) => Stop {
            ending: Ending::Panicked,
            detail: last_words(&*payload),
        },
    };
    Box::new(Unbegun {
        state: state(),
        mailbox: Remote::default(),
        stop,
    })
}

/// A lane whose policy could not begin.
struct Unbegun {
    state: LaneState,
    /// The mailbox, through which a policy outside hears that its lane has ended.
    mailbox: Remote,
    stop: Stop,
}

impl Play for Unbegun {
    fn play(&mut self, _: &Arc<Batch>, _: &mut Ledger) -> Need {
        Need::End(self.stop.clone())
    }

    fn state(&mut self) -> &mut LaneState {
        &mut self.state
    }

    fn mailbox(&mut self) -> Option<&mut Remote> {
        Some(&mut self.mailbox)
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_hand::{First, batch, rules, state};
    use super::super::seat::{Blind, Sighted};
    use super::*;
    use crate::draw::{Purpose, label_key};

    /// A live run refuses corrections that a policy can't learn.
    #[test]
    fn what_is_known_of_a_policy_is_what_it_says_of_itself() {
        let of = |policy: &dyn Prototype| policy.seat(&state(rules())).ok().flatten();
        for corrects in [false, true] {
            let first = First { corrects };
            let (blind, sighted) = (Blind(first.clone()), Sighted(first));
            assert_eq!(Prototype::corrects(&blind), corrects);
            assert_eq!(Prototype::corrects(&sighted), corrects);
            let seats = [of(&blind), of(&sighted)];
            let says = seats.map(|seat| seat.expect("it can be overheard").corrects());
            assert_eq!(says, [corrects; 2]);
        }
        assert!(!Prototype::corrects(&Remote::default()));
        let seat = of(&Remote::default());
        assert!(seat.expect("it can be overheard").mailbox().is_some());
    }

    /// Begins unless it has words against it; panics where they are empty.
    struct Picky(Option<&'static str>);

    impl Prototype for Picky {
        fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
            match self.0 {
                Some("") => panic!("of the policy"),
                Some(words) => Err(words.into()),
                None => Blind(First { corrects: false }).lane(state),
            }
        }
    }

    #[test]
    fn a_policy_that_cannot_begin_has_a_lane_that_ends_in_its_first_round() {
        let batch = Arc::new(batch(&[1, 1]));
        let left = Stop::because(Ending::Left, "it can't begin: no model in `m.bin`");
        let panicked = Stop::because(Ending::Panicked, "of the policy");
        for (words, need, rounds) in [
            (None, Need::Batch, 2),
            (Some("no model in `m.bin`"), Need::End(left), 0),
            (Some(""), Need::End(panicked), 0),
        ] {
            let mut lane = begin(&Picky(words), || state(rules()));
            let mut ledger = Ledger::new(false);
            assert_eq!(lane.play_guarded(&batch, &mut ledger), need);
            assert_eq!((ledger.rounds(), lane.state().pending()), (rounds, 0));
            assert_eq!(lane.mailbox().is_some(), words.is_some());
        }
    }

    /// The words of round 0, which is never played, from which programs get their seed too.
    #[test]
    fn a_lane_knows_its_label_its_replication_and_its_own_random_numbers() {
        let key = crate::draw::Key::new(9, 4);
        let state = LaneState::new(Arc::new(rules()), key, "mine", false, false);
        assert_eq!((state.label(), state.replication()), ("mine", 4));
        let mut same = key.draw(Purpose::Policy, label_key("mine"), 0);
        assert_eq!(state.draw().word(), same.word());
    }
}
