//! The sentences of answers, read off relations made by hand.

use super::super::Answer;
use super::*;
use crate::compare::judge::Versus;
use crate::compare::pair::{Blocked, Estimand, Pair};
use crate::compare::verdict::Verdict;
use crate::protocol::Ending;
use crate::score::PolicyRun;

const LOSS: &str = "representation_loss";
const RATE: &str = "selection_rate";
const L1: &str = "representation_loss_l1";

fn pair(metric: &str, a: &str, b: &str, verdict: Verdict) -> Pair {
    Pair {
        direction: Directions::default().of(metric),
        ..Pair::by_hand(metric, a, b, verdict)
    }
}

/// The answer of a run of these policies, judged on the metrics of these pairs.
fn answer(labels: &[&str], metrics: &[&str], pairs: &[Pair]) -> Answer {
    let run = RunResult {
        replications: 10,
        policies: labels
            .iter()
            .map(|label| PolicyRun::new(*label, "k"))
            .collect(),
        ..RunResult::default()
    };
    let judge = Judge {
        metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
        versus: Versus::Everyone,
        yardsticks: vec!["yard".into()],
        ..Judge::default()
    };
    Answer::of(&run, &judge, pairs)
}

/// A text with straight quotes for those of labels.
fn plain(text: &str) -> String {
    text.replace(['\u{201c}', '\u{201d}'], "'")
}

use Verdict::{Better, Differs, Equivalent, Undecided, Worse};

#[test]
fn each_contender_is_better_than_those_it_dominates_by_what_it_is_better_on() {
    // a: better than b on both, than c on the rate and even on the loss; than d on both.
    let pairs = [
        pair(LOSS, "a", "b", Better),
        pair(RATE, "b", "a", Worse),
        pair(LOSS, "a", "c", Equivalent),
        pair(RATE, "a", "c", Better),
        pair(LOSS, "d", "a", Worse),
        pair(RATE, "a", "d", Better),
        pair(LOSS, "b", "c", Undecided),
        pair(RATE, "b", "c", Undecided),
    ];
    let found = answer(&["a", "b", "c", "d"], &[LOSS, RATE], &pairs);
    assert_eq!(found.dominates, [["a", "b"], ["a", "c"], ["a", "d"]]);
    assert_eq!((found.frontier, found.open), (vec!["a".to_owned()], 0));
    assert_eq!(
        plain(&found.headline),
        "'a' is better than 'b' and 'd' on both measures; \
         'a' is better than 'c' on selection_rate and at least as good on the rest"
    );
}

/// Two on the frontier, of which one dominates a third.
#[test]
fn who_leads_each_measure_is_said_where_nothing_is_won() {
    let mut pairs = vec![
        pair(LOSS, "a", "b", Better),
        pair(RATE, "a", "b", Worse),
        pair(LOSS, "a", "c", Better),
        pair(RATE, "a", "c", Better),
        pair(LOSS, "b", "c", Undecided),
        pair(RATE, "b", "c", Better),
    ];
    let found = answer(&["a", "b", "c"], &[LOSS, RATE], &pairs);
    assert_eq!((found.frontier.len(), found.open), (2, 0));
    assert_eq!(
        plain(&found.headline),
        "'a' is better than 'c' on both measures; \
         no policy is best on both measures: 'a' represents best, 'b' screens fewest"
    );
    // Where a may yet be best on both, it is open.
    pairs[1].verdict = Undecided;
    let found = answer(&["a", "b", "c"], &[LOSS, RATE], &pairs);
    assert_eq!((found.frontier.len(), found.open), (2, 1));
    assert_eq!(
        plain(&found.headline),
        "'a' is better than 'c' on both measures; \
         which policy is best on both measures is open: 'a' represents best, 'a' or 'b' screens fewest"
    );
    // A third measure that nothing is known of: its words, and no leader of its own.
    pairs.push(pair(L1, "a", "b", Undecided));
    let found = answer(&["a", "b", "c"], &[LOSS, RATE, L1], &pairs);
    assert_eq!(
        plain(&found.headline),
        "Which policy is best on all 3 measures is open: 'a' represents best, 'a' or 'b' screens fewest"
    );
    // One measure alone: who leads it, and no more.
    let loss = [
        pair(LOSS, "a", "b", Undecided),
        pair(LOSS, "a", "c", Better),
    ];
    let found = answer(&["a", "b", "c"], &[LOSS], &loss);
    assert_eq!(
        plain(&found.headline),
        "'a' is better than 'c' on representation_loss; 'a' or 'b' represents best"
    );
    let none = [pair(LOSS, "a", "b", Undecided)];
    let found = answer(&["a", "b"], &[LOSS], &none);
    assert_eq!(
        plain(&found.headline),
        "No policy is surely better than another on representation_loss yet"
    );
}

