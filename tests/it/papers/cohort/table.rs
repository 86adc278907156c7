//! The reference's numbers: mean costs of SWAP, strong looks alone and weak looks alone, and how
//! often the best cohort is found at a budget.

use kleroterion::compare::Stats;
use kleroterion::policy::cohort::{RandomInterviews, UniformInterviews};

use super::*;
use crate::support::{long, near};

/// Mean cost and its standard error, of SWAP, strong and weak.
type Costs = [(f64, f64); 3];

const STRONG: [Strong; 3] = [Strong::Paper, Strong::Always, Strong::Never];

/// Plays an instance and holds the costs to the reference; every run is to return the optimum by
/// its own rule.
#[track_caller]
fn meets<O: Objective>(
    name: &str,
    instance: &Instance,
    objective: O,
    stop: StopRule,
    runs: u64,
    costs: Costs,
) {
    let optimum = instance.optimum(&objective);
    for (strong, (mean, se)) in STRONG.into_iter().zip(costs) {
        let what = format!("{name} {strong:?}");
        let cost = |replication| {
            let policy = instance.swap(objective.clone(), |p| {
                p.strong = strong;
                p.stop = stop;
            });
            let run = instance.play(policy, replication);
            assert_eq!(run.chosen, optimum, "{what}, replication {replication}");
            assert!(run.converged(), "{what}, replication {replication}");
            assert_eq!(run.ending, Ending::Horizon);
            run.cost
        };
        let costs: Vec<f64> = (0..runs * long()).map(cost).collect();
        let ours = Stats::of(&costs).unwrap();
        println!(
            "{what}: {:.2} +- {:.2}, reference {mean} +- {se}",
            ours.mean,
            ours.se.unwrap()
        );
        near(&what, &ours, mean, se);
    }
}

#[test]
fn top_k_costs_what_the_reference_costs() {
    let line = Instance::line;
    let exact = |name, instance: Instance, runs, costs| {
        meets(name, &instance, TopK, StopRule::Exact, runs, costs);
    };
    // With few looks ties of the radius matter. By the lower slot the reference has 29.55, 29.05
    // and 54.04; these are by the smallest gap, of 40,000 runs of a program apart from this, which
    // has 29.56, 29.10 and 54.03 by the lower slot.
    exact(
        "T11",
        line(5, 2, [0.1, 0.05, 8.0, 3.0]),
        2000,
        [(28.941, 0.028), (27.972, 0.024), (53.938, 0.065)],
    );
    exact(
        "T1",
        line(5, 2, [0.5, 0.05, 5.0, 2.0]),
        400,
        [(834.5, 2.6), (753.7, 2.3), (2100.7, 6.2)],
    );
    exact(
        "T2",
        Instance::t2(),
        400,
        [(720.2, 0.9), (654.4, 0.9), (1783.2, 3.5)],
    );
    exact(
        "T3",
        line(10, 3, [0.2, 0.05, 10.0, 6.0]),
        400,
        [(1120.9, 3.2), (1047.6, 2.9), (1776.9, 5.1)],
    );
    let t4 = line(20, 5, [0.1, 0.05, 5.0, 2.0]);
    let t4p = t4.clone();
    exact("T4", t4, 400, [(874.9, 3.4), (794.3, 2.9), (2123.0, 8.0)]);
    let costs = [(648.1, 2.3), (588.3, 2.1), (1557.5, 5.6)];
    meets("T4p", &t4p, TopK, StopRule::Within(0.01), 400, costs);
    exact("T7", t7(), 400, [(394.5, 0.7), (383.0, 0.6), (648.8, 1.3)]);
}

#[test]
fn top_k_of_a_thousand_costs_what_the_reference_costs() {
    let t10 = Instance::line(1000, 50, [0.005, 0.05, 5.0, 2.0]);
    let costs = [(9560.0, 225.0), (8671.0, 202.0), (20832.0, 606.0)];
    meets("T10", &t10, TopK, StopRule::Exact, 40, costs);
}

pub(super) fn t7() -> Instance {
    Instance::quantiles(50, [200.0, 50.0], 7, [5.0, 0.5, 10.0, 5.0])
}

