use std::path::Path;

use super::{CurveFold, LaneCurve, Steps};
use crate::config::{Document, Plan, check};
use crate::run::{Settings, Traces, run};
use kleroterion_core::protocol::Until;
use kleroterion_core::score::{MetricRow, Moments};
use kleroterion_stats::Curves;

/// All steps up to a point.
fn all(steps: &Steps, to: u64) -> Vec<u64> {
    let mut all = Vec::new();
    let mut next = steps.after(0);
    while let Some(at) = next.filter(|at| *at <= to) {
        all.push(at);
        next = steps.after(at);
    }
    all
}

#[test]
fn steps_are_even_and_enough_and_end_with_the_run() {
    for end in [1, 2, 29, 30, 31, 59, 60, 89, 150, 1_000, 1_000_000_007] {
        let steps = Steps::over(&Moments::End, Until::Accepted(end));
        let all = all(&steps, u64::MAX);
        assert!(all.len() as u64 >= end.min(30) && all.len() <= Steps::POINTS);
        assert_eq!(all.last(), Some(&end));
        let even = all[..all.len() - 1].iter().enumerate();
        assert!(
            even.into_iter()
                .all(|(n, at)| *at == (n as u64 + 1) * steps.gap)
        );
        assert!(all.iter().all(|at| steps.holds(*at)));
    }
}

#[test]
fn steps_are_in_the_unit_of_the_series() {
    let over = |moments, until| {
        let steps = Steps::over(&moments, until);
        (steps.by_accepted, steps.end)
    };
    let (rounds, accepted) = (Moments::Rounds(vec![2, 9]), Moments::Accepted(vec![3]));
    assert_eq!(over(Moments::End, Until::Rounds(70)), (false, Some(70)));
    assert_eq!(over(Moments::End, Until::SourceEnds), (false, None));
    assert_eq!(over(rounds.clone(), Until::Rounds(70)), (false, Some(70)));
    assert_eq!(over(rounds.clone(), Until::Accepted(5)), (false, Some(9)));
    assert_eq!(over(accepted.clone(), Until::Accepted(5)), (true, Some(5)));
    assert_eq!(over(accepted, Until::SourceEnds), (true, None));
}

fn plan(until: &str, at: &str) -> Plan {
    let text = format!(
        "seed = 1\nreplications = 7\n[source]\ntype = \"categorical\"\n\
         shares = {{ a = {{ x = 0.7, y = 0.3 }} }}\n[target]\na = {{ x = 0.5, y = 0.5 }}\n\
         [rules]\nchoose = \"at_most_one\"\nuntil = {until}\n\
         [[policy]]\nlabel = \"queue\"\nkind = \"virtual_queue\"\nv = 2.0\n\
         [[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n[report]\n{at}\n\
         judge = [\"representation_loss\", \"selection_rate\"]\n"
    );
    let document = Document::parse(&text).unwrap();
    check(&document, Path::new("")).unwrap()
}

fn settings(batch: usize, threads: usize) -> Settings {
    Settings {
        batch: Some(batch),
        threads,
        traces: Traces {
            curves: true,
            ..Traces::default()
        },
        ..Settings::default()
    }
}

/// The points of `metric`: where, and of how many replications.
fn points(curves: &Curves, metric: &str) -> Vec<(u64, u64)> {
    let points = curves.get(metric).into_iter().flatten();
    points.map(|point| (point.at, point.n)).collect()
}

