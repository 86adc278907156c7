//! Simulated live runs in a failing world. The recorder, its journal and the connections of a feed
//! are driven by one seed. So is a lane with a late seat, or the arena with failing programs.
//!
//! A history is several lives of a run in one folder. A life ends by a power cut, a kill, a failing
//! or full disk, or a stop by the user. After each acknowledgement, each shown decision and each
//! life, the journal is checked against the promises. A journal of programs is replayed at the end.

mod cast;
mod check;
mod clients;
mod faults;
mod history;
mod lane;
mod life;
mod memory;
mod network;
mod parts;
mod plainly;
mod player;
mod promises;
mod rule;
mod stage;
mod survived;

use self::history::{History, Players};
use self::memory::SeatPlant;
use self::survived::Survived;
use kleroterion_io::journal::simulated::Plant;
use kleroterion_testkit::{asked_for, found};

/// Plays one history. The error is the first failure, with the seed.
fn history(seed: u64, plant: Option<Plant>) -> Result<Survived, String> {
    History::new(seed, plant, Players::Rule).play()
}

/// Plays one history of a run with programs.
fn of_programs(seed: u64, plant: Option<SeatPlant>) -> Result<Survived, String> {
    History::new(seed, None, Players::Programs(plant)).play()
}

/// `KLERO_SEED=17` plays the history of that seed alone; `KLERO_LONG=n` plays n times as many.
#[test]
fn nothing_is_lost_in_a_thousand_histories() {
    if let Some(survived) = asked_for(1000, 1000, |seed| history(seed, None)) {
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
        found(plant, 200, |seed| history(seed, Some(plant)));
    }
}

/// Programs exit, crash, hang, close their output, flood, lie and are late at any point of a run that is
/// killed, acting and as shadows: the run goes on, deadlines hold, what was shown stays.
#[test]
fn programs_may_fail_anywhere_in_three_hundred_histories() {
    if let Some(survived) = asked_for(300, 300, |seed| of_programs(seed, None)) {
        survived.has_failing_programs();
    }
}

#[test]
fn a_history_of_programs_follows_from_its_seed() {
    for seed in 0..20 {
        let [one, two] = [of_programs(seed, None), of_programs(seed, None)];
        assert_eq!(one, two, "seed {seed}");
    }
}

#[test]
fn mistakes_in_what_is_noted_of_programs_are_found() {
    for plant in [
        SeatPlant::PeopleArePlayed,
        SeatPlant::PatientBacklog,
        SeatPlant::NoEnds,
        SeatPlant::NoFouls,
        SeatPlant::NoEndings,
        SeatPlant::NoForfeits,
    ] {
        found(plant, 300, |seed| of_programs(seed, Some(plant)));
    }
}
