//! The time at which something was last heard.

use kleroterion_core::lock::locked;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time at which a lane elsewhere was last heard.
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
