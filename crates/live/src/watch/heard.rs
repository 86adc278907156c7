//! When something was last heard.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When a lane elsewhere was last heard.
#[derive(Debug, Default)]
pub struct Heard(Mutex<Option<Instant>>);

impl Heard {
    /// Notes that something of it has come, now.
    pub fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// How long ago that was; none before the first time.
    #[must_use]
    pub fn since(&self) -> Option<Duration> {
        let heard = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.map(|heard| heard.elapsed())
    }
}
