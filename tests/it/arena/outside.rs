//! Policies that sit outside: all they know comes by mail.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use kleroterion::arena::{
    Arena, Carrier, LaneSpec, Outside, OutsideMaker, Remote, SeatCandidate, SeatMove, SeatReply,
    SeatRequest,
};
use kleroterion::draw::Key;
use kleroterion::protocol::Stop;
use kleroterion::protocol::{
    Choose, Chosen, Delay, Ending, InterviewKind, LookAnswer, LookStats, Move, Pull, Pulls, Rules,
    Selection, Until,
};
use kleroterion::score::{Moments, OwnMeasures, Scoreboard};

use crate::doubles::{
    Answers, BATCHES, Deed, Event, GAINS, Learner, Part, People, Recording, STAGES, Scripted,
    Seating, Show, Sway, World, answered_by, look_noise, merit, outcome, taken,
};

/// What came by mail.
#[derive(Clone, Debug, PartialEq)]
enum Letter {
    Question(Vec<SeatRequest>),
    Farewell(Vec<SeatRequest>),
}

/// Answers from a list, and keeps the mail.
struct Clerk {
    replies: std::vec::IntoIter<SeatMove>,
    mail: Arc<Mutex<Vec<Letter>>>,
}

#[async_trait]
impl Outside for Clerk {
    async fn answer(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        self.mail.lock().unwrap().push(Letter::Question(mail));
        self.replies
            .next()
            .map(SeatReply::Move)
            .ok_or(Ending::Left.into())
    }

    async fn farewell(&mut self, mail: Vec<SeatRequest>) {
        self.mail.lock().unwrap().push(Letter::Farewell(mail));
    }
}

fn person(number: u64) -> SeatCandidate {
    SeatCandidate {
        id: number.to_string(),
        values: vec![People::group(number)],
        features: vec![People::x(number)],
        score: Some(People::score(number)),
        file: LookStats::default(),
    }
}

#[test]
fn the_mail_is_slates_answers_and_outcomes_in_lockstep() {
    let key = Key::new(8, 2);
    let mut rules = Rules::new(Choose::AtMost(2), Until::Accepted(3));
    rules.interviews = vec![InterviewKind {
        name: "weak".into(),
        cost: 2.0,
        gain: GAINS[1].into(),
    }];
    rules.interview_cap = 2;
    rules.run_budget = 5.0;
    rules.delay = Delay::Fixed(0);
    let rules = Arc::new(rules);
    let pull = |slot| Pull { slot, kind: 0 };
    let said = SeatMove {
        answer: Move::take_all(vec![2, 0]),
        measures: vec![("sure".into(), 0.5)],
        reason: vec![("margin".into(), 3.0)],
    };
    let replies = vec![
        Move::Interview(Pulls::Many(vec![pull(2), pull(0), pull(1)])).into(),
        said,
        Move::pass().into(),
        Move::Select(Selection::of(Chosen::One(1)).with_probability(0.25)).into(),
    ];
    let slate = |round, first: u64, left: u64, looks_left, money_left| SeatRequest::Slate {
        round,
        candidates: (first..first + 3).map(person).collect(),
        places: (0, left.min(2) as u32),
        places_left: Some(left),
        looks_left,
        money_left,
    };
    let answer = |slot, number| LookAnswer {
        pull: pull(slot),
        value: merit(number) + look_noise(key, number, 0) / 2.0,
    };
    let outcome = |decided, number| SeatRequest::Outcome {
        decided,
        person: person(number),
        value: outcome(key, number),
    };
    let question = |mail: &[SeatRequest]| Letter::Question(mail.into());
    let expected = [
        question(&[slate(1, 0, 3, 2, 5.0)]),
        question(&[SeatRequest::Answers {
            round: 1,
            answers: vec![answer(2, 2), answer(0, 0)],
            looks_left: 0,
            money_left: 1.0,
        }]),
        question(&[outcome(1, 0), outcome(1, 2), slate(2, 3, 1, 0, 1.0)]),
        question(&[slate(3, 6, 1, 0, 1.0)]),
        Letter::Farewell(vec![outcome(3, 7)]),
    ];
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let mail = Arc::default();
        let outside: OutsideMaker = {
            let (mail, replies) = (Arc::clone(&mail), replies.clone());
            Arc::new(move |key| {
                assert_eq!(key.replication(), 2);
                Box::new(Clerk {
                    replies: replies.clone().into_iter(),
                    mail: Arc::clone(&mail),
                })
            })
        };
        let mut scoreboard = Scoreboard::new(vec![Box::new(OwnMeasures::default())], Moments::End);
        let recording = Recording::default();
        scoreboard.add_witness(Box::new(Arc::clone(&recording)));
        let source = Scripted::new(World::of([3; 9]));
        let played = stage.play(Arena {
            key,
            interrupt: Arc::clone(&source.interrupt),
            source: Box::new(source),
            feedback: answered_by(Some(Answers::default())),
            carrier: Carrier::Lane,
            lanes: vec![LaneSpec {
                label: "clerk",
                rules: Arc::clone(&rules),
                prototype: &Remote::default(),
                pool: None,
                outside: Some(outside),
                answerer: None,
                scoreboard,
                traced: true,
                itemised: false,
            }],
            persons,
        });
        let (board, stop) = played.unwrap().lanes.pop().unwrap();
        assert_eq!(stop, Ending::Filled.into());
        assert_eq!(
            *mail.lock().unwrap(),
            expected,
            "batch {persons}, {stage:?}"
        );
        let result = board.finish(stop);
        assert_eq!(result.at_end("sure"), Some(0.5));
        let rounds = taken(&recording);
        assert_eq!(rounds[0].chosen, [0, 2]);
        assert_eq!((rounds[0].spent, rounds[0].looks), (4.0, 2));
        assert_eq!(rounds[0].measures, [("sure".into(), 0.5)]);
        assert_eq!(rounds[0].reasons, [("margin".into(), 3.0)]);
        assert_eq!(
            (rounds[2].chosen.as_slice(), rounds[2].p),
            (&[7][..], Some(0.25))
        );
    }
}

