//! Lanes stepped by hand: what follows a move, and how their steps end.

use async_trait::async_trait;

use super::super::by_hand::{First, Numbered, batch_from, key, selling};
use super::super::questions::Carrier;
use super::super::seat::Blind;
use super::*;
use crate::draw::Draw;
use crate::feedback::{Answers, Feedback};
use crate::protocol::{Delay, Person, Probe, Pull, Pulls, Rules, Until};
use crate::score::{Moments, Scoreboard};
use crate::source::{FeedError, Source};

/// Rounds of two people, three a batch, until the stream has ended.
struct Pairs(u64);

#[async_trait]
impl Source for Pairs {
    async fn next(&mut self, _: usize) -> Result<Option<Batch>, FeedError> {
        let batch = batch_from(3 * self.0 + 1, 6 * self.0, &[2; 3]);
        self.0 += 1;
        Ok((self.0 <= 3).then_some(batch))
    }
}

/// A lane in a world of nine rounds.
fn begun(rules: Rules, feedback: Arc<dyn Feedback>, carrier: Carrier) -> Stepper {
    let arena = Arena {
        key: key(),
        source: Box::new(Pairs(0)),
        feedback: Answers::drawn(feedback),
        carrier,
        lanes: vec![LaneSpec {
            label: "me",
            rules: Arc::new(rules),
            prototype: &Blind(First { corrects: false }),
            pool: None,
            outside: None,
            answerer: None,
            scoreboard: Scoreboard::new(Vec::new(), Moments::End),
            traced: false,
            itemised: false,
        }],
        persons: 1,
        interrupt: Arc::default(),
    };
    Stepper::begin(arena, 0).expect("no task fails")
}

fn late(rounds: u64) -> Rules {
    Rules {
        delay: Delay::Fixed(rounds),
        ..selling(2, 9.0)
    }
}

/// The round of the view that waits for a move, and its people.
fn waits(stepper: &mut Stepper) -> Option<(u64, Vec<u64>)> {
    match stepper.step() {
        Step::Acts(view) => {
            let people = view.slate().candidates().map(Shown::number);
            Some((view.round(), people.collect()))
        }
        Step::Ended(_) => None,
    }
}

#[test]
fn what_follows_a_move_is_answers_then_outcomes_then_the_end() {
    for carrier in [Carrier::Lane, Carrier::Task] {
        let mut stepper = begun(late(1), Arc::new(Numbered), carrier);
        assert_eq!(waits(&mut stepper), Some((1, vec![0, 1])));
        let pull = Pull { slot: 1, kind: 0 };
        let buys = Move::Interview(Pulls::One(pull));
        let follows = stepper.answer(buys).unwrap();
        assert_eq!(follows.answers, [LookAnswer { pull, value: 1.0 }]);
        assert!(follows.heard.is_empty() && follows.stop.is_none());
        // The same round waits, and the answer is on file.
        assert_eq!(waits(&mut stepper), Some((1, vec![0, 1])));
        let Step::Acts(view) = stepper.step() else {
            panic!("it waits");
        };
        assert_eq!((view.looks_left(), view.file(1).mean), (1, 1.0));
        let mut heard = Vec::new();
        for round in 1..=9 {
            assert_eq!(waits(&mut stepper).map(|(now, _)| now), Some(round));
            let follows = stepper.answer(Move::take(1)).unwrap();
            assert!(follows.answers.is_empty());
            for one in follows.heard {
                let LaneNews::Outcome(kept) = one else {
                    panic!("no one declines");
                };
                let outcome = kept.outcome();
                heard.push((round, outcome.decided(), outcome.person().number()));
            }
            let ended = follows.stop.map(|stop| stop.ending);
            assert_eq!(ended, (round == 9).then_some(Ending::SourceEnded));
        }
        // The outcome of a round is heard before the round after the next one.
        let known: Vec<_> = (1..9)
            .map(|decided| (decided + 1, decided, 2 * decided - 1))
            .collect();
        assert_eq!(heard, known);
        // Moves after the end do nothing.
        let follows = stepper.answer(Move::take(1)).unwrap();
        assert_eq!(follows.stop, Some(&Ending::SourceEnded.into()));
        let played = stepper.finish().unwrap();
        assert_eq!(played.lanes[0].1, Ending::SourceEnded.into());
    }
}

#[test]
fn a_lane_that_is_left_has_the_rounds_before_and_a_foul_ends_it() {
    let mut stepper = begun(late(0), Arc::new(Numbered), Carrier::Task);
    for _ in 0..4 {
        stepper.answer(Move::take(0)).unwrap();
    }
    let (batch, ledger) = stepper.under_way().expect("it has not ended");
    assert_eq!((batch.round_number(0), ledger.rounds()), (4, 1));
    let (scores, stop) = stepper.finish().unwrap().lanes.remove(0);
    assert_eq!(stop, Stop::because(Ending::Left, "its steps ended"));
    assert_eq!(scores.finish(stop).ending, Ending::Left);

    let mut stepper = begun(late(0), Arc::new(Numbered), Carrier::Lane);
    stepper.answer(Move::take(0)).unwrap();
    let follows = stepper.answer(Move::take(2)).unwrap();
    let stop = follows.stop.expect("there is no slot 2");
    assert_eq!(stop.ending, Ending::Disqualified);
    assert!(stop.detail.as_ref().unwrap().starts_with("round 2: "));
    assert!(stepper.under_way().is_none());
    // One that is dropped on the way stops its tasks.
    drop(begun(late(0), Arc::new(Numbered), Carrier::Task));
}

/// Answers no one.
struct Torn;

impl Feedback for Torn {
    fn answer(&self, _: Person<'_>, _: Probe, _: &mut Draw) -> f64 {
        panic!("scripted: torn")
    }
}

#[test]
fn a_task_that_fails_is_named_at_once_and_at_the_end() {
    for carrier in [Carrier::Lane, Carrier::Task] {
        let rules = Rules {
            until: Until::Rounds(2),
            ..late(0)
        };
        let mut stepper = begun(rules, Arc::new(Torn), carrier);
        let failed = ArenaError {
            task: "feedback".into(),
            cause: "scripted: torn".into(),
        };
        assert_eq!(stepper.answer(Move::take(0)).err(), Some(failed.clone()));
        assert!(matches!(stepper.step(), Step::Ended(stop) if stop.ending == Ending::SourceFailed));
        assert_eq!(stepper.finish().err(), Some(failed));
    }
}
