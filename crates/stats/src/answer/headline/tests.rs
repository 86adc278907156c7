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
    assert_eq!(plain(&found.headline), "'a' leads all 3 others");
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
        "No policy leads on both measures, as 'a' represents best and 'b' screens fewest"
    );
    // Where a may yet be best on both, it is open.
    pairs[1].verdict = Undecided;
    let found = answer(&["a", "b", "c"], &[LOSS, RATE], &pairs);
    assert_eq!((found.frontier.len(), found.open), (2, 1));
    assert_eq!(
        plain(&found.headline),
        "Open between 'a' and 'b'; 'a' represents best"
    );
    // A third measure that nothing is known of: its words, and no leader of its own.
    pairs.push(pair(L1, "a", "b", Undecided));
    let found = answer(&["a", "b", "c"], &[LOSS, RATE, L1], &pairs);
    assert_eq!(
        plain(&found.headline),
        "Open among all 3 policies; 'a' represents best"
    );
    // One measure alone: who leads it, and no more.
    let loss = [
        pair(LOSS, "a", "b", Undecided),
        pair(LOSS, "a", "c", Better),
    ];
    let found = answer(&["a", "b", "c"], &[LOSS], &loss);
    assert_eq!(plain(&found.headline), "Open between 'a' and 'b'");
    let none = [pair(LOSS, "a", "b", Undecided)];
    let found = answer(&["a", "b"], &[LOSS], &none);
    assert_eq!(plain(&found.headline), "Open between 'a' and 'b'");
}

#[test]
fn the_winner_of_one_measure_has_its_words_or_those_of_any() {
    let won = [pair(LOSS, "a", "b", Better), pair(LOSS, "c", "a", Worse)];
    let found = answer(&["a", "b", "c"], &[LOSS], &won);
    assert_eq!(plain(&found.headline), "'a' leads both others");
    let found = answer(&["a", "b"], &[L1], &[pair(L1, "a", "b", Better)]);
    assert_eq!(plain(&found.headline), "'a' leads 'b'");
    // On one stream the sentence says so.
    let mut fact = pair(LOSS, "a", "b", Better);
    fact.estimand = Estimand::Rounds;
    let found = answer(&["a", "b"], &[LOSS], &[fact]);
    assert_eq!(plain(&found.headline), "On this stream, 'a' leads 'b'");
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
    assert_eq!(plain(&found.headline), "'c' leads 'b'; 'a' broke off");
}

#[test]
fn of_many_labels_the_first_three_are_named() {
    let names = Names::WHOLE;
    assert_eq!(names.and(&["a"]), "\u{201c}a\u{201d}");
    assert_eq!(
        names.or(&["a", "b"]),
        "\u{201c}a\u{201d} or \u{201c}b\u{201d}"
    );
    let four = "\u{201c}a\u{201d}, \u{201c}b\u{201d}, \u{201c}c\u{201d} and \u{201c}d\u{201d}";
    assert_eq!(names.and(&["a", "b", "c", "d"]), four);
    let five = "\u{201c}a\u{201d}, \u{201c}b\u{201d}, \u{201c}c\u{201d} and 2 others";
    assert_eq!(names.and(&["a", "b", "c", "d", "e"]), five);
    assert_eq!(names.and(&[]), "");
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
        "On this stream, 'a' leads 'b': sure since round 254"
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
        "On this stream, 'a' leads 'b': sure since round 254"
    );
    assert_eq!(
        said(&[dated("a", "b", Undecided, (254, Some(256), None))]),
        "On this stream, open between 'a' and 'b': was sure at 254, open again since 256"
    );
    assert_eq!(
        said(&[dated("a", "b", Better, (254, Some(256), Some(300)))]),
        "On this stream, 'a' leads 'b': sure since round 300, was sure at 254, open again at 256"
    );
}

