//! When people came, for whoever watches: nothing of it reaches a result.

use kleroterion_core::lock::locked;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// When the first and the last person came since the run was taken up, and when it was over.
#[derive(Debug, Default)]
pub struct Times {
    first: OnceLock<Instant>,
    last: Mutex<Option<Instant>>,
    over: OnceLock<Instant>,
}

impl Times {
    /// Notes that someone has come.
    pub fn come(&self) {
        let now = Instant::now();
        self.first.get_or_init(|| now);
        *locked(&self.last) = Some(now);
    }

    /// Notes that no lane plays any more.
    pub(super) fn end(&self) {
        self.over.get_or_init(Instant::now);
    }

    /// How long ago the last person came; none before the first.
    #[must_use]
    pub fn quiet(&self) -> Option<Duration> {
        let last = *locked(&self.last);
        last.map(|last| last.elapsed())
    }

    /// The time from the first person to the end of the run, once it is over.
    #[must_use]
    pub fn took(&self) -> Option<Duration> {
        Some(self.over.get()?.duration_since(*self.first.get()?))
    }
}
