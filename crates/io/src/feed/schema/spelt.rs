//! A text as a pattern of all its spellings that a run reads as one.

use crate::limits::MOST_SHARP;
use crate::record::fold;

/// Marks that can't be seen, as a class of a pattern; a run passes over them.
const UNSEEN: &str = r"\u00ad\u200b-\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff";

/// The marks that are read as one of a keyboard, as classes of a pattern.
const TYPED: [(char, &str); 3] = [
    ('-', r"\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"),
    ('\'', r"'\u2018\u2019\u201b\u2032\u02bc\u00b4`"),
    ('"', "\"\\u201c-\\u201f\\u00ab\\u00bb"),
];

/// The pattern of the texts that are the same as one of these but for case, blanks, Unicode form
/// and the kind of dash or apostrophe.
pub(super) fn pattern<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.map(one).collect();
    let ends = format!(r"[\s{UNSEEN}]*");
    format!("^{ends}(?:{}){ends}$", texts.join("|"))
}

fn one(text: &str) -> String {
    let folded = fold(text);
    let words: Vec<String> = folded.split(' ').map(word).collect();
    words.join(&format!(r"[{UNSEEN}]*\s[\s{UNSEEN}]*"))
}

/// A word, in which blanks may be about the dash of `25-34` and before the plus of `65+`.
fn word(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let is_digit = |at: Option<usize>| at.is_some_and(|at| letters[at].is_ascii_digit());
    let mut pattern = String::new();
    let mut rest = 0;
    for (at, &mark) in letters.iter().enumerate() {
        let before = at.checked_sub(1);
        let opens = is_digit(before) && matches!(mark, '-' | '+');
        let is_dash = before.is_some_and(|before| letters[before] == '-');
        let closes = is_dash && is_digit(at.checked_sub(2)) && mark.is_ascii_digit();
        match () {
            () if at == 0 || rest > 0 => {}
            () if opens || closes => pattern.push_str(&format!(r"[\s{UNSEEN}]*")),
            () => pattern.push_str(&format!("[{UNSEEN}]*")),
        }
        let sharp = letters[at..].iter().take_while(|s| **s == 's').count();
        match rest {
            0 if (2..=MOST_SHARP).contains(&sharp) => {
                pattern.push_str(&format!("(?:{})", of_sharp(sharp).join("|")));
                rest = sharp - 1;
            }
            0 => pattern.push_str(&letter(mark)),
            _ => rest -= 1,
        }
    }
    pattern
}

/// The patterns of a number of `s` in a row, of which any two may be a sharp one.
fn of_sharp(many: usize) -> Vec<String> {
    let mut found = Vec::new();
    for (length, first) in [(1, letter('s')), (2, r"[\u00df\u1e9e]".to_owned())] {
        match many.checked_sub(length) {
            None => {}
            Some(0) => found.push(first),
            Some(rest) => {
                let rests = of_sharp(rest).into_iter();
                found.extend(rests.map(|rest| format!("{first}[{UNSEEN}]*{rest}")));
            }
        }
    }
    found
}

/// A letter, small or capital, composed or not.
fn letter(letter: char) -> String {
    if let Some((_, marks)) = TYPED.iter().find(|(typed, _)| *typed == letter) {
        return format!("[{marks}]");
    }
    let cases = [letter.to_string()].into_iter();
    let cases = cases.chain([
        letter.to_lowercase().collect(),
        letter.to_uppercase().collect(),
    ]);
    let folded = fold(&letter.to_string());
    let mut forms: Vec<String> = Vec::new();
    for case in cases.filter(|case| fold(case) == folded) {
        for form in [case.clone(), decomposed(&case)] {
            let form = escaped(&form);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    match &forms[..] {
        [one] => one.clone(),
        several => format!("(?:{})", several.join("|")),
    }
}

fn decomposed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfd().collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if r"\^$.|?*+()[]{}".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pattern_has_the_spellings_that_fold_alike_and_no_others() {
        let texts = [
            "Female",
            "Québec",
            "St. Gallen",
            "Größe",
            "strasse",
            "Massße",
            "a|b (c)",
            "25-34",
            "65+",
            "l'Est",
            "12",
        ];
        let schema = json!({ "pattern": pattern(texts.into_iter()) });
        let cases = [
            "Female",
            "female",
            " FEMALE\t",
            "Fem\u{200b}ale",
            "Femal",
            "Females",
            "",
            "quebec",
            "QUÉBEC",
            "Que\u{301}bec",
            "QUE\u{301}BEC",
            "St. Gallen",
            "st.\u{a0} gallen",
            "St.Gallen",
            "Stx Gallen",
            "größe",
            "GRÖßE",
            "GRÖSSE",
            "größse",
            "GROSSE",
            "Straße",
            "STRASSE",
            "STRA\u{1e9e}E",
            "straßse",
            "strase",
            "Masssse",
            "maßße",
            "Maßse",
            "masßse",
            "MAS\u{200b}SSSE",
            "a|b (c)",
            "A|B (C)",
            "a",
            "b (c)",
            "25-34",
            "25 - 34",
            "25\u{2013}34",
            "25 -\u{200b} 34",
            "2 5-34",
            "l\u{2019}Est",
            "L'EST",
            "l Est",
            "65 +",
            "65 plus",
            "12",
            "12.0",
            "\u{feff}12",
        ];
        let mut met = [0, 0];
        for text in cases {
            let due = texts.iter().any(|one| fold(one) == fold(text));
            assert_eq!(jsonschema::is_valid(&schema, &json!(text)), due, "{text:?}");
            met[usize::from(due)] += 1;
        }
        assert!(met.iter().all(|n| *n > 5), "{met:?}");
    }
}
