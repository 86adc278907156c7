//! A compressed body, unpacked within the length that a body may have.

use std::io::{ErrorKind, Read};

use axum::http::StatusCode;
use flate2::read::MultiGzDecoder;

use super::Limits;
use super::answer::HttpRefusal;
use super::body::{BodyRoom, too_long};

/// The first bytes of gzip.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Bytes unpacked between checks of the room that they take.
const PIECE: usize = 64 << 10;

/// What a body of gzip holds: as long as a body may be, and within the room for all that are under
/// way.
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
        let most = PIECE.min(limits.body_bytes + 1 - before);
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

/// 400: it is no gzip.
fn broken(body: &[u8], kind: ErrorKind) -> HttpRefusal {
    let error = match kind {
        ErrorKind::UnexpectedEof if body.starts_with(&MAGIC) => "the body is gzip that was cut off",
        _ => "the headers say that the body is gzip, and it is not",
    };
    let help = "nothing of it was taken: send it whole, or without `Content-Encoding`";
    HttpRefusal::new(StatusCode::BAD_REQUEST, error, help)
}
