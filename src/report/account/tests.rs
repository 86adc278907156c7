use std::collections::BTreeMap;

use super::super::finished::Comparison;
use super::super::page::Mood;
use super::standing::NOT_COMPARABLE;
use super::*;
use crate::compare::{Estimand, Judge, Summary};
use crate::config::Document;
use crate::protocol::Ending;
use crate::score::{LaneResult, PolicyRun, Row, RunResult};

/// A metric, who, against whom, the interval of the difference and the verdict.
type Told<'a> = (&'a str, &'a str, &'a str, [f64; 2], &'a str);

/// A run whose verdicts are these; every policy named has the middle of its first interval as its mean.
fn run(pairs: &[Told<'_>]) -> Finished {
    let mut means: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for (metric, a, b, [lo, hi], _) in pairs {
        means.entry((*b, *metric)).or_insert(10.0);
        means.entry((*a, *metric)).or_insert(10.0 + (lo + hi) / 2.0);
    }
    let mut lanes: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for ((label, metric), mean) in means {
        lanes.entry(label).or_default().push(Row {
            metric: metric.into(),
            at: None,
            value: mean,
        });
    }
    let lanes: Vec<PolicyRun> = lanes
        .into_iter()
        .map(|(label, rows)| PolicyRun {
            label: label.into(),
            kind: "k".into(),
            lanes: vec![LaneResult {
                ending: Ending::Filled,
                detail: None,
                rows,
            }],
        })
        .collect();
    let result = RunResult {
        name: "t".into(),
        seed: 1,
        replications: 30,
        policies: lanes.clone(),
        rounds: Vec::new(),
    };
    let pair = |(metric, a, b, [lo, hi], verdict): &Told<'_>| Comparison {
        metric: (*metric).into(),
        a: (*a).into(),
        b: (*b).into(),
        estimand: Estimand::Replications,
        n: 30,
        mean: Some((lo + hi) / 2.0),
        se: Some((hi - lo) / 4.0),
        lo: Some(*lo),
        hi: Some(*hi),
        alpha: 0.05 / pairs.len() as f64,
        method: "t (fixed n)".into(),
        verdict: (*verdict).into(),
        margin: None,
        needed: (*verdict == "undecided").then_some(70),
        beside: Default::default(),
    };
    Finished {
        name: "t".into(),
        seed: 1,
        replications: 30,
        pairs: pairs.iter().map(pair).collect(),
        versions: BTreeMap::new(),
        config: Document::parse("name = \"t\"\n[report.margin]\ncost = 0.5\n").unwrap(),
        policies: Summary::of(&result, &Judge::default()).policies,
        lanes,
    }
}

