//! The time at which something was last heard.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time at which a lane elsewhere was last heard.
#[derive(Debug, Default)]
pub struct Heard(Mutex<Option<Instant>>);

impl Heard {
    /// Notes that something has come from it now.
    pub fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// The time since it was last heard; `None` before the first time.
    #[must_use]
    pub fn since(&self) -> Option<Duration> {
        let heard = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.map(|heard| heard.elapsed())
    }
}
