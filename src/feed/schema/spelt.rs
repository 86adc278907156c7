//! A text as a pattern of all its spellings that a run reads as one.

use crate::record::{fold, tidy};

/// Marks that can't be seen, as a class of a pattern; a run passes over them.
const UNSEEN: &str = r"\u00ad\u200b-\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff";

/// The pattern of the texts that are the same as one of these but for case, blanks and Unicode form.
pub(super) fn pattern<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.map(one).collect();
    let ends = format!(r"[\s{UNSEEN}]*");
    format!("^{ends}(?:{}){ends}$", texts.join("|"))
}

fn one(text: &str) -> String {
    let tidied = tidy(text);
    let words = tidied.split_whitespace().map(|word| {
        let letters: Vec<String> = word.chars().map(letter).collect();
        letters.join(&format!("[{UNSEEN}]*"))
    });
    let words: Vec<String> = words.collect();
    words.join(&format!(r"[{UNSEEN}]*\s[\s{UNSEEN}]*"))
}

/// A letter, small or capital, composed or not.
fn letter(letter: char) -> String {
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
            "a|b (c)",
            "25-34",
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
            "GROSSE",
            "a|b (c)",
            "A|B (C)",
            "a",
            "b (c)",
            "25-34",
            "25 - 34",
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
