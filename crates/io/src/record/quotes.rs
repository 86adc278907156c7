//! Follows the quotes of separated text byte by byte, which a CSV reader forgives and so lets
//! swallow whole rows.

const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";

/// The place in separated text that has been reached.
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
    /// Its number in the row, from 1.
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
    /// Right after a quote within quotes: the field's end, or the first half of a quote written
    /// twice.
    Quote,
    /// After the closing quote and blanks.
    Closed,
}

impl Marks {
    /// At the beginning of a text, of which the first line has this number.
    pub(crate) fn new(delimiter: u8, line: u64) -> Self {
        Self {
            delimiter,
            state: State::Start,
            marked: 0,
            line,
            field: 1,
            opened: line,
        }
    }

    /// Returns true if the bytes passed so far end within quotes.
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    /// Gives up a field that does not end; the next byte begins a row.
    pub(crate) fn give_up(&mut self) -> Misquoted {
        let misquoted = self.misquoted(None);
        self.state = State::Start;
        self.field = 1;
        misquoted
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
        if self.marked < BYTE_ORDER_MARK.len() {
            if byte == BYTE_ORDER_MARK[self.marked] {
                self.marked += 1;
                return None;
            }
            self.marked = BYTE_ORDER_MARK.len();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the faults of quotes in a text: the line, the field, and the line of the text after
    /// the quote or 0.
    fn noted(text: &str) -> Vec<(u64, u64, u64)> {
        let mut marks = Marks::new(b',', 1);
        let mut all: Vec<Misquoted> = text.bytes().filter_map(|byte| marks.pass(byte)).collect();
        all.extend(marks.is_open().then(|| marks.give_up()));
        let all = all.iter();
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
}
