//! Making text from outside legible for a terminal, a page or a message. The text is on one line,
//! with each invisible character spelt out, so that different texts never look alike.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns true if a character is visible as itself. It moves no cursor, ends no line, does not
/// change the direction of text, and takes room.
#[must_use]
pub fn is_legible(character: char) -> bool {
    !character.is_control() && !is_mark(character)
}

/// Returns true if a character is not a control character, but invisible, or changes the direction
/// of what follows. Unicode calls most of them ignorable by default.
#[must_use]
pub fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Returns the text with each illegible character spelt out: `⟨U+202E⟩`. The result is legible, and
/// applying this again changes nothing.
#[must_use]
pub fn legible(text: &str) -> Cow<'_, str> {
    spelt(text, is_legible)
}

/// Returns the text with its invisible marks spelt out. Control characters stay, since they may be
/// our own colours and line ends.
#[must_use]
pub fn marks_spelt(text: &str) -> Cow<'_, str> {
    spelt(text, |character| !is_mark(character))
}

/// Returns the beginning of a text, made legible: at most `most` characters, then `…` if there are
/// more.
#[must_use]
pub fn beginning(text: &str, most: usize) -> String {
    let (mut shown, mut many) = (String::new(), 0);
    let mut one = [0; 4];
    for character in text.chars() {
        let as_read = legible(character.encode_utf8(&mut one));
        many += as_read.chars().count();
        if many > most {
            shown.push('…');
            break;
        }
        shown.push_str(&as_read);
    }
    shown
}

fn spelt(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_kept) {
        return Cow::Borrowed(text);
    }
    let mut spelt = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_kept(character) {
            true => spelt.push(character),
            false => write!(spelt, "⟨U+{:04X}⟩", u32::from(character)).expect("memory takes it"),
        }
    }
    Cow::Owned(spelt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_spelt_out() {
        for (text, read) in [
            ("", ""),
            ("ann", "ann"),
            (
                "Žižkov 東京 ε≤0.05 O’Neil a\u{a0}b",
                "Žižkov 東京 ε≤0.05 O’Neil a\u{a0}b",
            ),
            ("a\u{202e}b", "a⟨U+202E⟩b"),
            ("a\u{200b}", "a⟨U+200B⟩"),
            ("\u{feff}a", "⟨U+FEFF⟩a"),
            (
                "a\nb\t\u{1b}[31m\u{9b}",
                "a⟨U+000A⟩b⟨U+0009⟩⟨U+001B⟩[31m⟨U+009B⟩",
            ),
            ("a\u{2028}b\u{e0041}", "a⟨U+2028⟩b⟨U+E0041⟩"),
            ("a\u{fffd}b", "a\u{fffd}b"),
        ] {
            assert_eq!(legible(text), read, "{text:?}");
            assert_eq!(legible(&legible(text)), read);
        }
        assert_eq!(
            marks_spelt("\u{1b}[1ma\u{2066}b\n"),
            "\u{1b}[1ma⟨U+2066⟩b\n"
        );
    }

    /// No two ids that differ by a character which is not seen look alike.
    #[test]
    fn ids_that_look_alike_are_told_apart() {
        let unseen = (0..=0x10_ffff).filter_map(char::from_u32);
        let unseen: Vec<char> = unseen.filter(|c| !is_legible(*c)).collect();
        assert!(unseen.len() > 4000, "{}", unseen.len());
        let shown = unseen
            .iter()
            .map(|c| legible(&format!("p{c}7")).into_owned());
        let shown: std::collections::BTreeSet<String> = shown.collect();
        assert_eq!(shown.len(), unseen.len());
        assert!(shown.iter().all(|text| text.chars().all(is_legible)));
        assert!(!shown.contains("p7"));
        // What is compared without its marks has none that is shown as itself.
        for mark in unseen.into_iter().filter(|c| !c.is_control()) {
            assert!(is_mark(mark));
        }
    }

    #[test]
    fn a_beginning_is_bounded_as_it_is_read() {
        for (text, most, read) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "abc…"),
            ("éé", 1, "é…"),
            ("a\u{200b}b", 9, "a⟨U+200B⟩…"),
            ("a\u{200b}b", 8, "a…"),
            ("", 0, ""),
        ] {
            assert_eq!(beginning(text, most), read, "{text:?}");
        }
        let flood = "\u{202e}".repeat(10_000);
        assert!(beginning(&flood, 120).chars().count() <= 121);
    }
}
