//! Pools that react.

use std::sync::{Arc, Mutex};

use kleroterion::arena::{Arena, Blind, Carrier, LaneSpec};
use kleroterion::draw::{Draw, Key, Purpose};
use kleroterion::feedback::Answers;
use kleroterion::policy::Policy;
use kleroterion::pool::{Mustered, Pool, PoolMaker, PoolRound};
use kleroterion::protocol::{Choose, Ending, Move, RoundEntry, Rules, Until, View};
use kleroterion::score::{Moments, Scoreboard};

use crate::doubles::{
    BATCHES, Event, Learner, Part, Passed, PoolEvent, Recording, STAGES, Scripted, Show, Sway,
    World, number, reflex, taken,
};

/// Musters by a list, a round an entry; says what it has heard.
struct Listed {
    who: Vec<Vec<u32>>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Pool for Listed {
    fn muster(&mut self, round: &PoolRound<'_>, draw: &mut Draw) -> Mustered {
        let who = self.who[round.number() as usize - 1].clone();
        let ids: Vec<String> = who.iter().map(|&k| round.id(k).to_string()).collect();
        let word = draw.word();
        let line = format!(
            "muster {} of {}: {} {word:x}",
            round.number(),
            round.len(),
            ids.join(" ")
        );
        self.log.lock().unwrap().push(line);
        Mustered::new(who, vec![round.number() as f64], round.len()).unwrap()
    }

    fn react(&mut self, entry: &RoundEntry<'_>) {
        let shown: Vec<u64> = entry.slate().candidates().map(number).collect();
        let chosen: Vec<u64> = entry.chosen().map(number).collect();
        let state = entry.pool_state();
        let line = format!(
            "round {}: {shown:?} {chosen:?} p {:?} state {state:?}",
            entry.round(),
            entry.p()
        );
        self.log.lock().unwrap().push(line);
    }
}

/// Takes slots 1 and 2, in that order.
#[derive(Clone)]
struct Middle;

impl Policy for Middle {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let most = view.places().max;
        Move::take_all(
            (1..=2)
                .filter(|&slot| slot < view.slate().len())
                .take(most as usize)
                .collect(),
        )
    }
}

#[test]
fn a_slate_is_who_was_mustered_and_the_pool_hears_of_every_round_once() {
    let key = Key::new(5, 0);
    let word = |round| key.draw(Purpose::Muster, round, 0).word();
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let log = Arc::new(Mutex::new(vec![]));
        let who = vec![vec![0, 2, 3], vec![], vec![1, 3], vec![0, 1, 2, 3], vec![2]];
        let pool: PoolMaker = {
            let (log, who) = (Arc::clone(&log), who);
            Arc::new(move |_| {
                Box::new(Listed {
                    who: who.clone(),
                    log: Arc::clone(&log),
                })
            })
        };
        let mut scoreboard = Scoreboard::new(vec![], Moments::End);
        let recording = Recording::default();
        scoreboard.add_witness(Box::new(Arc::clone(&recording)));
        let source = Scripted::new(World::of([4; 5]));
        let played = stage.play(Arena {
            key,
            interrupt: Arc::clone(&source.interrupt),
            source: Box::new(source),
            feedback: Answers::default(),
            carrier: Carrier::Lane,
            lanes: vec![LaneSpec {
                label: "middle",
                rules: Arc::new(Rules::new(Choose::AtMost(2), Until::Accepted(5))),
                prototype: &Blind(Middle),
                pool: Some(pool),
                outside: None,
                answerer: None,
                scoreboard,
                traced: false,
                itemised: false,
            }],
            persons,
        });
        let (_, stop) = played.unwrap().lanes.pop().unwrap();
        // Rosters: 0-3, 4-7, 8-11, 12-15, 16-19. Five are accepted by the end of round 4.
        assert_eq!(stop, Ending::Filled.into(), "batch {persons}, {stage:?}");
        let rounds = taken(&recording);
        let passed = |round, shown: &[u64], chosen: &[u64]| Passed {
            round,
            roster: 4,
            came: shown.into(),
            shown: shown.into(),
            chosen: chosen.into(),
            state: vec![round as f64],
            ..Passed::default()
        };
        let expected = [
            passed(1, &[0, 2, 3], &[2, 3]),
            passed(2, &[], &[]),
            passed(3, &[9, 11], &[11]),
            passed(4, &[12, 13, 14, 15], &[13, 14]),
        ];
        assert_eq!(rounds, expected, "batch {persons}, {stage:?}");
        let lines = [
            format!("muster 1 of 4: 0 2 3 {:x}", word(1)),
            "round 1: [0, 2, 3] [2, 3] p None state [1.0]".into(),
            format!("muster 2 of 4:  {:x}", word(2)),
            "round 2: [] [] p None state [2.0]".into(),
            format!("muster 3 of 4: 9 11 {:x}", word(3)),
            "round 3: [9, 11] [11] p None state [3.0]".into(),
            format!("muster 4 of 4: 12 13 14 15 {:x}", word(4)),
            "round 4: [12, 13, 14, 15] [13, 14] p None state [4.0]".into(),
        ];
        assert_eq!(*log.lock().unwrap(), lines, "batch {persons}, {stage:?}");
    }
}

