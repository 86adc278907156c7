//! Taking candidates and outcomes in: `POST /v1/candidates`, `POST /v1/outcomes`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;

use super::Intake;
use super::answer::{Refusal, Rejected, json};
use super::body::{self, Room};
use super::parsed::{Parsed, read};
use super::server::Server;
use crate::feed::{Delivery, Item, OnError, Receipt, Taken};
use crate::watch::Stage;

/// Larger bodies are read on a thread of their own, so that others needn't wait.
const LARGE: usize = 16 << 10;

/// At most so many places are told of one request.
pub(super) const TOLD: usize = 1000;

/// What the records of a body are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Candidates,
    /// One, to be decided about.
    Candidate,
    Outcomes,
}

/// What is answered where something was taken.
#[derive(Serialize)]
struct Answer {
    accepted: u64,
    /// How many of those accepted take the place of what was told before.
    #[serde(skip_serializing_if = "is_none")]
    corrected: u64,
    duplicates: u64,
    #[serde(skip_serializing_if = "is_none")]
    left_out: u64,
    rejected: Vec<Rejected>,
    /// How many more there are than are listed.
    #[serde(skip_serializing_if = "is_none")]
    more_rejected: u64,
    last_seq: u64,
    /// Of a single record.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(n: &u64) -> bool {
    *n == 0
}

/// `POST /v1/candidates`.
pub(super) async fn candidates(
    State(server): State<Arc<Server>>,
    request: Request,
) -> Result<Response, Refusal> {
    post(server, Kind::Candidates, request).await
}

/// `POST /v1/outcomes`.
pub(super) async fn outcomes(
    State(server): State<Arc<Server>>,
    request: Request,
) -> Result<Response, Refusal> {
    post(server, Kind::Outcomes, request).await
}

async fn post(server: Arc<Server>, kind: Kind, request: Request) -> Result<Response, Refusal> {
    let (head, body) = request.into_parts();
    let (parsed, room) = parsed(&server, kind, &head.headers, body).await?;
    // On a task of its own: what was handed in keeps its room until it is taken, whether or not its sender waits for that.
    let handed = tokio::spawn(async move {
        let _room = room;
        hand_in(&server, kind, parsed).await
    });
    handed.await.unwrap_or_else(|_| Err(broken()))
}

/// Takes a request's body in and reads it, where records are taken at all.
pub(super) async fn parsed(
    server: &Arc<Server>,
    kind: Kind,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Parsed, Room), Refusal> {
    let rows = |intake: &Intake| (kind == Kind::Candidates).then(|| intake.reading.codec().clone());
    let form = open(server).and_then(|intake| body::form(headers, rows(intake)));
    let form = match form {
        Ok(form) => form,
        Err(refusal) => {
            body::discard(headers, body).await;
            return Err(refusal);
        }
    };
    let (bytes, mut room) = body::take(server, headers, body).await?;
    if bytes.len() <= LARGE {
        return Ok((read(server, kind, &form, &bytes, &mut room)?, room));
    }
    let _turn = server.readers.acquire().await.map_err(|_| broken())?;
    let server = server.clone();
    let task = tokio::task::spawn_blocking(move || {
        let parsed = read(&server, kind, &form, &bytes, &mut room)?;
        Ok((parsed, room))
    });
    task.await.unwrap_or_else(|_| Err(broken()))
}

/// The intake, where there is one that takes anything. Also when no lane plays any more: whoever came before is known still.
pub(super) fn open(server: &Server) -> Result<&Intake, Refusal> {
    let Some(intake) = &server.services.intake else {
        let error = "this run takes no records by HTTP";
        let help = "its people come from the source in its config; `[source] type = \"http\"` would take them here";
        return Err(Refusal::new(StatusCode::NOT_FOUND, error, help));
    };
    if intake.deliveries.is_closed() {
        return Err(Refusal::over());
    }
    if intake.deliveries.capacity() == 0 {
        return Err(full());
    }
    Ok(intake)
}

pub(super) fn reject(
    told: &mut Vec<Rejected>,
    more: &mut u64,
    place: (u64, Option<u64>),
    error: String,
) {
    if told.len() == TOLD {
        *more += 1;
        return;
    }
    told.push(Rejected {
        line: place.0,
        column: None,
        record: place.1,
        error,
    });
}

/// Hands items to the recorder; who waits for the receipt hears once they are committed.
pub(super) fn deliver(
    intake: &Intake,
    items: Vec<Item>,
) -> Result<oneshot::Receiver<Receipt>, Refusal> {
    let (sender, receipt) = oneshot::channel();
    let delivery = Delivery {
        items,
        left_out: 0,
        receipt: Some(sender),
    };
    match intake.deliveries.try_send(delivery) {
        Ok(()) => Ok(receipt),
        Err(TrySendError::Full(_)) => Err(full()),
        Err(TrySendError::Closed(_)) => Err(Refusal::over()),
    }
}

/// What became of a delivery.
pub(super) async fn received(
    server: &Server,
    receipt: oneshot::Receiver<Receipt>,
) -> Result<Receipt, Refusal> {
    receipt.await.map_err(|_| match open(server) {
        Err(refusal) if refusal.status == StatusCode::GONE => refusal,
        _ => Refusal::unavailable("it was not taken", "nothing of it was taken: send it again"),
    })
}

