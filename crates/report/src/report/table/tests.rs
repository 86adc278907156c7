//! The table of a small run, line by line.

use super::*;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};
use kleroterion_stats::{Meets, Versus};

/// Four replications; `queue` screens few, `greedy` many; `mine` breaks a rule in the last.
fn run() -> RunResult {
    let lane = |screened: f64, loss: f64, ending: Ending| {
        let row = |metric: &str, at, value| MetricRow {
            metric: metric.into(),
            at,
            value,
        };
        LaneResult::new(
            ending,
            (ending == Ending::Disqualified).then(|| "chose slot 3\nof 1".into()),
            vec![
                row("representation_loss", Some(50), loss * 2.0),
                row("representation_loss", Some(100), loss),
                row("share.F", Some(50), 0.5),
                row("accepted", None, 100.0),
                row("own", None, screened / 7.0),
                row("screened", None, screened),
                row("representation_loss", None, loss),
                row("share.F", None, 0.5 + loss / 8.0),
                row("share.M", None, 0.5 - loss / 8.0),
            ],
        )
    };
    let policy = |label: &str, screened: f64, loss: f64, last: Ending| {
        PolicyRun::new(label, "k").with((0..4).map(|i| {
            let part = f64::from(i % 3) / 16.0;
            let ending = if i == 3 { last } else { Ending::Filled };
            lane(
                (screened * (1.0 + part)).round(),
                loss + part / 64.0,
                ending,
            )
        }))
    };
    RunResult {
        name: "small committee".into(),
        seed: 2021,
        replications: 4,
        policies: vec![
            policy("queue", 150.0, 0.0294, Ending::Filled),
            policy("greedy .05", 6399.0, 0.0503, Ending::Filled),
            policy("mine", 152.0, 0.0294, Ending::Disqualified),
        ],
        ..RunResult::default()
    }
}

fn judge() -> Judge {
    Judge {
        metrics: vec!["representation_loss".into(), "screened".into()],
        versus: Versus::Baseline("greedy .05".into()),
        alpha: 0.05,
        ..Judge::default()
    }
}

fn shown(run: &RunResult, judge: &Judge, full: bool) -> String {
    table(
        run,
        &Summary::of(run, judge),
        judge,
        full,
        &Medium::default(),
    )
}

