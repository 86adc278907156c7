//! SHA-256 in the form of `sha256sum`, and the text of files that are hashed.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};

/// The text of a file of JSON.
pub(super) fn json_text(record: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(record).expect("a record is plain data");
    text + "\n"
}

/// Returns the SHA-256 of some bytes, in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the SHA-256 of a file of any size, in hexadecimal.
///
/// # Errors
/// Where it can't be read.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex(&hasher.finalize())),
            length => hasher.update(&piece[..length]),
        }
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of some bytes.
pub(super) fn sha256_bytes(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test vectors of FIPS 180-4.
    #[test]
    fn it_is_sha256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(sha256_bytes(b"abc")[..2], [0xba, 0x78]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        for length in [0, 3, 1 << 16, 200_000] {
            let bytes = b"abc".repeat(length / 3);
            std::fs::write(&file, &bytes).unwrap();
            assert_eq!(sha256_of(&file).unwrap(), sha256(&bytes));
        }
    }
}
