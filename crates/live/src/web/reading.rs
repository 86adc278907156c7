//! Receives a body and reads its records.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};

use super::answer::HttpRefusal;
use super::body::{self, BodyRoom, unpacked};
use super::form::{BodyForm, Coding, form};
use super::handover::{Door, open};
use super::parsed::{OVERHEAD, Parsed, RecordKind};
use super::records::{BodyRecord, BodyRecords, one_value, otherwise, records};
use super::rows::rows;
use super::state::Server;
use crate::limits::LARGE_BODY;
use kleroterion_io::feed::{Item, Read, closing, look, outcome, withdrawal};
use kleroterion_io::record::json::is_envelope;
use kleroterion_stats::sequence::Range;

/// Receives a request's body and reads it, if records of this kind are taken. Unreadable bodies are
/// counted.
pub(super) async fn receive(
    server: &Arc<Server>,
    kind: RecordKind,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Parsed, BodyRoom), HttpRefusal> {
    let received = taken_in(server, kind, headers, body).await;
    if let Err(refusal) = &received
        && UNREADABLE.contains(&refusal.status)
    {
        server.services.watched.gauges.unreadable.add(1);
    }
    received
}

/// The statuses of answers to a body that can't be read, however often it is sent.
const UNREADABLE: [StatusCode; 4] = [
    StatusCode::BAD_REQUEST,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    StatusCode::UNPROCESSABLE_ENTITY,
];

async fn taken_in(
    server: &Arc<Server>,
    kind: RecordKind,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Parsed, BodyRoom), HttpRefusal> {
    let rows = |door: Door<'_>| {
        let intake = door.intake.filter(|_| kind == RecordKind::Candidates);
        intake.map(|intake| intake.reading.codec().clone())
    };
    let form = open(server, kind).and_then(|door| form(headers, rows(door)));
    let (form, coding) = match form {
        Ok(form) => form,
        Err(refusal) => {
            body::discard(headers, body).await;
            return Err(refusal);
        }
    };
    let (bytes, mut room) = body::take(server, headers, body).await?;
    if bytes.len() <= LARGE_BODY && coding == Coding::Identity {
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
    let door = open(server, kind)?;
    let limits = &server.limits;
    if let (BodyForm::Rows(codec), Some(intake)) = (form, door.intake) {
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
            let told = (text.len() <= door.max_length).then(|| {
                let number = numbered(door, 1) + 1;
                one(server, door, form, &record, number)
            });
            if let Some(Ok(item)) = told {
                parsed.note(record, Ok(item));
                return Ok(parsed);
            }
            match otherwise(text, limits)? {
                Some(lines) => lines,
                None => {
                    let Some(told) = told else {
                        return Err(too_long(door));
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
    let before = numbered(door, many.len() as u64);
    for (number, record) in (before + 1..).zip(many) {
        let told = if record.text.len() > door.max_length {
            Err(longer(door))
        } else {
            one(server, door, form, &record, number)
        };
        parsed.note(record, told);
    }
    Ok(parsed)
}

/// Adds `more` records to the door's count. Returns the number of records before them.
fn numbered(door: Door<'_>, more: u64) -> u64 {
    let numbers = door.intake.map(|intake| &intake.numbers);
    numbers.map_or(0, |numbers| numbers.fetch_add(more, Ordering::Relaxed))
}

/// Reads one record; `None` if `where` leaves it out.
fn one(
    server: &Server,
    door: Door<'_>,
    form: &BodyForm,
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
    match door.kind {
        RecordKind::Candidates | RecordKind::Candidate => {
            let intake = door.intake.ok_or("no people come by HTTP")?;
            match intake.reading.json(text, number)? {
                Read::Candidate(mut candidate) => {
                    candidate.line = record.line;
                    Ok(Some(Item::Candidate(candidate)))
                }
                Read::LeftOut => Ok(None),
            }
        }
        RecordKind::Outcomes => {
            let watched = &server.services.watched;
            let range = watched.outcomes.range().map(Range::ends);
            let outcome = outcome(text, &watched.labels, range, record.line)?;
            Ok(Some(Item::Outcome(outcome)))
        }
        RecordKind::Looks => {
            let interviews = door.interviews.ok_or("no interviewer is asked")?;
            let look = look(text, &interviews.kinds, interviews.range, record.line)?;
            Ok(Some(Item::Look(look)))
        }
        RecordKind::Withdrawals => Ok(Some(Item::Withdrawal(withdrawal(text, record.line)?))),
        RecordKind::Slates => Ok(Some(Item::Closing(closing(text)?))),
    }
}

fn longer(door: Door<'_>) -> String {
    format!("it is longer than {} bytes", door.max_length)
}

fn too_long(door: Door<'_>) -> HttpRefusal {
    let error = format!("the record is longer than {} bytes", door.max_length);
    let help = "`framing.max_length` of the source says how long one may be";
    HttpRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
}

pub(super) fn broken() -> HttpRefusal {
    let help = "this is a bug of klero; send it again";
    let error = "reading the body failed";
    HttpRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, error, help)
}
