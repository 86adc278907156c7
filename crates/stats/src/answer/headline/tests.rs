//! The sentences of answers, read off relations made by hand.

use super::super::Answer;
use super::*;
use crate::estimand::Estimand;
use crate::judge::Versus;
use crate::pair::{Blocked, Pair};
use crate::standing::Standing;
use crate::verdict::Verdict;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{Directions, PolicyRun};

pub(super) const LOSS: &str = "representation_loss";
pub(super) const RATE: &str = "selection_rate";
pub(super) const L1: &str = "representation_loss_l1";

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
pub(super) fn plain(text: &str) -> String {
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
    fact.estimand = Estimand::Rounds;
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

/// A comparison over the rounds of one stream, with its dates.
fn dated(a: &str, b: &str, verdict: Verdict, dates: (u64, Option<u64>, Option<u64>)) -> Pair {
    let (sure_at, open_at, since) = dates;
    let estimand = Estimand::Rounds;
    Pair {
        estimand,
        dated: Some(Dated {
            sure_at,
            verdict: Better,
            open_at,
            since,
        }),
        ..pair(RATE, a, b, verdict)
    }
}

fn fact(metric: &str, a: &str, b: &str) -> Pair {
    Pair {
        estimand: Estimand::Facts,
        mean: Some(-0.0025),
        lo: None,
        hi: None,
        alpha: 0.0,
        standing: Standing::SoFar,
        ..pair(metric, a, b, Verdict::SoFar)
    }
}

/// A lead that was sure is dated, and never withdrawn without mention.
#[test]
fn a_headline_of_one_stream_is_dated() {
    let said = |pairs: &[Pair]| plain(&answer(&["a", "b"], &[RATE], pairs).headline);
    assert_eq!(
        said(&[dated("a", "b", Better, (254, None, Some(254)))]),
        "On this stream, 'a' screens fewest, surely ahead of 'b' (sure since round 254)"
    );
    // Seen from the other side too.
    let turned = Pair {
        dated: Some(Dated {
            sure_at: 254,
            verdict: Worse,
            open_at: None,
            since: Some(254),
        }),
        ..dated("b", "a", Worse, (254, None, Some(254)))
    };
    assert_eq!(
        said(&[turned]),
        "On this stream, 'a' screens fewest, surely ahead of 'b' (sure since round 254)"
    );
    assert_eq!(
        said(&[dated("a", "b", Undecided, (254, Some(256), None))]),
        "On this stream, no policy is surely better than another on selection_rate now; 'a' ahead \
         of 'b' on selection_rate was sure at 254, open again since 256"
    );
    assert_eq!(
        said(&[dated("a", "b", Better, (254, Some(256), Some(300)))]),
        "On this stream, 'a' screens fewest, surely ahead of 'b' (sure since round 300, was sure at \
         254, open again at 256)"
    );
}

/// A fact is no finding: neither alone nor next to what is inferred.
#[test]
fn facts_are_never_in_the_headline() {
    let found = answer(&["a", "b"], &[LOSS], &[fact(LOSS, "a", "b")]);
    assert_eq!(
        found.headline,
        "Nothing is inferred from this one stream: representation_loss is a fact of it so far"
    );
    assert!(found.dominates.is_empty() && found.frontier.is_empty());
    let both = [
        fact(LOSS, "a", "b"),
        Pair {
            estimand: Estimand::Rounds,
            ..pair(RATE, "b", "a", Better)
        },
    ];
    let found = answer(&["a", "b"], &[LOSS, RATE], &both);
    assert_eq!(
        plain(&found.headline),
        "On this stream, 'b' screens fewest, surely ahead of 'a'"
    );
    assert_eq!(found.dominates, [["b", "a"]]);
    let open = [fact(LOSS, "a", "b"), fact(L1, "a", "b")];
    let found = answer(&["a", "b"], &[LOSS, L1], &open);
    assert!(
        found.headline.contains("are facts of it so far"),
        "{}",
        found.headline
    );
}

/// If a comparison is asked for and the measures give none, the headline blames the measures.
#[test]
fn what_is_judged_and_gives_no_comparison_is_named() {
    use crate::outcomes::{LaneStream, OutcomeMeans};
    use crate::rates::GroupRates;
    let schema = std::sync::Arc::default();
    let stream = |knows: bool| LaneStream {
        rates: GroupRates::new(&schema, None, 0.05),
        outcomes: knows.then(|| OutcomeMeans::new(&schema, None, 0.05)),
    };
    let run = RunResult {
        replications: 1,
        policies: ["a", "b", "c"]
            .map(|label| PolicyRun::new(label, "k"))
            .into(),
        streams: [true, false, false].map(|known| Some(stream(known))).into(),
        ..RunResult::default()
    };
    let of = |metrics: &[&str], baseline: &str, pairs: &[Pair]| {
        let sides = [(
            "outcome_mean".to_owned(),
            kleroterion_core::score::Direction::Higher,
        )];
        let judge = Judge {
            metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
            versus: Versus::Baseline(baseline.into()),
            ranges: [("outcome_mean".to_owned(), (0.0, 1.0))].into(),
            directions: Directions::set(sides.into()),
            apart: vec!["own_fairness_loss".into()],
            ..Judge::default()
        };
        plain(&Answer::of(&run, &judge, pairs).headline)
    };
    let unknown = "the mean outcome of 'b' and of 'c' is not known, because 'a' acts";
    for (metrics, baseline, pairs, said) in [
        (&["outcome_mean"][..], "a", &[][..], format!("No policies are compared: {unknown}")),
        (
            &["outcome_mean", "accepted"],
            "a",
            &[pair("accepted", "a", "b", Differs)],
            format!("No policies are compared on outcome_mean: {unknown}"),
        ),
        (
            &["own_fairness_loss"],
            "a",
            &[],
            "No policies are compared: own_fairness_loss is by each policy's own aim or rule".into(),
        ),
        (
            &["screened"],
            "a",
            &[],
            "No policies are compared: screened has no value in a round, and one stream played once \
             does not tell how far apart policies are on it"
                .into(),
        ),
        (
            &["outcome_mean"],
            "d",
            &[],
            "No policies are compared: the baseline 'd' does not play".into(),
        ),
    ] {
        assert_eq!(of(metrics, baseline, pairs), said);
    }
}
