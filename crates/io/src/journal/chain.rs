//! The hash chain over all entries of a journal.

use super::entry::JournalEntry;

/// Returns bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The number of bytes of a link.
pub(super) const LINK: usize = 16;

/// A link of the hash chain. Link n is BLAKE3(link n-1, entry n), cut to 16 bytes; link 0 is all
/// zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain([u8; LINK]);

impl Chain {
    /// Returns the chain with one more entry.
    #[must_use]
    pub fn with(self, seq: u64, entry: &JournalEntry) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0);
        hasher.update(&seq.to_le_bytes());
        let (kind, id, body) = entry.columns();
        hasher.update(kind.as_bytes());
        // Lengths go first, so that no two entries make the same bytes.
        for part in [id.unwrap_or_default(), &body] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut link = [0; LINK];
        link.copy_from_slice(&hasher.finalize().as_bytes()[..LINK]);
        Self(link)
    }

    /// Returns the link as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the link as hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// Parses a link from hexadecimal digits; `None` if the text is not a link.
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
