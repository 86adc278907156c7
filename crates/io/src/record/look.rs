//! Texts that look the same but differ, because letters of other alphabets look like Latin ones.

use super::fold::fold;

/// Greek and Cyrillic letters, each before the Latin one that it looks like.
const LOOKS: &str = "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa ιi κk νv οo ρp υu χx \
    АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy хx";

/// Returns the known text that looks like a given one but differs, with a sentence on the differing
/// letter.
pub fn look_alike<'k>(
    text: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<(&'k str, String)> {
    let (own, look) = (fold(text), fold(&looks(text)));
    known.into_iter().find_map(|known| {
        let is_another = fold(known) != own && fold(&looks(known)) == look;
        let mut letters = text.chars().chain(known.chars());
        let letter = letters.find(|letter| latin(*letter).is_some())?;
        let code = u32::from(letter);
        let why = format!(
            "it looks like '{known}', but {letter} (U+{code:04X}) is a letter of another alphabet"
        );
        is_another.then_some((known, why))
    })
}

/// Returns true if a text has a letter of another alphabet that looks like a Latin one.
pub fn has_look_alike(text: &str) -> bool {
    text.chars().any(|letter| latin(letter).is_some())
}

/// The text in the Latin letters that it looks like.
fn looks(text: &str) -> String {
    text.chars()
        .map(|letter| latin(letter).unwrap_or(letter))
        .collect()
}

/// The Latin letter that a letter looks like, where it is none.
fn latin(letter: char) -> Option<char> {
    if ('\u{ff21}'..='\u{ff5a}').contains(&letter) {
        return char::from_u32(u32::from(letter) - 0xfee0);
    }
    let pair = LOOKS.split(' ').find(|pair| pair.starts_with(letter));
    pair.filter(|_| !letter.is_ascii())?.chars().nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_alphabets_are_named() {
        for (text, known, due) in [
            ("Оntario", "Ontario", Some("О (U+041E)")),
            ("ontario", "Оntario", Some("О (U+041E)")),
            ("мännlich", "männlich", Some("м (U+043C)")),
            ("М", "M", Some("М (U+041C)")),
            ("Αthen", "athen", Some("Α (U+0391)")),
            ("ｆ", "F", Some("ｆ (U+FF46)")),
            ("Ontario", "ontario", None),
            ("Québec", "Quebec", None),
            ("Оntari", "Ontario", None),
            ("Ж", "M", None),
            ("αβ", "β", None),
        ] {
            let found = look_alike(text, ["other", known]);
            let said = found.as_ref().map(|(_, why)| &**why);
            assert_eq!(said.is_some(), due.is_some(), "{text}: {said:?}");
            let named = due.is_none_or(|due| said.is_some_and(|said| said.contains(due)));
            assert!(named, "{text}: {said:?}");
        }
    }

    #[test]
    fn each_pair_is_a_letter_and_a_latin_one() {
        for pair in LOOKS.split(' ') {
            let letters: Vec<char> = pair.chars().collect();
            let is_pair = letters.len() == 2 && !letters[0].is_ascii() && letters[1].is_ascii();
            assert!(is_pair, "{pair:?}");
            assert_eq!(
                looks(&pair[..letters[0].len_utf8()]),
                letters[1].to_string()
            );
        }
    }
}