#[test]
fn pools_diverge_over_one_stream_of_the_same_persons() {
    let rules = Rules::new(Choose::Share(0.5), Until::Rounds(40));
    let part = |label: &str, pool: Option<Sway>| {
        let part = Part::new(label, rules.clone(), Learner::default().maker());
        Part { pool, ..part }
    };
    let show = Show::new(
        World::of([6; 60]),
        vec![
            part("swaying", Some(Sway::new(1000))),
            part(
                "swayed before",
                Some(Sway {
                    chosen: [1, 0, 0],
                    ..Sway::new(1000)
                }),
            ),
            part("fixed", None),
        ],
    );
    let accounts = show.holds();
    assert_eq!(accounts[2].scores["screened"], 240.0);
    let screened: Vec<f64> = accounts.iter().map(|a| a.scores["screened"]).collect();
    assert_eq!(screened, SCREENED);
    let shown = |k: usize| accounts[k].rounds.iter().map(|passed| &passed.shown);
    assert!(shown(0).zip(shown(1)).any(|(a, b)| a != b));
    for (some, all) in shown(0).chain(shown(1)).zip(shown(2).chain(shown(2))) {
        assert!(some.iter().all(|person| all.contains(person)));
    }
    for account in &accounts[..2] {
        assert_eq!(account.pool.len(), 80);
        for (pair, round) in account.pool.chunks(2).zip(1..) {
            let [
                PoolEvent::Mustered(mustered, n),
                PoolEvent::Reacted(heard, shown, ..),
            ] = pair
            else {
                panic!("a muster, then what came of it: {pair:?}");
            };
            assert_eq!((*mustered, *heard, *n), (round, round, shown.len()));
        }
    }
}

/// Persons shown in 40 rounds of rosters of six.
const SCREENED: [f64; 3] = [141.0, 174.0, 240.0];

#[test]
fn a_round_without_applicants_counts_and_the_policy_is_not_asked() {
    let rules = Rules::new(Choose::Exactly(1), Until::Rounds(7));
    let part = Part::new("patient", rules, reflex(|_| Move::take(0))).with_pool(Sway::new(1));
    let account = &Show::new(World::of([5; 9]), vec![part]).holds()[0];
    assert_eq!(account.stop, Ending::Horizon.into());
    assert_eq!((account.rounds.len(), account.scores["screened"]), (7, 0.0));
    assert!(
        !account
            .diary
            .iter()
            .any(|event| matches!(event, Event::Saw(_)))
    );
    let heard = PoolEvent::Reacted(7, vec![], vec![], vec![]);
    assert_eq!(account.pool.last(), Some(&heard));
}

#[test]
fn the_pool_reacts_to_the_last_round_however_the_lane_ends() {
    let part = |label: &str, learner: Learner| {
        let rules = Rules::new(Choose::AtMost(2), Until::Rounds(20));
        Part::new(label, rules, learner.maker()).with_pool(Sway::new(6))
    };
    let mut filled = part("filled", Learner::default());
    filled.rules.until = Until::Accepted(9);
    let long =
        part("source ends", Learner::default()).ruled(|rules| rules.until = Until::SourceEnds);
    let breaks = Learner::default().instead(11, Move::take(99));
    let show = Show::new(
        World::of([3; 25]),
        vec![
            filled,
            part("horizon", Learner::default()),
            long,
            part("stalls", Learner::default().instead(8, Move::Stall)),
            part("breaks a rule", breaks),
            part("hears too much", Learner::default().overhearing(6)),
        ],
    );
    let last = |k: usize| {
        let account = &show.accounts()[k];
        let heard = account.pool.iter().rev().find_map(|event| match event {
            PoolEvent::Reacted(round, ..) => Some(*round),
            PoolEvent::Mustered(..) => None,
        });
        (
            heard.unwrap(),
            account.rounds.len() as u64,
            account.stop.ending,
        )
    };
    let lasts: Vec<(u64, u64, Ending)> = (0..show.parts.len()).map(last).collect();
    show.holds();
    for (heard, rounds, _) in &lasts {
        assert_eq!(heard, rounds);
    }
    let ends: Vec<(u64, Ending)> = lasts
        .iter()
        .map(|(_, rounds, end)| (*rounds, *end))
        .collect();
    assert_eq!(ends, LASTS);
}

const LASTS: [(u64, Ending); 6] = [
    (8, Ending::Filled),
    (20, Ending::Horizon),
    (25, Ending::SourceEnded),
    (8, Ending::Stalled),
    (10, Ending::Disqualified),
    (5, Ending::Panicked),
];
