//! The clock of the wall, as live runs read it.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time now, in milliseconds since 1970.
pub(super) fn now() -> u64 {
    #[cfg(test)]
    if let Some(now) = simulated() {
        return now;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
thread_local! {
    /// What this thread's clock shows at an instant, where it is a simulated one.
    static SHOWN: std::cell::Cell<Option<(tokio::time::Instant, u64)>> =
        const { std::cell::Cell::new(None) };
}

#[cfg(test)]
fn simulated() -> Option<u64> {
    let (at, shown) = SHOWN.get()?;
    Some(shown + at.elapsed().as_millis() as u64)
}

/// Sets this thread's clock, or gives it back the true time.
#[cfg(test)]
pub(super) fn set(shown: Option<u64>) {
    SHOWN.set(shown.map(|shown| (tokio::time::Instant::now(), shown)));
}
