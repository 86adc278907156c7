//! Tests of the difference over time, with courses made by hand.

use super::super::super::figure::{AxisScale, MarkAt};
use super::*;
use crate::report::figure::Figure;
use kleroterion_stats::{Dated, DifferencePoint, Estimand, PairCourse, Verdict};

/// A mean of 1 whose interval is this wide at n, up to `last`.
fn course(metric: &str, a: &str, last: u64, half: impl Fn(f64) -> f64) -> PairCourse {
    let point = |n: u64| {
        let half = half(n as f64);
        let verdict = match half < 1.0 {
            true => Verdict::Worse,
            false => Verdict::Undecided,
        };
        DifferencePoint {
            n,
            mean: 1.0,
            interval: Some((1.0 - half, 1.0 + half)),
            verdict,
        }
    };
    PairCourse {
        metric: metric.into(),
        a: a.into(),
        b: "b".into(),
        points: (1..=last).map(point).collect(),
    }
}

fn followed(method: &'static str, last: u64, half: impl Fn(f64) -> f64) -> Finished {
    let end = half(last as f64);
    let verdict = if end < 1.0 { "worse" } else { "undecided" };
    let mut run = run(&[("cost", "a", "b", [1.0 - end, 1.0 + end], verdict)]);
    run.pairs[0].method = method.into();
    run.pairs[0].margin = Some(0.25);
    run.courses = vec![course("cost", "a", last, half)];
    run
}

fn drawn(run: &Finished) -> Figure {
    let standings = MeasureStanding::all(run);
    let figure = super::super::course::figure(run, &standings).expect("there is a course");
    let document = roxmltree::Document::parse(&figure.figure.svg()).is_ok();
    assert!(document, "it is well-formed");
    figure.figure
}

fn moments(figure: &Figure) -> Vec<(f64, &str)> {
    let series = figure.panels.iter().flat_map(|panel| &panel.series);
    series.filter_map(|series| series.moment()).collect()
}

const BETTING: &str = "betting (any time)";

#[test]
fn the_moment_of_decision_is_marked_and_seen() {
    let run = followed(BETTING, 120, |n| 6.0 / n.sqrt());
    let figure = drawn(&run);
    assert_eq!(moments(&figure), [(37.0, "37")]);
    let panel = &figure.panels[0];
    let limits = panel.y.limits.expect("a window");
    // 0, the margin and the interval at the decision are within; the first interval is cut.
    assert!(
        limits.lo < -0.25 && limits.hi > 2.0 && limits.hi < 4.0,
        "{limits:?}"
    );
    assert!(
        panel
            .marks
            .iter()
            .any(|mark| mark.at == MarkAt::Band(-0.25, 0.25))
    );
    assert_eq!(panel.x.scale, AxisScale::Log10);
    assert!(
        panel.series[0].points.len() < 40,
        "a page has room for no more"
    );
    let early = panel.series[0].points[0].y_span.expect("an interval");
    assert_eq!((early.lo, early.hi), (-5.0, 7.0), "the data are whole");
}

/// A running average that was sure and is open again is marked so, in one sentence for all
/// surfaces.
#[test]
fn a_running_average_that_is_open_again_is_dated() {
    let words = "what was sure may be open again";
    let mut run = followed(BETTING, 120, |n| 6.0 / n.sqrt());
    assert!(!drawn(&run).caption.contains(words));
    run.pairs[0].estimand = Estimand::Rounds;
    run.pairs[0].dated = Some(Dated {
        sure_at: 37,
        verdict: Verdict::Better,
        open_at: Some(60),
        since: None,
    });
    judge(&mut run.pairs[0], "undecided");
    let figure = drawn(&run);
    assert!(figure.caption.contains(words), "{}", figure.caption);
    assert_eq!(moments(&figure), [(37.0, "37 to 60")]);
    let said = "was sure at 37, open again since 60";
    let standings = MeasureStanding::all(&run);
    let found = answers::finding(&standings[0], &run);
    assert!(found.detail.contains(said), "{}", found.detail);
}