#[test]
fn the_winner_of_one_measure_has_its_words_or_those_of_any() {
    let won = [pair(LOSS, "a", "b", Better), pair(LOSS, "c", "a", Worse)];
    let found = answer(&["a", "b", "c"], &[LOSS], &won);
    assert_eq!(
        plain(&found.headline),
        "'a' represents best, surely ahead of 'b' and 'c'"
    );
    let found = answer(&["a", "b"], &[L1], &[pair(L1, "a", "b", Better)]);
    assert_eq!(
        plain(&found.headline),
        "'a' is better than 'b' on representation_loss_l1"
    );
    // On one stream the sentence says so.
    let mut fact = pair(LOSS, "a", "b", Better);
    fact.estimand = Estimand::Facts;
    let found = answer(&["a", "b"], &[LOSS], &[fact]);
    assert_eq!(
        plain(&found.headline),
        "On this stream, 'a' represents best, surely ahead of 'b'"
    );
}

#[test]
fn where_nothing_can_be_said_the_reason_is() {
    let of = |labels: &[&str], metrics: &[&str], pairs: &[Pair]| {
        plain(&answer(labels, metrics, pairs).headline)
    };
    assert_eq!(
        of(&["yard"], &[LOSS], &[]),
        "Every policy is a yardstick: there is none to choose"
    );
    assert_eq!(of(&["a"], &[LOSS], &[]), "'a' is the only policy to choose");
    assert_eq!(
        of(&["a", "yard"], &[LOSS], &[]),
        "'a' is the only policy to choose; the others are yardsticks"
    );
    assert_eq!(
        of(&["a", "b"], &[LOSS], &[]),
        "No policies are compared: name a baseline, or pairs = \"all\", in [report]"
    );
    let differ = [pair("accepted", "a", "b", Differs)];
    assert_eq!(
        of(&["a", "b"], &["accepted", "pulls"], &differ),
        "There is no better or worse in what is judged: accepted and pulls"
    );
    let blocked = |label: &str| Blocked {
        label: label.into(),
        ending: Ending::Panicked,
        lanes: 1,
    };
    let mut broken = pair(LOSS, "a", "b", Verdict::NotComparable);
    broken.blocked = vec![blocked("a"), blocked("b")];
    assert_eq!(
        of(&["a", "b"], &[LOSS], &[broken.clone()]),
        "No policy can be compared, because a lane of each broke off"
    );
    // Of three one broke off, and of the others one is better.
    broken.blocked.truncate(1);
    let found = answer(
        &["a", "b", "c"],
        &[LOSS],
        &[broken, pair(LOSS, "c", "b", Better)],
    );
    assert_eq!(found.frontier, ["c"]);
    assert_eq!(
        plain(&found.headline),
        "'c' represents best, surely ahead of 'b'; not compared, because a lane broke off: 'a'"
    );
}

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
    let sides = Directions::default();
    let say = |goal: &GoalAnswer, is_stream| plain(&of_goal(goal, &sides, is_stream));
    let kept = "of those that surely keep representation_loss <= 0.1 and filled >= 0.9";
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
            "'a' or 'e' screens fewest {kept}: which of them is open on selection_rate; \
             'b' and 'd' surely fail; open for 'c'; about 110 more replications may settle it"
        )
    );
    let even = goal(&["a", "e"], &[("a", Surely), ("e", Surely)], None);
    assert_eq!(
        say(&even, false),
        format!("'a' or 'e' screens fewest {kept}: they are alike on selection_rate")
    );
    let mut open = goal(&[], &[("a", Open)], Some(1));
    let yet = "no policy surely meets the goal representation_loss <= 0.1 and filled >= 0.9 yet";
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
        "no policy meets the goal representation_loss <= 0.1 and filled >= 0.9; 'a' surely fails"
    );
    let mut free = goal(&["a"], &[("a", Surely)], None);
    free.bounds.clear();
    free.best = L1.into();
    assert_eq!(
        say(&free, false),
        "'a' has the least representation_loss_l1"
    );
    free.best = "contacts".into();
    let higher = Directions::set([("contacts".to_owned(), Direction::Higher)].into());
    assert_eq!(
        plain(&of_goal(&free, &higher, false)),
        "'a' has the most contacts"
    );
}

#[test]
fn of_many_labels_the_first_three_are_named() {
    assert_eq!(and(&["a"]), "\u{201c}a\u{201d}");
    assert_eq!(or(&["a", "b"]), "\u{201c}a\u{201d} or \u{201c}b\u{201d}");
    let four = "\u{201c}a\u{201d}, \u{201c}b\u{201d}, \u{201c}c\u{201d} and \u{201c}d\u{201d}";
    assert_eq!(and(&["a", "b", "c", "d"]), four);
    let five = "\u{201c}a\u{201d}, \u{201c}b\u{201d}, \u{201c}c\u{201d} and 2 others";
    assert_eq!(and(&["a", "b", "c", "d", "e"]), five);
    assert_eq!(and(&[]), "");
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

/// What is to come of one stream is rounds.
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
