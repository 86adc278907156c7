//! The times at which people came, for display only: no result depends on them.

use kleroterion_core::lock::locked;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The time at which something was last heard.
#[derive(Debug, Default)]
pub struct LastHeard(Mutex<Option<Instant>>);

impl LastHeard {
    /// Notes that something has come from it now.
    pub fn now(&self) {
        *locked(&self.0) = Some(Instant::now());
    }

    /// The time since it was last heard; `None` before the first time.
    #[must_use]
    pub fn since(&self) -> Option<Duration> {
        let heard = *locked(&self.0);
        heard.map(|heard| heard.elapsed())
    }
}

/// The times of the first and the last person since this process began or resumed the run, and of
/// the end.
#[derive(Debug, Default)]
pub struct Times {
    first: OnceLock<Instant>,
    last: LastHeard,
    over: OnceLock<Instant>,
}

impl Times {
    /// Notes that a person has come.
    pub fn come(&self) {
        self.first.get_or_init(Instant::now);
        self.last.now();
    }

    /// Notes that all lanes have ended.
    pub(super) fn end(&self) {
        self.over.get_or_init(Instant::now);
    }

    /// The time since the last person came; `None` before the first.
    #[must_use]
    pub fn quiet(&self) -> Option<Duration> {
        self.last.since()
    }

    /// The time from the first person to the end of the run; `None` before the end.
    #[must_use]
    pub fn took(&self) -> Option<Duration> {
        Some(self.over.get()?.duration_since(*self.first.get()?))
    }
}