fn rules() -> Rules {
    let mut rules = Rules::new(Choose::AtMost(2), Until::Rounds(30));
    for (name, gain) in ["weak", "middling", "strong"].into_iter().zip(GAINS) {
        rules.interviews.push(InterviewKind {
            name: name.into(),
            cost: gain,
            gain: gain.into(),
        });
    }
    rules.budget = 8.0;
    rules.delay = Delay::Uniform { low: 0, high: 5 };
    rules
}

/// A learner that uses no luck is the same policy wherever it sits.
#[test]
fn a_policy_outside_does_as_it_would_in_process() {
    let part = |label: &str, seating| {
        // Exactly two are chosen, so the learner's coin decides nothing.
        let learner = Learner::buying(&[0, 2, 1]);
        let part = Part::new(label, rules(), learner.maker());
        part.seated(seating)
            .ruled(|rules| rules.choose = Choose::Exactly(2))
            .with_pool(Sway::new(7))
            .traced()
    };
    let show = Show::new(
        World::of([5, 3, 4].repeat(20)),
        vec![part("in", Seating::Blind), part("out", Seating::Outside)],
    );
    let accounts = show.holds();
    assert_eq!(accounts[0].rounds, accounts[1].rounds);
    assert_eq!(accounts[0].scores, accounts[1].scores);
    assert_eq!(accounts[0].pool, accounts[1].pool);
    assert!(accounts[0].scores["pulls"] > 50.0);
    let mut diary = accounts[1].diary.clone();
    assert_eq!(diary.pop(), Some(Event::Farewell));
    assert_eq!(diary, accounts[0].diary);
}

#[test]
fn one_that_leaves_ends_its_lane_and_reads_no_more() {
    let leaver = |label: &str, learner: Learner| {
        Part::new(label, rules(), learner.instead(6, Deed::Leave).maker())
            .seated(Seating::Outside)
            .traced()
    };
    let show = Show::new(
        World::of([4; 40]),
        vec![
            leaver("leaves", Learner::buying(&[1])),
            leaver("leaves a pool", Learner::default()).with_pool(Sway::new(5)),
            Part::new("stays", rules(), Learner::default().maker()),
        ],
    );
    let accounts = show.holds();
    for account in &accounts[..2] {
        assert_eq!(account.stop, Ending::Left.into());
        assert_eq!(account.rounds.len(), 5);
        let Some(Event::Saw(sight)) = account.diary.last() else {
            panic!("the last it read was the slate at which it left");
        };
        assert_eq!(sight.round, 6);
    }
    assert_eq!(accounts[2].stop, Ending::Horizon.into());
}

#[test]
fn one_that_breaks_a_rule_is_sent_farewell() {
    let foul = Learner::default().instead(4, Move::take(9));
    let part = Part::new("outside", rules(), foul.maker()).seated(Seating::Outside);
    let account = &Show::new(World::of([4; 9]), vec![part]).holds()[0];
    assert_eq!(account.stop.ending, Ending::Disqualified);
    assert_eq!(account.diary.last(), Some(&Event::Farewell));
}
