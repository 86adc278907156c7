//! Takes a body in and reads its records.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};

use super::Intake;
use super::answer::HttpRefusal;
use super::body::{self, BodyRoom};
use super::form::{BodyForm, Coding, form};
use super::handover::open;
use super::parsed::{OVERHEAD, Parsed, RecordKind};
use super::records::{BodyRecord, BodyRecords, one_value, otherwise, records};
use super::rows::rows;
use super::state::Server;
use super::unpacked::unpacked;
use crate::feed::{Item, Read, outcome};
use crate::record::json::is_envelope;

/// Bodies longer than this are read on a thread of their own, so that other requests need not wait.
const LARGE: usize = 16 << 10;

/// Takes a request's body in and reads it, where records are taken at all.
pub(super) async fn receive(
    server: &Arc<Server>,
    kind: RecordKind,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Parsed, BodyRoom), HttpRefusal> {
    let rows =
        |intake: &Intake| (kind == RecordKind::Candidates).then(|| intake.reading.codec().clone());
    let form = open(server).and_then(|intake| form(headers, rows(intake)));
    let (form, coding) = match form {
        Ok(form) => form,
        Err(refusal) => {
            body::discard(headers, body).await;
            return Err(refusal);
        }
    };
    let (bytes, mut room) = body::take(server, headers, body).await?;
    if bytes.len() <= LARGE && coding == Coding::Identity {
        return Ok((read(server, kind, &form, &bytes, &mut room)?, room));
    }
    let _turn = server.readers.acquire().await.map_err(|_| broken())?;
    let server = server.clone();
    let task = tokio::task::spawn_blocking(move || {
        let bytes = match coding {
            Coding::Identity => bytes,
            Coding::Gzip => unpacked(&bytes, &server.limits, &mut room)?,
        };
        let parsed = read(&server, kind, &form, &bytes, &mut room)?;
        Ok((parsed, room))
    });
    task.await.unwrap_or_else(|_| Err(broken()))
}

/// Reads a body.
fn read(
    server: &Server,
    kind: RecordKind,
    form: &BodyForm,
    bytes: &[u8],
    room: &mut BodyRoom,
) -> Result<Parsed, HttpRefusal> {
    let intake = open(server)?;
    let limits = &server.limits;
    if let BodyForm::Rows(codec) = form {
        return rows(intake, limits, codec, bytes, room);
    }
    let event = match form {
        BodyForm::Event(event) => Some(event.envelope(one_value(bytes)?)),
        _ => None,
    };
    let bytes = event.as_ref().map_or(bytes, String::as_bytes);
    let mut parsed = Parsed::default();
    let many = match records(bytes, form, limits)? {
        BodyRecords::Many(many) => many,
        BodyRecords::One(text) => {
            let record = BodyRecord {
                line: 1,
                element: None,
                text,
            };
            let told = (text.len() <= intake.max_length).then(|| {
                let number = intake.numbers.fetch_add(1, Ordering::Relaxed) + 1;
                one(server, intake, form, kind, &record, number)
            });
            if let Some(Ok(item)) = told {
                parsed.note(record, Ok(item));
                return Ok(parsed);
            }
            match otherwise(text, limits)? {
                Some(lines) => lines,
                None => {
                    let Some(told) = told else {
                        return Err(too_long(intake));
                    };
                    parsed.note(record, told);
                    return Ok(parsed);
                }
            }
        }
    };
    room.take(many.len() * OVERHEAD)?;
    parsed.items.reserve(many.len());
    parsed.places.reserve(many.len());
    let before = intake
        .numbers
        .fetch_add(many.len() as u64, Ordering::Relaxed);
    for (number, record) in (before + 1..).zip(many) {
        let told = if record.text.len() > intake.max_length {
            Err(longer(intake))
        } else {
            one(server, intake, form, kind, &record, number)
        };
        parsed.note(record, told);
    }
    Ok(parsed)
}

/// One record; `None` where it is left out.
fn one(
    server: &Server,
    intake: &Intake,
    form: &BodyForm,
    kind: RecordKind,
    record: &BodyRecord<'_>,
    number: u64,
) -> Result<Option<Item>, String> {
    let text = std::str::from_utf8(record.text)
        .map_err(|error| format!("it is not UTF-8 from byte {} on", error.valid_up_to() + 1))?;
    if *form == BodyForm::Events && !is_envelope(text)? {
        return Err(
            "the content type says CloudEvents, and this is no envelope: `specversion` is missing"
                .into(),
        );
    }
    match kind {
        RecordKind::Candidates | RecordKind::Candidate => {
            match intake.reading.json(text, number)? {
                Read::Candidate(mut candidate) => {
                    candidate.line = record.line;
                    Ok(Some(Item::Candidate(candidate)))
                }
                Read::LeftOut => Ok(None),
            }
        }
        RecordKind::Outcomes => {
            let outcome = outcome(text, &server.services.watched.labels, record.line)?;
            Ok(Some(Item::Outcome(outcome)))
        }
    }
}

fn longer(intake: &Intake) -> String {
    format!("it is longer than {} bytes", intake.max_length)
}

fn too_long(intake: &Intake) -> HttpRefusal {
    let error = format!("the record is longer than {} bytes", intake.max_length);
    let help = "`framing.max_length` of the source says how long one may be";
    HttpRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
}

pub(super) fn broken() -> HttpRefusal {
    let help = "this is a bug of klero; send it again";
    HttpRefusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "reading the body failed",
        help,
    )
}
