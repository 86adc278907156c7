//! The quick contests against Algorithm 1 as printed: look for look.

use super::judge::{Aim, PlainSwap};
use super::*;
use crate::support::long;
use kleroterion::policy::cohort::{CohortForecast, ForecastParameters, Informed};

/// A way to play.
#[derive(Clone, Copy, Debug)]
struct Way {
    strong: Strong,
    stop: StopRule,
    scope: Scope,
    batch: u32,
}

/// All strong-pull policies, stops, scopes and some batches, each at least once.
const WAYS: [Way; 7] = [
    way(
        Strong::Paper,
        StopRule::Exact,
        1,
        Scope::SymmetricDifference,
    ),
    way(
        Strong::Never,
        StopRule::Exact,
        1,
        Scope::SymmetricDifference,
    ),
    way(
        Strong::Always,
        StopRule::Exact,
        3,
        Scope::SymmetricDifference,
    ),
    way(
        Strong::Probability(0.3),
        StopRule::Within(0.01),
        1,
        Scope::Hybrid,
    ),
    way(
        Strong::Paper,
        StopRule::Within(0.2),
        7,
        Scope::SymmetricDifference,
    ),
    way(Strong::Paper, StopRule::Budget, 2, Scope::Hybrid),
    way(
        Strong::Never,
        StopRule::Exact,
        100,
        Scope::SymmetricDifference,
    ),
];

const fn way(strong: Strong, stop: StopRule, batch: u32, scope: Scope) -> Way {
    Way {
        strong,
        stop,
        scope,
        batch,
    }
}

/// Plays the instance both ways; returns how many looks there were.
#[track_caller]
fn same(instance: &Instance, aim: Aim, way: Way, replication: u64) -> u64 {
    let set = |parameters: &mut SwapParameters| {
        let Way {
            strong,
            stop,
            scope,
            batch,
        } = way;
        *parameters = SwapParameters {
            strong,
            stop,
            scope,
            batch,
            ..*parameters
        };
    };
    let alpha = way.strong.probability(instance.s, instance.j);
    let numbers = [instance.delta, instance.sigma, alpha];
    let mut judge = PlainSwap::new(aim, instance.kinds(), numbers);
    judge.hybrid = way.scope == Scope::Hybrid;
    judge.batch = way.batch as usize;
    if let StopRule::Within(epsilon) = way.stop {
        judge.epsilon = epsilon;
    }
    let judged = instance.play(judge, replication);
    let played = match aim {
        Aim::TopK => instance.play(instance.swap(TopK, set), replication),
        Aim::Diverse => {
            let by_column = instance.play(instance.swap(Diverse::new(0), set), replication);
            let crossed = Diverse::crossed(&schema(), &[1, 2]);
            let by_list = instance.play(instance.swap(crossed, set), replication);
            assert_eq!(by_list, by_column, "{way:?}, replication {replication}");
            by_list
        }
    };
    let n = instance.utilities.len();
    played.equals(
        &judged,
        &format!("n = {n}, {way:?}, replication {replication}"),
    );
    assert_eq!(played.converged(), judged.converged());
    judged.looks
}

/// Random arms: n, K, noise, prices, groups; some with many equals, some with coins for looks.
fn random(seed: u64, most: usize) -> Instance {
    let u = uniforms(seed, most + 8);
    let n = 2 + (u[0] * (most - 1) as f64) as usize;
    let members = 1 + (u[1] * n as f64) as u32;
    let s = 1.0 + (u[2] * 9.0).floor();
    let j = 1.0 + (u[3] * 6.0).floor();
    let coarse = if u[4] < 0.3 { 4.0 } else { 1e9 };
    let utilities = u[8..].iter().take(n).map(|u| (u * coarse).round() / coarse);
    let sigma = [0.02, 0.1, 0.5][(u[5] * 3.0) as usize];
    Instance::new(utilities.collect(), members, [sigma, 0.05, s, j]).with(|instance| {
        instance.coins = u[6] < 0.3;
        instance.cap = n as u64 + 400;
        let groups = 1 + (u[7] * 5.0) as usize;
        for (i, group) in instance.groups.iter_mut().enumerate() {
            *group = (i * i % 7 % groups) as u16;
        }
    })
}

#[test]
fn the_hot_set_looks_where_algorithm_1_looks() {
    let mut looks = 0;
    for seed in 0..150 * long() {
        let instance = random(seed, 40);
        let way = WAYS[seed as usize % WAYS.len()];
        looks += same(&instance, Aim::TopK, way, seed);
    }
    assert!(looks > 20_000, "{looks}");
}

#[test]
fn the_hot_set_looks_where_algorithm_1_looks_among_hundreds() {
    for seed in 0..14 * long() {
        let way = WAYS[seed as usize % WAYS.len()];
        let wide = random(1000 + seed, 400).with(|instance| instance.cap = 1_000);
        same(&wide, Aim::TopK, way, seed);
    }
    for seed in 0..7 * long() {
        let way = WAYS[seed as usize % WAYS.len()];
        let line = Instance::line(1000, 50, [0.005, 0.05, 5.0, 2.0]);
        same(&line.with(|line| line.cap = 2_000), Aim::TopK, way, seed);
    }
}

#[test]
fn the_heads_look_where_algorithm_1_looks() {
    let mut looks = 0;
    for seed in 0..150 * long() {
        let instance = random(seed, 30);
        let way = WAYS[seed as usize % WAYS.len()];
        looks += same(&instance, Aim::Diverse, way, seed);
    }
    assert!(looks > 15_000, "{looks}");
}

#[test]
fn the_heads_look_where_algorithm_1_looks_among_hundreds() {
    for seed in 0..14 * long() {
        let way = WAYS[seed as usize % WAYS.len()];
        let wide = random(1000 + seed, 300).with(|instance| {
            instance.members = instance
                .members
                .min(instance.utilities.len() as u32 / 3 + 1);
            instance.cap = 800;
            for utility in &mut instance.utilities {
                *utility += 1.0;
            }
        });
        same(&wide, Aim::Diverse, way, seed);
    }
}

/// With a forecast of equal weight of everybody there are no first looks; from there on all is as
/// ever.
#[test]
fn with_forecasts_the_looks_are_those_of_algorithm_1_from_what_is_on_file() {
    let mut looks = 0;
    for seed in 0..60 * long() {
        let instance = random(seed, 30).with(|instance| instance.coins = false);
        let (spread, doubt) = (0.3, 0.4);
        let given = ForecastParameters {
            spread,
            doubt,
            look_noise: instance.sigma,
            outcome_noise: None,
            delay: 0,
            by: None,
        };
        let forecast = CohortForecast::new(given, 0, 1).unwrap();
        let alpha = Strong::Paper.probability(instance.s, instance.j);
        let numbers = [instance.delta, instance.sigma, alpha];
        let mut judge = PlainSwap::new(Aim::TopK, instance.kinds(), numbers);
        judge.prior = instance.sigma * instance.sigma / (spread * spread + doubt * doubt);
        let judged = instance.play(judge, seed);
        let swap = instance.swap(TopK, |_| ());
        let played = instance.play(Informed::new(swap, forecast), seed);
        played.equals(&judged, &format!("seed {seed}"));
        looks += judged.looks;
    }
    assert!(looks > 2_000, "{looks}");
}
