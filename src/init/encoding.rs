//! The encoding of a file's bytes, recognised by its first bytes and by what follows.

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How the text of a file is written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark: what klero reads.
    Utf8,
    /// UTF-16, as a spreadsheet's "Unicode text" is.
    Utf16,
    /// Windows-1252, of which Latin-1 is the larger share: what older spreadsheets write.
    Latin1,
}

impl Encoding {
    /// The text of some bytes and how they were written; bytes that are not UTF-8 are taken for
    /// Windows-1252, in which every byte is a character.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> (String, Self) {
        if let Some(encoding) = wide(bytes) {
            return (encoding.decode(bytes).0.into_owned(), Self::Utf16);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => (text.trim_start_matches('\u{feff}').to_owned(), Self::Utf8),
            Err(_) => {
                let (text, ..) = WINDOWS_1252.decode(bytes);
                (text.into_owned(), Self::Latin1)
            }
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16 => "UTF-16",
            Self::Latin1 => "Latin-1 (Windows-1252)",
        }
    }
}

/// UTF-16 of either order: by its mark, or by a zero in every other of the first bytes.
fn wide(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    match bytes {
        [0xff, 0xfe, ..] | [1..=0x7f, 0, 1..=0x7f, 0, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] | [0, 1..=0x7f, 0, 1..=0x7f, ..] => Some(UTF_16BE),
        _ => None,
    }
}
