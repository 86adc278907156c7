//! Closing of a slate by the organiser: `POST /v1/slates`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::answer::{HttpRefusal, json};
use super::handover::{deliver, open, received};
use super::parsed::RecordKind;
use super::reading::receive;
use super::state::Server;
use kleroterion_io::feed::{Item, Taken};

/// The answer to a closing.
#[derive(Serialize)]
struct SlateAnswer {
    /// The round that begins, from 1; `None` if it had begun before.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u64>,
    /// The number of candidates on its slate.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<u64>,
    /// True if the slate was closed before.
    duplicate: bool,
    last_seq: u64,
}

/// Serves `POST /v1/slates`, with body `{}` or `{"round": n}`. The latter may be sent again.
pub(super) async fn close(
    State(server): State<Arc<Server>>,
    request: Request,
) -> Result<Response, HttpRefusal> {
    let (head, body) = request.into_parts();
    let (mut parsed, _room) = receive(&server, RecordKind::Slates, &head.headers, body).await?;
    let items = std::mem::take(&mut parsed.items);
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    if let [Item::Refused(refused)] = &*items {
        let help = "nothing was closed: correct it and send it again";
        return Err(HttpRefusal::new(status, refused.error.clone(), help));
    }
    if items.len() != 1 {
        let error = "one slate is closed at a time";
        let help = "nothing was closed: send {} once for each slate";
        return Err(HttpRefusal::new(status, error, help));
    }
    let door = open(&server, RecordKind::Slates)?;
    let receipt = received(&server, RecordKind::Slates, deliver(&server, door, items)?).await?;
    let answer = |round, candidates, duplicate| SlateAnswer {
        round,
        candidates,
        duplicate,
        last_seq: receipt.last_seq,
    };
    match receipt.taken.first() {
        Some(&Taken::Closed { round, people }) => {
            let answer = answer(Some(round), Some(people), false);
            Ok(json(StatusCode::ACCEPTED, &answer))
        }
        Some(Taken::Duplicate) => Ok(json(StatusCode::OK, &answer(None, None, true))),
        Some(Taken::Hindered(why)) => {
            let help = "nothing was closed; GET /v1/looks has the number of the round whose slate \
                        is open, and how many candidates are on it";
            Err(HttpRefusal::new(StatusCode::CONFLICT, why.why(), help))
        }
        _ => Err(HttpRefusal::over()),
    }
}
