//! Outcomes that come late.

use kleroterion::draw::Purpose;
use kleroterion::protocol::{Choose, Chosen, Delay, Move, Rules, Selection, Until};

use crate::doubles::{
    Account, Event, Learner, Part, People, Seating, Show, Sway, World, outcome, recorded, reflex,
};

/// A diary in short: the rounds seen, and in brackets the persons heard of.
fn short(account: &Account) -> String {
    let words = account.diary.iter().map(|event| match event {
        Event::Saw(sight) => sight.round.to_string(),
        Event::Heard(heard) => format!("[{}]", heard.number),
        Event::Declined(_, number) => format!("-{number}"),
        Event::Farewell => "bye".into(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Takes everybody, the last slot first.
fn everybody(label: &str, delay: Delay) -> Part {
    let rules = Rules::new(Choose::Any, Until::SourceEnds);
    let mind = reflex(|sight| Move::take_all((0..sight.places.1).rev().collect()));
    Part::new(label, rules, mind).ruled(|rules| rules.delay = delay)
}

#[test]
fn an_outcome_comes_before_act_of_the_round_in_which_it_is_due() {
    let fixed = |rounds| everybody(&format!("delay {rounds}"), Delay::Fixed(rounds));
    let mut show = Show::new(World::of([1; 6]), [0, 1, 3, 6].map(fixed).into());
    for seating in [Seating::Blind, Seating::Sighted] {
        for part in &mut show.parts {
            part.seating = seating;
        }
        let accounts = show.holds();
        assert_eq!(short(&accounts[0]), "1 [0] 2 [1] 3 [2] 4 [3] 5 [4] 6 [5]");
        assert_eq!(short(&accounts[1]), "1 2 [0] 3 [1] 4 [2] 5 [3] 6 [4]");
        assert_eq!(short(&accounts[2]), "1 2 3 4 [0] 5 [1] 6 [2]");
        assert_eq!(short(&accounts[3]), "1 2 3 4 5 6");
        let pending = accounts.iter().map(|account| account.scores["pending"]);
        assert_eq!(pending.collect::<Vec<_>>(), [0.0, 1.0, 3.0, 6.0]);
    }
}

#[test]
fn those_due_together_come_in_order_of_decision_and_then_of_slot() {
    let show = Show::new(
        World::of([3, 0, 2, 3, 1]),
        vec![
            everybody("at once", Delay::Fixed(0)),
            everybody("random", Delay::Uniform { low: 0, high: 3 }),
        ],
    );
    let accounts = show.holds();
    assert_eq!(
        short(&accounts[0]),
        "1 [0] [1] [2] 3 [3] [4] 4 [5] [6] [7] 5 [8]"
    );
    // Who was decided on in which round, and how long each takes.
    let decided = [1, 1, 1, 3, 3, 4, 4, 4, 5];
    let delay = |person| show.key().draw(Purpose::Delay, person, 0).below(4);
    let delays: Vec<u64> = (0..9).map(delay).collect();
    assert_eq!(delays, DELAYS);
    let mut words: Vec<(u64, u64, String)> = [1, 3, 4, 5]
        .map(|round| (round, u64::MAX, round.to_string()))
        .into();
    for ((person, decided), delay) in (0..).zip(decided).zip(delays) {
        let due = decided + 1 + delay;
        if due <= 6 {
            words.push((due, person, format!("[{person}]")));
        }
    }
    // Persons are numbered in the order of decision and slot; an `act` comes after all that is due.
    words.sort();
    let words: Vec<String> = words.into_iter().map(|(.., word)| word).collect();
    assert_eq!(short(&accounts[1]), words.join(" "));
    assert_eq!(short(&accounts[1]), RANDOM);
}

/// `numpy.random.Philox(counter=[0, 0, person, 7], key=[2024, 3]).random_raw(1) >> 62` for persons
/// 0 to 8.
const DELAYS: [u64; 9] = [1, 0, 3, 2, 1, 3, 3, 3, 1];
const RANDOM: &str = "1 [1] [0] 3 4 [2] [4] 5 [3]";

#[test]
fn a_delay_belongs_to_the_person_whoever_chose_it() {
    let delay = Delay::Uniform { low: 1, high: 7 };
    let mut picky = everybody("picky", delay);
    picky.rules.choose = Choose::Exactly(1);
    let show = Show::new(World::of([4; 30]), vec![everybody("all", delay), picky]);
    let accounts = show.holds();
    let heard_by = |account: &Account| {
        let mut now = 0;
        let mut all = vec![];
        for event in &account.diary {
            match event {
                Event::Saw(sight) => now = sight.round,
                Event::Heard(heard) => all.push((heard.number, now, heard.value)),
                Event::Declined(..) | Event::Farewell => {}
            }
        }
        all
    };
    let all = heard_by(&accounts[0]);
    let picked = heard_by(&accounts[1]);
    assert!(picked.len() > 20);
    assert!(picked.iter().all(|one| all.contains(one)));
}

#[test]
fn what_falls_due_the_round_after_a_lane_fills_still_comes() {
    let filling = |delay| {
        let mut part = everybody(&format!("delay {delay}"), Delay::Fixed(delay));
        part.rules.until = Until::Accepted(5);
        part
    };
    let show = Show::new(World::of([2; 40]), vec![filling(0), filling(1)]);
    let accounts = show.holds();
    assert_eq!(short(&accounts[0]), "1 [0] [1] 2 [2] [3] 3 [4]");
    assert_eq!(short(&accounts[1]), "1 2 [0] [1] 3 [2] [3]");
    assert_eq!(accounts[1].scores["pending"], 1.0);
}

#[test]
fn the_person_is_as_shown_and_the_probability_is_handed_through() {
    let rules = Rules::new(Choose::AtMost(2), Until::Rounds(9));
    let mind = reflex(|sight| {
        let selection = Selection::of(Chosen::Many(vec![2, 1]));
        Move::Select(match sight.round {
            3 => selection,
            round => selection.with_probability(1.0 / round as f64),
        })
    });
    let late = |rules: &mut Rules| rules.delay = Delay::Uniform { low: 0, high: 4 };
    let part = Part::new("chance", rules, mind).ruled(late);
    let show = Show::new(World::of([3; 20]), vec![part]);
    let accounts = show.holds();
    let mut heard = 0;
    for event in &accounts[0].diary {
        if let Event::Heard(report) = event {
            heard += 1;
            let number = report.number;
            assert_eq!((number / 3, number % 3 > 0), (report.decided - 1, true));
            assert_eq!(report.group, People::group(number));
            assert_eq!(
                (report.x, report.score),
                (People::x(number), People::score(number))
            );
            assert_eq!(report.value, outcome(show.key(), number));
            let p = (report.decided != 3).then(|| 1.0 / report.decided as f64);
            assert_eq!(report.p, p);
        }
    }
    assert_eq!(heard + accounts[0].scores["pending"] as usize, 18);
}

#[test]
fn outcomes_come_in_rounds_that_show_no_candidate() {
    // Even rounds have no applicants, so act is called in odd ones only.
    let part = everybody("odd", Delay::Fixed(0)).with_pool(Sway::new(2));
    let show = Show::new(World::of([4; 6]), vec![part]);
    let account = &show.holds()[0];
    let shown: Vec<usize> = account.rounds.iter().map(|r| r.shown.len()).collect();
    assert_eq!(account.rounds.len(), 6);
    assert_eq!((shown[1], shown[3], shown[5]), (0, 0, 0));
    let (accepted, heard) = (account.scores["accepted"], account.diary.iter());
    let heard = heard
        .filter(|event| matches!(event, Event::Heard(_)))
        .count();
    assert!(accepted > 0.0);
    assert_eq!(heard as f64, accepted);
}

#[test]
fn recorded_outcomes_are_those_of_the_right_persons() {
    let mut show = Show::new(
        World::of([2; 5]),
        vec![
            everybody("all", Delay::Fixed(1)),
            Part {
                pool: Some(Sway::new(3)),
                ..everybody("some", Delay::Fixed(0))
            },
        ],
    );
    show.answers = None;
    show.world.recorded = true;
    let accounts = show.holds();
    let outcomes: Vec<Option<f64>> = accounts[0]
        .rounds
        .iter()
        .flat_map(|r| r.outcomes.clone())
        .collect();
    let first = [Some(0.0), Some(7.0), Some(4.0), Some(1.0), None];
    let second = [Some(5.0), Some(2.0), Some(9.0), Some(6.0), None];
    let known = [first, second].concat();
    assert_eq!(outcomes, known);
    let scores = &accounts[0].scores;
    assert_eq!(scores["outcome_sum"], 34.0);
    // Of two people nothing ever comes, and of another only after a sixth round.
    assert_eq!(scores["pending"], 3.0);
    assert_eq!(scores["outcome_mean"], 28.0 / 7.0);
    for passed in &accounts[1].rounds {
        let recorded: Vec<Option<f64>> = passed.chosen.iter().map(|&n| recorded(n)).collect();
        assert_eq!(passed.outcomes, recorded);
    }
}

#[test]
fn where_nothing_is_to_be_learnt_nothing_comes_or_is_awaited() {
    let mut show = Show::new(World::of([2; 5]), vec![everybody("all", Delay::Fixed(1))]);
    show.answers = None;
    let account = &show.holds()[0];
    assert_eq!(short(account), "1 2 3 4 5");
    assert_eq!(account.scores.get("pending"), None);
    assert!(
        account
            .rounds
            .iter()
            .all(|passed| passed.outcomes.is_empty())
    );
}

#[test]
fn what_was_learnt_late_is_used_from_then_on() {
    let rules = Rules::new(Choose::Exactly(1), Until::SourceEnds);
    let learner = |label: &str, delay| {
        let part = Part::new(label, rules.clone(), Learner::default().maker());
        part.ruled(|rules| rules.delay = delay)
    };
    let show = Show::new(
        World::of([3; 60]),
        vec![
            learner("soon", Delay::Fixed(0)),
            learner("late", Delay::Fixed(20)),
            learner("never", Delay::Fixed(1000)),
        ],
    );
    let accounts = show.holds();
    let chosen = |k: usize, rounds: usize| -> Vec<u64> {
        let rounds = accounts[k].rounds.iter().take(rounds);
        rounds.flat_map(|passed| passed.chosen.clone()).collect()
    };
    // Until the first outcome is in, the late learner does as one who never learns.
    assert_eq!(chosen(1, 21), chosen(2, 21));
    assert_ne!(chosen(1, 60), chosen(2, 60));
    assert_ne!(chosen(0, 21), chosen(2, 21));
    let sums: Vec<f64> = accounts.iter().map(|a| a.scores["outcome_sum"]).collect();
    assert_eq!(sums, SUMS);
}

/// What the chosen of 60 rounds turned out to be, in all.
const SUMS: [f64; 3] = [299.75, 289.75, 294.5];