#[test]
fn a_small_run() {
    let known = "small committee: 4 replications, seed 2021

                                        Largest gap
                                        to a target
                                           (points)       People screened     People
policy       ended                        mean \u{b1} se     mean \u{b1} se  median   accepted
greedy .05   filled 4                   5.10 \u{b1} 0.05   6,699 \u{b1} 191   6,599        100
mine         filled 3, disqualified 1   3.01 \u{b1} 0.05     159 \u{b1} 5       157        100
queue        filled 4                   3.01 \u{b1} 0.05     157 \u{b1} 5       154        100

mine, replication 3: disqualified: chose slot 3⟨U+000A⟩of 1

Verdicts against greedy .05, on the mean over replications of policy - greedy .05, best first
All 6 comparisons (2 among the others, for the answer) are right together with 95 % confidence, alpha 0.00833 each:
betting is valid at any time; t for a number of replications fixed beforehand (no declared range: screened)

Largest gap to a target (points; representation_loss): less is better; betting (any time)
policy       verdict          difference \u{b1} se, interval   < better, 0 is |            p
queue        open             -2 \u{b1} 0  [-84, 83]           ------------o------------   1
    t (fixed n) says better: [-2.09, -2.09]; about 370 more replications may decide it
greedy .05   baseline          0
mine         not comparable
    1 of 4 lanes of mine ended disqualified

People screened (screened): less is better; t (fixed n)
policy       verdict          difference, interval    < better, 0 is |            median, interval   better in
queue        sure: better     -6542  [-7707, -5377]   ---=o---                |   -6444              100 % [17, 100]
greedy .05   baseline             0
mine         not comparable
    1 of 4 lanes of mine ended disqualified

All other measures, shares by group, and measures over the run: --full, or the files that --out DIR writes.

Answer: Open between \u{201c}queue\u{201d} and \u{201c}greedy .05\u{201d}: about 370 more replications may decide it; \u{201c}mine\u{201d} broke off.
";
    let shown = shown(&run(), &judge(), false);
    assert_eq!(shown, known, "\n{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 120));
}

#[test]
fn a_small_run_in_full() {
    let known = "
                                           Largest gap to a
                                            target (points)       People screened     People                    own
policy       ended                        mean \u{b1} se  median     mean \u{b1} se  median   accepted      mean \u{b1} se  median
greedy .05   filled 4                   5.10 \u{b1} 0.05    5.08   6,699 \u{b1} 191   6,599        100   957.0 \u{b1} 27.4   942.7
mine         filled 3, disqualified 1   3.01 \u{b1} 0.05    2.99     159 \u{b1} 5       157        100    22.8 \u{b1} 0.7     22.4
queue        filled 4                   3.01 \u{b1} 0.05    2.99     157 \u{b1} 5       154        100    22.4 \u{b1} 0.6     22.1

mine, replication 3: disqualified: chose slot 3⟨U+000A⟩of 1

Verdicts against greedy .05, on the mean over replications of policy - greedy .05, best first
All 6 comparisons (2 among the others, for the answer) are right together with 95 % confidence, alpha 0.00833 each:
betting is valid at any time; t for a number of replications fixed beforehand (no declared range: screened)

Largest gap to a target (points; representation_loss): less is better; betting (any time)
policy       verdict          difference \u{b1} se, interval   < better, 0 is |            p
queue        open             -2 \u{b1} 0  [-84, 83]           ------------o------------   1
    t (fixed n) says better: [-2.09, -2.09]; about 370 more replications may decide it
greedy .05   baseline          0
mine         not comparable
    1 of 4 lanes of mine ended disqualified

People screened (screened): less is better; t (fixed n)
policy       verdict          difference, interval    < better, 0 is |            median, interval   better in
queue        sure: better     -6542  [-7707, -5377]   ---=o---                |   -6444              100 % [17, 100]
greedy .05   baseline             0
mine         not comparable
    1 of 4 lanes of mine ended disqualified

                                            greedy .05             mine            queue
Share of GROUP among the selected (%)        mean \u{b1} se        mean \u{b1} se        mean \u{b1} se
F                                       50.638 \u{b1} 0.006   50.377 \u{b1} 0.006   50.377 \u{b1} 0.006
M                                       49.362 \u{b1} 0.006   49.623 \u{b1} 0.006   49.623 \u{b1} 0.006

Largest gap to a target (points) over the run
                    at 50        at 100
policy          mean \u{b1} se     mean \u{b1} se
greedy .05   10.21 \u{b1} 0.09   5.10 \u{b1} 0.05
mine          6.03 \u{b1} 0.09   3.01 \u{b1} 0.05
queue         6.03 \u{b1} 0.09   3.01 \u{b1} 0.05

Answer: Open between \u{201c}queue\u{201d} and \u{201c}greedy .05\u{201d}: about 370 more replications may decide it; \u{201c}mine\u{201d} broke off.
";
    let shown = shown(&run(), &judge(), true);
    let (_, rest) = shown.split_once("seed 2021\n").unwrap();
    assert_eq!(rest, known, "\n{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 120));
}

#[test]
fn an_empty_run_is_a_heading() {
    let mut run = run();
    run.policies.clear();
    run.replications = 1;
    let heading = "small committee: 1 replication, seed 2021\n";
    assert_eq!(shown(&run, &judge(), false), heading);
}

#[test]
fn a_policy_without_lanes_is_shown() {
    let mut run = run();
    run.policies[0].change(Vec::clear);
    let shown = shown(&run, &judge(), false);
    let row = shown.lines().filter(|line| line.starts_with("queue"));
    assert!(row.clone().any(|line| line.contains("   open ")), "{shown}");
    assert!(row.clone().any(|line| line.contains(" -")), "{shown}");
}

#[test]
fn nothing_moves_the_cursor() {
    let mut run = run();
    run.name = "a\u{1b}[2Jb".into();
    run.policies[0].label = "c\rd".into();
    run.policies[1].change_first(|rows| rows[0].metric = "share.\u{7}".into());
    let shown = shown(&run, &judge(), true);
    assert!(shown.starts_with("a⟨U+001B⟩[2Jb: "));
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn many_points_are_thinned_with_both_ends() {
    let places: Vec<u64> = (1..=100).collect();
    let shown = spread(&places);
    assert_eq!((shown.len(), shown[0], shown[11]), (12, 1, 100));
    assert!(shown.is_sorted_by(|a, b| a < b));
    assert_eq!(spread(&places[..12]), places[..12]);
    assert_eq!(spread(&[]), [0; 0]);
}

#[test]
fn a_row_a_policy_and_constraint() {
    let tested = |label: &str, mean, meets, needed| Tested {
        label: label.into(),
        metric: "representation_loss".into(),
        bound: "<= 0.05".into(),
        n: 20,
        mean: Some(mean),
        alpha: 0.0125,
        e_meets: 1.0,
        e_fails: 1.0,
        meets,
        needed,
        sure_at: None,
        open_at: None,
        since: None,
    };
    let asked = GoalAnswer {
        best: "selection_rate".into(),
        bounds: vec![("representation_loss".into(), "<= 0.05".into())],
        meets: Vec::new(),
        answer: Vec::new(),
        needed: Some(1234),
        settled: false,
        tests: vec![
            tested("queue", 4.21, Meets::Surely, None),
            tested("cmdp", 4.94, Meets::Open, Some(1234)),
        ],
    };
    let shown = goal(&asked, &Judge::default(), &Medium::default());
    let known = "Goal: best chosen of 100 screened, where gap to a target at most 5 points
All 2 tests are right together with 97.5 % confidence, however often you look

policy   bound                              mean   met      more needed
queue    gap to a target at most 5 points   4.21   surely
cmdp     gap to a target at most 5 points   4.94   open     about 1,300
";
    assert_eq!(shown, known, "\n{shown}");
}
