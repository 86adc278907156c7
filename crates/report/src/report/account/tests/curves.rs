//! Tests of the measures over the run, with curves and series made by hand.

use super::*;
use crate::report::figure::Figure;
use kleroterion_stats::{CurvePoint, Curves, SeriesPoint};

fn curve(steps: impl Iterator<Item = u64>) -> Vec<CurvePoint> {
    let point = |at| CurvePoint {
        at,
        n: 30,
        mean: at as f64,
        se: Some(0.5),
    };
    steps.map(point).collect()
}

fn drawn(run: &Finished) -> Option<Figure> {
    let labels: Vec<&str> = run.policies.keys().map(String::as_str).collect();
    let figure = super::super::courses::figure(run, &labels, &["cost".to_owned()]);
    figure.map(|drawn| drawn.figure)
}

fn xs(figure: &Figure) -> Vec<f64> {
    let points = figure.panels[0].series[0].points.iter();
    points.map(|point| point.x).collect()
}

#[test]
fn a_curve_is_drawn_with_the_points_that_were_asked_for() {
    let mut run = run(&[("cost", "a", "b", [0.5, 1.5], "worse")]);
    assert_eq!(drawn(&run), None, "nothing was read on the way");
    let curves = Curves::from([("cost".to_owned(), curve((1..=40).map(|n| 4 * n)))]);
    run.curves.insert("a".into(), curves);
    let asked = [50, 80, 160].map(|at| SeriesPoint {
        at,
        n: 30,
        mean: 7.0,
        sd: Some(1.0),
        median: 7.0,
    });
    let policy = run.policies.get_mut("a").unwrap();
    policy.series.insert("cost".into(), asked.to_vec());
    let figure = drawn(&run).expect("a figure");
    let found = xs(&figure);
    assert_eq!(found.len(), 41);
    assert!(found.is_sorted() && found.contains(&50.0));
    let at = |x: f64| {
        let mut points = figure.panels[0].series[0].points.iter();
        points.find(|point| point.x == x).expect("a point").y
    };
    assert_eq!((at(80.0), at(84.0)), (7.0, 84.0));
    let spans = figure.panels[0].series[0].points.iter();
    assert!(spans.into_iter().all(|point| point.y_span.is_some()));
}

/// Points of all replications and of the first would make a line with kinks.
#[test]
fn a_curve_of_the_first_replications_is_drawn_alone_and_says_so() {
    let mut run = run(&[("cost", "a", "b", [0.5, 1.5], "worse")]);
    let curves = Curves::from([("cost".to_owned(), curve((1..=30).map(|n| 4 * n)))]);
    run.curves.insert("a".into(), curves);
    run.replications = 500;
    let policy = run.policies.get_mut("a").unwrap();
    let asked = SeriesPoint {
        at: 50,
        n: 500,
        mean: 7.0,
        sd: Some(1.0),
        median: 7.0,
    };
    policy.series.insert("cost".into(), vec![asked]);
    let figure = drawn(&run).expect("a figure");
    assert_eq!(xs(&figure).len(), 30);
    let said = "They are of the first 30 of 500 replications. All steps are in curves.csv.";
    assert!(figure.caption.ends_with(said), "{}", figure.caption);
}

/// A run of an older version has no curves, and its figure is that of its series.
#[test]
fn without_curves_the_series_are_drawn() {
    let mut run = run(&[("cost", "a", "b", [0.5, 1.5], "worse")]);
    let point = |at| SeriesPoint {
        at,
        n: 30,
        mean: 7.0,
        sd: Some(1.0),
        median: 7.0,
    };
    let policy = run.policies.get_mut("a").unwrap();
    policy.series.insert("cost".into(), vec![point(50)]);
    assert_eq!(drawn(&run), None, "one point is no line");
    let policy = run.policies.get_mut("a").unwrap();
    policy
        .series
        .insert("cost".into(), [50, 100].map(point).to_vec());
    assert_eq!(xs(&drawn(&run).expect("a figure")), [50.0, 100.0]);
}
