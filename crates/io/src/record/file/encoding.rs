//! The encoding of a file's bytes, recognised by its first bytes and by what follows.

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The encoding of a file's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// UTF-16, as a spreadsheet's "Unicode text" is.
    Utf16,
    /// Windows-1252, which contains Latin-1; older spreadsheets write it.
    Latin1,
}

impl Encoding {
    /// Returns the usual name of the encoding.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16 => "UTF-16",
            Self::Latin1 => "Latin-1 (Windows-1252)",
        }
    }

    /// The encoding of a text's bytes. Bytes that are not UTF-8 are taken for Windows-1252, in
    /// which every byte is a character. Where most letters beyond ASCII are UTF-8 the file is UTF-8
    /// with damaged cells, which their readers refuse one by one.
    pub(super) fn of(bytes: &[u8]) -> Self {
        if wide(bytes).is_some() {
            return Self::Utf16;
        }
        let mut letters = Letters::default();
        letters.count(bytes);
        match letters.are_utf8() {
            true => Self::Utf8,
            false => Self::Latin1,
        }
    }

    /// The bytes of a text as UTF-8, whatever they were.
    pub(super) fn to_utf8(self, bytes: Vec<u8>) -> Vec<u8> {
        let text = match self {
            Self::Utf8 => return bytes,
            Self::Latin1 => WINDOWS_1252.decode(&bytes).0.into_owned(),
            Self::Utf16 => match wide(&bytes) {
                Some(encoding) => encoding.decode(&bytes).0.into_owned(),
                None => return bytes,
            },
        };
        text.into_bytes()
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

/// The letters beyond ASCII that are UTF-8, and the bytes that are not, of pieces of a text.
#[derive(Default)]
pub(super) struct Letters {
    good: usize,
    bad: usize,
    /// The bytes of a letter that the last piece cut.
    cut: Vec<u8>,
}

impl Letters {
    pub(super) fn count(&mut self, piece: &[u8]) {
        if piece.is_ascii() && self.cut.is_empty() {
            return;
        }
        let mut bytes = std::mem::take(&mut self.cut);
        bytes.extend_from_slice(piece);
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            let rest = chunk.invalid();
            // The next piece may have the bytes that are missing.
            match chunks.peek() {
                None => self.cut = rest.to_vec(),
                Some(_) => self.bad += 1,
            }
        }
    }

    /// Returns true if most of the letters beyond ASCII are UTF-8.
    pub(super) fn are_utf8(&self) -> bool {
        self.bad + usize::from(!self.cut.is_empty()) <= self.good
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_recognised_and_read() {
        let utf16 = |text: &str, big: bool| {
            let units = text.encode_utf16();
            let bytes = units.flat_map(|unit| match big {
                true => unit.to_be_bytes(),
                false => unit.to_le_bytes(),
            });
            bytes.collect::<Vec<u8>>()
        };
        for (bytes, encoding, text) in [
            (b"a;b".to_vec(), Encoding::Utf8, "a;b"),
            ("Größe".into(), Encoding::Utf8, "Größe"),
            (b"Gr\xf6\xdfe".to_vec(), Encoding::Latin1, "Größe"),
            (b"Qu\xe9bec".to_vec(), Encoding::Latin1, "Québec"),
            (b"\x80 \x93x\x94".to_vec(), Encoding::Latin1, "€ “x”"),
            (utf16("id;Größe", false), Encoding::Utf16, "id;Größe"),
            (utf16("\u{feff}ñ", true), Encoding::Utf16, "ñ"),
            (utf16("\u{feff}ñ", false), Encoding::Utf16, "ñ"),
        ] {
            assert_eq!(Encoding::of(&bytes), encoding, "{text}");
            let read = encoding.to_utf8(bytes);
            assert_eq!(String::from_utf8(read).unwrap(), text);
        }
    }

    #[test]
    fn a_damaged_cell_makes_no_other_encoding_of_a_file() {
        let bytes = [&b"id\xff\n"[..], "Größe, Mühe\n".as_bytes()].concat();
        assert_eq!(Encoding::of(&bytes), Encoding::Utf8);
    }
}
