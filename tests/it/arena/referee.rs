//! The referee: what breaks a rule, and how it is said.

use kleroterion::protocol::Stop;
use kleroterion::protocol::{
    Choose, Chosen, Ending, InterviewKind, Move, Pull, Pulls, Quota, Rules, Selection, Until,
};

use crate::doubles::{
    Answers, BATCHES, Part, STAGES, Seating, Show, Stage, Sway, World, look, merit, reflex,
};

/// In rounds 1 and 2 the lawful first ones are taken; in round 3 these moves are made, one after
/// the other.
struct Foul {
    label: &'static str,
    rule: fn(&mut Rules),
    moves: Vec<Move>,
    words: &'static str,
}

fn foul(label: &'static str, rule: fn(&mut Rules), last: Move, words: &'static str) -> Foul {
    Foul {
        label,
        rule,
        moves: vec![last],
        words,
    }
}

fn after(looks: &[Move], foul: Foul) -> Foul {
    let moves = looks.iter().chain(&foul.moves).cloned().collect();
    Foul { moves, ..foul }
}

fn choice(slots: &[u32]) -> Selection {
    Selection::of(Chosen::Many(slots.into()))
}

fn probably(p: f64) -> Move {
    Move::Select(choice(&[0]).with_probability(p))
}

fn declaring(shares: &[f64]) -> Move {
    let mut choice = choice(&[0]);
    choice.declared = Some(shares.into());
    Move::Select(choice)
}

fn looks(pulls: &[(u32, usize)]) -> Move {
    let pull = |&(slot, kind)| Pull { slot, kind };
    Move::Interview(Pulls::Many(pulls.iter().map(pull).collect()))
}

/// A quota of group a; the groups of round 3 are a, b, c, a, a.
fn of_a(min: u32, max: u32) -> Vec<Vec<Quota>> {
    let any = Quota {
        min: 0,
        max: u32::MAX,
    };
    vec![vec![Quota { min, max }, any, any]]
}

