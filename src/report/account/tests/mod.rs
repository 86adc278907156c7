//! Who leads, who is even and what is open, of runs made by hand.

mod shown;
mod streams;

use std::collections::BTreeMap;

use super::super::finished::SummaryPair;
use super::super::page::Mood;
use super::*;
use crate::compare::RunResult;
use crate::compare::{Estimand, Judge, Summary};
use crate::config::Document;
use crate::protocol::{Ending, Role};
use crate::score::{LaneResult, MetricRow, PolicyRun};

/// A metric, who, against whom, the interval of the difference and the verdict.
type VerdictCase<'a> = (&'a str, &'a str, &'a str, [f64; 2], &'a str);

/// A run whose verdicts are these; every policy named has the middle of its first interval as its
/// mean.
fn run(pairs: &[VerdictCase<'_>]) -> Finished {
    let mut means: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for (metric, a, b, [lo, hi], _) in pairs {
        means.entry((*b, *metric)).or_insert(10.0);
        means.entry((*a, *metric)).or_insert(10.0 + (lo + hi) / 2.0);
    }
    let mut lanes: BTreeMap<&str, Vec<MetricRow>> = BTreeMap::new();
    for ((label, metric), mean) in means {
        lanes.entry(label).or_default().push(MetricRow {
            metric: metric.into(),
            at: None,
            value: mean,
        });
    }
    let lanes: Vec<PolicyRun> = lanes
        .into_iter()
        .map(|(label, rows)| {
            PolicyRun::new(label, "k").with(vec![LaneResult::new(Ending::Filled, None, rows)])
        })
        .collect();
    let result = RunResult {
        name: "t".into(),
        seed: 1,
        replications: 30,
        policies: lanes.clone(),
        ..RunResult::default()
    };
    let pair = |(metric, a, b, [lo, hi], verdict): &VerdictCase<'_>| SummaryPair {
        metric: (*metric).into(),
        a: (*a).into(),
        b: (*b).into(),
        estimand: Estimand::Replications,
        n: 30,
        unfilled: 0,
        mean: Some((lo + hi) / 2.0),
        se: Some((hi - lo) / 4.0),
        lo: Some(*lo),
        hi: Some(*hi),
        alpha: 0.05 / pairs.len() as f64,
        method: "t (fixed n)".into(),
        verdict: (*verdict).into(),
        margin: None,
        needed: (*verdict == "undecided").then_some(70),
        extras: Default::default(),
    };
    Finished {
        name: "t".into(),
        seed: 1,
        replications: 30,
        disclosures: Vec::new(),
        pairs: pairs.iter().map(pair).collect(),
        directions: Default::default(),
        answer: None,
        versions: BTreeMap::new(),
        own: None,
        config: Document::parse("name = \"t\"\n[report.margin]\ncost = 0.5\n").unwrap(),
        policies: Summary::of(&result, &Judge::default()).policies,
        lanes,
        has_journal: false,
        files: vec!["config.toml", "summary.json"],
    }
}