async fn hand_in(server: &Server, kind: Kind, mut parsed: Parsed) -> Result<Response, Refusal> {
    let intake = open(server)?;
    if intake.on_error == OnError::Reject {
        parsed.unmix();
    }
    let unread = parsed.unread();
    let all = parsed.items.len() as u64 + parsed.left_out;
    if unread as u64 == all || (unread > 0 && intake.on_error == OnError::Reject) {
        return Err(refuse(server, kind, parsed).await);
    }
    let single = parsed.items.len() == 1 && parsed.left_out == 0;
    let reasons = parsed.reasons();
    let is_over = is_over(server, kind);
    if is_over {
        parsed.keep(|item| !matches!(item, Item::Refused(_)));
    }
    let gauges = &server.services.watched.gauges;
    gauges.left_out.add(parsed.left_out);
    let receipt = match &*parsed.items {
        [] => Receipt {
            last_seq: gauges.last_seq.get(),
            ..Receipt::default()
        },
        _ => {
            let items = std::mem::take(&mut parsed.items);
            received(server, deliver(intake, items)?).await?
        }
    };
    let (mut accepted, mut corrected, mut duplicates, mut untaken) = (0, 0, 0, 0);
    // Records that could be read and are refused, and those of them that contradict what came before.
    let (mut refused, mut conflicts) = (0, 0);
    let (mut rejected, mut more_rejected, mut seq) = (Vec::new(), 0, None);
    // A stream that ends within a delivery takes no more of it.
    let (mut taken, mut ended) = (receipt.taken.into_iter(), None);
    for (place, unread) in reasons {
        let became = match unread {
            Some(_) if is_over => Some(Taken::Refused),
            _ => taken.next(),
        };
        match &became {
            Some(Taken::Accepted { seq: number, .. } | Taken::Corrected { seq: number }) => {
                accepted += 1;
                corrected += u64::from(matches!(became, Some(Taken::Corrected { .. })));
                seq = Some(*number).filter(|_| single);
                continue;
            }
            Some(Taken::Duplicate | Taken::Known { .. }) => {
                duplicates += 1;
                continue;
            }
            Some(Taken::Misnamed(_) | Taken::Unknown) => refused += 1,
            Some(conflict) if conflict.is_conflict() => {
                refused += 1;
                conflicts += 1;
            }
            Some(Taken::Over) => untaken += 1,
            None if ended.is_none() => untaken += 1,
            _ => {}
        }
        let ends = matches!(became, Some(Taken::Refused | Taken::Misnamed(_)));
        let why = match (unread, became, ended) {
            (Some(unread), ..) => unread,
            (None, None, Some(line)) => format!("the stream ended with line {line}"),
            (None, became, _) => {
                let why_not = became.unwrap_or(Taken::Over).why_not();
                why_not.unwrap_or("it can't be taken".into()).into_owned()
            }
        };
        if ends && !is_over {
            ended = Some(place.0);
        }
        reject(&mut rejected, &mut more_rejected, place, why);
    }
    match accepted + duplicates {
        0 if untaken > 0 => return Err(Refusal::over()),
        0 if conflicts == all => return Err(conflict(all, rejected)),
        0 if refused + unread as u64 == all => {
            let what = if refused > 0 { "taken" } else { "read" };
            return Err(unprocessable(all, all, what, rejected));
        }
        _ => {}
    }
    // What only repeats outcomes makes no difference.
    let is_new = kind != Kind::Outcomes || accepted > 0 || !rejected.is_empty();
    let status = match is_new {
        true => StatusCode::ACCEPTED,
        false => StatusCode::OK,
    };
    let answer = Answer {
        accepted,
        corrected,
        duplicates,
        left_out: parsed.left_out,
        rejected,
        more_rejected,
        last_seq: receipt.last_seq,
        seq,
    };
    Ok(json(status, &answer))
}

/// Whether nobody takes such records any more. What became of somebody is taken as long as there is a recorder.
fn is_over(server: &Server, kind: Kind) -> bool {
    kind != Kind::Outcomes && *server.services.watched.stage.borrow() == Stage::Over
}

/// 422: nothing is taken but the note of what is wrong; not even that once all is over.
pub(super) async fn refuse(server: &Server, kind: Kind, mut parsed: Parsed) -> Refusal {
    if is_over(server, kind) {
        return Refusal::over();
    }
    let (wrong, all) = (
        parsed.unread() as u64,
        parsed.items.len() as u64 + parsed.left_out,
    );
    let (mut places, mut more) = (Vec::new(), 0);
    for (place, unread) in parsed.reasons() {
        if let Some(error) = unread {
            reject(&mut places, &mut more, place, error);
        }
    }
    parsed.keep(|item| matches!(item, Item::Refused(_)));
    let noted = async {
        let receipt = deliver(open(server)?, parsed.items)?;
        received(server, receipt).await
    };
    match noted.await {
        Err(refusal) => refusal,
        Ok(_) => unprocessable(wrong, all, "read", places),
    }
}

fn unprocessable(wrong: u64, all: u64, what: &str, places: Vec<Rejected>) -> Refusal {
    let error = format!("{wrong} of {all} records can't be {what}");
    let help = "nothing of it was taken: mend the records at these places and send it again";
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error, help).at(places)
}

/// 409: all of it contradicts what came before, and is noted.
fn conflict(all: u64, places: Vec<Rejected>) -> Refusal {
    let error = match places.as_slice() {
        [only] if all == 1 => only.error.clone(),
        _ => format!("{all} of {all} records contradict what came before"),
    };
    let help = "nothing of it was taken, and what came before holds; bad.ndjson in the run's folder has a note of it";
    Refusal::new(StatusCode::CONFLICT, error, help).at(places)
}

fn full() -> Refusal {
    Refusal::busy("more came than the journal could take")
}

fn broken() -> Refusal {
    let help = "this is a bug of klero; send it again";
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "reading the body failed",
        help,
    )
}
