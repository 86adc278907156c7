//! Decisions as they are made: `GET /v1/decisions`, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, sleep_until};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use super::answer::HttpRefusal;
use super::state::{Server, stopped};
use crate::watch::DecisionFollower;

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
        let error = format!("{what} is no number");
        HttpRefusal::new(StatusCode::BAD_REQUEST, error, help)
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
    let (out, texts) = mpsc::channel(1);
    tokio::spawn(tell(server, from, out, place));
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let texts = ReceiverStream::new(texts).map(Ok::<_, Infallible>);
    Ok((headers, Body::from_stream(texts)).into_response())
}

/// Sends one follower the events from number `from` on; `None` is the oldest kept one. The next
/// events are looked up once its connection has taken those before, so that little is kept for it.
async fn tell(
    server: Arc<Server>,
    from: Option<u64>,
    out: mpsc::Sender<String>,
    _place: OwnedSemaphorePermit,
) {
    let mut follower = server.services.watched.follow(from);
    let mut stop = server.stop.clone();
    // Sent at once, so that who follows knows that it does.
    let mut text = "retry: 1000\n\n".to_owned();
    let mut heart = Instant::now() + server.limits.heartbeat;
    loop {
        text += &events(&mut follower);
        if text.is_empty() {
            tokio::select! {
                () = stopped(&mut stop) => return,
                () = out.closed() => return,
                () = follower.changed() => continue,
                () = sleep_until(heart) => text += ": still here\n\n",
            }
        }
        tokio::select! {
            biased;
            () = stopped(&mut stop) => return,
            sent = out.send(std::mem::take(&mut text)) => if sent.is_err() { return },
        }
        heart = Instant::now() + server.limits.heartbeat;
    }
}

/// The next events as text; empty if there are none yet.
fn events(follower: &mut DecisionFollower) -> String {
    let mut text = String::new();
    let mut from = follower.from();
    for decision in follower.ready() {
        let event = &decision.event;
        if let Some(from) = from
            && from < event.seq()
        {
            let to = event.seq() - 1;
            text += &format!("id: {to}\nevent: gap\ndata: {{\"from\":{from},\"to\":{to}}}\n\n");
        }
        let (seq, data) = (event.seq(), event.to_json());
        text += &format!("id: {seq}\nevent: decision\ndata: {data}\n\n");
        from = Some(seq + 1);
    }
    text
}
