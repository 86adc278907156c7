//! Bytes into frames: a line each, or a row of separated text, which may run over several lines.

use super::quotes::{Marks, Misquoted};
use crate::limits::MOST_HEAD_BYTES;

/// A frame without its end of line, never blank.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// The number of the line on which it begins, or of the message, from 1.
    pub(crate) line: u64,
    /// The bytes of the frame; for a frame that is too long, the first ones.
    pub(crate) bytes: &'a [u8],
    /// The fault of the frame itself, such as its length.
    pub(crate) fault: Option<FrameFault>,
}

/// The reason why a frame holds no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameFault {
    /// It is longer than a frame may be.
    TooLong,
    /// The quotes of a field are wrong.
    Misquoted(Misquoted),
    /// There is no count where one is due, so that nothing after it can be read.
    Uncounted,
    /// The stream ends before it does.
    CutOff,
}

/// Cuts a stream of bytes into frames, however it comes in pieces. It holds no more than the
/// longest frame.
pub(crate) struct Frames {
    max_length: usize,
    delimiter: Option<u8>,
    /// The position of the last byte among quotes and fields; `None` for other text.
    marks: Option<Marks>,
    /// The frame under way.
    held: Vec<u8>,
    /// True if the frame under way is too long: its head is held, the rest is skipped.
    cut: bool,
    /// True if the frame under way has ended, so that the next byte begins another.
    ended: bool,
    /// The fault of the quotes in the frame under way.
    misquoted: Option<Misquoted>,
    /// The line on which the frame under way begins, and the one reached.
    begun: u64,
    line: u64,
    first: bool,
}

impl Frames {
    /// Frames of at most `max_length` bytes, the first on line `line`: rows of separated text where
    /// there is a delimiter, else lines.
    pub(crate) fn new(max_length: usize, delimiter: Option<u8>, line: u64) -> Self {
        Self {
            max_length,
            delimiter,
            marks: delimiter.map(|delimiter| Marks::new(delimiter, line)),
            held: Vec::new(),
            cut: false,
            ended: false,
            misquoted: None,
            begun: line,
            line,
            first: true,
        }
    }

    /// Takes bytes, and gives each frame that they end.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Frame<'_>)) {
        while !bytes.is_empty() {
            let (passed, given) = self.pass(bytes);
            if given {
                each(self.frame());
            }
            bytes = &bytes[passed..];
        }
    }

    /// Gives what no end of line has ended, and begins anew, as with another stream.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(Frame<'_>)) {
        if self.end() {
            each(self.frame());
        }
        *self = Self::new(self.max_length, self.delimiter, 1);
    }

    /// Passes bytes up to the end of the frame under way: how many, and whether there is a
    /// [`frame`](Self::frame) to look at. One that is too long is there before its end.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> (usize, bool) {
        if self.ended {
            self.begin();
        }
        let end = self.end_of_frame(bytes);
        self.ended = end.is_some();
        let more = &bytes[..end.unwrap_or(bytes.len())];
        let given = self.hold(more);
        (more.len() + usize::from(self.ended), given)
    }

    /// Ends the last frame where no end of line has: whether there is one to look at.
    pub(crate) fn end(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if let Some(marks) = self.marks.as_mut().filter(|marks| marks.is_open()) {
            self.misquoted = Some(marks.give_up());
        }
        self.ended = true;
        self.hold(&[])
    }

    /// The frame that was given last.
    pub(crate) fn frame(&self) -> Frame<'_> {
        Frame {
            line: self.begun,
            bytes: self.bytes(),
            fault: match self.cut {
                true => Some(FrameFault::TooLong),
                false => self.misquoted.map(FrameFault::Misquoted),
            },
        }
    }

    /// The line reached.
    pub(crate) fn line(&self) -> u64 {
        self.line + u64::from(self.ended)
    }

    fn begin(&mut self) {
        self.held.clear();
        self.cut = false;
        self.misquoted = None;
        self.line += 1;
        self.begun = self.line;
        self.first = false;
    }

    /// Returns the index of the byte that ends the frame under way, or `None` if it goes on.
    fn end_of_frame(&mut self, bytes: &[u8]) -> Option<usize> {
        let Some(marks) = &mut self.marks else {
            return bytes.iter().position(|byte| *byte == b'\n');
        };
        for (at, &byte) in bytes.iter().enumerate() {
            let misquoted = marks.pass(byte);
            self.misquoted = self.misquoted.or(misquoted);
            if byte != b'\n' {
                continue;
            }
            // A row that is too long ends with its line, whatever its quotes say.
            if marks.is_open() && (self.cut || self.held.len() + at > self.max_length) {
                self.misquoted = Some(marks.give_up());
            }
            if !marks.is_open() {
                return Some(at);
            }
            self.line += 1;
        }
        None
    }

    /// Adds to the frame under way: whether it is to be looked at, since it has ended or is too
    /// long.
    fn hold(&mut self, more: &[u8]) -> bool {
        if self.cut {
            return false;
        }
        // The end of a line is not of its length.
        let length = self.held.len() + more.len();
        let last = more.last().or(self.held.last());
        let spare = usize::from(last == Some(&b'\r'));
        self.cut = length - spare > self.max_length;
        if self.cut {
            let head = MOST_HEAD_BYTES.min(self.max_length);
            let room = head.saturating_sub(self.held.len()).min(more.len());
            self.held.extend_from_slice(&more[..room]);
            self.held.truncate(head);
            return true;
        }
        self.held.extend_from_slice(more);
        self.ended && !self.is_blank()
    }

    /// The bytes of the frame under way, without a byte order mark or the rest of an end of line.
    fn bytes(&self) -> &[u8] {
        if self.cut {
            return &self.held;
        }
        let bytes = match self.held.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if self.first => rest,
            _ => &self.held,
        };
        match self.delimiter {
            None => bytes.trim_ascii_end(),
            // A blank may be the delimiter.
            Some(_) => {
                let end = bytes.iter().rposition(|byte| *byte != b'\r');
                &bytes[..end.map_or(0, |end| end + 1)]
            }
        }
    }

    /// Returns true if the frame under way holds only blanks that are no delimiters.
    fn is_blank(&self) -> bool {
        let bytes = self.bytes().iter();
        let mut bytes =
            bytes.filter(|byte| Some(**byte) == self.delimiter || !byte.is_ascii_whitespace());
        bytes.next().is_none()
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
        let cut = frame.fault == Some(FrameFault::TooLong);
        (frame.line, text, cut, frame.fault.is_some() && !cut)
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
