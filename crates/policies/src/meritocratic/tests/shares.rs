//! Demographic parity: each arm is chosen as often.

use std::sync::Arc;

use super::world::{Player, World};
use super::{GmfOracle, fair_greedy, fair_greedy_all};

/// The chi-square of counts to be equal.
fn chi_square(counts: [u32; 4]) -> f64 {
    let mean = f64::from(counts.iter().sum::<u32>()) / 4.0;
    counts
        .iter()
        .map(|n| (f64::from(*n) - mean).powi(2) / mean)
        .sum()
}

/// The .001 point of chi-square with 3 degrees of freedom.
const CRITICAL: f64 = 16.266;

fn check(world: &World, player: impl Fn(&World) -> Player) {
    let moments = [1, 2, 3, 4, 5, 8, 10, 20];
    let mut counts = [[0; 4]; 8];
    for seed in 0..3000 {
        let played = world.play(player(world), seed, 20);
        for (moment, counts) in moments.iter().zip(&mut counts) {
            counts[played.groups[moment - 1]] += 1;
        }
    }
    for (moment, counts) in moments.iter().zip(counts) {
        println!("t = {moment}: {counts:?} {:.2}", chi_square(counts));
        assert!(chi_square(counts) < CRITICAL, "t = {moment}: {counts:?}");
    }
}

/// Lemma 4.1; with ties to the first index it fails.
#[test]
fn fair_greedys_arms_have_equal_shares_from_the_first_round_on() {
    check(&World::s6(), |world| fair_greedy(world).into());
}

/// While no outcome has arrived; afterwards its shares are even in the long run alone.
#[test]
fn all_rounds_leave_the_arms_equal_shares_until_the_first_outcome() {
    check(&World::s6().late(|_| 100), |world| {
        fair_greedy_all(world).into()
    });
}

/// Proposition 3.1.
#[test]
fn the_fair_oracles_arms_have_equal_shares() {
    check(&World::s6(), |world| {
        let oracle = GmfOracle::new(world.contexts(), Arc::clone(&world.cdf()));
        Player::Sighted(Box::new(oracle))
    });
}

/// Proposition 3.1: the true relative ranks are U(0,1), so their maximum has mean K/(K+1) and
/// uniform choice loses K/(K+1) - 1/2 a round.
#[test]
fn uniform_choice_loses_what_it_must() {
    let world = World::s6();
    let runs: Vec<f64> = (0..100)
        .map(|seed| {
            let played = world.play(super::UniformChoice.into(), seed, 500);
            played.fair.last().unwrap() / 500.0
        })
        .collect();
    let mean = runs.iter().sum::<f64>() / 100.0;
    let sd = (runs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 99.0).sqrt();
    assert!((mean - 0.3).abs() <= 4.0 * sd / 10.0, "{mean} +- {sd}");
}
