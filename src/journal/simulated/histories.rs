//! Histories by seeds, each a world of its own.

use std::ops::{AddAssign, Range};
use std::sync::atomic::{AtomicU64, Ordering};

/// Plays the histories of some seeds on two threads; what was tried, or the seed of one that is
/// wrong, and why.
pub(crate) fn histories<T: AddAssign + Default + Send>(
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

/// A whole number from the environment: `KLERO_SEED=17` plays the history of that seed alone,
/// `KLERO_LONG=n` n times as many.
pub(crate) fn set(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
