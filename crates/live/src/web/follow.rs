//! Decisions as they are made: `GET /v1/decisions`, as server-sent events.

use std::fmt::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_stream::Stream;
use tokio_stream::wrappers::WatchStream;

use super::answer::HttpRefusal;
use super::state::Server;
use crate::watch::Watched;

/// The most events sent at once.
const AT_ONCE: usize = 64;

const LAST: HeaderName = HeaderName::from_static("last-event-id");

/// The query: the number of the first event to send.
#[derive(Debug, Deserialize)]
pub(super) struct From {
    from: Option<u64>,
}

/// Serves `GET /v1/decisions?from=SEQ` as server-sent events `decision`, whose `id` is their
/// number.
///
/// An event `gap` comes before them if older events are no longer kept. Without `from` it sends all
/// kept events. `Last-Event-ID` takes precedence over `from`.
pub(super) async fn follow(
    State(server): State<Arc<Server>>,
    query: Result<Query<From>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, HttpRefusal> {
    let wrong = |what: &str| {
        let help = "give the number of an event: /v1/decisions?from=0";
        HttpRefusal::new(
            StatusCode::BAD_REQUEST,
            format!("{what} is no number"),
            help,
        )
    };
    let Query(From { from }) = query.map_err(|_| wrong("`from`"))?;
    let last = match headers.get(LAST) {
        Some(last) => {
            let last = last.to_str().ok().and_then(|last| last.parse().ok());
            Some(last.ok_or_else(|| wrong("`Last-Event-ID`"))?)
        }
        None => None,
    };
    let from = last.map(|last: u64| last.saturating_add(1)).or(from);
    let place = server.followers.clone().try_acquire_owned();
    let place = place.map_err(|_| {
        let help = "GET /v1/decisions?from=SEQ has later what is sent now";
        HttpRefusal::unavailable("as many follow the decisions as may", help)
    })?;
    let mut heart = interval_at(
        Instant::now() + server.limits.heartbeat,
        server.limits.heartbeat,
    );
    heart.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let watched = server.services.watched.clone();
    let telling = Telling {
        from,
        begun: false,
        news: WatchStream::new(watched.decisions.watch()),
        acted: WatchStream::new(watched.watch_acted()),
        noted: WatchStream::new(watched.watch_shown()),
        stop: WatchStream::new(server.stop.clone()),
        heart,
        watched,
        _place: place,
    };
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, Body::from_stream(telling)).into_response())
}

/// One follower of the decisions. Nothing is queued for it: its next event is looked up when its
/// connection can take it.
struct Telling {
    watched: Arc<Watched>,
    /// The number of the event to send next; `None` for the oldest kept one.
    from: Option<u64>,
    begun: bool,
    news: WatchStream<u64>,
    acted: WatchStream<u64>,
    noted: WatchStream<u64>,
    stop: WatchStream<bool>,
    heart: Interval,
    _place: OwnedSemaphorePermit,
}

impl Telling {
    /// The next events as text; empty if there are none yet.
    fn text(&mut self) -> String {
        let mut text = String::new();
        let mut events = self
            .watched
            .decisions
            .since(self.from.unwrap_or(0), AT_ONCE);
        // A decision is sent once it can't be lost.
        let told = events.iter().take_while(|told| self.watched.may_tell(told));
        events.truncate(told.count());
        for decision in events {
            let event = &decision.event;
            if let Some(from) = self.from
                && from < event.seq
            {
                let to = event.seq - 1;
                let _ = write!(
                    text,
                    "id: {to}\nevent: gap\ndata: {{\"from\":{from},\"to\":{to}}}\n\n"
                );
            }
            let _ = write!(
                text,
                "id: {}\nevent: decision\ndata: {}\n\n",
                event.seq,
                event.to_json()
            );
            self.from = Some(event.seq + 1);
        }
        text
    }
}

impl Stream for Telling {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let telling = &mut *self;
        loop {
            match Pin::new(&mut telling.stop).poll_next(cx) {
                Poll::Ready(Some(false)) => continue,
                Poll::Ready(_) => return Poll::Ready(None),
                Poll::Pending => {}
            }
            // What is new wakes from here on.
            let mut woken = false;
            for news in [&mut telling.news, &mut telling.acted, &mut telling.noted] {
                while let Poll::Ready(Some(_)) = Pin::new(&mut *news).poll_next(cx) {
                    woken = true;
                }
            }
            let mut text = telling.text();
            if !telling.begun {
                telling.begun = true;
                // Sent at once, so that who follows knows that it does.
                text.insert_str(0, "retry: 1000\n\n");
            }
            if !text.is_empty() {
                telling.heart.reset();
                return Poll::Ready(Some(Ok(text.into())));
            }
            if telling.heart.poll_tick(cx).is_ready() {
                return Poll::Ready(Some(Ok(": still here\n\n".into())));
            }
            if !woken {
                return Poll::Pending;
            }
        }
    }
}
