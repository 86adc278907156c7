//! Folding: the form of texts for the comparison of columns, values and people's names.
//!
//! Two programs write one word in several ways: with another case, with other blanks, as composed
//! or decomposed letters, with marks that no one sees, with dashes and apostrophes that a text
//! program puts in place of those typed. None of these makes another word.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Returns a text in the form for comparisons. Letters are composed (NFC) and small, with `ss` for
/// `ß`. White space is folded to single blanks and trimmed, and marks that can't be seen are
/// removed. Every dash is `-`, every apostrophe `'`, and `18 - 29` is `18-29`.
#[must_use]
pub fn fold(text: &str) -> String {
    let tidied = tidy(text);
    let mut folded = String::with_capacity(tidied.len());
    for word in tidied.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        match word.is_ascii() {
            true => folded.extend(word.chars().map(|c| c.to_ascii_lowercase())),
            // A letter may become several, which compose anew.
            false => folded.extend(word.chars().map(typed).flat_map(small).nfc()),
        }
    }
    joined(folded)
}

/// A text as it is compared with others: folded, or as it is where each letter matters.
pub(crate) fn compared(text: &str, is_exact: bool) -> Cow<'_, str> {
    let is_folded = |byte: u8| byte.is_ascii_graphic() && !byte.is_ascii_uppercase();
    match is_exact || text.bytes().all(is_folded) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(fold(text)),
    }
}

/// The small letters of a letter. `ß` is `ss`, since its capitals are `SS`.
fn small(letter: char) -> impl Iterator<Item = char> {
    let (letter, second) = match letter {
        'ß' | 'ẞ' => ('s', Some('s')),
        letter => (letter, None),
    };
    letter.to_lowercase().chain(second)
}

