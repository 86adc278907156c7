//! How lanes end.

use std::sync::Arc;

use kleroterion::arena::{Arena, Carrier};
use kleroterion::draw::Key;
use kleroterion::feedback::Answers;
use kleroterion::protocol::Stop;
use kleroterion::protocol::{Choose, Delay, Ending, Move, Rules, Until};

use crate::doubles::{
    Account, BATCHES, Event, Learner, Part, PoolEvent, STAGES, Scripted, Seating, Show, Sway, Then,
    World, reflex,
};

fn taker(label: &str, until: Until) -> Part {
    let rules = Rules::new(Choose::AtMost(1), until);
    Part::new(label, rules, reflex(|_| Move::take(0)))
}

/// (rounds, accepted, ending) of each.
fn ends(accounts: &[Account]) -> Vec<(usize, f64, Ending)> {
    let end = |account: &Account| {
        let accepted = account.scores["accepted"];
        (account.rounds.len(), accepted, account.stop.ending)
    };
    accounts.iter().map(end).collect()
}

#[test]
fn each_lane_ends_in_its_own_time() {
    let passes = |_: &_| Move::pass();
    let never = Part::new(
        "never",
        Rules::new(Choose::AtMost(1), Until::Accepted(1)),
        reflex(passes),
    );
    let stalls = Part::new(
        "says so",
        never.rules.clone(),
        reflex(|sight| {
            if sight.round < 7 {
                Move::pass()
            } else {
                Move::Stall
            }
        }),
    );
    let show = Show::new(
        World::of([2; 50]),
        vec![
            taker("filled", Until::Accepted(9)),
            taker("horizon", Until::Rounds(31)),
            taker("source ended", Until::SourceEnds),
            taker("too long", Until::Accepted(1000)),
            never.clone().ruled(|rules| rules.max_rounds = 44),
            stalls,
            taker("whichever is first", Until::Rounds(20)).ruled(|rules| rules.max_rounds = 20),
            taker("filled at last", Until::Accepted(20)).ruled(|rules| rules.max_rounds = 20),
        ],
    );
    let accounts = show.holds();
    assert_eq!(
        ends(&accounts),
        [
            (9, 9.0, Ending::Filled),
            (31, 31.0, Ending::Horizon),
            (50, 50.0, Ending::SourceEnded),
            (50, 50.0, Ending::SourceEnded),
            (44, 0.0, Ending::Stalled),
            (7, 0.0, Ending::Stalled),
            (20, 20.0, Ending::Horizon),
            (20, 20.0, Ending::Filled),
        ]
    );
}

#[test]
fn the_last_round_takes_at_most_the_places_left() {
    let part = |label: &str, choose, take: fn(u32, u32) -> u32| {
        let rules = Rules::new(choose, Until::Accepted(10));
        let mind = reflex(move |sight| {
            let (fewest, most) = sight.places;
            Move::take_all((0..take(fewest, most)).collect())
        });
        Part::new(label, rules, mind)
    };
    let show = Show::new(
        World::of([4, 8].repeat(5)),
        vec![
            part("exactly", Choose::Exactly(3), |fewest, _| fewest),
            part("share", Choose::Share(0.5), |fewest, _| fewest),
            part("any", Choose::Any, |_, most| most),
        ],
    );
    let chosen: Vec<Vec<usize>> = show
        .holds()
        .iter()
        .map(|account| account.rounds.iter().map(|r| r.chosen.len()).collect())
        .collect();
    assert_eq!(chosen, [vec![3, 3, 3, 1], vec![2, 4, 2, 2], vec![4, 6]]);
}

#[test]
fn what_did_not_fill_a_last_slate_is_counted_where_a_lane_came_so_far() {
    let mut show = Show::new(
        World::of([3; 5]),
        vec![
            taker("short", Until::Accepted(1)),
            taker("long", Until::SourceEnds),
        ],
    );
    show.world.then = Then::Ends { left_over: 2 };
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let left_over = |order: &[usize]| show.stage(order, persons, stage).unwrap().left_over;
        let place = format!("batch {persons}, {stage:?}");
        assert_eq!(left_over(&[0, 1]), 2, "{place}");
        assert_eq!(left_over(&[1]), 2, "{place}");
        assert_eq!(left_over(&[0]), 0, "{place}");
    }
}

