//! The rows of a body: separated text, read as that of any feed.

use std::sync::Arc;

use axum::http::StatusCode;

use super::answer::HttpRefusal;
use super::body::BodyRoom;
use super::parsed::{OVERHEAD, Parsed};
use super::records::too_many;
use super::{Intake, Limits};
use crate::limits::{MOST_ROWS_TIMES, ROWS_BYTES};
use kleroterion_io::feed::{Codec, Decoder, Rejected};

/// Reads a body of rows. The first row names the columns unless the headers or the config do.
pub(super) fn rows(
    intake: &Intake,
    limits: &Limits,
    codec: &Codec,
    body: &[u8],
    room: &mut BodyRoom,
) -> Result<Parsed, HttpRefusal> {
    let numbers = Arc::clone(&intake.numbers);
    let mut decoder = Decoder::of(&intake.reading, codec, intake.max_length, numbers, 1);
    let mut parsed = Parsed::default();
    for piece in body.chunks(ROWS_BYTES).map(Some).chain([None]) {
        let before = decoder.made() + parsed.items.len() * OVERHEAD;
        let each = |line, item| {
            parsed.items.push(item);
            parsed.places.push((line, None));
        };
        match piece {
            Some(piece) => decoder.push(piece, each),
            None => decoder.end(each),
        }
        if decoder.is_unnamed() {
            return Err(unnamed(&parsed));
        }
        parsed.left_out = decoder.left_out();
        if parsed.items.len() as u64 + parsed.left_out > limits.records as u64 {
            return Err(too_many(limits));
        }
        if decoder.made() > MOST_ROWS_TIMES * limits.body_bytes {
            return Err(too_large(limits));
        }
        room.take(decoder.made() + parsed.items.len() * OVERHEAD - before)?;
    }
    match parsed.items.len() as u64 + parsed.left_out {
        0 => Err(empty(codec)),
        _ => Ok(parsed),
    }
}

/// Answers 400: the columns have no names.
fn unnamed(parsed: &Parsed) -> HttpRefusal {
    let first = parsed.handed().into_iter().next();
    let (line, unread) = first.map_or((1, None), |first| (first.line, first.unread));
    let error = unread.unwrap_or_default();
    let told = format!("the first row can't name the columns: {error}");
    let help = "nothing of it was taken: correct the first row and send it again";
    let places = vec![Rejected {
        line,
        column: None,
        record: None,
        error,
    }];
    HttpRefusal::new(StatusCode::BAD_REQUEST, told, help).at(places)
}

fn empty(codec: &Codec) -> HttpRefusal {
    let help = match codec {
        Codec::Csv {
            columns: Some(_), ..
        } => "send a row a person: the config names the columns",
        _ => "send a row that names the columns, and then a row a person",
    };
    let error = "there is no record in the body";
    HttpRefusal::new(StatusCode::BAD_REQUEST, error, help)
}

fn too_large(limits: &Limits) -> HttpRefusal {
    let most = MOST_ROWS_TIMES * limits.body_bytes;
    let error = format!(
        "the records of the body have more than {most} bytes, with the names of their columns"
    );
    let help = "nothing of it was taken: send fewer rows at once, or shorter names";
    HttpRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
}
