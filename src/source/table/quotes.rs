//! Watches the quotes of separated text, which the CSV reader forgives and so lets swallow whole rows.

use std::collections::VecDeque;
use std::io::{self, Read};

const MARK: [u8; 3] = *b"\xef\xbb\xbf";

/// Passes bytes on unchanged and notes quoted fields that never end or that text follows.
pub(super) struct Quotes<R> {
    inner: R,
    marks: Marks,
    misquoted: VecDeque<Misquoted>,
}

/// Where in separated text a reader is, byte by byte.
pub(crate) struct Marks {
    delimiter: u8,
    state: State,
    /// Bytes of a byte order mark passed so far.
    marked: usize,
    line: u64,
    field: u64,
    opened: u64,
}

/// A field with wrong quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Misquoted {
    /// The line on which it begins.
    pub(crate) line: u64,
    /// Its number in the row.
    pub(crate) field: u64,
    /// The line on which text follows its closing quote; nothing where it never ends.
    pub(crate) text: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first byte of a field, where alone a quote opens.
    Start,
    Plain,
    Quoted,
    /// Right after a quote within quotes: the field's end, or the first half of a quote written twice.
    Quote,
    /// After the closing quote and blanks.
    Closed,
}

impl Marks {
    /// At the beginning.
    pub(crate) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            state: State::Start,
            marked: 0,
            line: 1,
            field: 1,
            opened: 1,
        }
    }

    /// Whether the bytes passed end within quotes.
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    /// Gives up a field that does not end: it is noted.
    pub(crate) fn give_up(&mut self) -> Misquoted {
        self.state = State::Plain; // noted once
        self.misquoted(None)
    }

    fn misquoted(&self, text: Option<u64>) -> Misquoted {
        Misquoted {
            line: self.opened,
            field: self.field,
            text,
        }
    }

    /// Passes a byte; a field whose quotes it shows to be wrong.
    pub(crate) fn pass(&mut self, byte: u8) -> Option<Misquoted> {
        use State::{Closed, Plain, Quote, Quoted, Start};
        if self.marked < MARK.len() {
            if byte == MARK[self.marked] {
                self.marked += 1;
                return None;
            }
            self.marked = MARK.len();
        }
        let mut misquoted = None;
        self.state = match (self.state, byte) {
            (Start, b'"') => {
                self.opened = self.line;
                Quoted
            }
            (Quoted, b'"') => Quote,
            (Quote, b'"') | (Quoted, _) => Quoted,
            (_, b'\n') => {
                self.field = 1;
                Start
            }
            (_, byte) if byte == self.delimiter => {
                self.field += 1;
                Start
            }
            (Quote | Closed, b' ' | b'\t' | b'\r') => Closed,
            (Quote | Closed, _) => {
                misquoted = Some(self.misquoted(Some(self.line)));
                Plain
            }
            (Start | Plain, _) => Plain,
        };
        self.line += u64::from(byte == b'\n');
        misquoted
    }
}

impl<R> Quotes<R> {
    pub(super) fn new(inner: R, delimiter: u8) -> Self {
        Self {
            inner,
            marks: Marks::new(delimiter),
            misquoted: VecDeque::new(),
        }
    }

    /// Takes the next field noted that begins on or before a line.
    pub(super) fn next_to(&mut self, line: u64) -> Option<Misquoted> {
        self.misquoted.pop_front_if(|noted| noted.line <= line)
    }
}

impl<R: Read> Read for Quotes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        for byte in &buffer[..length] {
            self.misquoted.extend(self.marks.pass(*byte));
        }
        if length == 0 && !buffer.is_empty() && self.marks.is_open() {
            self.misquoted.push_back(self.marks.give_up());
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is noted: line, field, line of the text after the quote or 0.
    fn noted(text: &str) -> Vec<(u64, u64, u64)> {
        let mut quotes = Quotes::new(text.as_bytes(), b',');
        let mut passed = String::new();
        quotes.read_to_string(&mut passed).unwrap();
        assert_eq!(passed, text);
        let all = std::iter::from_fn(|| quotes.next_to(u64::MAX));
        all.map(|m| (m.line, m.field, m.text.unwrap_or(0)))
            .collect()
    }

    #[test]
    fn good_quotes_pass() {
        for text in [
            "",
            "\"\"",
            "a,\"b\"\r\n\"c\" ,\"d\n\"\"e\"\",\"\n",
            "\u{feff}\"a\",b",
            "5\" pipe,it's, \"not quoted\"",
            "a\n\"x\"",
        ] {
            assert_eq!(noted(text), [], "{text}");
        }
    }

    #[test]
    fn wrong_quotes_are_noted_where_their_field_begins() {
        assert_eq!(noted("a,\"b\n1,2\n"), [(1, 2, 0)]);
        assert_eq!(noted("a\n\"x\"\""), [(2, 1, 0)]);
        assert_eq!(noted("\u{feff}\"a"), [(1, 1, 0)]);
        assert_eq!(noted("a,\"b\n1,\"c\n"), [(1, 2, 2)]);
        assert_eq!(
            noted("\"a\"b,\"c\" d,\"e"),
            [(1, 1, 1), (1, 2, 1), (1, 3, 0)]
        );
    }

    #[test]
    fn a_field_is_taken_only_up_to_a_line() {
        let mut quotes = Quotes::new(b"\"a\"b\n\n\"c\"d\n".as_slice(), b',');
        io::copy(&mut quotes, &mut io::sink()).unwrap();
        assert!(
            quotes.next_to(1).is_some()
                && quotes.next_to(2).is_none()
                && quotes.next_to(3).is_some()
        );
    }
}