/// Bit for bit, whatever the batch and the threads; where a series has a point, it is the same.
#[test]
fn curves_are_the_same_however_the_run_is_cut_and_agree_with_series() {
    for (until, at) in [
        ("{ accepted = 150 }", "at = [40, 120, 150]"),
        ("{ rounds = 700 }", "at = [23, 460, 700]"),
        ("{ accepted = 100 }", "at = { rounds = [8, 40, 120] }"),
    ] {
        let plan = plan(until, at);
        let play = |batch, threads| run(&plan, &settings(batch, threads), |_| Ok(())).unwrap();
        let first = play(1, 1);
        for (batch, threads) in [(7, 2), (1024, 1), (100_000, 2)] {
            assert_eq!(play(batch, threads).curves, first.curves, "{until} {batch}");
        }
        let summary = kleroterion_stats::Summary::of(&first, &plan.judge);
        for (place, curves) in first.curves.iter().enumerate() {
            let label = &first.policies[place].label;
            let series = &summary.policies[label].series;
            for (metric, curve) in curves {
                assert!(
                    curve.len() >= 30 || metric != "screened",
                    "{label} {metric}"
                );
                let mut met = 0;
                for point in &series[metric] {
                    let Some(ours) = curve.iter().find(|ours| ours.at == point.at) else {
                        continue;
                    };
                    let room = 1e-12 * point.mean.abs().max(1.0);
                    assert!((ours.mean - point.mean).abs() <= room, "{label} {metric}");
                    let se = (ours.se, point.se());
                    let (Some(ours_se), Some(se)) = se else {
                        panic!("{se:?}")
                    };
                    assert!((ours_se - se).abs() <= 1e-12 * se.max(1.0));
                    assert_eq!(ours.n, point.n);
                    met += 1;
                }
                assert_eq!(met, series[metric].len(), "{until} {label} {metric}");
            }
        }
    }
}

/// If the end is unknown the steps widen, and the lane that lasts longest sets them.
#[test]
fn steps_widen_where_the_end_is_not_known() {
    let lane = |gap: u64, last: u64| {
        let steps = Steps {
            by_accepted: false,
            gap,
            end: None,
        };
        let row = |at: u64| MetricRow {
            metric: "cost".into(),
            at: None,
            value: at as f64,
        };
        let at = all(&steps, last).into_iter();
        LaneCurve {
            points: at.map(|at| (at, vec![row(at)])).collect(),
            steps,
        }
    };
    let mut fold = CurveFold::default();
    for (gap, last) in [(2, 80), (4, 150), (1, 50)] {
        fold.add(lane(gap, last));
    }
    let curves = fold.finish();
    let found = points(&curves, "cost");
    assert_eq!(found[0], (4, 3));
    assert_eq!(found.last(), Some(&(148, 1)));
    assert!(found.iter().all(|(at, n)| {
        let lasting = [80, 150, 50].iter().filter(|last| *last >= at);
        at % 4 == 0 && *n == lasting.count() as u64
    }));
    assert!(
        curves["cost"]
            .iter()
            .all(|point| point.mean == point.at as f64)
    );
}

#[test]
fn an_unbounded_stream_has_between_half_and_all_of_the_most_steps() {
    let mut plan = plan("{ rounds = 900 }", "");
    let known = run(&plan, &settings(1024, 1), |_| Ok(())).unwrap();
    assert!(points(&known.curves[0], "screened").contains(&(900, 7)));
    // The lanes do not know that the same stream goes on for 900 rounds.
    plan.set_moments(Moments::Rounds(vec![]));
    std::sync::Arc::get_mut(&mut plan.0.rules).unwrap().until = Until::SourceEnds;
    std::sync::Arc::get_mut(&mut plan.0.rules)
        .unwrap()
        .max_rounds = 900;
    for batch in [1, 50, 10_000] {
        let result = run(&plan, &settings(batch, 1), |_| Ok(())).unwrap();
        let found = points(&result.curves[0], "screened");
        let steps: Vec<(u64, u64)> = (1..=56).map(|n| (16 * n, 7)).collect();
        assert_eq!(found, steps, "{batch}");
    }
}

#[test]
fn nothing_is_read_where_it_is_not_asked_for() {
    let plan = plan("{ accepted = 20 }", "");
    let result = run(&plan, &Settings::default(), |_| Ok(())).unwrap();
    assert_eq!(result.curves, []);
}

#[test]
fn curves_are_of_the_first_replications() {
    let mut plan = plan("{ accepted = 1 }", "");
    plan.set_replications(super::CURVED + 3);
    let result = run(&plan, &settings(1024, 2), |_| Ok(())).unwrap();
    assert_eq!(points(&result.curves[0], "screened"), [(1, super::CURVED)]);
}
