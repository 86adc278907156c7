//! Live runs in a world that fails: the recorder, its journal, the connections of a feed, a lane
//! with a late seat, all driven by one seed.
//!
//! A history is several lives of a run in one folder. A life ends when the power is cut, the
//! process is killed, the disk fails or is full, or its user stops it. After each acknowledgement,
//! each decision that is shown and each life, the journal is held against what was promised.

mod check;
mod clients;
mod history;
mod lane;
mod life;
mod network;
mod parts;
mod promises;
mod rule;

use std::time::Instant;

use self::history::{History, Survived};
use crate::journal::simulated::{Plant, histories, set};

/// One history; what was wrong ends it, with the seed.
fn history(seed: u64, plant: Option<Plant>) -> Result<Survived, String> {
    History::new(seed, plant).play()
}

/// `KLERO_SEED=17` plays the history of that seed alone; `KLERO_LONG=n` plays n times as many.
#[test]
fn nothing_is_lost_in_a_thousand_histories() {
    let one = set("KLERO_SEED");
    let many = 1000 * set("KLERO_LONG").unwrap_or(1);
    let seeds = one.map_or(0..many, |seed| seed..seed + 1);
    let started = Instant::now();
    let survived = histories(seeds, |seed| history(seed, None)).unwrap_or_else(|(seed, wrong)| {
        panic!("seed {seed}: {wrong}; KLERO_SEED={seed} plays it again");
    });
    println!("{survived:?} in {:?}", started.elapsed());
    if one.is_none() {
        survived.is_varied();
    }
}

#[test]
fn a_history_follows_from_its_seed() {
    for seed in 0..20 {
        let [one, two] = [history(seed, None), history(seed, None)];
        assert_eq!(one, two, "seed {seed}");
    }
}

#[test]
fn planted_mistakes_are_found() {
    for plant in [Plant::UnsyncedCommit, Plant::HeadFirst, Plant::ForgottenIds] {
        let (seed, wrong) =
            histories(0..200, |seed| history(seed, Some(plant))).expect_err("it is not found");
        println!("{plant:?} is found by seed {seed}: {wrong}");
    }
}
