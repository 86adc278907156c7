//! The times at which people came, for display only: no result depends on them.

use kleroterion_core::lock::locked;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The times of the first and the last person since this process began or resumed the run, and of
/// the end.
#[derive(Debug, Default)]
pub struct Times {
    first: OnceLock<Instant>,
    last: Mutex<Option<Instant>>,
    over: OnceLock<Instant>,
}

impl Times {
    /// Notes that a person has come.
    pub fn come(&self) {
        let now = Instant::now();
        self.first.get_or_init(|| now);
        *locked(&self.last) = Some(now);
    }

    /// Notes that all lanes have ended.
    pub(super) fn end(&self) {
        self.over.get_or_init(Instant::now);
    }

    /// The time since the last person came; `None` before the first.
    #[must_use]
    pub fn quiet(&self) -> Option<Duration> {
        let last = *locked(&self.last);
        last.map(|last| last.elapsed())
    }

    /// The time from the first person to the end of the run; `None` before the end.
    #[must_use]
    pub fn took(&self) -> Option<Duration> {
        Some(self.over.get()?.duration_since(*self.first.get()?))
    }
}
