//! Words in cells of a terminal.

use unicode_width::UnicodeWidthStr;

use kleroterion_report::report::plain;

/// The words in cells of this width. Longer words are cut.
pub(super) fn cell(words: &str, width: usize) -> String {
    let words = cut(&plain(words), width);
    let rest = width.saturating_sub(words.width());
    words + &" ".repeat(rest)
}

/// The words right-aligned in this width.
pub(super) fn right(words: &str, width: usize) -> String {
    let words = cut(words, width);
    " ".repeat(width.saturating_sub(words.width())) + &words
}

/// The words as far as they fit, with an ellipsis if they are cut.
pub(super) fn cut(words: &str, width: usize) -> String {
    if words.width() <= width {
        return words.to_owned();
    }
    let mut kept = String::new();
    for letter in words.chars() {
        let longer = format!("{kept}{letter}");
        if longer.width() + 1 > width {
            break;
        }
        kept = longer;
    }
    if width > 0 { kept + "\u{2026}" } else { kept }
}
