//! Bytes into messages, each after its length in bytes and a blank: `17 {"id":"a","x":1}` (octet
//! counting, RFC 6587, section 3.4.1). What comes between two messages is nothing.

use super::framing::{Frame, FrameFault};
use crate::limits::MOST_HEAD_BYTES;

/// The most digits of a length.
const DIGITS: usize = 9;

/// Cuts a stream of bytes into counted messages, however it comes in pieces. It holds no more than
/// the longest.
pub(crate) struct CountedFrames {
    max_length: usize,
    /// The length or the message under way.
    held: Vec<u8>,
    state: CountState,
    /// The number of the message under way, from 1.
    number: u64,
}

/// The place in the stream that has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountState {
    /// Within a length.
    Length,
    /// Within a message, this many bytes from its end.
    Message(usize),
    /// Within a message that is too long, this many bytes from its end.
    Skipped(usize),
    /// After bytes that are no length; nothing more can be read.
    Lost,
}

impl CountedFrames {
    /// Messages of at most `max_length` bytes.
    pub(crate) fn new(max_length: usize) -> Self {
        Self {
            max_length,
            held: Vec::new(),
            state: CountState::Length,
            number: 1,
        }
    }

    /// Takes bytes, and gives each message that they end; one that is too long before its end.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Frame<'_>)) {
        while !bytes.is_empty() {
            bytes = match self.state {
                CountState::Length => self.length(bytes, &mut each),
                CountState::Message(left) => self.message(bytes, left, &mut each),
                CountState::Skipped(left) => self.skip(bytes, left, &mut each),
                CountState::Lost => return,
            };
        }
    }

    /// Gives what was cut off, and begins anew, as with another stream.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(Frame<'_>)) {
        let fault = match self.state {
            CountState::Length if self.held.is_empty() => None,
            CountState::Length | CountState::Message(_) => Some(FrameFault::CutOff),
            CountState::Skipped(_) if self.held.len() < self.head() => Some(FrameFault::TooLong),
            CountState::Skipped(_) | CountState::Lost => None,
        };
        if fault.is_some() {
            each(self.frame(fault));
        }
        *self = Self::new(self.max_length);
    }

    /// Returns true if nothing more can be read; the last frame says why.
    pub(crate) fn is_lost(&self) -> bool {
        self.state == CountState::Lost
    }

    /// Reads one byte of a length.
    fn length<'b>(&mut self, bytes: &'b [u8], each: &mut impl FnMut(Frame<'_>)) -> &'b [u8] {
        let (byte, rest) = (bytes[0], &bytes[1..]);
        match byte {
            b' ' if !self.held.is_empty() => {
                let length = self
                    .held
                    .iter()
                    .fold(0, |length, digit| 10 * length + usize::from(digit - b'0'));
                self.held.clear();
                self.state = match length > self.max_length {
                    true => CountState::Skipped(length),
                    false => CountState::Message(length),
                };
            }
            b'1'..=b'9' if self.held.len() < DIGITS => self.held.push(byte),
            b'0' if (1..DIGITS).contains(&self.held.len()) => self.held.push(byte),
            _ => {
                self.held.push(byte);
                self.state = CountState::Lost;
                each(self.frame(Some(FrameFault::Uncounted)));
            }
        }
        rest
    }

    fn message<'b>(
        &mut self,
        bytes: &'b [u8],
        left: usize,
        each: &mut impl FnMut(Frame<'_>),
    ) -> &'b [u8] {
        let (more, rest) = bytes.split_at(left.min(bytes.len()));
        self.held.extend_from_slice(more);
        self.state = CountState::Message(left - more.len());
        if self.state == CountState::Message(0) {
            if !self.held.trim_ascii().is_empty() {
                each(self.frame(None));
            }
            self.next();
        }
        rest
    }

    fn skip<'b>(
        &mut self,
        bytes: &'b [u8],
        left: usize,
        each: &mut impl FnMut(Frame<'_>),
    ) -> &'b [u8] {
        let (more, rest) = bytes.split_at(left.min(bytes.len()));
        let room = self.head() - self.held.len();
        if room > 0 {
            self.held.extend_from_slice(&more[..room.min(more.len())]);
            if self.held.len() == self.head() {
                each(self.frame(Some(FrameFault::TooLong)));
            }
        }
        self.state = CountState::Skipped(left - more.len());
        if self.state == CountState::Skipped(0) {
            self.next();
        }
        rest
    }

    /// Returns the number of bytes that are shown of a message that is too long.
    fn head(&self) -> usize {
        MOST_HEAD_BYTES.min(self.max_length)
    }

    fn next(&mut self) {
        self.held.clear();
        self.state = CountState::Length;
        self.number += 1;
    }

    fn frame(&self, fault: Option<FrameFault>) -> Frame<'_> {
        Frame {
            line: self.number,
            bytes: self.held.trim_ascii_end(),
            fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Number, bytes as text, fault.
    type Seen = (u64, String, Option<FrameFault>);

    fn frames(pieces: &[&[u8]], max_length: usize) -> Vec<Seen> {
        let mut frames = CountedFrames::new(max_length);
        let mut all = Vec::new();
        let mut note = |frame: Frame<'_>| {
            let text = String::from_utf8_lossy(frame.bytes).into_owned();
            all.push((frame.line, text, frame.fault));
        };
        for piece in pieces {
            frames.push(piece, &mut note);
            assert!(frames.held.len() <= max_length.max(DIGITS + 1));
        }
        frames.finish(&mut note);
        all
    }

    /// The frames of a text, the same in pieces of one byte.
    #[track_caller]
    fn seen(text: &str, max_length: usize) -> Vec<Seen> {
        let whole = frames(&[text.as_bytes()], max_length);
        let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(frames(&single, max_length), whole);
        whole
    }

    fn frame(number: u64, text: &str, fault: impl Into<Option<FrameFault>>) -> Seen {
        (number, text.into(), fault.into())
    }

    #[test]
    fn messages_are_as_long_as_they_say() {
        let text = "3 a\nb2 \r\n1 x10 0123 56789";
        let all = [
            frame(1, "a\nb", None),
            frame(3, "x", None),
            frame(4, "0123 56789", None),
        ];
        assert_eq!(seen(text, 10), all);
        assert_eq!(seen("", 10), []);
    }

    #[test]
    fn one_too_long_is_shown_and_skipped() {
        let long = format!("500 {}2 ok", "x".repeat(500));
        let cut = frame(1, "xxxx", FrameFault::TooLong);
        assert_eq!(seen(&long, 4), [cut.clone(), frame(2, "ok", None)]);
        let shown = frame(1, &"x".repeat(MOST_HEAD_BYTES), FrameFault::TooLong);
        assert_eq!(seen(&long, 300), [shown, frame(2, "ok", None)]);
        assert_eq!(seen("500 xxxxx", 4), [cut]);
        assert_eq!(seen("500 xx", 4), [frame(1, "xx", FrameFault::TooLong)]);
    }

    #[test]
    fn a_stream_is_lost_where_no_length_is() {
        for (text, held) in [
            ("{", "{"),
            ("0 ", "0"),
            (" 1 a", ""),
            ("-1 a", "-"),
            ("12x", "12x"),
            ("1\n", "1"),
            ("1234567890 ", "1234567890"),
        ] {
            let lost = frame(1, held, FrameFault::Uncounted);
            assert_eq!(seen(&format!("{text} 2 ok"), 64), [lost], "{text}");
        }
        let all = [frame(1, "a", None), frame(2, "", FrameFault::Uncounted)];
        assert_eq!(seen("1 a\n1 b", 64), all);
    }

    #[test]
    fn what_is_cut_off_is_no_message() {
        let cut = |number, text| frame(number, text, FrameFault::CutOff);
        assert_eq!(
            seen("1 a7 {\"id\":", 64),
            [frame(1, "a", None), cut(2, "{\"id\":")]
        );
        assert_eq!(seen("12", 64), [cut(1, "12")]);
        assert_eq!(seen("12 ", 64), [cut(1, "")]);
    }

    proptest! {
        #[test]
        fn whatever_is_sent_comes_however_it_is_cut(
            messages in prop::collection::vec("[a-z \n]{1,40}", 0..8),
            cuts in prop::collection::vec(1_usize..30, 1..20),
        ) {
            let text: String = messages.iter().map(|m| format!("{} {m}", m.len())).collect();
            let mut rest = text.as_bytes();
            let mut pieces = Vec::new();
            for cut in cuts.iter().cycle() {
                let (piece, more) = rest.split_at((*cut).min(rest.len()));
                pieces.push(piece);
                rest = more;
                if rest.is_empty() {
                    break;
                }
            }
            let due = (1..).zip(&messages).filter(|(_, m)| !m.trim().is_empty()).map(|(n, m)| {
                let fault = (m.len() > 20).then_some(FrameFault::TooLong);
                let shown = if m.len() > 20 { &m[..20] } else { m };
                frame(n, shown.trim_ascii_end(), fault)
            });
            // One that is too long is shown also where it holds blanks alone.
            let came = frames(&pieces, 20);
            let came = came.into_iter().filter(|(n, ..)| !messages[*n as usize - 1].trim().is_empty());
            prop_assert_eq!(came.collect::<Vec<_>>(), due.collect::<Vec<_>>());
        }
    }
}
