//! Bytes into frames: a line each, or a row of separated text, which may run over several lines.

use crate::source::table::quotes::{Marks, Misquoted};

/// Of a frame that is too long so many bytes are shown.
pub(super) const HEAD: usize = 200;

/// Cuts a stream of bytes into frames, however it comes in pieces. Nothing longer than a frame may be is held.
pub(super) struct Frames {
    max_length: usize,
    /// Of separated text, where in it the last byte was.
    marks: Option<Marks>,
    delimiter: Option<u8>,
    /// The beginning of the frame under way.
    held: Vec<u8>,
    /// Whether the frame under way was too long, and is skipped.
    skipping: bool,
    /// What is wrong with the quotes of the frame under way.
    misquoted: Option<Misquoted>,
    /// The line on which the frame under way begins, and the one reached.
    begun: u64,
    line: u64,
    first: bool,
}

/// A frame without its end of line, never blank.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    /// The line on which it begins, from 1.
    pub(super) line: u64,
    /// Its bytes; of one that is too long the first.
    pub(super) bytes: &'a [u8],
    /// Whether it is too long.
    pub(super) cut: bool,
    /// A field whose quotes are wrong; its line is counted from the frame's.
    pub(super) misquoted: Option<Misquoted>,
}

impl Frames {
    /// Frames of at most so many bytes, the first on this line: lines, or rows where fields are parted by a delimiter.
    pub(super) fn new(max_length: usize, delimiter: Option<u8>, line: u64) -> Self {
        Self {
            max_length,
            marks: delimiter.map(Marks::new),
            delimiter,
            held: Vec::new(),
            skipping: false,
            misquoted: None,
            begun: line,
            line,
            first: true,
        }
    }

