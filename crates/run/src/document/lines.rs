//! The conversion of byte offsets to lines and columns.

use std::ops::Range;

use kleroterion_core::problem::Place;

/// The lines of a text, asked in logarithmic time: a config may hold a long list on one line.
pub(super) struct Lines {
    /// The byte offset at which each line starts.
    starts: Vec<usize>,
    /// The bytes that do not begin a character.
    inner: Vec<usize>,
}

impl Lines {
    /// Finds the lines of a text.
    pub(super) fn of(text: &str) -> Self {
        let bytes = || text.bytes().enumerate();
        let breaks = bytes()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| at + 1);
        Self {
            starts: std::iter::once(0).chain(breaks).collect(),
            inner: bytes()
                .filter(|(_, byte)| byte & 0xC0 == 0x80)
                .map(|(at, _)| at)
                .collect(),
        }
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The place of some bytes; a tab, and any other character, is one column.
    pub(super) fn place(&self, span: Range<usize>) -> Place {
        let line = self.line(span.start);
        let start = self.starts[line - 1];
        let inner_before = |byte| self.inner.partition_point(|inner| *inner < byte);
        let inner = inner_before(span.start) - inner_before(start);
        let column = span.start - start - inner + 1;
        Place::Config { line, column, span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_and_column_against_a_plain_count() {
        let text = "aé\r\n\tß𝄞\n\nend";
        let lines = Lines::of(text);
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..byte];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            let span = byte..byte;
            assert_eq!(
                lines.place(span.clone()),
                Place::Config { line, column, span }
            );
        }
    }
}
