//! The places of connections: where all are taken, one that asks nothing gives its place to the
//! next.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

/// The places of all connections of a server.
pub(super) struct Places {
    free: Arc<Semaphore>,
    /// Wakes the connection that has asked nothing for longest.
    leave: Notify,
    idle: Duration,
}

/// The place of one connection.
pub(super) struct Place {
    places: Arc<Places>,
    asking: Asking,
    _permit: OwnedSemaphorePermit,
}

/// Counts what one connection asks.
#[derive(Clone, Default)]
pub(super) struct Asking(Arc<AtomicUsize>);

/// A request, until its answer is sent.
struct Asked(Asking);

impl Places {
    pub(super) fn new(connections: usize, idle: Duration) -> Self {
        Self {
            free: Arc::new(Semaphore::new(connections)),
            leave: Notify::new(),
            idle,
        }
    }

    /// Whether all are taken.
    pub(super) fn are_taken(&self) -> bool {
        self.free.available_permits() == 0
    }

    /// A place, once there is one.
    pub(super) async fn take(self: &Arc<Self>) -> Option<Place> {
        if self.are_taken() {
            self.leave.notify_one();
        }
        let permit = Arc::clone(&self.free).acquire_owned().await.ok()?;
        Some(Place {
            places: Arc::clone(self),
            asking: Asking::default(),
            _permit: permit,
        })
    }
}

impl Place {
    /// What this connection asks.
    pub(super) fn asking(&self) -> Asking {
        self.asking.clone()
    }

    /// Returns once this connection has asked nothing for a while and others wait for its place: a
    /// head that trickles in asks nothing yet.
    pub(super) async fn idle(&self) {
        let is_asking = || self.asking.0.load(Ordering::Relaxed) > 0;
        loop {
            sleep(self.places.idle).await;
            if is_asking() {
                continue;
            }
            self.places.leave.notified().await;
            if !self.places.are_taken() {
                continue;
            }
            if !is_asking() {
                return;
            }
            // It asks again: another may leave.
            self.places.leave.notify_one();
        }
    }
}

impl Asking {
    /// Counts a request until its answer is sent or given up.
    pub(super) async fn counted(self, answer: impl Future<Output = Response>) -> Response {
        self.0.fetch_add(1, Ordering::Relaxed);
        let asked = Asked(self);
        answer.await.map(|body| {
            Body::new(Answered {
                body,
                _asked: asked,
            })
        })
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer; its request is counted until it is sent.
struct Answered {
    body: Body,
    _asked: Asked,
}

impl HttpBody for Answered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