/// A fact is no finding: neither alone nor next to what is inferred.
#[test]
fn facts_are_never_in_the_headline() {
    let found = answer(&["a", "b"], &[LOSS], &[fact(LOSS, "a", "b")]);
    assert_eq!(
        found.headline,
        "Nothing is inferred from this one stream: gap to a target is a fact of it so far"
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
    assert_eq!(plain(&found.headline), "On this stream, 'b' leads 'a'");
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
            "No policies are compared: one stream does not tell how far apart policies are on screened"
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

/// A comparison with a difference and its error.
fn by(metric: &str, a: &str, b: &str, verdict: Verdict, (mean, se): (f64, f64)) -> Pair {
    Pair {
        mean: Some(mean),
        se: Some(se),
        ..pair(metric, a, b, verdict)
    }
}

#[test]
fn a_lead_is_in_people_and_points_against_the_nearest() {
    let mut pairs = vec![
        by(LOSS, "queue", "cmdp", Better, (-0.0256, 0.0012)),
        by(RATE, "cmdp", "queue", Worse, (-0.1496, 0.0027)),
    ];
    let found = answer(&["queue", "cmdp"], &[LOSS, RATE], &pairs);
    assert_eq!(
        plain(&found.headline),
        "'queue' leads 'cmdp' on both measures: 2.6 points less gap to a target and 15.0 more \
         chosen of 100 screened"
    );
    pairs.push(by(LOSS, "queue", "slow", Better, (-0.3, 0.01)));
    pairs.push(by(RATE, "queue", "slow", Better, (0.4, 0.01)));
    let found = answer(&["queue", "cmdp", "slow"], &[LOSS, RATE], &pairs);
    assert_eq!(
        plain(&found.headline),
        "'queue' leads both others: 2.6 points less gap to a target and 15.0 more chosen of 100 \
         screened than 'cmdp'"
    );
    let people = [by("screened", "queue", "cmdp", Better, (-96.2, 5.0))];
    let found = answer(&["queue", "cmdp"], &["screened"], &people);
    assert_eq!(
        plain(&found.headline),
        "'queue' leads 'cmdp': 96 fewer people screened"
    );
}

#[test]
fn an_open_answer_says_what_closes_it() {
    let open = |needed| Pair {
        needed,
        ..pair(LOSS, "a", "b", Undecided)
    };
    let said = |pairs: &[Pair]| plain(&answer(&["a", "b"], &[LOSS, RATE], pairs).headline);
    let rate = pair(RATE, "b", "a", Better);
    assert_eq!(
        said(&[open(Some(812)), rate.clone()]),
        "Open between 'a' and 'b': about 820 more replications may decide it; 'b' screens fewest"
    );
    let ends = Pair {
        ends_before: true,
        ..open(None)
    };
    assert_eq!(
        said(&[ends, rate]),
        "Open between 'a' and 'b': it can't be decided in this run; 'b' screens fewest"
    );
}

/// Made results of all sizes: the sentence is short, names whom it may, and claims what the
/// verdicts say.
#[test]
fn every_answer_is_short_and_true() {
    let mut state = 7_u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let all = [LOSS, RATE, L1, "screened", "cost", "my_own_measure"];
    let verdicts = [Better, Worse, Undecided, Equivalent, Better];
    let (mut led, mut open, mut settled) = (0, 0, 0);
    for made in 0..3_000_u64 {
        let size = 2 + next(if made % 10 == 0 { 40 } else { 4 }) as usize;
        let long = [0, 0, 3, 30, 90][next(5) as usize];
        let labels = (0..size).map(|at| format!("p{at}{}", "x".repeat(long)));
        let labels: Vec<String> = labels.chain(["yard".to_owned()]).collect();
        let names: Vec<&str> = labels.iter().map(String::as_str).collect();
        let metrics = &all[..1 + next(all.len() as u64) as usize];
        let kinds = 1 + next(verdicts.len() as u64);
        let mut pairs = Vec::new();
        for (at, a) in names.iter().enumerate() {
            for b in &names[at + 1..] {
                for metric in metrics {
                    let verdict = verdicts[next(kinds) as usize];
                    let mean = next(2_000) as f64 / 1_000.0 - 1.0;
                    pairs.push(Pair {
                        needed: (verdict == Undecided).then(|| next(1 << 40)),
                        ..by(metric, a, b, verdict, (mean, 0.001))
                    });
                }
            }
        }
        let found = answer(&names, metrics, &pairs);
        let said = &found.headline;
        let length = said.chars().count();
        assert!((1..crate::limits::MOST_ANSWER).contains(&length), "{said}");
        assert!(!said.contains("yard"), "{said}");
        let quotes = said.split('\u{201c}').skip(1);
        let named: Vec<&str> = quotes
            .filter_map(|rest| rest.split('\u{201d}').next())
            .collect();
        for name in &named {
            let name = name.trim_end_matches('\u{2026}');
            assert!(
                labels[..size].iter().any(|label| label.starts_with(name)),
                "{said}"
            );
        }
        let is_named =
            |label: &String, name: &str| label.starts_with(name.trim_end_matches('\u{2026}'));
        if said.contains(" leads") && !said.contains("No policy leads") {
            led += 1;
            assert_eq!(found.frontier.len(), 1, "{said}");
            assert!(is_named(&found.frontier[0], named[0]), "{said}");
        } else if said.starts_with("Open") {
            open += 1;
            assert!(found.open > 0 && found.frontier.len() > 1, "{said}");
        } else {
            settled += 1;
            assert_eq!(found.open, 0, "{said}");
        }
    }
    assert!(
        led > 100 && open > 100 && settled > 100,
        "{led} {open} {settled}"
    );
}
