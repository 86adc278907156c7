//! The words of programs, as messages to people repeat them.

use crate::record::beginning;

/// The most characters of a line that are repeated.
const SHOWN: usize = 120;

/// The most characters of an error message about a line that are repeated. It is larger because
/// such a message lists everything that was expected.
const EXPLAINED: usize = 400;

/// The way in which messages repeat a program's words. Shown words are cut to their beginning, on
/// one line, without invisible characters and those that move a cursor. They are left out where
/// identities are hidden, because a program may write who a person is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgramWords {
    /// The words are repeated.
    #[default]
    Shown,
    /// The words are left out.
    Hidden,
}

/// The text in place of words that are left out.
const HIDDEN: &str = "(not shown, because identities are hidden)";

impl ProgramWords {
    /// Returns `Hidden` if identities are hidden, otherwise `Shown`.
    #[must_use]
    pub fn hidden(is_hidden: bool) -> Self {
        if is_hidden { Self::Hidden } else { Self::Shown }
    }

    /// Returns the beginning of a line, or a fixed text if words are hidden.
    pub fn line(self, line: &[u8]) -> String {
        // No character takes more than four bytes.
        let start = &line[..line.len().min(4 * SHOWN)];
        let text = self.text(&String::from_utf8_lossy(start));
        match start.len() < line.len() && !text.ends_with('…') && self == Self::Shown {
            true => text + "…",
            false => text,
        }
    }

    /// Returns the beginning of a line of standard error, with blanks in place of tabs.
    pub(super) fn error_line(self, line: &[u8]) -> String {
        let text = String::from_utf8_lossy(line).replace('\t', "    ");
        self.cut(&text, EXPLAINED)
    }

    /// Returns the beginning of a text.
    pub(super) fn text(self, text: &str) -> String {
        self.cut(text, SHOWN)
    }

    /// Returns the error message for an unreadable line, which may repeat words of that line.
    pub(super) fn explained(self, error: &str) -> String {
        // A message is one line, so its line says nothing.
        let (what, _) = error.rsplit_once(" at line ").unwrap_or((error, ""));
        self.cut(what, EXPLAINED)
    }

    fn cut(self, text: &str, most: usize) -> String {
        if self == Self::Hidden {
            return HIDDEN.to_owned();
        }
        beginning(text, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_bounded_legible_or_not_there() {
        let shown = ProgramWords::Shown;
        assert_eq!(shown.line(b"a\x1b[31m\tb"), "a⟨U+001B⟩[31m⟨U+0009⟩b");
        assert_eq!(shown.text("a\u{202e}b\u{200b}c"), "a⟨U+202E⟩b⟨U+200B⟩c");
        for many in [120, 121, 479, 480, 481, 5000] {
            let line = shown.line("x".repeat(many).as_bytes());
            assert_eq!(
                line.chars().count(),
                if many > 120 { 121 } else { 120 },
                "{many}"
            );
            assert_eq!(line.ends_with('…'), many > 120);
        }
        assert!(shown.line("é".repeat(300).as_bytes()).ends_with("é…"));
        assert_eq!(shown.explained("no field at line 1 column 7"), "no field");
        let hidden = ProgramWords::hidden(true);
        for text in ["junk p17", "", &"p17 ".repeat(1000)] {
            assert_eq!(hidden.line(text.as_bytes()), HIDDEN);
            assert_eq!(
                (hidden.text(text), hidden.explained(text)),
                (HIDDEN.into(), HIDDEN.into())
            );
        }
    }
}