/// The character of a keyboard that a text program puts this one in place of.
fn typed(mark: char) -> char {
    match mark {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{2bc}' | '\u{b4}' | '`' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => '"',
        mark => mark,
    }
}

/// The text without the blanks of `18 - 29` and `65 +`.
fn joined(text: String) -> String {
    let is_digit = |at: Option<char>| at.is_some_and(|c| c.is_ascii_digit());
    if !text.contains(' ') || !text.contains(['-', '+']) {
        return text;
    }
    let mut joined = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(mark) = rest.next() {
        let mut before = joined.chars().rev();
        let (last, second) = (before.next(), before.next());
        let next = rest.peek().copied();
        let opens = is_digit(last) && matches!(next, Some('-' | '+'));
        let closes = last == Some('-') && is_digit(second) && is_digit(next);
        if mark != ' ' || !(opens || closes) {
            joined.push(mark);
        }
    }
    joined
}

/// Returns a text as a cell is read: composed (NFC), trimmed, and without marks that can't be seen.
/// Its case and inner blanks stay.
#[must_use]
pub fn tidy(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    if trimmed.is_ascii() {
        return Cow::Borrowed(trimmed);
    }
    if unicode_normalization::is_nfc(trimmed) && !trimmed.contains(is_unseen) {
        return Cow::Borrowed(trimmed);
    }
    let seen: String = trimmed.chars().filter(|c| !is_unseen(*c)).nfc().collect();
    Cow::Owned(seen.trim().to_owned())
}

/// Returns the name of the first invisible mark in a text, by which it differs from a text that
/// looks the same. Returns `None` if it has none.
#[must_use]
pub fn unseen(text: &str) -> Option<String> {
    let mark = text.chars().find(|c| is_unseen(*c) || is_odd_blank(*c));
    if let Some(mark) = mark {
        return Some(format!("{} (U+{:04X})", name(mark), u32::from(mark)));
    }
    let is_composed = text.is_ascii() || unicode_normalization::is_nfc(text);
    (!is_composed).then(|| "letters with combining marks (Unicode form NFD)".to_owned())
}

/// Returns true if a character takes no room and has no meaning between letters.
fn is_unseen(mark: char) -> bool {
    matches!(
        mark,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}'
    )
}

/// Returns true if a character is white space that looks like a blank but is another character.
fn is_odd_blank(mark: char) -> bool {
    mark.is_whitespace() && !mark.is_ascii()
}

fn name(mark: char) -> &'static str {
    match mark {
        '\u{ad}' => "a soft hyphen",
        '\u{200b}' => "a zero-width space",
        '\u{200c}' => "a zero-width non-joiner",
        '\u{200d}' => "a zero-width joiner",
        '\u{feff}' => "a byte order mark",
        '\u{a0}' => "a no-break space",
        '\u{202f}' => "a narrow no-break space",
        mark if mark.is_whitespace() => "an unusual space",
        _ => "a mark that can't be seen",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_the_same_are_the_same() {
        for (text, same) in [
            ("Female", "female"),
            ("FEMALE ", " Female"),
            ("Que\u{301}bec", "Québec"),
            ("QUÉBEC", "Que\u{301}bec"),
            ("St.\u{a0}Gallen", "st. gallen"),
            ("St.  Gallen", "St. Gallen"),
            ("a\u{202f}b", "A B"),
            ("Fem\u{200b}ale", "female"),
            ("\u{feff}id", "ID"),
            ("Stadt\u{ad}teil", "STADTTEIL"),
            ("Größe", "GRÖßE"),
            ("Größe", "GRÖSSE"),
            ("weiß", "WEISS"),
            ("Weiß", "WEI\u{1e9e}"),
            ("Nin\u{303}os", "NIÑOS"),
            ("\u{212b}ngström", "ångström"),
            ("a\tb\nc", "a b c"),
            ("18\u{2013}29", "18-29"),
            ("18 \u{2212} 29", "18-29"),
            ("18 -29", "18- 29"),
            ("65 +", "65+"),
            ("Ost \u{2013} West", "ost - west"),
            ("Tranche d\u{2019}âge", "TRANCHE D'ÂGE"),
            ("\u{201c}Rest\u{201d}", "\"rest\""),
        ] {
            assert_eq!(fold(text), fold(same), "{text:?} {same:?}");
        }
        for (text, other) in [
            ("a", "b"),
            ("a b", "ab"),
            ("Québec", "Quebec"),
            ("1", "1.0"),
            ("1 2", "12"),
            ("- 5", "-5"),
            ("a - b", "a-b"),
            ("65", "65+"),
        ] {
            assert_ne!(fold(text), fold(other));
        }
    }

    #[test]
    fn a_cell_keeps_its_case_and_its_blanks_within() {
        for (text, due) in [
            (" A  b ", "A  b"),
            ("Que\u{301}bec\u{a0}", "Québec"),
            ("\u{feff}a\u{200b}", "a"),
            ("\u{200b} a", "a"),
            ("", ""),
        ] {
            assert_eq!(tidy(text), due, "{text:?}");
            assert_eq!(tidy(&tidy(text)), due);
        }
    }

    #[test]
    fn marks_that_make_a_difference_are_named() {
        for (text, due) in [
            ("Fem\u{200b}ale", Some("a zero-width space (U+200B)")),
            ("a\u{a0}b", Some("a no-break space (U+00A0)")),
            (
                "Que\u{301}bec",
                Some("letters with combining marks (Unicode form NFD)"),
            ),
            ("Québec", None),
            ("a b", None),
        ] {
            assert_eq!(unseen(text).as_deref(), due);
        }
    }

    proptest::proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{0,20}") {
            let once = fold(&text);
            proptest::prop_assert_eq!(fold(&once), once.clone());
            proptest::prop_assert_eq!(fold(&tidy(&text)), once.clone());
            proptest::prop_assert_eq!(compared(&text, false), once.clone());
            proptest::prop_assert_eq!(compared(&text, true), text.as_str());
        }
    }
}
