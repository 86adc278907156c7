//! The verdicts of given pairs, line by line.

use super::row::note;
use super::*;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{Direction, LaneResult, PolicyRun};
use kleroterion_stats::RunResult;
use kleroterion_stats::{Blocked, PairExtras, Standing};

fn pair(a: &str, verdict: Verdict, mean: f64, half: f64) -> Pair {
    Pair {
        estimand: Estimand::Replications,
        metric: "representation_loss".into(),
        direction: Direction::Lower,
        a: a.into(),
        b: "greedy .05".into(),
        n: 200,
        unfilled: 0,
        mean: Some(mean),
        se: Some(half / 2.0),
        lo: Some(mean - half),
        hi: Some(mean + half),
        alpha: 0.0125,
        method: "t (fixed n)".into(),
        verdict,
        standing: Standing::of(verdict, Estimand::Replications, false),
        dated: None,
        ends_before: false,
        extras: PairExtras::default(),
        margin: None,
        needed: None,
        blocked: Vec::new(),
    }
}

fn summary(pairs: Vec<Pair>) -> Summary {
    let lane = |ending| LaneResult::new(ending, None, Vec::new());
    let policy = |label: &str| {
        PolicyRun::new(label, "k").with([Ending::Filled, Ending::Filled, Ending::Stalled].map(lane))
    };
    let run = RunResult {
        name: "t".into(),
        seed: 1,
        replications: 200,
        policies: vec![policy("queue"), policy("greedy .05")],
        ..RunResult::default()
    };
    let summary = Summary::of(&run, &Judge::default());
    Summary { pairs, ..summary }
}

fn judge(metric: &str) -> Judge {
    Judge {
        metrics: vec![metric.into()],
        versus: Versus::Baseline("greedy .05".into()),
        alpha: 0.05,
        ..Judge::default()
    }
}

/// The sections as a terminal of 120 columns has them.
fn sections(pairs: Vec<Pair>, judge: &Judge) -> Vec<String> {
    let medium = Medium::default();
    let sections = verdicts(&summary(pairs), judge, &medium).into_iter();
    sections.map(|text| medium.finished(&text)).collect()
}

#[test]
fn best_first_with_the_baseline_among_them() {
    let mut open = pair("open", Verdict::Undecided, 0.000_3, 0.02);
    open.needed = Some(1234);
    let mut near = pair("near", Verdict::Equivalent, -0.000_1, 0.001);
    near.margin = Some(0.005);
    let mut same = pair("same", Verdict::Identical, 0.0, 0.0);
    same.n = 150;
    let mut not = pair("not", Verdict::NotComparable, -0.5, 0.1);
    let (label, ending, lanes) = ("queue".into(), Ending::Stalled, 1);
    not.blocked = vec![Blocked {
        label,
        ending,
        lanes,
    }];
    let mut few = pair("few", Verdict::Worse, 0.2, 0.01);
    few.n = 150;
    let pairs = vec![
        not,
        few,
        open,
        near,
        same,
        pair("best", Verdict::Better, -0.0213, 0.0018),
    ];
    let known = "Verdicts against greedy .05, on the mean over replications of policy - greedy \
                 .05, best first
All 6 comparisons are right together with 95 % confidence, alpha 0.0125 each:
t is valid for a number of replications fixed beforehand, not if you stop when you like what you see

Largest gap to a target (points; representation_loss): less is better; t (fixed n)
policy       verdict            difference, interval          < better, 0 is |
best         sure: better       -0.0213  [-0.0231, -0.0195]   o |
near         sure: equivalent   -0.0001  [-0.0011,  0.0009]     o                         within the margin of 0.005
same         open: equal         0.0000  [ 0.0000,  0.0000]     o                         in 150 replications
greedy .05   baseline            0
open         open                0.0003  [-0.0197,  0.0203]   -=o=-
    about 1,300 more replications may decide it
few          sure: worse         0.2000  [ 0.1900,  0.2100]     |                   =o-   n 150 of 200
not          not comparable
    1 of 3 lanes of queue ended stalled
";
    let shown = sections(pairs, &judge("representation_loss")).join("\n");
    assert_eq!(shown, known, "\n{shown}");
}

#[test]
fn a_note_too_wide_for_the_line_stands_on_the_next() {
    let mut not = pair("not", Verdict::NotComparable, -0.5, 0.1);
    let blocked = |label: &str| Blocked {
        label: label.into(),
        ending: Ending::Stalled,
        lanes: 3,
    };
    not.blocked = vec![blocked("queue"), blocked("greedy .05")];
    let shown = sections(vec![not], &judge("screened"));
    assert_eq!(shown.len(), 1, "no other metric");
    let mut not = pair("not", Verdict::NotComparable, -0.5, 0.1);
    not.blocked = vec![blocked("queue"), blocked("greedy .05")];
    let shown = sections(vec![not], &judge("representation_loss")).remove(1);
    let notes =
        "\n    3 of 3 lanes of queue ended stalled; 3 of 3 lanes of greedy .05 ended stalled\n";
    assert!(shown.ends_with(notes), "{shown}");
}

