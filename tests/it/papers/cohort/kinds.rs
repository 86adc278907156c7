//! More than two kinds of looks: a kind that is added does not make SWAP dear. A gain that depends on
//! the group.

use kleroterion::policy::cohort::TopK;
use kleroterion::protocol::InterviewKind;

use super::judge::{Aim, PlainSwap};
use super::{Instance, uniforms};
use crate::support::long;

/// What SWAP pays on average, and how often it chose the best cohort.
fn mean_cost(instance: &Instance) -> (f64, f64) {
    let best = instance.optimum(&TopK);
    let runs = 10 * long();
    let (mut cost, mut right) = (0.0, 0.0);
    for replication in 0..runs {
        let run = instance.play(instance.swap(TopK, |_| ()), replication);
        assert!(run.converged());
        cost += run.cost;
        right += f64::from(u8::from(run.chosen == best));
    }
    (cost / runs as f64, right / runs as f64)
}

/// The worlds: utilities, how many are chosen, sigma.
fn worlds() -> Vec<(&'static str, Instance)> {
    let world = |utilities: Vec<f64>, members, sigma| {
        Instance::new(utilities, members, [sigma, 0.05, 8.0, 1.2])
    };
    let line = |n: u32| -> Vec<f64> { (0..n).map(|i| f64::from(i) / f64::from(n - 1)).collect() };
    let levels = (0..20).map(|i| f64::from(u8::from(i >= 15))).collect();
    let squares = line(12).into_iter().map(|u| u * u).collect();
    let mut drawn = uniforms(7, 15);
    // A gap at the boundary: two who are all but equals would be all that matters.
    drawn.sort_by(f64::total_cmp);
    drawn[11..].iter_mut().for_each(|u| *u += 0.1);
    vec![
        ("as in the paper", world(line(10), 3, 0.2)),
        ("easy", world(line(10), 3, 0.05)),
        ("hard", world(line(10), 3, 0.4)),
        ("many", world(line(30), 7, 0.1)),
        ("two levels", world(levels, 5, 0.5)),
        ("squares", world(squares, 4, 0.1)),
        ("drawn", world(drawn, 4, 0.2)),
    ]
}

/// Pairs to begin with, as cost and gain of the second; the first is (1, 1).
const PAIRS: [(f64, f64); 4] = [(1.2, 8.0), (2.0, 5.0), (6.0, 9.0), (5.0, 3.0)];

/// What is added: dearer, between, worse than what there is, very exact, and cheap with hardly any
/// gain.
const ADDED: [(f64, f64); 7] = [
    (6.0, 9.0),
    (1.5, 3.0),
    (3.0, 2.0),
    (20.0, 20.0),
    (10.0, 80.0),
    (0.9, 0.01),
    (0.1, 0.02),
];

fn kind((cost, gain): (f64, f64)) -> InterviewKind {
    let name = format!("{cost} for {gain}");
    InterviewKind {
        name,
        cost,
        gain: gain.into(),
    }
}

#[test]
fn a_kind_that_is_added_costs_at_most_a_tenth_more() {
    for (j, s) in PAIRS {
        let mut ratios = vec![Vec::new(); ADDED.len()];
        for (world, instance) in worlds() {
            let pair = instance.with(|instance| (instance.s, instance.j) = (s, j));
            let (before, _) = mean_cost(&pair);
            for (ratios, added) in ratios.iter_mut().zip(ADDED) {
                let more = pair
                    .clone()
                    .with(|instance| instance.more = vec![kind(added)]);
                let (after, right) = mean_cost(&more);
                println!("{world}, {j} for {s} and {added:?}: {before:.0}, then {after:.0}");
                assert!(right >= 0.95, "{world}, {added:?}: {right} right");
                ratios.push(after / before);
            }
        }
        for (ratios, added) in ratios.iter().zip(ADDED) {
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            let most = ratios.iter().copied().fold(0.0, f64::max);
            println!("{j} for {s} and {added:?}: {mean:.3}, {most:.3} at most");
            assert!(mean <= 1.1, "{j} for {s} and {added:?}: {mean}");
        }
    }
}

/// A third kind that is worse than the second in all ways is not bought at all.
#[test]
fn what_costs_more_and_gains_less_is_not_bought() {
    let instance = Instance::t2().with(|instance| instance.more = vec![kind((3.0, 4.0))]);
    for replication in 0..20 {
        let run = instance.play(instance.swap(TopK, |_| ()), replication);
        assert!(run.answers.iter().all(|answer| answer.pull.kind < 2));
    }
}

/// The T2 instance with arms in two groups, turn by turn, and s of each.
fn grouped(of: [f64; 2]) -> Instance {
    Instance::t2().with(|instance| {
        instance.groups = (0..10).map(|arm| arm % 2).collect();
        let mut gains = [1.5; 8];
        gains[..2].copy_from_slice(&of);
        instance.s_by_group = Some(gains);
    })
}

#[test]
fn with_s_by_group_swap_is_the_plain_algorithm_with_an_alpha_of_each_arm() {
    let mut shares = [[0_u32; 2]; 2];
    for of in [[5.0, 3.0], [2.0, 20.0], [1.5, 5.0], [4.0, 4.0]] {
        let instance = grouped(of);
        for replication in 0..10 {
            let numbers = [instance.delta, instance.sigma, f64::NAN];
            let plain = PlainSwap::new(Aim::TopK, instance.kinds(), numbers);
            let plain = instance.play(plain, replication);
            let swap = instance.play(instance.swap(TopK, |_| ()), replication);
            swap.equals(&plain, &format!("{of:?}, {replication}"));
            assert!(swap.converged());
            if of == [2.0, 20.0] {
                for answer in &swap.answers[10..] {
                    shares[(answer.pull.slot % 2) as usize][answer.pull.kind] += 1;
                }
            }
        }
    }
    // s = j = 2: alpha is 0. s = 20: it is 18/19.
    let [[_, never], [weak, strong]] = shares;
    assert_eq!(never, 0);
    assert!(strong > 10 * weak && strong > 50, "{shares:?}");
}

#[test]
fn where_all_groups_have_the_same_s_each_look_is_as_with_one_number() {
    let plain = grouped([1.0; 2]).with(|instance| instance.s_by_group = None);
    let same = plain
        .clone()
        .with(|instance| instance.s_by_group = Some([instance.s; 8]));
    let three = |instance: &Instance| {
        let added = vec![kind((6.0, 30.0))];
        instance.clone().with(|instance| instance.more = added)
    };
    for (plain, same) in [(&plain, &same), (&three(&plain), &three(&same))] {
        for replication in 0..10 {
            let [a, b] = [plain, same]
                .map(|instance| instance.play(instance.swap(TopK, |_| ()), replication));
            a.equals(&b, "one s");
        }
    }
}
