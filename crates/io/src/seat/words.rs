//! What programs say, as it is repeated to people.

use crate::record::beginning;

/// How many characters of a line are repeated.
const SHOWN: usize = 120;

/// How many characters of what is wrong with a line are repeated: it names all that was expected.
const EXPLAINED: usize = 400;

/// How what a program says is repeated: its beginning, on one line, without characters that move a
/// cursor or are not seen; nothing of it where outputs do not say who people are, as it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgramWords {
    /// Repeated.
    #[default]
    Shown,
    /// Left out.
    Hidden,
}

/// Said in place of words that are left out.
const HIDDEN: &str = "(not shown, because identities are hidden)";

impl ProgramWords {
    /// Shown or hidden.
    #[must_use]
    pub fn hidden(is_hidden: bool) -> Self {
        if is_hidden { Self::Hidden } else { Self::Shown }
    }

    /// The beginning of a line.
    pub fn line(self, line: &[u8]) -> String {
        // No character takes more than four bytes.
        let start = &line[..line.len().min(4 * SHOWN)];
        let text = self.text(&String::from_utf8_lossy(start));
        match start.len() < line.len() && !text.ends_with('…') && self == Self::Shown {
            true => text + "…",
            false => text,
        }
    }

    /// The beginning of a line of standard error, whose tabs are blanks.
    pub(super) fn error_line(self, line: &[u8]) -> String {
        let text = String::from_utf8_lossy(line).replace('\t', "    ");
        self.cut(&text, EXPLAINED)
    }

    /// The beginning of a text.
    pub(super) fn text(self, text: &str) -> String {
        self.cut(text, SHOWN)
    }

    /// What is wrong with a message, which repeats words of it.
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