#[test]
fn the_direction_of_the_metric_orders() {
    let order = |metric: &str| {
        let mut pairs = vec![
            pair("less", Verdict::Differs, -1.0, 0.5),
            pair("more", Verdict::Differs, 1.0, 0.5),
        ];
        for pair in &mut pairs {
            pair.metric = metric.into();
        }
        let shown = sections(pairs, &judge(metric)).remove(1);
        let first = shown.lines().nth(2).unwrap();
        first.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(order("representation_loss"), "less");
    assert_eq!(order("selection_rate"), "more");
    assert_eq!(order("share.F"), "more");
}

#[test]
fn all_pairs_name_both_and_one_value_has_no_interval() {
    let mut bare = pair("queue", Verdict::Undecided, -0.25, 0.5);
    (bare.n, bare.lo, bare.hi) = (1, None, None);
    let judge = Judge {
        versus: Versus::Everyone,
        ..judge("representation_loss")
    };
    let shown = sections(vec![bare], &judge).join("\n");
    let known = "Verdicts on a vs b, on the mean over replications of a - b, best first
The comparison is right with 95 % confidence, alpha 0.0125 each:
t is valid for a number of replications fixed beforehand, not if you stop when you like what you see

Largest gap to a target (points; representation_loss): less is better; t (fixed n)
policy                verdict   difference, interval
queue vs greedy .05   open      -0.2                   both have a value in 1 replication, an interval needs two
";
    assert_eq!(shown, known, "\n{shown}");
}

#[test]
fn many_more_are_not_counted_out_and_nothing_is_shown_where_nothing_is_compared() {
    let mut open = pair("open", Verdict::Undecided, 0.1, 0.5);
    for (needed, known) in [
        (u64::MAX, "over a million more replications may decide it"),
        (1, "about 1 more replication may decide it"),
    ] {
        open.needed = Some(needed);
        assert_eq!(note(&open, &summary(vec![]), &Judge::default()), known);
    }
    assert!(sections(vec![], &judge("screened")).is_empty());
}

#[test]
fn it_is_said_which_intervals_hold_at_any_time() {
    let mut bet = pair("queue", Verdict::Better, -0.02, 0.01);
    bet.method = "betting (any time)".into();
    let mut fixed = pair("queue", Verdict::Better, -20.0, 3.0);
    fixed.metric = "screened".into();
    let head = |pairs: Vec<Pair>| {
        let judge = Judge {
            metrics: vec!["representation_loss".into(), "screened".into()],
            ..judge("")
        };
        let sections = sections(pairs, &judge);
        let second = sections[0].split_once('\n').unwrap().1.to_owned();
        let titles = sections[1..]
            .iter()
            .map(|section| section.lines().next().unwrap());
        second + &titles.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        head(vec![bet.clone()]),
        "The comparison is right with 95 % confidence, alpha 0.0125 each, however often you look:\n\
         betting is valid at any time\nLargest gap to a target (points; representation_loss): less is better; betting (any time)"
    );
    assert_eq!(
        head(vec![bet, fixed]),
        "Both comparisons are right together with 95 % confidence, alpha 0.0125 each:\n\
         betting is valid at any time; t for a number of replications fixed beforehand (no \
         declared range: screened)\n\
         Largest gap to a target (points; representation_loss): less is better; betting (any time)\nPeople screened (screened): less is better; t \
         (fixed n)"
    );
}

#[test]
fn bets_come_with_p_and_heavy_tails_with_median_and_beats() {
    let mut bet = pair("queue", Verdict::Better, -0.02, 0.01);
    bet.method = "betting (any time)".into();
    bet.extras.p_anytime = Some(0.0123);
    let mut sure = bet.clone();
    (sure.a, sure.extras.p_anytime) = ("sure".into(), Some(1e-9));
    let shown = sections(vec![bet, sure], &judge("representation_loss")).remove(1);
    let known = "Largest gap to a target (points; representation_loss): less is better; betting (any time)
policy       verdict        difference \u{b1} se, interval          < better, 0 is |            p
queue        sure: better   -0.020 \u{b1} 0.005  [-0.030, -0.010]   ----====o====----       |   0.012
sure         sure: better   -0.020 \u{b1} 0.005  [-0.030, -0.010]   ----====o====----       |   < .0001
greedy .05   baseline        0
";
    assert_eq!(shown, known, "\n{shown}");
    let mut tail = pair("queue", Verdict::Better, -20.0, 3.0);
    tail.metric = "screened".into();
    tail.extras = PairExtras {
        median: Some(-18.3),
        median_lo: Some(-19.0),
        median_hi: Some(-17.0),
        beats: Some(0.974),
        beats_lo: Some(0.9),
        beats_hi: Some(0.996),
        ..PairExtras::default()
    };
    let mut few = tail.clone();
    (few.a, few.extras.median_lo, few.extras.median_hi) = ("few".into(), None, None);
    let shown = sections(vec![tail, few], &judge("screened")).remove(1);
    let known = "People screened (screened): less is better; t (fixed n)
policy       verdict        difference, interval    < better, 0 is |            median, interval       better in
queue        sure: better   -20.0  [-23.0, -17.0]   --=o==-                 |   -18.3 [-19.0, -17.0]   97 % [90, 100]
few          sure: better   -20.0  [-23.0, -17.0]   --=o==-                 |   -18.3                  97 % [90, 100]
greedy .05   baseline         0
";
    assert_eq!(shown, known, "\n{shown}");
}

/// At 20 replications betting leaves open what t decides: both are shown, and named.
#[test]
fn where_t_says_otherwise_both_are_shown() {
    let mut wide = pair("queue", Verdict::Undecided, -0.272, 0.5);
    wide.method = "betting (any time)".into();
    (wide.n, wide.se) = (200, Some(0.0025));
    wide.extras = PairExtras {
        p_anytime: Some(0.61),
        t_lo: Some(-0.2772),
        t_hi: Some(-0.2668),
        ..PairExtras::default()
    };
    let shown = sections(vec![wide.clone()], &judge("representation_loss")).remove(1);
    let known =
        "Largest gap to a target (points; representation_loss): less is better; betting (any time)
policy       verdict    difference \u{b1} se, interval       < better, 0 is |            p
queue        open       -0.272 \u{b1} 0.003  [-0.77, 0.23]   ------------o------|-----   0.61
    t (fixed n) says better: [-0.2772, -0.2668]
greedy .05   baseline    0
";
    assert_eq!(shown, known, "\n{shown}");
    // Where both say the same, or one is sure that they are equal, there is nothing to add.
    let mut alike = wide.clone();
    (alike.extras.t_lo, alike.extras.t_hi) = (Some(-0.3), Some(0.1));
    assert_eq!(note(&alike, &summary(vec![]), &Judge::default()), "");
    (alike.verdict, alike.extras) = (Verdict::Identical, wide.extras);
    assert_eq!(
        note(&alike, &summary(vec![]), &Judge::default()),
        "in 200 replications"
    );
    alike.verdict = Verdict::NotComparable;
    assert_eq!(note(&alike, &summary(vec![]), &Judge::default()), "");
    // Within a margin by t alone.
    let mut within = wide.clone();
    (within.extras.t_lo, within.extras.t_hi) = (Some(-0.001), Some(0.002));
    within.margin = Some(0.005);
    let says = "t (fixed n) says equivalent: [-0.0010, 0.0020]";
    assert_eq!(note(&within, &summary(vec![]), &Judge::default()), says);
}

#[test]
fn a_stated_variance_that_is_exceeded_is_said() {
    let mut heavy = pair("queue", Verdict::Better, -20.0, 3.0);
    (heavy.method, heavy.se) = (Catoni::METHOD.into(), Some(1.0));
    heavy.extras.variance_bound = Some(150.0);
    let beyond = "the variance seen is 200, beyond the 150 stated: state more";
    assert_eq!(note(&heavy, &summary(vec![]), &Judge::default()), beyond);
    heavy.extras.variance_bound = Some(250.0);
    assert_eq!(note(&heavy, &summary(vec![]), &Judge::default()), "");
    let head = sections(vec![heavy], &judge("screened")).remove(0);
    let known = "however often you look,\nif differences vary no more than [report] \
                 difference_variance states";
    assert!(head.contains(known), "{head}");
}

#[test]
fn a_yardstick_is_marked_in_its_row() {
    let mut judge = judge("representation_loss");
    judge.yardsticks = vec!["queue".into()];
    let all = vec![
        pair("queue", Verdict::Better, -20.0, 3.0),
        pair("few", Verdict::Better, -10.0, 3.0),
    ];
    let shown = sections(all, &judge).remove(1);
    let line = |label: &str| {
        let mut lines = shown.lines().filter(|line| line.starts_with(label));
        lines.next().expect("its row").to_owned()
    };
    assert!(
        line("queue").ends_with("   a yardstick, for comparison only"),
        "{shown}"
    );
    assert!(!line("few").contains("yardstick"), "{shown}");
    // Of pairs it is said which of the two.
    judge.versus = Versus::Everyone;
    let pairs = vec![pair("queue", Verdict::Better, -20.0, 3.0)];
    let shown = sections(pairs, &judge).remove(1);
    assert!(shown.contains("queue is a yardstick"), "{shown}");
}
