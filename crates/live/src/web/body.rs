//! Bodies of requests, received within bounds of size, time and media type.

use std::io::{ErrorKind, Read};
use std::sync::Arc;

use axum::body::{Body, BodyDataStream};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, EXPECT, HeaderMap};
use flate2::read::MultiGzDecoder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use super::Limits;
use super::answer::HttpRefusal;
use super::state::Server;
use crate::limits::{DROPPING_PATIENCE, MOST_DROPPED_BYTES, UNPACKED_BYTES};

/// The room that a body takes among all in progress, and the request's place among those that wait.
pub(super) struct BodyRoom {
    of: Arc<Semaphore>,
    taken: OwnedSemaphorePermit,
    bytes: usize,
    /// The place of the request; `None` before the body is complete, so that a slow sender keeps no
    /// other out.
    place: Option<OwnedSemaphorePermit>,
}

impl BodyRoom {
    fn new(of: &Arc<Semaphore>) -> Result<Self, HttpRefusal> {
        let taken = of.clone().try_acquire_many_owned(1);
        let taken = taken.map_err(|_| HttpRefusal::busy("too much is under way"))?;
        Ok(Self {
            of: of.clone(),
            taken,
            bytes: 0,
            place: None,
        })
    }

    /// Takes a place among the requests that wait for the recorder. The places are bounded so that
    /// reading requests still find connections.
    fn wait_in(&mut self, places: &Arc<Semaphore>) -> Result<(), HttpRefusal> {
        let place = places.clone().try_acquire_owned();
        self.place = Some(place.map_err(|_| HttpRefusal::busy("too many requests wait"))?);
        Ok(())
    }

    /// Takes room for `bytes` more.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), HttpRefusal> {
        self.bytes += bytes;
        let more = (self.bytes >> 10).saturating_sub(self.taken.num_permits() - 1);
        if more > 0 {
            let more = u32::try_from(more).unwrap_or(u32::MAX);
            let more = self.of.clone().try_acquire_many_owned(more);
            let more = more.map_err(|_| HttpRefusal::busy("too much is under way"))?;
            self.taken.merge(more);
        }
        Ok(())
    }
}

/// Receives the whole body, with the room that it takes.
pub(super) async fn take(
    server: &Server,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Vec<u8>, BodyRoom), HttpRefusal> {
    let limits = &server.limits;
    let mut body = body.into_data_stream();
    let length = headers.get(CONTENT_LENGTH);
    let length: Option<u64> = length.and_then(|length| length.to_str().ok()?.parse().ok());
    let taken = match length {
        Some(length) if length > limits.body_bytes as u64 => Err(too_long(limits)),
        _ => {
            let whole = collect(server, &mut body, length.unwrap_or(0) as usize);
            let late = || slow(format!("the body took more than {:?}", limits.body));
            timeout(limits.body, whole)
                .await
                .unwrap_or_else(|_| Err(late()))
        }
    };
    let unfinished = |refusal: &HttpRefusal| {
        matches!(
            refusal.status,
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::TOO_MANY_REQUESTS
        )
    };
    if taken.as_ref().is_err_and(unfinished) {
        drain(headers, &mut body).await;
    }
    taken
}

async fn collect(
    server: &Server,
    body: &mut BodyDataStream,
    length: usize,
) -> Result<(Vec<u8>, BodyRoom), HttpRefusal> {
    let limits = &server.limits;
    let mut room = BodyRoom::new(&server.room)?;
    // Room is taken as bytes come: announcing many costs nothing.
    let mut bytes = Vec::with_capacity(length.min(64 << 10));
    loop {
        let late = |_| {
            slow(format!(
                "nothing more of the body came for {:?}",
                limits.pause
            ))
        };
        let chunk = match timeout(limits.pause, body.next()).await.map_err(late)? {
            None => {
                room.wait_in(&server.waiting)?;
                return Ok((bytes, room));
            }
            Some(Ok(chunk)) => chunk,
            Some(Err(error)) => {
                let error = format!("the body can't be taken: {error}");
                let help = "nothing of it was taken: send it whole";
                return Err(HttpRefusal::new(StatusCode::BAD_REQUEST, error, help));
            }
        };
        if bytes.len() + chunk.len() > limits.body_bytes {
            return Err(too_long(limits));
        }
        room.take(chunk.len())?;
        bytes.extend_from_slice(&chunk);
    }
}

/// Receives and drops the body of a request that is refused in any case.
pub(super) async fn discard(headers: &HeaderMap, body: Body) {
    drain(headers, &mut body.into_data_stream()).await;
}

async fn drain(headers: &HeaderMap, body: &mut BodyDataStream) {
    // A client that waits for `100 Continue` has sent nothing yet.
    if headers.contains_key(EXPECT) {
        return;
    }
    let dropping = async {
        let mut dropped = 0;
        while let Some(Ok(chunk)) = body.next().await {
            dropped += chunk.len();
            if dropped > MOST_DROPPED_BYTES {
                break;
            }
        }
    };
    // What has not come by then its sender may never learn of.
    let _ = timeout(DROPPING_PATIENCE, dropping).await;
}

/// The first bytes of gzip data.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Unpacks a gzip body, up to the length limit of a body and within the room for all bodies in
/// progress.
pub(super) fn unpacked(
    body: &[u8],
    limits: &Limits,
    room: &mut BodyRoom,
) -> Result<Vec<u8>, HttpRefusal> {
    let mut decoder = MultiGzDecoder::new(body);
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        // One more than may come shows that more would.
        let most = UNPACKED_BYTES.min(limits.body_bytes + 1 - before);
        let read = decoder.by_ref().take(most as u64).read_to_end(&mut bytes);
        if let Err(error) = read {
            return Err(broken(body, error.kind()));
        }
        match bytes.len() - before {
            0 => return Ok(bytes),
            _ if bytes.len() > limits.body_bytes => return Err(too_long(limits)),
            more => room.take(more)?,
        }
    }
}

/// Answers 400: the body is not gzip, or was cut off.
fn broken(body: &[u8], kind: ErrorKind) -> HttpRefusal {
    let error = match kind {
        ErrorKind::UnexpectedEof if body.starts_with(&MAGIC) => "the body is gzip that was cut off",
        _ => "the headers say that the body is gzip, and it is not",
    };
    let help = "nothing of it was taken: send it whole, or without `Content-Encoding`";
    HttpRefusal::new(StatusCode::BAD_REQUEST, error, help)
}

/// Answers 413: the body is longer than allowed, as sent or unpacked.
fn too_long(limits: &Limits) -> HttpRefusal {
    let error = format!("the body is longer than {} bytes", limits.body_bytes);
    let help = "nothing of it was taken: send fewer records at once";
    HttpRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
}

fn slow(error: String) -> HttpRefusal {
    let help = "nothing of it was taken: send it again";
    HttpRefusal::new(StatusCode::REQUEST_TIMEOUT, error, help)
}