fn leaders(pairs: &[VerdictCase<'_>]) -> Vec<String> {
    let run = run(pairs);
    let standings = MeasureStanding::all(&run);
    standings[0]
        .leaders
        .iter()
        .map(|l| (*l).to_owned())
        .collect()
}

fn answer(pairs: &[VerdictCase<'_>]) -> (String, Mood, String) {
    let run = run(pairs);
    let answer = answers::answer(&MeasureStanding::all(&run)[0], &run);
    (answer.answer, answer.mood, answer.lines.join("\n"))
}

#[test]
fn who_is_surely_ahead_of_all_leads() {
    // Less is better: a is better than the baseline, c worse, and a's interval lies below c's.
    let (said, mood, lines) = answer(&[
        ("cost", "a", "b", [-3.0, -1.0], "better"),
        ("cost", "c", "b", [1.0, 2.0], "worse"),
    ]);
    assert_eq!((said.as_str(), mood), ("“a” leads", Mood::Settled));
    assert!(
        lines.starts_with("\u{2212}2.0 (\u{2212}3.0 to \u{2212}1.0) against “b”; means 8 and 10."),
        "{lines}"
    );
    assert!(
        lines.contains("ahead of both others, with 95 % confidence for all 2 comparisons together")
    );
}

#[test]
fn a_yardstick_never_leads() {
    let mut run = run(&[
        ("cost", "a", "b", [-3.0, -1.0], "better"),
        ("cost", "c", "b", [1.0, 2.0], "worse"),
    ]);
    run.policies.get_mut("a").unwrap().role = Role::Yardstick;
    let standings = MeasureStanding::all(&run);
    assert_eq!(standings[0].leaders, ["b"]);
    let answer = answers::answer(&standings[0], &run);
    assert_eq!(answer.answer, "“b” leads");
    let lines = answer.lines.join("\n");
    assert!(
        lines.contains("Not in the running: “a”, a yardstick."),
        "{lines}"
    );
    assert_eq!(
        SoFar::of(&run, &["a", "b", "c"], true).ahead.as_deref(),
        Some("b")
    );
    // Alone with yardsticks it has none to lead.
    run.policies.get_mut("c").unwrap().role = Role::Yardstick;
    let standings = MeasureStanding::all(&run);
    let answer = answers::answer(&standings[0], &run);
    assert_eq!(answer.lines[0], "The others are yardsticks.");
    for label in ["a", "b", "c"] {
        run.policies.get_mut(label).unwrap().role = Role::Yardstick;
    }
    let standings = MeasureStanding::all(&run);
    let answer = answers::answer(&standings[0], &run);
    assert_eq!(answer.answer, "Only yardsticks can be compared");
}

#[test]
fn the_baseline_leads_where_all_others_are_worse() {
    let (said, mood, lines) = answer(&[
        ("cohort_value", "a", "b", [-3.0, -1.0], "worse"),
        ("cohort_value", "c", "b", [-0.4, -0.2], "worse"),
    ]);
    assert_eq!((said.as_str(), mood), ("“b” leads", Mood::Settled));
    // Turned round, as the leader is spoken of.
    assert!(
        lines.starts_with("+0.30 (+0.20 to +0.40) against “c”"),
        "{lines}"
    );
}

/// Both are better than the baseline, but their intervals overlap: nothing is said of the one
/// against the other.
#[test]
fn overlapping_intervals_leave_the_lead_open() {
    let pairs = [
        ("cost", "a", "b", [-3.0, -1.0], "better"),
        ("cost", "c", "b", [-2.0, -0.5], "better"),
        ("cost", "d", "b", [0.5, 1.0], "worse"),
    ];
    assert_eq!(leaders(&pairs), ["a", "c"]);
    let (said, mood, lines) = answer(&pairs);
    assert_eq!((said.as_str(), mood), ("Undecided: “a” or “c”", Mood::Open));
    assert!(lines.contains("not compared with each other"));
    assert!(lines.contains("Surely behind: “b” and “d”"));
    let apart = [
        pairs[0],
        ("cost", "c", "b", [-0.9, -0.5], "better"),
        pairs[2],
    ];
    assert_eq!(leaders(&apart), ["a"]);
}

/// Intervals over other replications speak of other people.
#[test]
fn intervals_of_other_replications_decide_nothing() {
    let pairs = [
        ("cost", "a", "b", [-3.0, -1.0], "better"),
        ("cost", "c", "b", [-0.9, -0.5], "better"),
    ];
    let mut run = run(&pairs);
    run.pairs[1].n = 29;
    assert_eq!(MeasureStanding::all(&run)[0].leaders, ["a", "c"]);
}

#[test]
fn all_pairs_are_judged_by_their_own_verdicts() {
    let all = |ac| {
        [
            ("cost", "a", "b", [-3.0, -1.0], "better"),
            ("cost", "a", "c", [-2.0, 0.5], ac),
            ("cost", "b", "c", [0.5, 2.0], "worse"),
        ]
    };
    assert_eq!(leaders(&all("undecided")), ["a", "c"]);
    assert_eq!(leaders(&all("better")), ["a"]);
    let (_, _, lines) = answer(&all("undecided"));
    let open = "“a” against “c”: \u{2212}0.8 (\u{2212}2.0 to +0.5); about 70 more replications may \
                decide it.";
    assert!(lines.contains(open), "{lines}");
}

#[test]
fn even_is_told_from_undecided() {
    let (said, mood, lines) = answer(&[("cost", "a", "b", [0.0, 0.0], "identical")]);
    assert_eq!((said.as_str(), mood), ("Even: “a” and “b”", Mood::Settled));
    assert!(lines.contains("the same value in every replication"));
    let (said, mood, lines) = answer(&[("cost", "a", "b", [-0.1, 0.2], "equivalent")]);
    assert_eq!((said.as_str(), mood), ("Even: “b” and “a”", Mood::Settled));
    assert!(lines.contains("the margin of 0.5"));
    let (said, mood, lines) = answer(&[("cost", "a", "b", [-1.0, 2.0], "undecided")]);
    assert_eq!((said.as_str(), mood), ("Undecided: “b” or “a”", Mood::Open));
    assert!(
        lines.contains("about 70 more replications may decide it"),
        "{lines}"
    );
}

#[test]
fn a_measure_without_a_better_side_has_no_leader() {
    let (said, mood, lines) = answer(&[
        ("share.F", "a", "b", [0.1, 0.2], "differs"),
        ("share.F", "c", "b", [-0.1, 0.2], "undecided"),
    ]);
    assert_eq!(
        (said.as_str(), mood),
        ("1 of 2 differ from “b”", Mood::Told)
    );
    assert_eq!(lines, "a: +0.150 (+0.100 to +0.200)");
}

#[test]
fn who_cannot_be_compared_leads_nothing() {
    let (said, _, lines) = answer(&[
        ("cost", "a", "b", [-9.0, -8.0], "not_comparable"),
        ("cost", "c", "b", [0.5, 1.0], "worse"),
    ]);
    assert_eq!(said, "“b” leads");
    assert!(lines.contains("“a” had no policy"), "{lines}");
    let mut run = run(&[("cost", "a", "b", [-9.0, -8.0], "not_comparable")]);
    let told = |run: &Finished| answers::answer(&MeasureStanding::all(run)[0], run);
    for (bad, good) in [(0, 1), (1, 0)] {
        let names = ["“a”", "“b”"];
        run.lanes[bad].change(|lanes| lanes[0].ending = Ending::Disqualified);
        run.lanes[good].change(|lanes| lanes[0].ending = Ending::Filled);
        let answer = told(&run);
        assert_eq!(
            (answer.answer.as_str(), answer.mood),
            ("Nothing can be compared", Mood::Open)
        );
        let lines = answer.lines.join("\n");
        let whose = format!("Not compared: {}, whose lanes", names[bad]);
        assert!(lines.contains(&whose), "{lines}");
        assert!(
            lines.contains(&format!("{} had no policy", names[good])),
            "{lines}"
        );
        // Where it is the baseline that failed, another one helps.
        assert_eq!(lines.contains("Another baseline"), bad == 1);
    }
}

/// An end that is near 0 is not shown as 0, however wide the interval.
#[test]
fn an_interval_that_leaves_out_0_is_seen_to() {
    let (_, _, lines) = answer(&[("cost", "a", "b", [-0.28, -0.0038], "better")]);
    let interval = "(\u{2212}0.280 to \u{2212}0.004) against “b”";
    assert!(lines.contains(interval), "{lines}");
    let (_, _, lines) = answer(&[("cost", "a", "b", [-0.28, 0.0], "undecided")]);
    assert!(lines.contains("(\u{2212}0.28 to 0.00)"), "{lines}");
}
