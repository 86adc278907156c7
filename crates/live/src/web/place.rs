//! The places of connections. Where all are taken, an idle connection gives its place to the next.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use kleroterion_core::lock::locked;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use crate::limits::{BODY_GRACE, LEAST_BODY_RATE};

/// The places of all connections of a server.
pub(super) struct Places {
    free: Arc<Semaphore>,
    /// Wakes the connection that has been idle longest.
    leave: Notify,
    idle: Duration,
}

/// The place of one connection.
pub(super) struct Place {
    places: Arc<Places>,
    /// The requests of this connection.
    pub(super) asking: Asking,
    _permit: OwnedSemaphorePermit,
}

/// The requests of one connection, counted.
#[derive(Clone, Default)]
pub(super) struct Asking(Arc<AskingState>);

#[derive(Default)]
struct AskingState {
    requests: AtomicUsize,
    /// The start of the body that is arriving, and the number of bytes received; `None` between
    /// bodies.
    body: Mutex<Option<(Instant, u64)>>,
}

impl AskingState {
    fn body(&self) -> MutexGuard<'_, Option<(Instant, u64)>> {
        locked(&self.body)
    }

    /// Returns true if the connection has a request in progress. A body that trickles in for longer
    /// than `grace` does not count.
    fn is_asking(&self, grace: Duration) -> bool {
        let is_slow = self.body().is_some_and(|(since, bytes)| {
            let took = since.elapsed();
            took >= grace && (bytes as f64) < LEAST_BODY_RATE * took.as_secs_f64()
        });
        self.requests.load(Ordering::Relaxed) > 0 && !is_slow
    }
}

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

    /// Returns true if all places are taken.
    pub(super) fn are_taken(&self) -> bool {
        self.free.available_permits() == 0
    }

    /// Takes a place, once one is free.
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
    /// Waits until this connection has been idle for a while and others wait for its place. A head
    /// that trickles in counts as idle.
    pub(super) async fn idle(&self) {
        let grace = BODY_GRACE * self.places.idle;
        let is_asking = || self.asking.0.is_asking(grace);
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
    /// Answers a request, which counts until its answer is sent or given up. Its body is followed as
    /// it arrives.
    pub(super) async fn answered(self, request: Request, next: Next) -> Response {
        let coming = Some(Coming(self.clone()));
        let request = request.map(|body| {
            Body::new(FollowedBody {
                body,
                coming,
                _asked: None,
            })
        });
        self.0.requests.fetch_add(1, Ordering::Relaxed);
        let asked = Some(Asked(self));
        next.run(request).await.map(|body| {
            Body::new(FollowedBody {
                body,
                coming: None,
                _asked: asked,
            })
        })
    }
}

/// A request whose body is arriving.
struct Coming(Asking);

/// A body on its way: that of a request, or that of an answer.
struct FollowedBody {
    body: Body,
    coming: Option<Coming>,
    /// The request of an answer, which counts as in progress until the body is sent.
    _asked: Option<Asked>,
}

impl HttpBody for FollowedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Some(Coming(asking)) = &self.coming {
            let mut coming = asking.0.body();
            let (since, bytes) = coming.unwrap_or_else(|| (Instant::now(), 0));
            *coming = match &polled {
                Poll::Pending => Some((since, bytes)),
                Poll::Ready(Some(Ok(frame))) => {
                    let more = frame.data_ref().map_or(0, Bytes::len) as u64;
                    Some((since, bytes + more))
                }
                Poll::Ready(_) => None,
            };
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        *self.0.0.body() = None;
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}
