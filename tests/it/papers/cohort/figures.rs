//! The shape of the paper's Figures 2, 3(a) and 3(b), on the reference's instances.

use kleroterion::policy::cohort::theory::{cost_bound, hardness, scaled_hardness};

use super::table::t7;
use super::*;
use crate::support::long;

#[test]
fn cost_grows_with_hardness_as_in_figure_2_and_keeps_below_the_bound() {
    // 40 draws of n = 20, K = 5, u ~ N(10, 1).
    let points: Vec<(f64, f64)> = (0..40)
        .map(|seed| {
            let mut draw = Key::new(19, seed).draw(Purpose::World, 0, 0);
            let utilities: Vec<f64> = (0..20).map(|_| 10.0 + draw.normal()).collect();
            let hard = hardness(&utilities, 5);
            let instance = Instance::new(utilities, 5, [0.2, 0.1, 10.0, 5.0]);
            let swap = instance.swap(TopK, |_| ());
            let bound = cost_bound(20, scaled_hardness(0.2, hard), 0.1, swap.mean_look());
            let run = instance.play(swap, seed);
            assert!(run.converged());
            assert_eq!(run.chosen, instance.optimum(&TopK));
            let above = bound / run.cost;
            println!(
                "H {hard:10.1}  cost {:9}  bound / cost {above:.1}",
                run.cost
            );
            assert!(above > 1.0, "the bound is violated");
            (libm::log(hard), libm::log(run.cost))
        })
        .collect();
    let n = points.len() as f64;
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x).powi(2));
    println!("slope {slope:.3}, reference about 1.09");
    assert!((0.95..1.2).contains(&slope), "{slope}");
}

/// Mean cost on T7 at s and j.
fn mean_cost(strong: Strong, s: f64, j: f64) -> f64 {
    let instance = t7().with(|t7| (t7.s, t7.j) = (s, j));
    let runs = 150 * long();
    let cost = |r| {
        instance
            .play(instance.swap(TopK, |p| p.strong = strong), r)
            .cost
    };
    (0..runs).map(cost).sum::<f64>() / runs as f64
}

#[test]
fn strong_looks_alone_pay_up_to_the_boundary_of_figure_3a() {
    let weak = mean_cost(Strong::Never, 2.0, 2.0);
    let reference = [1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 9, 10, 11, 11, 12, 12, 13, 13];
    let most = |s: u32| {
        let pays = |j: &u32| mean_cost(Strong::Always, f64::from(s), f64::from(*j)) < weak;
        (1..20).take_while(pays).last().unwrap_or(0)
    };
    let ours: Vec<u32> = (2..20).map(most).collect();
    println!("{ours:?}\n{reference:?}");
    for ((ours, reference), s) in ours.iter().zip(reference).zip(2..) {
        assert!(
            ours.abs_diff(reference) <= 1,
            "s = {s}: {ours}, {reference}"
        );
    }
}

#[test]
fn swap_beats_both_where_few_looks_are_needed_as_in_figure_3b() {
    let weak = mean_cost(Strong::Never, 2.0, 2.0);
    let zone = |s: f64| -> Vec<u32> {
        let beats = |j: &u32| {
            let j = f64::from(*j);
            let swap = mean_cost(Strong::Paper, s, j);
            swap < weak && swap < mean_cost(Strong::Always, s, j)
        };
        (1..20).filter(beats).collect()
    };
    let zones = [6.0, 10.0, 15.0].map(zone);
    println!("{zones:?}; reference none, 8-9, 6-13");
    assert!(zones[0].is_empty());
    assert!(zones[1].contains(&8));
    assert!(zones[2].len() >= 6 && zones[2].iter().all(|j| (5..=14).contains(j)));
}