    /// Takes bytes, and gives each frame that they end.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Frame<'_>)) {
        while let Some(end) = self.end(bytes) {
            let (frame, rest) = bytes.split_at(end);
            self.hold(frame, &mut each, true);
            self.line += 1;
            self.begin();
            bytes = &rest[1..];
        }
        self.hold(bytes, &mut each, false);
    }

    /// Gives what no end of line has ended, and begins anew, as with another stream.
    pub(super) fn finish(&mut self, each: impl FnMut(Frame<'_>)) {
        if let Some(marks) = self.marks.as_mut().filter(|marks| marks.is_open()) {
            self.misquoted = Some(marks.give_up());
        }
        self.hold(&[], each, true);
        *self = Self::new(self.max_length, self.delimiter, 1);
    }

    /// Where the frame under way ends.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let Some(marks) = &mut self.marks else {
            return bytes.iter().position(|byte| *byte == b'\n');
        };
        for (at, &byte) in bytes.iter().enumerate() {
            let misquoted = marks.pass(byte);
            self.misquoted = self.misquoted.or(misquoted);
            if byte != b'\n' {
                continue;
            }
            // What is too long ends with its line, whatever its quotes say.
            if marks.is_open() && (self.skipping || self.held.len() + at > self.max_length) {
                self.misquoted = Some(marks.give_up());
            }
            if !marks.is_open() {
                return Some(at);
            }
            self.line += 1;
        }
        None
    }

    fn begin(&mut self) {
        self.held.clear();
        self.skipping = false;
        self.misquoted = None;
        self.begun = self.line;
        self.first = false;
        if let Some(delimiter) = self.delimiter {
            self.marks = Some(Marks::new(delimiter));
        }
    }

    /// Adds to the frame under way, and gives it where it has ended or is too long.
    fn hold(&mut self, more: &[u8], mut each: impl FnMut(Frame<'_>), ended: bool) {
        if self.skipping {
            return;
        }
        let mut give = |bytes: &[u8], cut: bool| {
            let marked = self.first && !cut;
            let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
                Some(rest) if marked => rest,
                _ => bytes,
            };
            let bytes = if cut { bytes } else { bytes.trim_ascii_end() };
            if !bytes.is_empty() {
                each(Frame {
                    line: self.begun,
                    bytes,
                    cut,
                    misquoted: self.misquoted.filter(|_| !cut),
                });
            }
        };
        // The end of a line is not of its length.
        let length = self.held.len() + more.len();
        let last = more.last().or(self.held.last());
        let spare = usize::from(last == Some(&b'\r'));
        if length - spare > self.max_length {
            let head = HEAD.min(self.max_length);
            let room = head.saturating_sub(self.held.len()).min(more.len());
            self.held.extend_from_slice(&more[..room]);
            give(&self.held[..head], true);
            self.skipping = true;
            self.held = Vec::new();
        } else if ended && self.held.is_empty() {
            give(more, false);
        } else {
            self.held.extend_from_slice(more);
            if ended {
                give(&self.held, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Line, bytes as text, whether cut, whether misquoted.
    type Seen = (u64, String, bool, bool);

    fn seen(frame: Frame<'_>) -> Seen {
        let text = String::from_utf8_lossy(frame.bytes).into_owned();
        (frame.line, text, frame.cut, frame.misquoted.is_some())
    }

    /// The frames of a text that comes in pieces.
    fn frames(pieces: &[&[u8]], max_length: usize, delimiter: Option<u8>) -> Vec<Seen> {
        let mut frames = Frames::new(max_length, delimiter, 1);
        let mut all = Vec::new();
        for piece in pieces {
            frames.push(piece, |frame| all.push(seen(frame)));
            assert!(frames.held.len() <= max_length + 1);
        }
        frames.finish(|frame| all.push(seen(frame)));
        all
    }

    fn good(line: u64, text: &str) -> Seen {
        (line, text.into(), false, false)
    }

    #[test]
    fn lines_end_with_line_feeds_and_the_last_without() {
        let text = b"\xef\xbb\xbfa\r\n\n  \r\nb\n\xef\xbb\xbfc";
        let lines = [good(1, "a"), good(4, "b"), good(5, "\u{feff}c")];
        assert_eq!(frames(&[text], 10, None), lines);
        assert_eq!(frames(&[b"", b"\n\n"], 10, None), []);
    }

    #[test]
    fn a_line_too_long_is_shown_and_skipped_to_its_end() {
        let long = "x".repeat(5000);
        let text = format!("{long}\nabcd\r\nabcde\nok");
        let cut = |line, text: &str| (line, text.to_owned(), true, false);
        let lines = [
            cut(1, "xxxx"),
            good(2, "abcd"),
            cut(3, "abcd"),
            good(4, "ok"),
        ];
        assert_eq!(frames(&[text.as_bytes()], 4, None), lines);
    }

    #[test]
    fn rows_run_over_lines_in_quotes() {
        let text = b"a,\"b\n\nc\"\r\n\"d\"\"\ne\",f\nplain,5\" pipe\nlast,\"open\nno";
        let rows = [
            good(1, "a,\"b\n\nc\""),
            good(4, "\"d\"\"\ne\",f"),
            good(6, "plain,5\" pipe"),
            (7, "last,\"open\nno".into(), false, true),
        ];
        assert_eq!(frames(&[text], 100, Some(b',')), rows);
        let wrong = frames(&[b"\"a\"b\n\"c\"\n"], 100, Some(b','));
        assert_eq!(wrong, [(1, "\"a\"b".into(), false, true), good(2, "\"c\"")]);
    }

    #[test]
    fn a_quote_left_open_swallows_no_more_than_a_row_may_have() {
        let text = format!("\"{}\n{}\nok,1\n\"fine\"\n", "x".repeat(9), "y".repeat(50));
        let rows = frames(&[text.as_bytes()], 20, Some(b','));
        let kept: Vec<_> = rows.iter().filter(|row| !row.2).collect();
        assert_eq!(kept, [&good(3, "ok,1"), &good(4, "\"fine\"")]);
        assert_eq!(rows.len(), 3);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn pieces_do_not_matter(
            text in "[ab\"\r\n,é\u{feff} ]{0,40}",
            cuts in prop::collection::vec(0..60_usize, 0..6),
            max_length in 4..30_usize,
            csv in any::<bool>(),
        ) {
            let delimiter = csv.then_some(b',');
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| *cut.min(&bytes.len())).collect();
            cuts.sort_unstable();
            let mut from = 0;
            let mut pieces = Vec::new();
            for cut in cuts.into_iter().chain([bytes.len()]) {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            let whole = frames(&[bytes], max_length, delimiter);
            prop_assert_eq!(frames(&pieces, max_length, delimiter), whole.clone());
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(frames(&single, max_length, delimiter), whole);
        }
    }
}
