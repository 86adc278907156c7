//! What panics: a policy ends its own lane, all else fails the run by its name.

use std::sync::Arc;

use async_trait::async_trait;
use kleroterion::arena::{Arena, ArenaError, Blind, Carrier, LaneSpec, Outside, OutsideMaker};
use kleroterion::arena::{Remote, SeatReply, SeatRequest};
use kleroterion::draw::{Draw, Key};
use kleroterion::feedback::Answers;
use kleroterion::policy::Policy;
use kleroterion::pool::{Mustered, Pool, PoolMaker, PoolRound};
use kleroterion::protocol::Stop;
use kleroterion::protocol::{
    Choose, Ending, InterviewKind, Move, RoundEntry, Rules, Truth, Until, View,
};
use kleroterion::score::{Moments, Readings, Scoreboard, Scorer};

use crate::doubles::{
    Asks, BATCHES, Deed, Learner, Part, PoolPanic, STAGES, Scripted, Seating, Show, Stage, Sway,
    Then, World,
};

fn rules() -> Rules {
    let mut rules = Rules::new(Choose::AtMost(2), Until::Rounds(60));
    rules.interviews.push(InterviewKind {
        name: "weak".into(),
        cost: 1.0,
        gain: 1.0.into(),
    });
    rules.interview_cap = 4;
    rules
}

fn part(label: &str, learner: Learner) -> Part {
    Part::new(label, rules(), learner.maker())
}

#[test]
fn a_policy_that_panics_ends_its_own_lane_and_its_rounds_before_count() {
    let act = |round| Learner::buying(&[0]).instead(round, Deed::Panic("scripted: act"));
    let show = Show::new(
        World::of([3; 80]),
        vec![
            part("at once", act(1)),
            part("in round 23", act(23)),
            part("in its last round", act(60)).traced(),
            part("with a pool", act(23)).with_pool(Sway::new(9)),
            part("as an oracle", act(23)).seated(Seating::Sighted),
            part("learning", Learner::buying(&[0]).overhearing(11)),
            part("sound", Learner::buying(&[0])),
        ],
    );
    let accounts = show.holds();
    let ends: Vec<(usize, Ending)> = accounts
        .iter()
        .map(|account| (account.rounds.len(), account.stop.ending))
        .collect();
    assert_eq!(
        ends[..5],
        [0, 22, 59, 22, 22].map(|rounds| (rounds, Ending::Panicked))
    );
    assert_eq!(ends[6], (60, Ending::Horizon));
    let words = |k: usize| accounts[k].stop.detail.as_deref();
    assert_eq!(words(0), Some("scripted: act"));
    assert_eq!(words(5), Some("scripted: heard too much"));
    // The round whose outcome was too much had been decided: it counts.
    let heard: usize = accounts[5]
        .rounds
        .iter()
        .map(|passed| passed.chosen.len())
        .sum();
    assert_eq!(ends[5].1, Ending::Panicked);
    assert!((11..=12).contains(&heard), "{heard}");
    assert_eq!(accounts[5].scores["pending"], heard as f64 - 11.0);
}

/// Panics without words.
#[derive(Clone)]
struct Speechless;

impl Policy for Speechless {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if view.round() == 4 {
            std::panic::panic_any(4);
        }
        Move::pass()
    }
}

#[test]
fn a_panic_without_words_is_a_panic_too() {
    let source = Scripted::new(World::of([1; 9]));
    let played = Stage::Current.play(Arena {
        key: Key::new(1, 0),
        interrupt: Arc::clone(&source.interrupt),
        source: Box::new(source),
        feedback: Answers::default(),
        carrier: Carrier::Lane,
        lanes: vec![LaneSpec {
            label: "speechless",
            rules: Arc::new(rules()),
            prototype: &Blind(Speechless),
            pool: None,
            outside: None,
            answerer: None,
            scoreboard: Scoreboard::new(vec![], Moments::End),
            traced: false,
            itemised: false,
        }],
        persons: 3,
    });
    let (_, stop) = played.unwrap().lanes.pop().unwrap();
    assert_eq!(stop, Stop::from(Ending::Panicked));
}

/// Asks that every staging of the show fails like this.
fn fails(show: &Show, task: &str, cause: &str) {
    let all: Vec<usize> = (0..show.parts.len()).collect();
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let expected = ArenaError {
            task: task.into(),
            cause: cause.into(),
        };
        let staged = show.stage(&all, persons, stage);
        assert_eq!(staged.err(), Some(expected), "batch {persons}, {stage:?}");
    }
}

fn sound_and(other: Part) -> Show {
    let sound = part("sound", Learner::buying(&[0]));
    Show::new(World::of([3; 80]), vec![sound, other])
}

