//! Histories by seeds, each a world of its own.

use std::fmt::Debug;
use std::ops::{AddAssign, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Plays the histories of some seeds on two threads; what was tried, or the seed of one that is
/// wrong, and why.
fn histories<T: AddAssign + Default + Send>(
    seeds: Range<u64>,
    play: impl Fn(u64) -> Result<T, String> + Sync,
) -> Result<T, (u64, String)> {
    let next = AtomicU64::new(seeds.start);
    let play = || {
        let mut tried = T::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return Ok(tried);
            }
            tried += play(seed).map_err(|wrong| (seed, wrong))?;
        }
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(play), scope.spawn(play)];
        let played = threads.map(|thread| thread.join().expect("a history panicked"));
        let mut all = T::default();
        for tried in played {
            all += tried?;
        }
        Ok(all)
    })
}

/// Plays the history of the seed in KLERO_SEED alone, if it is set. Otherwise plays the first
/// `many`, or with KLERO_LONG=n n times `long`. Prints a count of the things tried and returns it,
/// or `None` for a single history.
///
/// # Panics
/// Panics if a history is wrong.
pub fn asked_for<T: AddAssign + Debug + Default + Send>(
    many: u64,
    long: u64,
    play: impl Fn(u64) -> Result<T, String> + Sync,
) -> Option<T> {
    let set = |name: &str| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let many = set("KLERO_LONG").map_or(many, |times| long * times);
    let one = set("KLERO_SEED");
    let seeds = one.map_or(0..many, |seed| seed..seed + 1);
    let started = Instant::now();
    let tried = histories(seeds, play).unwrap_or_else(|(seed, wrong)| {
        panic!("seed {seed}: {wrong}; KLERO_SEED={seed} plays it again");
    });
    println!("{tried:?} in {:?}", started.elapsed());
    one.is_none().then_some(tried)
}

/// Asserts that one of the first `most` histories shows what was planted in it.
///
/// # Panics
/// Panics if none of them does.
pub fn found<T: AddAssign + Debug + Default + Send>(
    plant: impl Debug,
    most: u64,
    play: impl Fn(u64) -> Result<T, String> + Sync,
) {
    let (seed, wrong) = histories(0..most, play).expect_err("it is not found");
    println!("{plant:?} is found by seed {seed}: {wrong}");
}
