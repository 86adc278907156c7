//! Where SWAP is one of its special cases, it is so run for run.

use super::judge::{Aim, PlainSwap};
use super::*;

fn played(instance: &Instance, strong: Strong, diverse: bool, replication: u64) -> Run {
    let set = |p: &mut SwapParameters| {
        p.strong = strong;
        p.stop = StopRule::Within(0.005);
    };
    match diverse {
        true => instance.play(instance.swap(Diverse::new(0), set), replication),
        false => instance.play(instance.swap(TopK, set), replication),
    }
}

fn at(s: f64, j: f64) -> Instance {
    Instance::line(12, 4, [0.1, 0.05, s, j])
}

#[test]
fn swap_is_strong_looks_alone_where_they_cost_as_little() {
    for replication in 0..20 {
        for diverse in [false, true] {
            let swap = played(&at(5.0, 1.0), Strong::Paper, diverse, replication);
            let strong = played(&at(5.0, 1.0), Strong::Always, diverse, replication);
            swap.equals(&strong, "j = 1");
            assert_eq!(swap.measures, strong.measures);
            assert!(swap.strong > 0);
        }
    }
}

#[test]
fn swap_is_weak_looks_alone_where_strong_ones_cost_what_they_tell() {
    for replication in 0..20 {
        for diverse in [false, true] {
            for (s, j) in [(5.0, 5.0), (5.0, 9.0), (1.0, 3.0)] {
                let swap = played(&at(s, j), Strong::Paper, diverse, replication);
                let weak = played(&at(s, j), Strong::Never, diverse, replication);
                swap.equals(&weak, &format!("s = {s}, j = {j}"));
                assert_eq!(swap.strong, 0);
            }
        }
    }
}

#[test]
fn all_are_clucb_where_there_is_but_one_look() {
    // Looks are the same, though of two kinds by name.
    let looks = |run: &Run| -> Vec<(u32, f64)> {
        let answers = run.answers.iter();
        answers
            .map(|answer| (answer.pull.slot, answer.value))
            .collect()
    };
    for replication in 0..20 {
        let one = at(1.0, 1.0);
        let mut judge = PlainSwap::new(Aim::TopK, one.kinds(), [0.05, 0.1, 0.0]);
        judge.epsilon = 0.005;
        let clucb = one.play(judge, replication);
        for strong in [
            Strong::Paper,
            Strong::Always,
            Strong::Never,
            Strong::Probability(0.5),
        ] {
            let run = played(&one, strong, false, replication);
            assert_eq!(looks(&run), looks(&clucb), "{strong:?}");
            assert_eq!((&run.chosen, run.cost), (&clucb.chosen, clucb.cost));
        }
    }
}

#[test]
fn a_lane_s_label_matters_only_where_alpha_leaves_a_choice() {
    let instance = at(5.0, 2.0);
    let run = |label: &str, strong| {
        let policy = instance.swap(TopK, |p| p.strong = strong);
        instance.play_as(label, policy, 0)
    };
    for strong in [Strong::Never, Strong::Always] {
        run("a", strong).equals(&run("b", strong), "no coin is tossed");
    }
    assert_ne!(run("a", Strong::Paper), run("b", Strong::Paper));
    assert_eq!(run("a", Strong::Paper), run("a", Strong::Paper));
}