#[test]
fn a_pool_that_panics_fails_the_run_by_name() {
    for panics in [
        PoolPanic::Mustering(1),
        PoolPanic::Mustering(31),
        PoolPanic::Reacting(31),
        PoolPanic::Reacting(60),
    ] {
        let pool = Sway {
            panics: Some(panics),
            ..Sway::new(9)
        };
        let show = sound_and(part("swept", Learner::default()).with_pool(pool));
        let cause = match panics {
            PoolPanic::Mustering(_) => "scripted: no muster",
            PoolPanic::Reacting(_) => "scripted: no reaction",
        };
        fails(&show, "pool of lane \"swept\"", cause);
    }
}

#[test]
fn a_scorer_that_panics_fails_the_run_by_name() {
    struct Squeamish;
    impl Scorer for Squeamish {
        fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
            assert!(entry.round() < 41, "scripted: no score");
        }
        fn read(&self, _: &mut Readings) {}
    }
    let mut scored = part("scored", Learner::default());
    scored.scorer = Some(|| Box::new(Squeamish));
    fails(
        &sound_and(scored),
        "scorer of lane \"scored\"",
        "scripted: no score",
    );
}

#[test]
fn feedback_that_panics_fails_the_run_by_name() {
    // Person 100 is shown in round 34; who is looked at but not taken, or taken but not looked at.
    let looker = part("looker", Learner::buying(&[0])).ruled(|rules| rules.choose = Choose::Any);
    for asks in [Asks::Look, Asks::Outcome] {
        let mut show = sound_and(looker.clone());
        show.answers.as_mut().unwrap().panics = Some((asks, 100));
        fails(&show, "feedback", "scripted: no answer for 100");
    }
}

#[test]
fn a_source_that_panics_fails_the_run_by_name() {
    let mut show = sound_and(part("other", Learner::default()));
    show.world.rosters.truncate(30);
    show.world.then = Then::Panics("scripted: no stream");
    fails(&show, "source", "scripted: no stream");
    show.answers = None;
    for part in &mut show.parts {
        part.rules.interviews.clear();
    }
    fails(&show, "source", "scripted: no stream");
}

#[test]
fn a_seat_that_panics_fails_the_run_by_name() {
    let panics = Learner::default().instead(17, Deed::Panic("scripted: no mail"));
    let show = sound_and(part("afield", panics).seated(Seating::Outside));
    fails(
        &show,
        "outside seat of lane \"afield\"",
        "scripted: no mail",
    );
}

/// Musters the first two of every roster, of which it believes that it has three.
struct Deluded;

impl Pool for Deluded {
    fn muster(&mut self, _: &PoolRound<'_>, _: &mut Draw) -> Mustered {
        Mustered::new(vec![0, 2], vec![], 3).unwrap()
    }

    fn react(&mut self, _: &RoundEntry<'_>) {}
}

/// Plays one lane over rosters of three and, once, of two.
fn over_a_short_roster(
    pool: Option<PoolMaker>,
    outside: Option<OutsideMaker>,
    persons: usize,
    stage: Stage,
) -> Option<ArenaError> {
    let source = Scripted::new(World::of([3, 3, 2, 3, 3]));
    let played = stage.play(Arena {
        key: Key::new(1, 0),
        interrupt: Arc::clone(&source.interrupt),
        source: Box::new(source),
        feedback: Answers::default(),
        carrier: Carrier::Lane,
        lanes: vec![LaneSpec {
            label: "lane",
            rules: Arc::new(rules()),
            prototype: &Remote::default(),
            pool,
            outside,
            answerer: None,
            scoreboard: Scoreboard::new(vec![], Moments::End),
            traced: false,
            itemised: false,
        }],
        persons,
    });
    played.err()
}

/// Takes no candidate.
struct Passes;

#[async_trait]
impl Outside for Passes {
    async fn answer(&mut self, _: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        Ok(SeatReply::Move(Move::pass().into()))
    }
}

#[test]
fn a_pool_that_musters_from_beyond_the_roster_fails_the_run_by_name() {
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let pool: PoolMaker = Arc::new(|_| Box::new(Deluded));
        let outside: OutsideMaker = Arc::new(|_| Box::new(Passes));
        let failed = over_a_short_roster(Some(pool), Some(outside), persons, stage);
        let expected = ArenaError {
            task: "pool of lane \"lane\"".into(),
            cause: "round 3: mustered position 2 of a roster of 2".into(),
        };
        assert_eq!(failed, Some(expected), "batch {persons}, {stage:?}");
    }
}

#[test]
fn a_maker_that_panics_fails_the_run_by_name() {
    for stage in STAGES {
        let pool: PoolMaker = Arc::new(|_| panic!("scripted: no pool"));
        let outside: OutsideMaker = Arc::new(|_| panic!("scripted: no seat"));
        let passes: OutsideMaker = Arc::new(|_| Box::new(Passes));
        let failed = over_a_short_roster(Some(pool), Some(passes), 7, stage).unwrap();
        assert_eq!(
            failed.to_string(),
            "the pool of lane \"lane\" task failed: scripted: no pool"
        );
        let failed = over_a_short_roster(None, Some(outside), 7, stage).unwrap();
        let words = "the outside seat of lane \"lane\" task failed: scripted: no seat";
        assert_eq!(failed.to_string(), words);
    }
}
