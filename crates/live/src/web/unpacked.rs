//! A compressed body, unpacked up to the length limit of bodies.

use std::io::{ErrorKind, Read};

use axum::http::StatusCode;
use flate2::read::MultiGzDecoder;

use super::Limits;
use super::answer::HttpRefusal;
use super::body::{BodyRoom, too_long};

/// The first bytes of gzip data.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The number of bytes unpacked between checks of the room.
const PIECE: usize = 64 << 10;

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

/// Answers 400: the body is not gzip, or was cut off.
fn broken(body: &[u8], kind: ErrorKind) -> HttpRefusal {
    let error = match kind {
        ErrorKind::UnexpectedEof if body.starts_with(&MAGIC) => "the body is gzip that was cut off",
        _ => "the headers say that the body is gzip, and it is not",
    };
    let help = "nothing of it was taken: send it whole, or without `Content-Encoding`";
    HttpRefusal::new(StatusCode::BAD_REQUEST, error, help)
}
