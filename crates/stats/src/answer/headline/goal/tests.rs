//! The answer to a goal in words.

use super::super::tests::{L1, LOSS, RATE, plain};
use super::super::{Contenders, of};
use super::*;
use crate::goal::Meets;
use kleroterion_core::score::{Direction, Directions};

fn goal(answer: &[&str], meets: &[(&str, Meets)], needed: Option<u64>) -> GoalAnswer {
    GoalAnswer {
        best: RATE.into(),
        bounds: vec![
            (LOSS.into(), "<= 0.1".into()),
            ("filled".into(), ">= 0.9".into()),
        ],
        meets: meets
            .iter()
            .map(|(label, meets)| ((*label).to_owned(), *meets))
            .collect(),
        answer: answer.iter().map(|label| (*label).to_owned()).collect(),
        needed,
        settled: needed.is_none(),
        tests: Vec::new(),
    }
}

#[test]
fn a_goal_names_its_best_who_fails_what_is_open_and_what_it_may_take() {
    use Meets::{Open, Surely, SurelyNot};
    let said = |goal: &GoalAnswer, directions: Directions, is_stream| {
        let run = RunResult {
            replications: if is_stream { 1 } else { 2 },
            ..RunResult::default()
        };
        let judge = Judge {
            directions,
            ..Judge::default()
        };
        plain(&of_goal(goal, &run, &judge, Names::WHOLE)[0])
    };
    let say = |goal: &GoalAnswer, is_stream| said(goal, Directions::default(), is_stream);
    let kept = "of those that surely keep gap to a target at most 10 points and committees filled of 100 at least 90";
    let one = goal(&["a"], &[("a", Surely), ("b", SurelyNot)], None);
    assert_eq!(
        say(&one, false),
        format!("'a' screens fewest {kept}; 'b' surely fails")
    );
    let two = [
        ("a", Surely),
        ("b", SurelyNot),
        ("c", Open),
        ("d", SurelyNot),
        ("e", Surely),
    ];
    let two = goal(&["a", "e"], &two, Some(101));
    assert_eq!(
        say(&two, false),
        format!(
            "'a' or 'e' screens fewest {kept}: which of them is open; \
             'b' and 'd' surely fail; open for 'c'; about 110 more replications may settle it"
        )
    );
    let even = goal(&["a", "e"], &[("a", Surely), ("e", Surely)], None);
    assert_eq!(
        say(&even, false),
        format!("'a' or 'e' screens fewest {kept}: they are alike")
    );
    let mut open = goal(&[], &[("a", Open)], Some(1));
    let yet = "no policy surely meets the goal gap to a target at most 10 points and committees filled of 100 at least 90 yet";
    for (is_stream, needed, unit) in [
        (false, 1, "1 more replication"),
        (true, 1, "1 more round"),
        (true, 7, "7 more rounds"),
    ] {
        open.needed = Some(needed);
        let known = format!("{yet}; open for 'a'; about {unit} may settle it");
        assert_eq!(say(&open, is_stream), known);
    }
    let none = goal(&[], &[("a", SurelyNot)], None);
    assert_eq!(
        say(&none, true),
        "no policy meets the goal gap to a target at most 10 points and committees filled of 100 at least 90; 'a' surely fails"
    );
    let mut free = goal(&["a"], &[("a", Surely)], None);
    free.bounds.clear();
    free.best = L1.into();
    assert_eq!(
        say(&free, false),
        "'a' has the least summed gaps to the targets"
    );
    free.best = "contacts".into();
    let higher = Directions::set([("contacts".to_owned(), Direction::Higher)].into());
    assert_eq!(
        said(&free, higher, false),
        "'a' has the most people contacted"
    );
}

#[test]
fn two_digits_are_meant_rounded_up() {
    for (number, rounded) in [
        (0, 0),
        (7, 7),
        (99, 99),
        (100, 100),
        (101, 110),
        (8_123, 8_200),
    ] {
        assert_eq!(two_digits(number), rounded);
    }
}

/// A goal of one stream may need more rounds; other goals need more replications.
#[test]
fn a_goal_of_one_stream_may_take_rounds_and_others_replications() {
    for (replications, unit) in [(1, "rounds"), (2, "replications")] {
        let run = RunResult {
            replications,
            ..RunResult::default()
        };
        let judge = Judge::default();
        let contenders = Contenders::of(&run, &judge, &[]);
        let goal = goal(&[], &[("a", Meets::Open)], Some(7));
        let text = of(&contenders, &run, &judge, &[], &[], Some(&goal));
        let known = format!("; open for 'a'; about 7 more {unit} may settle it");
        assert!(plain(&text).ends_with(&known), "{text}");
    }
}