#[test]
fn a_source_that_fails_ends_the_lanes_that_still_play_with_its_words() {
    let mut show = Show::new(
        World::of([2; 40]),
        vec![
            taker("filled", Until::Accepted(9)),
            taker("filled just so", Until::Accepted(40)),
            taker("cut off", Until::Rounds(60)),
            taker("cut off outside", Until::SourceEnds).seated(Seating::Outside),
        ],
    );
    show.world.then = Then::Fails("the wire is cut");
    let accounts = show.holds();
    assert_eq!(
        ends(&accounts),
        [
            (9, 9.0, Ending::Filled),
            (40, 40.0, Ending::Filled),
            (40, 40.0, Ending::SourceFailed),
            (40, 40.0, Ending::SourceFailed),
        ]
    );
    let words = Stop::because(Ending::SourceFailed, "the wire is cut");
    assert_eq!(accounts[2].stop, words);
    assert_eq!(accounts[3].diary.last(), Some(&Event::Farewell));
}

#[test]
fn an_interrupt_plays_what_is_out_and_no_more() {
    let mut show = Show::new(
        World::of([2; 90]),
        vec![
            taker("filled", Until::Accepted(9)),
            taker("horizon", Until::Rounds(37)),
            taker("interrupted", Until::SourceEnds).with_pool(Sway::new(4)),
            taker("interrupted outside", Until::Rounds(38)).seated(Seating::Outside),
        ],
    );
    show.world.interrupt_after = Some(37);
    let accounts = show.holds();
    let endings: Vec<(usize, Ending)> = accounts
        .iter()
        .map(|account| (account.rounds.len(), account.stop.ending))
        .collect();
    assert_eq!(
        endings,
        [
            (9, Ending::Filled),
            (37, Ending::Horizon),
            (37, Ending::Interrupted),
            (37, Ending::Interrupted),
        ]
    );
    assert!(matches!(
        accounts[2].pool.last(),
        Some(PoolEvent::Reacted(37, ..))
    ));
}

#[test]
fn nothing_is_asked_of_the_source_beyond_the_largest_horizon() {
    let mut show = Show::new(
        World::of([1; 500]),
        vec![
            taker("short", Until::Rounds(3)),
            taker("long", Until::Rounds(8)),
            taker("cut", Until::Accepted(400)).ruled(|rules| rules.max_rounds = 5),
        ],
    );
    show.world.then = Then::Panics("scripted: asked too much");
    for stage in STAGES {
        let staged = show.stage(&[0, 1, 2], 1, stage).unwrap();
        assert_eq!(staged.emitted, 8, "{stage:?}");
    }
    show.holds();
    show.world.rosters.truncate(8);
    show.holds();
}

#[test]
fn an_empty_stream_ends_every_lane_at_once() {
    let show = Show::new(
        World::of([]),
        vec![
            taker("blind", Until::Accepted(1)),
            taker("pool", Until::SourceEnds).with_pool(Sway::new(3)),
            taker("outside", Until::Rounds(4)).seated(Seating::Outside),
            Part::new(
                "learner",
                Rules::new(Choose::Any, Until::SourceEnds),
                Learner::default().maker(),
            ),
        ],
    );
    let accounts = show.holds();
    assert_eq!(ends(&accounts), [(0, 0.0, Ending::SourceEnded); 4]);
    assert!(accounts[1].pool.is_empty());
    assert_eq!(accounts[2].diary, [Event::Farewell]);
}

#[test]
fn an_arena_without_lanes_plays_nothing() {
    for stage in STAGES {
        let mut source = Scripted::new(World::of([1; 9]));
        let emitted = Arc::clone(&source.emitted);
        let interrupt = std::mem::take(&mut source.interrupt);
        let played = stage.play(Arena {
            key: Key::new(1, 1),
            source: Box::new(source),
            feedback: Answers::default(),
            carrier: Carrier::Lane,
            lanes: vec![],
            persons: 7,
            interrupt,
        });
        assert!(played.unwrap().lanes.is_empty());
        assert_eq!(emitted.load(std::sync::atomic::Ordering::SeqCst), 0);
    }
}

#[test]
fn a_policy_that_gives_up_while_outcomes_are_asked_for_stalls() {
    let mut rules = Rules::new(Choose::Any, Until::SourceEnds);
    rules.delay = Delay::Fixed(1);
    let mind = reflex(|sight| match sight.round {
        1 => Move::take_all(vec![0]),
        _ => Move::Stall,
    });
    let show = Show::new(World::of([2; 9]), vec![Part::new("gives up", rules, mind)]);
    assert_eq!(ends(&show.holds()), [(2, 1.0, Ending::Stalled)]);
}