fn leaders(pairs: &[Told<'_>]) -> Vec<String> {
    let run = run(pairs);
    let standings = Standing::all(&run);
    standings[0]
        .leaders
        .iter()
        .map(|l| (*l).to_owned())
        .collect()
}

fn answer(pairs: &[Told<'_>]) -> (String, Mood, String) {
    let run = run(pairs);
    let answer = answers::answer(&Standing::all(&run)[0], &run);
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
    assert!(lines.contains("all 2 others, with 95 % confidence for all 2 comparisons together"));
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

/// Both are better than the baseline, but their intervals overlap: nothing is said of the one against the other.
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
    assert_eq!(Standing::all(&run)[0].leaders, ["a", "c"]);
}

/// Of one stream that goes on: pairs of (a, b, n, the interval of a - b).
fn stream(pairs: &[(&str, &str, u64, [f64; 2])]) -> Finished {
    let told: Vec<Told<'_>> = pairs
        .iter()
        .map(|&(a, b, _, limits)| ("selection_rate", a, b, limits, "undecided"))
        .collect();
    let mut run = run(&told);
    run.replications = 1;
    for (pair, (.., n, limits)) in run.pairs.iter_mut().zip(pairs) {
        pair.estimand = Estimand::Rounds;
        pair.n = *n;
        pair.verdict = match limits {
            [lo, _] if *lo > 0.0 => "better".into(),
            [_, hi] if *hi < 0.0 => "worse".into(),
            _ => "undecided".into(),
        };
    }
    run
}

#[test]
fn of_one_stream_those_a_little_ahead_are_still_compared() {
    let answer = |n: u64| {
        let run = stream(&[
            ("a", "base", 1000, [0.30, 0.40]),
            ("b", "base", n, [0.10, 0.20]),
        ]);
        answers::answer(&Standing::all(&run)[0], &run).answer
    };
    for (n, known) in [
        (1000, "“a” leads"),
        (1040, "“a” leads"),
        (960, "“a” leads"),
        (1060, "Undecided: “a” or “b”"),
        (500, "Undecided: “a” or “b”"),
    ] {
        assert_eq!(answer(n), known, "{n}");
    }
}

/// Whatever their means over other rounds are.
#[test]
fn of_one_stream_policies_stand_by_their_differences() {
    let mut run = stream(&[
        ("a", "b", 90, [-0.3, 0.1]),
        ("a", "c", 90, [-0.1, 0.2]),
        ("b", "c", 90, [0.0, 0.3]),
    ]);
    for (label, mean) in [("a", 0.9), ("b", 0.2), ("c", 0.5)] {
        let metrics = &mut run.policies.get_mut(label).unwrap().metrics;
        metrics.get_mut("selection_rate").unwrap().mean = mean;
    }
    assert_eq!(Standing::all(&run)[0].comparable, ["b", "a", "c"]);
}

#[test]
fn who_has_been_alike_so_far_may_yet_part() {
    let mut run = stream(&[("a", "b", 4, [-0.9, 0.9])]);
    run.pairs[0].verdict = "identical".into();
    let answers = |is_over| SoFar::of(&run, &["a", "b"], is_over).answers.remove(0);
    let so_far = answers(false);
    assert_eq!(
        (&*so_far.answer, so_far.mood),
        ("No difference so far: “a” and “b”", Mood::Open)
    );
    assert_eq!(
        so_far.lines,
        ["They had the same value in each of 4 rounds."]
    );
    let at_end = answers(true);
    assert_eq!(
        (&*at_end.answer, at_end.mood),
        ("Even: “a” and “b”", Mood::Settled)
    );
}

/// A lane that goes on counts as interrupted, and did nothing wrong.
#[test]
fn what_goes_on_forbids_nothing() {
    let mut run = stream(&[("a", "b", 4, [-0.9, 0.9]), ("c", "b", 4, [-0.9, 0.9])]);
    for pair in &mut run.pairs {
        pair.verdict = NOT_COMPARABLE.into();
    }
    for (lane, ending) in [
        (0, Ending::Interrupted),
        (1, Ending::Left),
        (2, Ending::Interrupted),
    ] {
        run.lanes[lane].lanes[0].ending = ending;
        let label = run.lanes[lane].label.clone();
        run.policies.get_mut(&label).unwrap().endings = BTreeMap::from([(ending, 1)]);
    }
    let standings = Standing::all(&run);
    let lines = answers::answer(&standings[0], &run).lines.join(" ");
    assert!(
        lines.starts_with("Not compared: “b”, whose lanes"),
        "{lines}"
    );
    assert!(
        lines.contains("“a” and “c” had nobody to be compared with"),
        "{lines}"
    );
    let notes = answers::verdicts(&standings[0], &run).rows;
    assert!(notes.iter().all(|row| !row.note.contains("interrupted")));
    assert!(notes.iter().any(|row| row.note.contains("b ended left 1")));
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
    let open = "“a” against “c”: \u{2212}0.8 (\u{2212}2.0 to +0.5); about 70 more replications may decide it.";
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
    assert!(lines.contains("“a” had nobody"), "{lines}");
    let mut run = run(&[("cost", "a", "b", [-9.0, -8.0], "not_comparable")]);
    let told = |run: &Finished| answers::answer(&Standing::all(run)[0], run);
    for (bad, good) in [(0, 1), (1, 0)] {
        let names = ["“a”", "“b”"];
        run.lanes[bad].lanes[0].ending = Ending::Stalled;
        run.lanes[good].lanes[0].ending = Ending::Filled;
        let answer = told(&run);
        assert_eq!(
            (answer.answer.as_str(), answer.mood),
            ("Nothing can be compared", Mood::Open)
        );
        let lines = answer.lines.join("\n");
        let whose = format!("Not compared: {}, whose lanes", names[bad]);
        assert!(lines.contains(&whose), "{lines}");
        assert!(
            lines.contains(&format!("{} had nobody", names[good])),
            "{lines}"
        );
        // Where it is the baseline that failed, another one helps.
        assert_eq!(lines.contains("Another baseline"), bad == 1);
    }
}

#[test]
fn the_frontier_is_nobody_s_shadow() {
    let pairs = [
        ("screened", "a", "b", [-2.0, 0.0], "undecided"),
        ("screened", "c", "b", [4.0, 6.0], "worse"),
        ("representation_loss", "a", "b", [3.0, 5.0], "worse"),
        ("representation_loss", "c", "b", [1.0, 3.0], "worse"),
    ];
    let run = run(&pairs);
    let labels = ["a", "b", "c"];
    let drawn = tradeoff::figure(&run, &labels, &measures(&run)).expect("two measures at odds");
    let table = drawn.table.expect("a table of its own");
    let ends: Vec<String> = table
        .rows
        .iter()
        .map(|row| row.last().unwrap().exact())
        .collect();
    // a costs least, b loses least, c is behind b in both.
    assert_eq!(ends, ["yes", "yes", "no"]);
    assert_eq!(drawn.figure.panels[0].series[0].points.len(), 2);
}

/// An end that is beside 0 is not shown as 0, however wide the interval.
#[test]
fn an_interval_that_leaves_out_0_is_seen_to() {
    let (_, _, lines) = answer(&[("cost", "a", "b", [-0.28, -0.0038], "better")]);
    let interval = "(\u{2212}0.280 to \u{2212}0.004) against “b”";
    assert!(lines.contains(interval), "{lines}");
    let (_, _, lines) = answer(&[("cost", "a", "b", [-0.28, 0.0], "undecided")]);
    assert!(lines.contains("(\u{2212}0.28 to 0.00)"), "{lines}");
}

/// Of several measures the best of each are drawn.
#[test]
fn the_best_of_every_measure_are_drawn() {
    let labels: Vec<String> = (0..20).map(|n| format!("p{n:02}")).collect();
    let pairs = |metric: &'static str, side: f64| {
        let others = labels[1..].iter().enumerate();
        let pair = move |(n, label)| -> Told<'_> {
            let mean = side * n as f64;
            let label: &String = label;
            (
                metric,
                label.as_str(),
                "p00",
                [mean - 0.5, mean + 0.5],
                "undecided",
            )
        };
        others.map(pair).collect::<Vec<_>>()
    };
    let all = [pairs("cost", -1.0), pairs("screened", 1.0)].concat();
    let run = run(&all);
    let standings = Standing::all(&run);
    assert_eq!(
        drawn(&run, &standings),
        ["p00", "p01", "p02", "p16", "p17", "p18", "p19"]
    );
}

