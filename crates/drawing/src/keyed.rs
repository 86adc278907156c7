//! Hashes of files that name people.

use super::hash::{sha256, sha256_bytes};

/// The first version of commitments whose hashes of files that name people are keyed.
pub(super) const KEYED: u32 = 3;

/// The prefix of the hash that makes the key of the hashes. The file of people follows it.
const DOMAIN: &[u8] = b"klero draw files 1\n";

/// Hashes of files that name people, for public files. They are keyed by the file of people.
/// Without that file no one can test guesses about the people in them.
#[derive(Clone, Debug)]
pub(super) struct PeopleHash(Option<[u8; 32]>);

impl PeopleHash {
    /// Returns the hasher for this file of people. Commitments of earlier versions use plain
    /// SHA-256.
    pub(super) fn of(people: &[u8], schema: u32) -> Self {
        Self((schema >= KEYED).then(|| sha256_bytes(&[DOMAIN, people].concat())))
    }

    /// The hash of a file, in hexadecimal.
    pub(super) fn hash(&self, bytes: &[u8]) -> String {
        match &self.0 {
            None => sha256(bytes),
            Some(key) => {
                let inner = sha256_bytes(&[key, bytes].concat());
                sha256(&[key, &inner[..]].concat())
            }
        }
    }
}
