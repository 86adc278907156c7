//! The clocks of live runs: the wall clock, which users may set, and the run's own, which never
//! jumps.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time by the wall clock, in milliseconds since 1970.
pub(super) fn wall() -> u64 {
    #[cfg(test)]
    if let Some(now) = simulated() {
        return now;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// The clock of a run, by which its deadlines are kept.
///
/// It starts at the wall clock's time or at the last time in the journal, whichever is later. From
/// there it goes on as time passes, even if the wall clock is set.
#[derive(Debug)]
pub(super) struct RunClock {
    began: u64,
    at: Tick,
}

impl RunClock {
    /// Creates the clock of a run whose journal has `last` as its last time, in milliseconds since
    /// 1970.
    pub(super) fn after(last: u64) -> Self {
        Self {
            began: wall().max(last),
            at: Tick::now(),
        }
    }

    /// The time now, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        self.began + self.at.elapsed().as_millis() as u64
    }
}

impl Default for RunClock {
    fn default() -> Self {
        Self::after(0)
    }
}

/// In tests time is simulated.
#[cfg(any(test, not(target_os = "linux")))]
use tokio::time::Instant as Tick;

#[cfg(all(not(test), target_os = "linux"))]
use ticks::Tick;

#[cfg(all(not(test), target_os = "linux"))]
mod ticks {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    /// A moment by a clock that goes on while the machine sleeps, unlike `Instant`.
    #[derive(Debug)]
    pub(super) struct Tick(Duration);

    impl Tick {
        pub(super) fn now() -> Self {
            let now = clock_gettime(ClockId::Boottime);
            Self(Duration::new(now.tv_sec as u64, now.tv_nsec as u32))
        }

        pub(super) fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }
}

#[cfg(test)]
thread_local! {
    /// The simulated time of this thread's wall clock, and the instant at which it was set.
    static SHOWN: std::cell::Cell<Option<(tokio::time::Instant, u64)>> =
        const { std::cell::Cell::new(None) };
}

#[cfg(test)]
fn simulated() -> Option<u64> {
    let (at, shown) = SHOWN.get()?;
    Some(shown + at.elapsed().as_millis() as u64)
}

/// Sets this thread's wall clock, or with `None` the true time again.
#[cfg(test)]
pub(super) fn set(shown: Option<u64>) {
    SHOWN.set(shown.map(|shown| (tokio::time::Instant::now(), shown)));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const DAY: u64 = 86_400_000;
    const NOON: u64 = 20_000 * DAY;

    #[tokio::test(start_paused = true)]
    async fn a_run_goes_on_by_a_clock_that_no_one_sets() {
        for (journal, begins) in [(0, NOON), (NOON - DAY, NOON), (NOON + DAY, NOON + DAY)] {
            set(Some(NOON));
            let clock = RunClock::after(journal);
            assert_eq!(clock.now(), begins);
            for shown in [NOON - DAY, NOON + DAY, 0] {
                set(Some(shown));
                tokio::time::advance(Duration::from_secs(7)).await;
                assert_eq!(wall(), shown + 7000);
            }
            assert_eq!(clock.now(), begins + 21_000);
            set(None);
        }
    }
}