/// What was asked for is told where it was not carried out, and the command gives what there is.
#[test]
fn a_run_cut_short_says_so() {
    let mut run = run(&[("cost", "a", "b", [-1.0, 2.0], "undecided")]);
    let text = "name = \"t\"\nreplications = 40\n";
    run.config = Document::parse(text).unwrap();
    let html = Account::of(&run, &[]).page.html();
    assert!(html.contains("30 replications (of 40 asked for: it was interrupted)"));
    assert!(html.contains("klero run config.toml --replications 30 --out again"));
    // One that stopped because all was decided gives itself again.
    let until = format!("{text}[report]\nuntil = \"decided\"\n");
    run.config = Document::parse(&until).unwrap();
    run.pairs[0].verdict = "better".into();
    let html = Account::of(&run, &[]).page.html();
    assert!(html.contains("klero run config.toml --out again") && !html.contains("interrupted)"));
    assert!(html.contains("stop with the first replication by which every pair is decided"));
    assert!(is_stopping(&run) && interval(&run, 1.0, Some(0.1), 30).is_none());
    // Cut off within a replication it is not to be had again.
    run.config = Document::parse("name = \"t\"\nreplications = 1\n").unwrap();
    run.replications = 1;
    assert!(interval(&run, 1.0, Some(0.1), 30).is_some());
    run.lanes[0].lanes[0].ending = Ending::Interrupted;
    let html = Account::of(&run, &[]).page.html();
    assert!(html.contains("1 replication (interrupted before its end)"));
    assert!(
        html.contains("in the middle of its first replication") && !html.contains("byte for byte")
    );
}

#[test]
fn what_no_pair_tells_has_no_column() {
    let mut run = run(&[("cost", "a", "b", [-1.0, 2.0], "undecided")]);
    let page = |run: &Finished| Account::of(run, &[]).page.html();
    assert!(!page(&run).contains("Beside the verdicts"));
    run.pairs[0].beside.median = Some(0.125);
    let html = page(&run);
    assert!(html.contains("median of D") && html.contains("0.125"));
    assert!(!html.contains("t, low") && !html.contains("e-value</th>"));
    run.pairs[0].beside.t_lo = Some(-0.75);
    assert!(page(&run).contains("t, low"));
}

#[test]
fn of_many_policies_the_baseline_and_the_best_are_drawn() {
    let labels: Vec<String> = (0..20).map(|n| format!("p{n:02}")).collect();
    let pairs: Vec<Told<'_>> = labels[1..]
        .iter()
        .enumerate()
        .map(|(n, label)| {
            (
                "cost",
                label.as_str(),
                "p00",
                [-(n as f64) - 1.0, -(n as f64)],
                "better",
            )
        })
        .collect();
    let run = run(&pairs);
    let standings = Standing::all(&run);
    assert_eq!(
        drawn(&run, &standings),
        ["p00", "p14", "p15", "p16", "p17", "p18", "p19"]
    );
    let account = Account::of(&run, &[]);
    let html = account.page.html();
    assert!(labels.iter().all(|label| html.contains(label.as_str())));
}