/// Slates of five.
#[rustfmt::skip]
fn fouls() -> Vec<Foul> {
    let at_most = |rules: &mut Rules| rules.choose = Choose::AtMost(2);
    let exactly = |rules: &mut Rules| rules.choose = Choose::Exactly(2);
    let share = |rules: &mut Rules| rules.choose = Choose::Share(0.5);
    let any = |rules: &mut Rules| rules.choose = Choose::Any;
    let three = |rules: &mut Rules| {
        rules.choose = Choose::AtMost(2);
        rules.until = Until::Accepted(3);
    };
    let last = |rules: &mut Rules| {
        rules.choose = Choose::Exactly(2);
        rules.until = Until::Accepted(5);
    };
    let few = |rules: &mut Rules| rules.enforced = of_a(0, 1);
    let some = |rules: &mut Rules| {
        rules.choose = Choose::Exactly(2);
        rules.enforced = of_a(1, 2);
    };
    let capped = |rules: &mut Rules| rules.interview_cap = 2;
    let no_looks = |rules: &mut Rules| rules.interview_cap = 0;
    let poor = |rules: &mut Rules| rules.budget = 3.0;
    let spent = |rules: &mut Rules| rules.run_budget = 0.5;
    let none_sold = |rules: &mut Rules| rules.interviews.clear();
    let no_looks_left = "asked for another interview with no looks left";
    let no_share = "declared a share that is no number >= 0";
    vec![
        foul("too many", at_most, Move::take_all(vec![0, 1, 2]), "chose 3 where 0 to 2 may be chosen"),
        foul("too few", exactly, Move::take(3), "chose 1 where exactly 2 are to be chosen"),
        foul("nobody", exactly, Move::pass(), "chose 0 where exactly 2 are to be chosen"),
        foul("more than a share", share, Move::take_all(vec![4, 0, 1]), "chose 3 where exactly 2 are to be chosen"),
        foul("more than are left", three, Move::take_all(vec![0, 1]), "chose 2 where 0 to 1 may be chosen"),
        foul("more than the last", last, Move::take_all(vec![0, 1]), "chose 2 where exactly 1 are to be chosen"),
        foul("more than are shown", any, Move::take_all(vec![0, 1, 2, 3, 4, 4]), "chose 6 where 0 to 5 may be chosen"),
        foul("no such slot", at_most, Move::take(5), "chose slot 5 of a slate of 5"),
        foul("no slot at all", at_most, Move::take_all(vec![0, u32::MAX]), "chose slot 4294967295 of a slate of 5"),
        foul("twice", any, Move::take_all(vec![3, 1, 3]), "chose a candidate twice"),
        foul("twice of two", exactly, Move::take_all(vec![4, 4]), "chose a candidate twice"),
        foul("too many of a group", few, Move::take_all(vec![0, 3]), "chose 2 of group = a where the quota asks for at most 1"),
        foul("too few of a group", some, Move::take_all(vec![1, 2]), "chose 0 of group = a where the quota asks for at least 1"),
        foul("p 0", at_most, probably(0.0), "gave its choice the probability 0"),
        foul("p -0.5", at_most, probably(-0.5), "gave its choice the probability -0.5"),
        foul("p above 1", at_most, probably(1.25), "gave its choice the probability 1.25"),
        foul("p NaN", at_most, probably(f64::NAN), "gave its choice the probability NaN"),
        foul("p infinite", at_most, probably(f64::INFINITY), "gave its choice the probability inf"),
        foul("share NaN", at_most, declaring(&[0.5, f64::NAN]), no_share),
        foul("share below 0", at_most, declaring(&[-0.25, 1.25]), no_share),
        foul("share infinite", at_most, declaring(&[f64::INFINITY]), no_share),
        foul("looks at nobody", at_most, looks(&[]), "asked for an interview with no one"),
        foul("looks at no slot", at_most, looks(&[(0, 0), (5, 0)]), "asked to interview slot 5 of a slate of 5"),
        foul("looks in no way", at_most, looks(&[(0, 1), (1, 2)]), "asked for an unknown kind of interview (2)"),
        foul("none for sale", none_sold, look(0, 0), "asked for an interview, but the rules sell none"),
        after(&[look(0, 0), look(1, 0)], foul("beyond the cap", capped, look(2, 0), no_looks_left)),
        after(&[looks(&[(0, 0), (1, 0), (2, 0)])], foul("beyond the cap at once", capped, look(2, 0), no_looks_left)),
        foul("under a cap of none", no_looks, look(0, 0), no_looks_left),
        after(&[look(0, 1), look(0, 0)], foul("beyond the money", poor, look(0, 0), no_looks_left)),
        after(&[looks(&[(0, 1), (0, 1)])], foul("what did not fit", poor, look(0, 0), no_looks_left)),
        foul("without money", spent, look(0, 0), no_looks_left),
        after(&[look(0, 0)], foul("after a look", at_most, Move::take(7), "chose slot 7 of a slate of 5")),
        after(&[look(0, 0)], foul("an empty one after a look", at_most, looks(&[]), "asked for an interview with no one")),
    ]
}

fn part(foul: Foul) -> Part {
    let mut rules = Rules::new(Choose::AtMost(2), Until::SourceEnds);
    for (name, cost) in [("weak", 1.0), ("middling", 2.0)] {
        rules.interviews.push(InterviewKind {
            name: name.into(),
            cost,
            gain: cost.into(),
        });
    }
    (foul.rule)(&mut rules);
    let moves = foul.moves;
    let mind = reflex(move |sight| {
        if sight.round < 3 {
            return Move::take_all((0..sight.places.0.max(1)).collect());
        }
        // Each move before the last is a look or some; a file counts those made.
        let bought: usize = sight.seen.iter().map(|seen| seen.file.looks as usize).sum();
        let mut asked = 0;
        for step in &moves[..moves.len() - 1] {
            if bought <= asked && sight.looks_left > 0 {
                return step.clone();
            }
            if let Move::Interview(pulls) = step {
                asked += pulls.as_slice().len();
            }
        }
        moves[moves.len() - 1].clone()
    });
    Part::new(foul.label, rules, mind)
}

