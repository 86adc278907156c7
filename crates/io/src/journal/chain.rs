//! The hash of all entries so far.

use super::entry::JournalEntry;

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of a link.
pub(super) const LINK: usize = 16;

/// The chain of hashes: link n = BLAKE3(link n-1, entry n), cut to 16 bytes; link 0 is all zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain([u8; LINK]);

impl Chain {
    /// The chain with one more entry.
    #[must_use]
    pub fn with(self, seq: u64, entry: &JournalEntry) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0);
        hasher.update(&seq.to_le_bytes());
        hasher.update(entry.kind().word().as_bytes());
        // Lengths go first, so that no two entries make the same bytes.
        for part in [entry.id().unwrap_or_default(), &entry.body()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut link = [0; LINK];
        link.copy_from_slice(&hasher.finalize().as_bytes()[..LINK]);
        Self(link)
    }

    /// The link as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The link as hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// A link of hexadecimal digits.
    #[must_use]
    pub fn of_hex(text: &str) -> Option<Self> {
        let mut link = [0; LINK];
        if text.len() != 2 * LINK || !text.is_ascii() {
            return None;
        }
        for (byte, at) in link.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
        }
        Some(Self(link))
    }
}
