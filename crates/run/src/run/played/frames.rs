//! Frames of a file: the length of the content, its hash, and the content.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

use crate::limits::MOST_FRAME_BYTES;

/// The bytes of a hash: of SHA-256, the first.
const HASH: usize = 16;

/// Writes a frame.
///
/// # Errors
/// Where it can't be written, or is too large.
pub fn write(to: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok();
    let length = length.filter(|length| *length <= MOST_FRAME_BYTES);
    let length = length.ok_or_else(|| io::Error::other("a replication is too large to keep"))?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&hash(bytes))?;
    to.write_all(bytes)
}

/// Reads the content of the next frame. Returns `None` if no complete frame follows.
///
/// # Errors
/// Where it can't be read.
pub fn read(from: &mut dyn Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4 + HASH];
    if !is_filled(from, &mut head)? {
        return Ok(None);
    }
    let (length, known) = head.split_at(4);
    let length = length.try_into().map_or(u32::MAX, u32::from_le_bytes);
    if length > MOST_FRAME_BYTES {
        return Ok(None);
    }
    // No more is taken than is there, whatever a damaged length says.
    let mut bytes = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut bytes)?;
    Ok((bytes.len() == length as usize && hash(&bytes) == known).then_some(bytes))
}

fn hash(bytes: &[u8]) -> [u8; HASH] {
    let mut hash = [0; HASH];
    hash.copy_from_slice(&Sha256::digest(bytes)[..HASH]);
    hash
}

/// Fills `bytes`. Returns false if the input ends before.
fn is_filled(from: &mut dyn Read, bytes: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}
