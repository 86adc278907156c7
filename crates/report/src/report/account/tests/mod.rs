//! Tests of leaders, equal policies and open comparisons, with runs made by hand.

mod curves;
mod followed;
mod rows;
mod shown;
mod streams;

use std::collections::BTreeMap;

use super::super::page::{Mood, VerdictRow};
use super::drawn::FOREMOST;
use super::many::foremost;
use super::standing::MeasureStanding;
use super::*;
use kleroterion_core::protocol::{Ending, Role};
use kleroterion_core::score::{Directions, LaneResult, MetricRow, PolicyRun};
use kleroterion_run::config::Document;
use kleroterion_stats::RunResult;
use kleroterion_stats::{Answer, Estimand, Judge, Pair, Standing, Summary, Verdict, lies_within};

/// A metric, who, against whom, the interval of the difference and the verdict.
type VerdictCase<'a> = (&'a str, &'a str, &'a str, [f64; 2], &'a str);

/// The verdict of this word.
fn known(word: &str) -> Verdict {
    serde_json::from_value(word.into()).expect("a verdict's word")
}

/// Gives a comparison a verdict, and the standing that it has by it.
fn judge(pair: &mut Pair, verdict: &str) {
    let limits = pair.lo.zip(pair.hi);
    let is_within = limits.is_some_and(|limits| lies_within(limits, pair.margin));
    pair.verdict = known(verdict);
    pair.standing = Standing::of(pair.verdict, pair.estimand, is_within);
}

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
    let pair = |(metric, a, b, [lo, hi], verdict): &VerdictCase<'_>| Pair {
        metric: (*metric).into(),
        direction: Directions::default().of(metric),
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
        verdict: known(verdict),
        standing: Standing::of(known(verdict), Estimand::Replications, false),
        dated: None,
        ends_before: false,
        margin: None,
        needed: (*verdict == "undecided").then_some(70),
        extras: Default::default(),
        blocked: Vec::new(),
    };
    Finished {
        name: "t".into(),
        seed: 1,
        replications: 30,
        disclosures: Vec::new(),
        pairs: pairs.iter().map(pair).collect(),
        courses: Vec::new(),
        curves: BTreeMap::new(),
        one_by_one: false,
        directions: Default::default(),
        catalogue: Default::default(),
        answer: None,
        versions: BTreeMap::new(),
        own: None,
        config: Document::parse("name = \"t\"\n[report.margin]\ncost = 0.5\n").unwrap(),
        policies: Summary::of(&result, &Judge::default()).policies,
        lanes,
        has_journal: false,
        strip: crate::report::strip::Strip::default(),
        cohort: None,
        files: vec!["config.toml", "summary.json"],
        changed: Vec::new(),
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

/// Returns the finding on the first measure: the answer, its mood, and all notes, a line each.
fn said_of(run: &Finished) -> (String, Mood, String) {
    let standing = &MeasureStanding::all(run)[0];
    let found = answers::finding(standing, run);
    let notes = answers::notes(standing, run);
    let lines = [vec![found.detail], notes].concat().join("\n");
    (found.answer, found.mood, lines)
}

fn answer(pairs: &[VerdictCase<'_>]) -> (String, Mood, String) {
    said_of(&run(pairs))
}

/// The table of the first measure.
fn table(run: &Finished) -> Verdicts {
    let looks = PolicyLooks::of(run.policies.keys().cloned());
    verdicts::verdicts(&MeasureStanding::all(run)[0], run, &looks)
}

#[test]
fn who_is_surely_ahead_of_all_leads() {
    // Less is better: a is better than the baseline, c worse, and a's interval lies below c's.
    let pairs = [
        ("cost", "a", "b", [-3.0, -1.0], "better"),
        ("cost", "c", "b", [1.0, 2.0], "worse"),
    ];
    let (said, mood, lines) = answer(&pairs);
    assert_eq!((said.as_str(), mood), ("“a” leads", Mood::Settled));
    assert_eq!(
        lines,
        ": \u{2212}2.00 against “b”, the baseline, surely ahead of both others"
    );
    let sure = sure::about(&run(&pairs));
    let known = "All 2 comparisons are right together with 95 % confidence, valid at one look, planned beforehand.";
    assert!(sure.contains(known), "{sure}");
}

#[test]
fn a_yardstick_never_leads() {
    let mut run = run(&[
        ("cost", "a", "b", [-3.0, -1.0], "better"),
        ("cost", "c", "b", [1.0, 2.0], "worse"),
    ]);
    run.policies.get_mut("a").unwrap().role = Role::Yardstick;
    assert_eq!(MeasureStanding::all(&run)[0].leaders, ["b"]);
    let (said, _, lines) = said_of(&run);
    assert_eq!(said, "“b” leads");
    assert!(!lines.contains("“a”"), "{lines}");
    let marked = |row: &VerdictRow| row.who.is_yardstick;
    let rows = table(&run).rows;
    assert_eq!(
        rows.iter().map(marked).collect::<Vec<_>>(),
        [false, false, true]
    );
    let html = RunReport::of(&run, &[]).page.html();
    assert_eq!(html.matches(">yardstick</span>").count(), 1);
    assert_eq!(SoFar::of(&run).measures[0].contenders[0], "b");
    // Alone with yardsticks it has none to lead.
    run.policies.get_mut("c").unwrap().role = Role::Yardstick;
    let (_, _, lines) = said_of(&run);
    assert!(lines.starts_with(": the others are yardsticks"), "{lines}");
    for label in ["a", "b", "c"] {
        run.policies.get_mut(label).unwrap().role = Role::Yardstick;
    }
    assert_eq!(said_of(&run).0, "Only yardsticks can be compared");
}

#[test]
fn the_baseline_leads_where_all_others_are_worse() {
    let (said, mood, lines) = answer(&[
        ("cohort_value", "a", "b", [-3.0, -1.0], "worse"),
        ("cohort_value", "c", "b", [-0.4, -0.2], "worse"),
    ]);
    assert_eq!((said.as_str(), mood), ("“b” leads", Mood::Settled));
    // Turned round, as the leader is spoken of.
    assert!(lines.starts_with(": +0.30 against “c”"), "{lines}");
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
    assert_eq!((said.as_str(), mood), ("Open: “a” or “c”", Mood::Open));
    assert!(lines.contains("“a” and “c” were not compared with each other"));
    assert!(lines.contains("Surely behind: “b” and “d”."));
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
    let rows = table(&run(&all("undecided"))).rows;
    // The better by the mean is the first of each, the largest difference comes first.
    let named = |row: &VerdictRow| {
        let against = row.against.as_ref().map(|name| name.label.clone());
        (row.who.label.clone(), against.unwrap(), row.verdict.clone())
    };
    let known = [
        ("a", "b", "better"),
        ("c", "b", "better"),
        ("a", "c", "undecided"),
    ];
    let known = known.map(|(a, b, verdict)| (a.into(), b.into(), verdict.into()));
    assert_eq!(rows.iter().map(named).collect::<Vec<_>>(), known);
    assert_eq!(rows[1].interval, "\u{2212}2.00 to \u{2212}0.50");
    let open = &rows[2];
    assert_eq!(
        (open.difference.as_str(), open.interval.as_str()),
        ("\u{2212}0.75 ± 0.62", "\u{2212}2.00 to +0.50")
    );
    let progress = open.progress.as_ref().unwrap();
    let words = "30 of about 100 replications: about 70 more may decide it";
    assert_eq!(
        (progress.whole, progress.words.as_str()),
        (Some(100), words)
    );
}

#[test]
fn even_is_not_undecided() {
    let (said, mood, lines) = answer(&[("cost", "a", "b", [0.0, 0.0], "identical")]);
    let alike = ("No difference seen: “a” and “b”", Mood::Open);
    assert_eq!((said.as_str(), mood), alike);
    assert!(
        lines.contains("the same value in each of 30 replications"),
        "{lines}"
    );
    let (said, mood, lines) = answer(&[("cost", "a", "b", [-0.1, 0.2], "equivalent")]);
    assert_eq!((said.as_str(), mood), ("Even: “b” and “a”", Mood::Settled));
    assert!(lines.contains("the margin of 0.5"));
    let (said, mood, lines) = answer(&[("cost", "a", "b", [-1.0, 2.0], "undecided")]);
    assert_eq!((said.as_str(), mood), ("Open: “b” or “a”", Mood::Open));
    let more = "30 of about 100 replications: about 70 more may decide it";
    assert_eq!(
        lines,
        format!(". By the mean “b” is ahead of “a” by 0.5; {more}")
    );
}

#[test]
fn a_measure_without_a_better_side_has_no_leader() {
    let pairs = [
        ("share.F", "a", "b", [0.1, 0.2], "differs"),
        ("share.F", "c", "b", [-0.1, 0.2], "undecided"),
    ];
    let (said, mood, lines) = answer(&pairs);
    assert_eq!(
        (said.as_str(), mood),
        ("1 of 2 differ from “b”", Mood::Differs)
    );
    assert_eq!(lines, ": a by +0.150 points");
    // Where none differs, that is open, or known.
    let (said, mood, _) = answer(&pairs[1..]);
    assert_eq!(
        (said.as_str(), mood),
        ("No difference from “b” is sure yet", Mood::Open)
    );
    let (said, mood, _) = answer(&[("share.F", "a", "b", [0.0, 0.0], "identical")]);
    assert_eq!(
        (said.as_str(), mood),
        ("No difference from “b” is sure yet", Mood::Open)
    );
    let (said, mood, _) = answer(&[("share.F", "a", "b", [-0.1, 0.1], "equivalent")]);
    assert_eq!(
        (said.as_str(), mood),
        ("No policy differs from “b”", Mood::Settled)
    );
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
    for (bad, good) in [(0, 1), (1, 0)] {
        let names = ["“a”", "“b”"];
        run.lanes[bad].change(|lanes| lanes[0].ending = Ending::Disqualified);
        run.lanes[good].change(|lanes| lanes[0].ending = Ending::Filled);
        let (said, mood, lines) = said_of(&run);
        assert_eq!(
            (said.as_str(), mood),
            ("Nothing can be compared", Mood::Open)
        );
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
