//! Everything at once: a reacting pool, interviews, late outcomes, an oracle, policies outside, one
//! that panics, one that breaks a rule, one that leaves, and lanes that end at very different
//! rounds.

use kleroterion::protocol::Stop;
use kleroterion::protocol::{Choose, Delay, Ending, InterviewKind, Move, Rules, Until};

use crate::doubles::{Deed, GAINS, Learner, Part, Seating, Show, Sway, Temper, Whim, World};

fn rules(choose: Choose, until: Until) -> Rules {
    let mut rules = Rules::new(choose, until);
    for (name, gain) in ["weak", "middling", "strong"].into_iter().zip(GAINS) {
        rules.interviews.push(InterviewKind {
            name: name.into(),
            cost: (1.0 + gain) / 2.0,
            gain: gain.into(),
        });
    }
    rules.interview_cap = 6;
    rules.budget = 9.0;
    rules.run_budget = 600.0;
    rules.delay = Delay::Uniform { low: 0, high: 12 };
    rules
}

fn mixture() -> Show {
    let at_most_2 = || rules(Choose::AtMost(2), Until::Rounds(180));
    let buying = || Learner::buying(&[0, 2, 1]);
    let pool = || Sway::new(11);
    let whim = Whim::maker(77, Temper::default(), 3);
    Show::new(
        World::of([5, 1, 8, 3, 0, 13].repeat(40)),
        vec![
            Part::new("learner", at_most_2(), buying().maker())
                .with_pool(pool())
                .traced(),
            Part::new(
                "share",
                rules(Choose::Share(0.3), Until::SourceEnds),
                buying().maker(),
            )
            .with_pool(pool()),
            Part::new("oracle", at_most_2(), Learner::default().maker())
                .seated(Seating::Sighted)
                .with_pool(pool()),
            Part::new("outside", at_most_2(), buying().maker())
                .seated(Seating::Outside)
                .with_pool(pool())
                .traced(),
            Part::new("whim", rules(Choose::Any, Until::Accepted(300)), whim).traced(),
            Part::new(
                "first",
                rules(Choose::Exactly(1), Until::Accepted(1)),
                buying().maker(),
            ),
            Part::new(
                "panics",
                at_most_2(),
                buying().instead(97, Deed::Panic("scripted: 97")).maker(),
            )
            .with_pool(pool()),
            Part::new("overhears", at_most_2(), buying().overhearing(50).maker()),
            Part::new(
                "breaks a rule",
                at_most_2(),
                buying().instead(133, Move::take(13)).maker(),
            )
            .with_pool(pool()),
            Part::new(
                "leaves",
                at_most_2(),
                buying().instead(40, Deed::Leave).maker(),
            )
            .seated(Seating::Outside),
            Part::new(
                "stalls",
                at_most_2(),
                buying().instead(9, Move::Stall).maker(),
            ),
        ],
    )
}

#[test]
fn so_does_each_lane_where_persons_live_together() {
    let mut show = mixture();
    show.world.households = Some(150);
    let accounts = show.holds();
    let alone = mixture().accounts();
    assert!(
        accounts
            .iter()
            .zip(&alone)
            .any(|(with, without)| with != without)
    );
}

/// Label, rounds, and the scores: screened, accepted, cost, pulls, outcome sum, pending.
type Line = (&'static str, usize, [f64; 6], Stop);

#[test]
fn each_lane_of_the_mixture_does_what_it_does_alone() {
    let show = mixture();
    let accounts = show.holds();
    let lines: Vec<Line> = lines();
    for ((account, part), line) in accounts.iter().zip(&show.parts).zip(&lines) {
        let names = [
            "screened",
            "accepted",
            "cost",
            "pulls",
            "outcome_sum",
            "pending",
        ];
        let scores = names.map(|name| account.scores[name]);
        let (label, rounds, expected, stop) = line;
        assert_eq!(
            (
                part.label.as_str(),
                account.rounds.len(),
                scores,
                &account.stop
            ),
            (*label, *rounds, *expected, stop)
        );
    }
    assert_eq!(accounts.len(), lines.len());
}

#[rustfmt::skip]
fn lines() -> Vec<Line> {
    let panicked = |words: &str| Stop::because(Ending::Panicked, words);
    let stalled = Stop::because(Ending::Stalled, "nobody who can still come would be accepted");
    vec![
        ("learner", 180, [557.0, 104.0, 600.0, 348.0, 613.25, 7.0], Ending::Horizon.into()),
        ("share", 240, [737.0, 147.0, 600.0, 346.0, 869.5, 3.0], Ending::SourceEnded.into()),
        ("oracle", 180, [524.0, 132.0, 0.0, 0.0, 897.75, 5.0], Ending::Horizon.into()),
        ("outside", 180, [532.0, 229.0, 600.0, 348.0, 1227.75, 13.0], Ending::Horizon.into()),
        ("whim", 109, [545.0, 300.0, 326.5, 202.0, 1442.0, 14.0], Ending::Filled.into()),
        ("first", 1, [5.0, 1.0, 9.0, 5.0, 4.0, 1.0], Ending::Filled.into()),
        ("panics", 96, [297.0, 65.0, 389.0, 227.0, 369.5, 3.0], panicked("scripted: 97")),
        ("overhears", 59, [287.0, 56.0, 316.5, 185.0, 305.75, 6.0], panicked("scripted: heard too much")),
        ("breaks a rule", 132, [384.0, 66.0, 531.5, 306.0, 394.75, 5.0], Stop::because(Ending::Disqualified, "round 133")),
        ("leaves", 39, [194.0, 59.0, 214.0, 125.0, 368.0, 10.0], Ending::Left.into()),
        ("stalls", 9, [44.0, 7.0, 43.0, 25.0, 49.75, 4.0], stalled),
    ]
}
