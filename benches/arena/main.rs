//! The cost of actors and of the protocol, as ratios measured in one run: CPU time, interleaved
//! repetitions, medians.
//!
//! Two limits: **inline** = the same view, act, referee, ledger and scorers in one loop, without
//! tasks and channels (what actors may cost); **plain** = a hand-written loop with the same people,
//! decisions and tallies (what the protocol may cost). All ways must come to the same scores, or
//! the benchmark panics.
//!
//! `cargo bench --bench arena`; `-- --quick` for a few seconds; `-- stream` (or another section)
//! for that alone.

mod actors;
mod answers;
mod clock;
mod plain;
mod traces;
mod world;

use std::env;

use tokio::runtime::Builder;

use clock::{Clock, Times};
use world::{Score, World};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let sections: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |name: &str| sections.is_empty() || sections.iter().any(|s| *s == name);
    let clock = Clock::new();
    let what = if clock.cpu { "CPU time" } else { "wall time" };
    println!("{what}, medians of interleaved repetitions");
    if wanted("stream") {
        stream(clock, quick);
    }
    if wanted("answers") {
        answers::answers(clock, quick);
    }
    if wanted("traces") {
        traces::traces(quick);
    }
}

/// The committee stream to 1, 2, 4 and 8 light policies.
fn stream(clock: Clock, quick: bool) {
    let (rounds, repetitions) = if quick { (1 << 14, 2) } else { (1 << 20, 9) };
    let world = World::new(rounds);
    let contenders = world.contenders();
    let current = Builder::new_current_thread().build().unwrap();
    let multi = Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    println!("\nstream of {rounds} rounds, ns a decision; target (stretch):");
    println!(
        "                                            protocol    actors, current  actors, multi"
    );
    println!(
        "                                            inline-plain    / inline         / inline"
    );
    println!(
        "batch lanes  plain inline current  multi      10 (5)      1.10 (1.03)     1.4 (1.15)"
    );
    for persons in [64, 256, 1024, 4096] {
        for lanes in [1, 2, 4, 8] {
            let lanes = &contenders[..lanes];
            let expected = plain::play(&world, lanes);
            let ways: [Way; 4] = [
                &|| plain::play(&world, lanes),
                &|| actors::play_inline(&world, lanes, persons),
                &|| actors::play_actors(&world, lanes, persons, &current),
                &|| actors::play_actors(&world, lanes, persons, &multi),
            ];
            let each = 1.0 / (rounds * lanes.len() as u64) as f64;
            let times = Times::take::<4>(repetitions, |way| {
                clock.time(|| assert_eq!(ways[way](), expected)) * each
            });
            let [plain, inline, current, multi] = [0, 1, 2, 3].map(|w| times.median(|t| t[w]));
            println!(
                "{persons:5} {:5} {plain:6.1} {inline:6.1} {current:7.1} {multi:6.1}    {:8.1}      {:8.3}       {:8.3}",
                lanes.len(),
                times.median(|t| t[1] - t[0]),
                times.median(|t| t[2] / t[1]),
                times.median(|t| t[3] / t[1]),
            );
        }
    }
}

type Way<'a> = &'a dyn Fn() -> Vec<Score>;
