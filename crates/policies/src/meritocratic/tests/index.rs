//! The fast index against counting, bit by bit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{FairGreedy, Ranks, World, dot, fair_greedy};
use crate::Policy;
use kleroterion_core::draw::{Draw, Key, Purpose};
use kleroterion_core::protocol::{Move, Outcome, View};

/// Returns the index's answer, by counting.
fn counted(seen: &[(u64, usize, Vec<f64>)], mu: &[f64], group: usize, x: &[f64]) -> Option<f64> {
    let same = seen.iter().filter(|(_, other, _)| *other == group);
    let below: Vec<bool> = same.map(|(_, _, y)| dot(mu, y) <= dot(mu, x)).collect();
    let count = below.iter().filter(|below| **below).count();
    (!below.is_empty()).then(|| count as f64 / below.len() as f64)
}

/// A life of an index: contexts made by `number`, estimates that jump, creep and stand still,
/// rounds that are forgotten one by one and many at once.
fn live(seed: u64, rounds: u64, number: fn(&mut Draw) -> f64) {
    let (dimension, groups) = (6, 3);
    let mut draw = Key::new(3, seed).draw(Purpose::World, 0, 0);
    let mut index = Ranks::new(dimension, groups);
    let mut seen: Vec<(u64, usize, Vec<f64>)> = Vec::new();
    let mut mu = vec![0.0; dimension];
    let mut forgotten = 0;
    for round in 1..=rounds {
        match draw.below(12) {
            0 => mu = (0..dimension).map(|_| number(&mut draw)).collect(),
            1..6 => mu.iter_mut().for_each(|mu| *mu += 1e-3 * draw.normal()),
            6 => forgotten += draw.below(round - forgotten),
            7..10 => forgotten = (forgotten + 1).min(round - 1),
            _ => (),
        }
        index.forget(forgotten);
        seen.retain(|(round, ..)| *round > forgotten);
        let people = draw.below(5);
        for _ in 0..people {
            // Group 2 is rare.
            let group = draw.below(7).min(13 - draw.below(14)) as usize % groups;
            let context: Vec<f64> = (0..dimension).map(|_| number(&mut draw)).collect();
            let told = index.rank(&mu, group, &context);
            assert_eq!(told, counted(&seen, &mu, group, &context), "round {round}");
            index.insert(round, group, &context);
            seen.push((round, group, context));
        }
        assert_eq!(index.len(), seen.len());
    }
}

#[test]
fn counts_are_exact_for_numbers_of_all_sizes() {
    for seed in 0..40 {
        live(seed, 400, Draw::normal);
        live(seed, 400, |draw| {
            libm::exp(20.0 * draw.normal()) * draw.normal()
        });
    }
}

#[test]
fn counts_are_exact_for_duplicates() {
    for seed in 0..40 {
        live(seed, 400, |draw| draw.below(3) as f64);
        live(seed, 400, |draw| {
            [0.0, -0.0, 0.1, 0.3][draw.below(4) as usize]
        });
    }
}

#[test]
fn counts_are_exact_where_sums_overflow_or_vanish() {
    for seed in 0..40 {
        live(seed, 300, |draw| {
            [1e200, -1e200, 1e308, 1.0][draw.below(4) as usize]
        });
        live(seed, 300, |draw| {
            [1e-310, -5e-324, 1e-160, 0.0][draw.below(4) as usize]
        });
    }
}

#[test]
fn a_group_that_is_not_there_has_no_ranks() {
    let mut index = Ranks::new(1, 2);
    index.insert(1, 0, &[2.0]);
    assert_eq!(index.rank(&[1.0], 1, &[2.0]), None);
    assert_eq!(index.rank(&[1.0], 0, &[2.0]), Some(1.0));
    assert_eq!(index.rank(&[1.0], 0, &[1.0]), Some(0.0));
    index.forget(1);
    assert_eq!(index.rank(&[1.0], 0, &[2.0]), None);
    assert!(index.is_empty());
}

/// Tells what its index has computed.
struct Watched(FairGreedy, Arc<AtomicU64>);

impl Policy for Watched {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        self.1.store(self.0.window().computed(), Ordering::Relaxed);
        self.0.act(view)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.0.learn(outcome);
    }
}

/// A count, no timing: of the contexts in the window only a few are computed.
#[test]
fn only_a_narrow_band_is_computed() {
    let world = World::s6();
    let rounds = 20_000;
    let computed = Arc::new(AtomicU64::new(0));
    let watched = Watched(fair_greedy(&world), Arc::clone(&computed));
    world.play(watched.into(), 5, rounds);
    let queries = rounds * world.slate() as u64;
    let each = computed.load(Ordering::Relaxed) as f64 / queries as f64;
    println!("computed {each:.1} a query");
    assert!(each < 100.0, "computed {each} a query");
}