#[test]
fn a_foul_ends_the_lane_with_words_that_name_the_round_and_earlier_rounds_count() {
    let words: Vec<String> = fouls()
        .iter()
        .map(|foul| format!("round 3: {}", foul.words))
        .collect();
    let parts: Vec<Part> = fouls().into_iter().map(part).collect();
    let all: Vec<usize> = (0..parts.len()).collect();
    let show = Show::new(World::of([5; 12]), parts);
    let accounts = show.holds();
    let staged = show.stage(&all, 7, Stage::Current).unwrap();
    for (((_, stop), words), part) in staged.extras.iter().zip(words).zip(&show.parts) {
        let expected = Stop::because(Ending::Disqualified, words);
        assert_eq!(*stop, expected, "{:?}", part.label);
    }
    for (account, part) in accounts.iter().zip(&show.parts) {
        let each = part.rules.choose.places(5, None).min.max(1);
        assert_eq!(account.rounds.len(), 2, "{:?}", part.label);
        assert_eq!(
            account.scores["accepted"],
            f64::from(2 * each),
            "{:?}",
            part.label
        );
        assert_eq!(account.scores["cost"], 0.0, "{:?}", part.label);
    }
}

#[test]
fn the_same_fouls_are_fouls_from_outside() {
    let parts = fouls()
        .into_iter()
        .map(|foul| part(foul).seated(Seating::Outside));
    let show = Show::new(World::of([5; 12]), parts.collect());
    for account in show.holds() {
        assert_eq!(account.stop, Stop::because(Ending::Disqualified, "round 3"));
    }
}

#[test]
fn slots_are_those_of_the_slate_and_not_of_the_roster() {
    let mut parts: Vec<Part> = vec![];
    for (label, over) in [("last slot", 0), ("one beyond", 1)] {
        let rules = Rules::new(Choose::AtMost(1), Until::Rounds(30));
        let mind = reflex(move |sight| Move::take(sight.seen.len() as u32 - 1 + over));
        parts.push(Part::new(label, rules, mind).with_pool(Sway::new(100)));
    }
    let show = Show::new(World::of([5; 30]), parts);
    let accounts = show.holds();
    assert!(
        accounts[0]
            .rounds
            .iter()
            .any(|passed| passed.shown.len() < 5)
    );
    assert_eq!(accounts[0].stop, Ending::Horizon.into());
    assert_eq!(
        accounts[1].stop,
        Stop::because(Ending::Disqualified, "round 1")
    );
}

#[test]
fn fewer_than_exactly_k_are_all_of_a_smaller_slate() {
    let rules = Rules::new(Choose::Exactly(3), Until::SourceEnds);
    let mind = reflex(|sight| Move::take_all((0..sight.places.0).collect()));
    let show = Show::new(
        World::of([5, 2, 0, 3, 1]),
        vec![Part::new("three", rules, mind)],
    );
    let chosen: Vec<usize> = show.holds()[0]
        .rounds
        .iter()
        .map(|r| r.chosen.len())
        .collect();
    assert_eq!(chosen, [3, 2, 0, 3, 1]);
}

/// Buys a look at the last slot, then takes the first.
fn looker() -> Part {
    let mut rules = Rules::new(Choose::AtMost(1), Until::Rounds(9));
    rules.interviews.push(InterviewKind {
        name: "weak".into(),
        cost: 1.0,
        gain: 1.0.into(),
    });
    let mind = reflex(|sight| {
        let last = sight.seen.len() - 1;
        if sight.seen[last].file.looks == 0 {
            look(last as u32, 0)
        } else {
            Move::take(0)
        }
    });
    Part::new("looker", rules, mind)
}

/// How the looker ends in every staging of a world of slates of four.
fn looker_ends(answers: Option<Answers>) -> Vec<(usize, Stop)> {
    let mut show = Show::new(World::of([4; 9]), vec![looker()]);
    show.answers = answers;
    let places = BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage)));
    let staged = places.map(|(persons, stage)| {
        let staged = show.stage(&[0], persons, stage).unwrap();
        (staged.accounts[0].rounds.len(), staged.extras[0].1.clone())
    });
    staged.collect()
}

#[test]
fn a_look_that_is_no_number_ends_the_lane() {
    // Person 19 is the last of round 5.
    let answers = Answers {
        blurred: Some(19),
        ..Answers::default()
    };
    assert_eq!(merit(19), 3.0);
    let words = "round 5: an interview answered NaN";
    let expected = (4, Stop::because(Ending::Disqualified, words));
    for end in looker_ends(Some(answers)) {
        assert_eq!(end, expected);
    }
}

#[test]
fn a_look_without_feedback_is_a_foul() {
    let words = "round 1: asked for an interview, but nothing answers here";
    let expected = (0, Stop::because(Ending::Disqualified, words));
    for end in looker_ends(None) {
        assert_eq!(end, expected);
    }
}
