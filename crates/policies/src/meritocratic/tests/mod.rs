//! The policies in a small simulator of the papers' worlds.

mod all;
mod corrections;
mod edges;
mod index;
mod naive;
mod ridge;
mod shares;
mod world;

use world::World;

use super::*;

/// Fair-Greedy on all rounds.
fn fair_greedy_all(world: &World) -> FairGreedyAll {
    FairGreedyAll::new(world.contexts(), 0.1).unwrap()
}

/// Fair-Greedy of Section 6.
fn fair_greedy(world: &World) -> FairGreedy {
    FairGreedy::new(world.contexts(), FairGreedyParameters::default()).unwrap()
}
