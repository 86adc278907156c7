//! When something was last heard.

use kleroterion_core::lock::locked;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// When a lane elsewhere was last heard.
#[derive(Debug, Default)]
pub struct Heard(Mutex<Option<Instant>>);

impl Heard {
    /// Notes that something of it has come, now.
    pub fn now(&self) {
        *locked(&self.0) = Some(Instant::now());
    }

    /// How long ago that was; none before the first time.
    #[must_use]
    pub fn since(&self) -> Option<Duration> {
        let heard = *locked(&self.0);
        heard.map(|heard| heard.elapsed())
    }
}
