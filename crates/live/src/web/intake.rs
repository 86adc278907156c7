//! Intake of candidates, outcomes, answers and withdrawals: `POST /v1/candidates`, `POST
//! /v1/outcomes`, `POST /v1/looks`, `POST /v1/withdrawals`.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::answer::{HttpRefusal, json};
use super::handover::{deliver, open, received};
use super::parsed::{Parsed, RecordKind};
use super::reading::{broken, receive};
use super::state::Server;
use crate::limits::MOST_LISTED_REJECTS;
use crate::watch::Stage;
use kleroterion_io::feed::{
    FeedAccount, HandedRecord, Item, OnError, Receipt, Rejected, Taken, is_zero,
};

/// The answer to a request of which at least one record was taken.
#[derive(Serialize)]
struct IntakeAnswer {
    accepted: u64,
    /// The number of accepted records that correct earlier ones.
    #[serde(skip_serializing_if = "is_zero")]
    corrected: u64,
    duplicates: u64,
    #[serde(skip_serializing_if = "is_zero")]
    left_out: u64,
    rejected: Vec<Rejected>,
    /// The number of rejected records beyond those listed.
    #[serde(skip_serializing_if = "is_zero")]
    more_rejected: u64,
    last_seq: u64,
    /// The number of the record in the journal, for a request with a single record.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

/// Serves a `POST` of records of this kind.
pub(super) async fn post(
    server: Arc<Server>,
    kind: RecordKind,
    request: Request,
) -> Result<Response, HttpRefusal> {
    let (head, body) = request.into_parts();
    let (parsed, room) = receive(&server, kind, &head.headers, body).await?;
    // On a task of its own: what was handed in keeps its room until it is taken, whether or not its
    // sender waits for that.
    let handed = tokio::spawn(async move {
        let _room = room;
        hand_in(&server, kind, parsed).await
    });
    handed.await.unwrap_or_else(|_| Err(broken()))
}

async fn hand_in(
    server: &Server,
    kind: RecordKind,
    mut parsed: Parsed,
) -> Result<Response, HttpRefusal> {
    let door = open(server, kind)?;
    if door.on_error == OnError::Reject {
        parsed.unmix();
    }
    let (unread, all) = (parsed.unread(), parsed.records());
    // A batch of no CloudEvents is a batch.
    let is_none = all == 0;
    if (unread == all && !is_none) || (unread > 0 && door.on_error == OnError::Reject) {
        return Err(refuse(server, kind, parsed).await);
    }
    let is_single = all == 1;
    let handed = parsed.handed();
    let is_over = is_over(server, kind);
    if is_over {
        parsed.keep(|item| !matches!(item, Item::Refused(_)));
    }
    let gauges = &server.services.watched.gauges;
    gauges.left_out.add(parsed.left_out);
    let mut receipt = match &*parsed.items {
        [] => Receipt {
            last_seq: gauges.last_seq.get(),
            ..Receipt::default()
        },
        _ => received(server, kind, deliver(server, door, parsed.items)?).await?,
    };
    if is_over {
        receipt.taken = with_unread(&handed, receipt.taken);
    }
    let mut account = FeedAccount::listing(MOST_LISTED_REJECTS);
    account.left_out = parsed.left_out;
    account.settle(handed, receipt);
    match account.accepted + account.duplicates {
        0 if is_none => {}
        0 if account.untaken > 0 => return Err(HttpRefusal::over()),
        0 if account.conflicts == all => return Err(conflict(all, account.rejected)),
        0 if account.refused + unread == all => {
            let what = if account.refused > 0 { "taken" } else { "read" };
            return Err(unprocessable(all, all, what, account.rejected));
        }
        _ => {}
    }
    // What only repeats what was said makes no difference.
    let is_new =
        kind == RecordKind::Candidates || account.accepted > 0 || !account.rejected.is_empty();
    let status = match is_new {
        true => StatusCode::ACCEPTED,
        false => StatusCode::OK,
    };
    Ok(json(status, &IntakeAnswer::of(account, is_single)))
}

impl IntakeAnswer {
    fn of(account: FeedAccount, is_single: bool) -> Self {
        Self {
            accepted: account.accepted,
            corrected: account.corrected,
            duplicates: account.duplicates,
            left_out: account.left_out,
            rejected: account.rejected,
            more_rejected: account.more_rejected,
            last_seq: account.last_seq,
            seq: account.seq.filter(|_| is_single),
        }
    }
}

/// The fate of all records, including unreadable ones, which were not delivered.
fn with_unread(handed: &[HandedRecord], taken: Vec<Taken>) -> Vec<Taken> {
    let mut taken = taken.into_iter();
    let became = handed.iter().map_while(|record| match record.unread {
        Some(_) => Some(Taken::Refused),
        None => taken.next(),
    });
    became.collect()
}

/// Returns true if records of this kind are no longer taken. Outcomes are taken as long as the
/// recorder runs.
fn is_over(server: &Server, kind: RecordKind) -> bool {
    kind != RecordKind::Outcomes && *server.services.watched.stage.borrow() == Stage::Over
}

/// Answers 422: no record is taken, and only the error is noted. After the end of the run not even
/// that is noted.
pub(super) async fn refuse(server: &Server, kind: RecordKind, mut parsed: Parsed) -> HttpRefusal {
    if is_over(server, kind) {
        return HttpRefusal::over();
    }
    let (wrong, all) = (parsed.unread(), parsed.records());
    let mut account = FeedAccount::listing(MOST_LISTED_REJECTS);
    for record in parsed.handed() {
        if let Some(error) = record.unread {
            account.reject(record.line, record.element, error);
        }
    }
    parsed.keep(|item| matches!(item, Item::Refused(_)));
    let noted = async {
        let receipt = deliver(server, open(server, kind)?, parsed.items)?;
        received(server, kind, receipt).await
    };
    match noted.await {
        Err(refusal) => refusal,
        Ok(_) => unprocessable(wrong, all, "read", account.rejected),
    }
}

fn unprocessable(wrong: u64, all: u64, what: &str, places: Vec<Rejected>) -> HttpRefusal {
    let error = format!("{wrong} of {all} records can't be {what}");
    let help = "nothing of it was taken: correct the records at these places and send it again";
    HttpRefusal::new(StatusCode::UNPROCESSABLE_ENTITY, error, help).at(places)
}

/// Answers 409: all records contradict earlier ones, which is noted.
fn conflict(all: u64, places: Vec<Rejected>) -> HttpRefusal {
    let error = match places.as_slice() {
        [only] if all == 1 => only.error.clone(),
        _ => format!("{all} of {all} records contradict what came before"),
    };
    let help = "nothing of it was taken, and what came before holds; bad.ndjson in the run's \
                folder has a note of it";
    HttpRefusal::new(StatusCode::CONFLICT, error, help).at(places)
}