#[test]
fn diverse_costs_what_the_reference_costs() {
    let diverse = |name, instance: Instance, costs| {
        let objective = Diverse::new(0);
        meets(
            name,
            &instance,
            objective,
            StopRule::Within(0.01),
            400,
            costs,
        );
    };
    diverse(
        "D1",
        Instance::t2(),
        [(186.8, 0.5), (170.3, 0.5), (444.3, 1.2)],
    );
    diverse(
        "D3",
        Instance::quantiles(20, [10.0, 1.0], 6, [0.5, 0.1, 5.0, 2.0]),
        [(751.7, 1.8), (682.2, 1.6), (1815.5, 4.2)],
    );
    diverse(
        "D5",
        example_6_1(),
        [(112.4, 0.5), (101.0, 0.4), (280.5, 1.1)],
    );
}

/// Example 6.1: two of class 1, one of class 2.
fn example_6_1() -> Instance {
    Instance::new(vec![0.6, 0.5, 0.3], 2, [0.1, 0.05, 5.0, 2.0])
        .with(|instance| instance.groups = vec![0, 0, 1])
}

#[test]
fn example_6_1_selects_by_merit_alone_or_by_class() {
    let example = example_6_1();
    let (shape, u) = (example.shape(), &example.utilities);
    let (top, div) = ([true, true, false], [true, false, true]);
    assert_eq!(example.optimum(&TopK), [0, 1]);
    assert_eq!(example.optimum(&Diverse::new(0)), [0, 2]);
    let worth = |objective: Diverse, cohort: &[bool]| objective.worth(&shape, u, cohort);
    assert!((TopK.worth(&shape, u, &top) - 1.1).abs() < 1e-12);
    assert!((TopK.worth(&shape, u, &div) - 0.9).abs() < 1e-12);
    assert!((worth(Diverse::new(0), &top) - 1.1f64.sqrt()).abs() < 1e-12);
    assert!((worth(Diverse::new(0), &div) - 0.6f64.sqrt() - 0.3f64.sqrt()).abs() < 1e-12);
}

/// How often the best cohort was returned at a budget, by SWAP, uniform and random interviews.
fn optimal_at(instance: &Instance, budget: f64, runs: u64) -> [Stats; 3] {
    let instance = instance.clone().with(|instance| instance.budget = budget);
    let optimum = instance.optimum(&TopK);
    let share = |play: &dyn Fn(u64) -> Run| {
        let found = (0..runs * long()).map(|replication| {
            let run = play(replication);
            // SWAP may be certain before the money is spent.
            let certain = run.measures.get("converged") == Some(&1.0);
            let spent = run.cost > budget - instance.j || certain;
            assert!(run.cost <= budget && spent, "{}", run.cost);
            f64::from(u8::from(run.chosen == optimum))
        });
        Stats::of(&found.collect::<Vec<_>>()).unwrap()
    };
    [
        share(&|replication| {
            let swap = instance.swap(TopK, |p| p.stop = StopRule::Budget);
            instance.play(swap, replication)
        }),
        share(&|r| instance.play(UniformInterviews::new(TopK, instance.tiers()), r)),
        share(&|r| instance.play(RandomInterviews::new(TopK, instance.tiers()), r)),
    ]
}

#[test]
fn at_equal_budgets_swap_finds_the_best_cohort_most_often() {
    // The reference has shares to two digits, without standard errors: half a digit is allowed for.
    let is = |what: &str, ours: &Stats, share: f64| {
        let se = ours.se.unwrap();
        println!("{what}: {:.3} +- {se:.3}, reference {share}", ours.mean);
        let off = (ours.mean - share).abs();
        assert!(off <= 4.0 * se + 0.005, "{what}: {ours:?}");
    };
    let [swap, uniform, random] = optimal_at(&t7(), 300.0, 2000);
    is("T7 at 300, SWAP", &swap, 1.0);
    is("T7 at 300, uniform", &uniform, 0.98);
    is("T7 at 300, random", &random, 0.87);
}

#[test]
fn at_one_complete_pass_uniform_interviews_do_as_well() {
    // One weak and one strong look at each of T2's arms are worth 6 weak ones, so uniform
    // interviews find the best with the chance that three normals of sd .2 / sqrt(6) come out above
    // seven: .8079, by a simulation of 4,000,000 apart from this program. (The reference has .835,
    // and .796 for SWAP, without standard errors.)
    let [swap, uniform, random] = optimal_at(&Instance::t2(), 30.0, 2000);
    println!("T2 at 30: SWAP {swap:?}, uniform {uniform:?}, random {random:?}");
    near("T2 at 30, uniform", &uniform, 0.8079, 0.0002);
    near("T2 at 30, SWAP", &swap, 0.796, 0.0);
    let se = |stats: &Stats| stats.se.unwrap();
    let least = 3.0 * se(&swap).hypot(se(&random));
    assert!(swap.mean - random.mean > least, "{swap:?} {random:?}");
}