/// Early on, all that is known is drawn: no frame makes an interval look surer than it is.
#[test]
fn an_interval_of_now_is_never_cut() {
    for last in [1, 2, 3, 5, 12, 40] {
        let figure = drawn(&followed(BETTING, last, |n| 6.0 / n.sqrt()));
        let panel = &figure.panels[0];
        let last = panel.series[0].points.last().and_then(|point| point.y_span);
        let (span, limits) = (
            last.expect("an interval"),
            panel.y.limits.expect("a window"),
        );
        assert!(
            limits.lo < span.lo && span.hi < limits.hi,
            "{span:?} in {limits:?}"
        );
    }
}

/// Over the rounds of one stream an even axis shows when people came.
#[test]
fn the_axis_is_logarithmic_over_replications_and_where_a_decision_came_soon() {
    let scale = |last: u64, estimand: Estimand| {
        let mut run = followed(BETTING, last, |n| 6.0 / n.sqrt());
        run.pairs[0].estimand = estimand;
        drawn(&run).panels[0].x.scale.clone()
    };
    assert_eq!(scale(12, Estimand::Replications), AxisScale::Linear);
    assert_eq!(scale(120, Estimand::Replications), AxisScale::Log10);
    assert_eq!(scale(120, Estimand::Rounds), AxisScale::Linear);
    assert_eq!(scale(2_000, Estimand::Rounds), AxisScale::Log10);
}

/// An interval by t holds at the end alone.
#[test]
fn by_t_nothing_is_decided_on_the_way() {
    let mut run = followed("t (fixed n)", 120, |n| 6.0 / n.sqrt());
    assert!(drawn(&run).caption.contains("Grey band"));
    run.pairs[0].margin = None;
    assert!(!drawn(&run).caption.contains("Grey band"));
    let figure = drawn(&run);
    assert_eq!(moments(&figure), []);
    let points = &figure.panels[0].series[0].points;
    let spans = points.iter().filter(|point| point.y_span.is_some()).count();
    assert_eq!(spans, 1);
    assert!(figure.caption.contains("valid at one look"));
    // Neither a band nor a moment is drawn, so neither is spoken of.
    for absent in ["A ring", "every look"] {
        assert!(!figure.caption.contains(absent), "{}", figure.caption);
    }
}

#[test]
fn a_decision_that_changed_is_named_with_its_verdict() {
    let mut run = followed(BETTING, 120, |n| 6.0 / n.sqrt());
    judge(&mut run.pairs[0], "equivalent");
    assert_eq!(moments(&drawn(&run)), [(37.0, "37 (worse)")]);
}

/// Comparisons of these policies with "b" on these measures.
fn with_labels(metrics: &[&str], labels: &[&str]) -> Finished {
    let interval = [0.5, 1.5];
    let of = |metric| {
        let case = move |label| (metric, label, "b", interval, "worse");
        labels.iter().copied().map(case)
    };
    let cases: Vec<VerdictCase<'_>> = metrics.iter().copied().flat_map(of).collect();
    let mut run = run(&cases);
    for pair in &mut run.pairs {
        pair.method = BETTING.into();
    }
    let courses = cases.iter();
    let courses = courses.map(|(metric, a, ..)| course(metric, a, 120, |n| 6.0 / n.sqrt()));
    run.courses = courses.collect();
    run
}

/// The policies of each panel.
fn names(figure: &Figure) -> Vec<Vec<&str>> {
    let mut all: Vec<Vec<&str>> = Vec::new();
    for panel in &figure.panels {
        let names = panel.series.iter().map(|one| one.name.as_str());
        all.push(names.collect());
    }
    all
}

