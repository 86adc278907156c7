//! The wait of a thread for something that another thread does.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

use pyo3::prelude::*;

use super::play::LOOK;

/// Waits for something, while the caller looks for signals.
pub fn awaited<T: Send>(py: Python<'_>, work: impl Future<Output = T> + Send) -> PyResult<T> {
    let mut work = Box::pin(work);
    loop {
        match py.detach(|| until_look(work.as_mut())) {
            Some(done) => return Ok(done),
            None => py.check_signals()?,
        }
    }
}

/// Waits until signals are to be looked for. No runtime takes part, because waking one costs more
/// than most waits.
fn until_look<T>(mut work: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let until = Instant::now() + LOOK;
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return Some(done);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        thread::park_timeout(left);
    }
}

/// Wakes a thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
