//! Simulated draws in a world that fails: commitments, draws, second draws and numbered panels, all
//! driven by one seed.
//!
//! A history is several processes on a few folders. A process is killed at one of its changes, met by
//! others there, or asked for again; in between files appear, and the people's file changes. After
//! each the folders are held against what must be true of them.

mod history;
mod known;
mod process;
mod town;
mod tried;

use self::history::History;
use self::tried::Tried;
use kleroterion_report::report::files::door::simulated::PlantedMistake;
use kleroterion_testkit::{asked_for, found};

/// Plays one history. Returns the counts, or the error found.
fn history(seed: u64, plant: Option<PlantedMistake>) -> Result<Tried, String> {
    History::new(seed, plant).play()
}

/// The histories of the short form; a build without optimisation is slow.
const MANY: u64 = if cfg!(debug_assertions) { 40 } else { 200 };

/// `KLERO_SEED=17` plays the history of that seed alone; `KLERO_LONG=10` plays 4,000.
#[test]
fn one_commitment_takes_one_value_in_hundreds_of_histories() {
    if let Some(tried) = asked_for(MANY, 400, |seed| history(seed, None)) {
        tried.is_varied();
    }
}

#[test]
fn a_history_follows_from_its_seed() {
    for seed in 0..5 {
        let [one, two] = [(); 2].map(|()| history(seed, None));
        assert_eq!(one, two, "seed {seed}");
    }
}

#[test]
fn planted_mistakes_are_found() {
    for plant in [
        PlantedMistake::Unlocked,
        PlantedMistake::ForgottenRandomness,
        PlantedMistake::TornFiles,
        PlantedMistake::LeftHalves,
        PlantedMistake::LostTable,
    ] {
        found(plant, 100, |seed| history(seed, Some(plant)));
    }
}