#[test]
fn a_measure_has_one_panel_with_all_its_policies() {
    let labels = ["p", "q", "r"];
    let mut run = with_labels(&["cost", "screened"], &labels);
    let figure = drawn(&run);
    assert_eq!(names(&figure), [labels, labels]);
    assert_eq!(
        figure.panels[0].y.label,
        "difference from \u{201c}b\u{201d}"
    );
    assert!(!figure.caption.contains("more"), "{}", figure.caption);
    // A yardstick would take the room of those that can be chosen, and this is said.
    let q = run.policies.get_mut("q").expect("a policy");
    q.role = kleroterion_core::protocol::Role::Yardstick;
    let figure = drawn(&run);
    assert_eq!(names(&figure), [["p", "r"], ["p", "r"]]);
    let said = "2 more are in course.csv.";
    assert!(figure.caption.ends_with(said), "{}", figure.caption);
    for pair in &mut run.pairs {
        judge(pair, "not_comparable");
    }
    let standings = MeasureStanding::all(&run);
    assert!(super::super::course::figure(&run, &standings).is_none());
}

/// A line at 0 without a band says no more than a sentence.
#[test]
fn policies_that_are_alike_are_a_sentence() {
    let mut run = with_labels(&["cost"], &["p", "q"]);
    judge(&mut run.pairs[0], "identical");
    let figure = drawn(&run);
    assert_eq!(names(&figure), [["q"]]);
    let said = "\u{201c}p\u{201d} had the same value as \u{201c}b\u{201d} each time.";
    assert!(figure.caption.ends_with(said), "{}", figure.caption);
    judge(&mut run.pairs[1], "identical");
    let standings = MeasureStanding::all(&run);
    assert!(super::super::course::figure(&run, &standings).is_none());
}

#[test]
fn of_many_policies_the_best_are_drawn() {
    let labels: Vec<String> = (1..=12).map(|n| format!("p{n}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let mut run = with_labels(&["cost"], &labels);
    for (label, mean) in labels.iter().zip([5.0, 1.0, 6.0, 2.0].into_iter().cycle()) {
        let stats = run.policies.get_mut(*label).expect("a policy");
        stats.metrics.get_mut("cost").expect("a mean").mean = mean;
    }
    let figure = drawn(&run);
    let names = &names(&figure)[0];
    // In the order of the labels.
    assert_eq!(*names, ["p2", "p6", "p10", "p12"]);
    let said = "8 more are in course.csv.";
    assert!(figure.caption.ends_with(said), "{}", figure.caption);
}

/// Without a baseline all are held against the best by the mean.
#[test]
fn pairs_are_drawn_as_differences_from_the_best() {
    let mut run = with_labels(&["cost"], &["p", "q"]);
    let mut pair = run.pairs[0].clone();
    (pair.a, pair.b) = ("p".into(), "q".into());
    run.pairs.push(pair);
    let mut course = run.courses[0].clone();
    (course.a, course.b) = ("p".into(), "q".into());
    run.courses.push(course);
    let means = [("b", 1.0), ("p", 2.0), ("q", 3.0)];
    for (label, mean) in means {
        let stats = run.policies.get_mut(label).expect("a policy");
        stats.metrics.get_mut("cost").expect("a mean").mean = mean;
    }
    let figure = drawn(&run);
    assert_eq!(names(&figure), [["p", "q"]]);
    assert_eq!(
        figure.panels[0].y.label,
        "difference from \u{201c}b\u{201d}"
    );
    let said = "1 more is in course.csv.";
    assert!(figure.caption.ends_with(said), "{}", figure.caption);
}

/// Numbers in labels sort as numbers here too.
#[test]
fn series_are_in_the_order_of_the_labels() {
    let run = with_labels(&["cost"], &["lambda 10", "lambda 2", "lambda 1"]);
    assert_eq!(names(&drawn(&run)), [["lambda 1", "lambda 2", "lambda 10"]]);
}

/// If people come one by one, a round is a person.
#[test]
fn a_round_of_one_person_is_a_person() {
    let mut run = followed(BETTING, 120, |n| 6.0 / n.sqrt());
    run.pairs[0].estimand = Estimand::Rounds;
    assert_eq!(drawn(&run).panels[0].x.label, "rounds");
    run.one_by_one = true;
    let figure = drawn(&run);
    assert_eq!(figure.panels[0].x.label, "people");
}
