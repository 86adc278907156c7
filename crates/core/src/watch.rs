//! Long work that is watched: its progress is seen, and it can be stopped.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;

use crate::limits::WATCH_LOOK;
use crate::lock::locked;

/// The interrupt of those who never stop any work.
static NEVER: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// A watcher of long work: it sees the progress `P`, and can stop the work.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// use kleroterion_core::watch::{Interrupted, Watch};
///
/// /// Counts to `n`; its progress is how far it is.
/// fn count(n: u32, watch: &Watch<'_, u32>) -> Result<u32, Interrupted> {
///     for i in 0..n {
///         watch.go_on()?;
///         watch.see(i);
///     }
///     Ok(n)
/// }
///
/// let interrupt: Arc<AtomicBool> = Arc::default();
/// let see = |i| interrupt.store(i == 3, Ordering::Relaxed);
/// let watch = Watch::new(&interrupt, &see);
/// assert_eq!(count(3, &watch), Ok(3));
/// assert_eq!(count(9, &watch), Err(Interrupted));
/// assert_eq!(count(9, &Watch::patient()), Ok(9));
/// ```
pub struct Watch<'a, P> {
    interrupt: &'a Arc<AtomicBool>,
    see: &'a (dyn Fn(P) + Sync),
}

impl<P> Clone for Watch<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Watch<'_, P> {}

/// The error that work was stopped by its watcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl<P> Watch<'static, P> {
    /// A watcher who sees nothing and never stops the work.
    #[must_use]
    pub fn patient() -> Self {
        Watch::interrupted_by(&NEVER)
    }
}

impl<'a, P> Watch<'a, P> {
    /// A watcher who sees the progress, and stops the work by setting `interrupt`. The progress
    /// comes from the thread that does the work.
    #[must_use]
    pub fn new(interrupt: &'a Arc<AtomicBool>, see: &'a (dyn Fn(P) + Sync)) -> Self {
        Self { interrupt, see }
    }

    /// A watcher who sees nothing, and stops the work by setting `interrupt`.
    #[must_use]
    pub fn interrupted_by(interrupt: &'a Arc<AtomicBool>) -> Self {
        Self::new(interrupt, &|_| ())
    }

    /// The flag that stops the work.
    #[must_use]
    pub fn interrupt(&self) -> &'a Arc<AtomicBool> {
        self.interrupt
    }

    /// Returns true if the work is to stop.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Goes on with the work.
    ///
    /// # Errors
    /// Returns an error if the work is to stop.
    pub fn go_on(&self) -> Result<(), Interrupted> {
        match self.is_interrupted() {
            false => Ok(()),
            true => Err(Interrupted),
        }
    }

    /// Shows the progress.
    pub fn see(&self, progress: P) {
        (self.see)(progress);
    }
}

impl<P: Send + 'static> Watch<'_, P> {
    /// Does work on a thread of its own, and returns its result: [`awaited`].
    ///
    /// # Errors
    /// Returns an error if the wait is interrupted.
    ///
    /// # Panics
    /// Panics as the work does.
    pub fn awaited<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Watch<'_, P>) -> T + Send + 'static,
    ) -> Result<T, Interrupted> {
        awaited(self.interrupt, |progress| self.see(progress), work)
    }
}

/// Does work on a thread of its own, and returns its result. The progress is shown on this thread.
/// An interrupt ends the wait at once, also where the work can't look at its watch for long, as in
/// the program of a solver. Such work goes on by itself, and its result is dropped.
///
/// # Errors
/// Returns an error if the wait is interrupted.
///
/// # Panics
/// Panics as the work does.
pub fn awaited<P: Send + 'static, T: Send + 'static>(
    interrupt: &Arc<AtomicBool>,
    show: impl Fn(P),
    work: impl FnOnce(&Watch<'_, P>) -> T + Send + 'static,
) -> Result<T, Interrupted> {
    Watch::<P>::interrupted_by(interrupt).go_on()?;
    let seen = Arc::new(Mutex::new(None));
    let (done, waits) = mpsc::sync_channel(1);
    let (flag, sees) = (Arc::clone(interrupt), Arc::clone(&seen));
    let thread = thread::spawn(move || {
        let see = |progress| *locked(&sees) = Some(progress);
        // Whoever waited may be gone.
        let _ = done.send(work(&Watch::new(&flag, &see)));
    });
    loop {
        let came = waits.recv_timeout(WATCH_LOOK);
        let progress = locked(&seen).take();
        progress.into_iter().for_each(&show);
        match came {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => Watch::<P>::interrupted_by(interrupt).go_on()?,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panicked) => resume_unwind(panicked),
                Ok(()) => return Err(Interrupted),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_wait_ends_with_the_work_or_at_once_with_an_interrupt() {
        let interrupt: Arc<AtomicBool> = Arc::default();
        let seen = Mutex::new(Vec::new());
        let see = |progress: u32| locked(&seen).push(progress);
        let watch = Watch::new(&interrupt, &see);
        let found = watch.awaited(|watch| {
            watch.see(7);
            "done"
        });
        assert_eq!((found, locked(&seen).clone()), (Ok("done"), vec![7]));
        // Work that looks at nothing.
        let (release, held) = mpsc::channel::<()>();
        let begun = Instant::now();
        let stop = Arc::clone(&interrupt);
        let found = watch.awaited(move |watch| {
            watch.see(8);
            stop.store(true, Ordering::Relaxed);
            held.recv().is_err()
        });
        assert_eq!(found, Err(Interrupted));
        assert!(begun.elapsed() < Duration::from_secs(5));
        drop(release);
        // An interrupt set before begins nothing.
        assert_eq!(
            watch.awaited(|_| panic!("it begins")),
            Err::<(), _>(Interrupted)
        );
    }

    #[test]
    #[should_panic(expected = "of the work")]
    fn a_panic_of_the_work_is_passed_on() {
        let _ = Watch::<()>::patient().awaited(|_| panic!("of the work"));
    }
}
