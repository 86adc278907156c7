//! The known word that a mistyped word was meant to be.

/// Returns the known word nearest to a mistyped one, or `None` if none is near. Ties go to the
/// first.
///
/// The distance is Damerau-Levenshtein, with `-` read as `_` and case ignored. A word is near if at
/// most a third of its letters differ, or at most one.
///
/// ```
/// # use kleroterion_core::nearest::nearest;
/// let known = ["kind", "label", "tolerance"];
/// assert_eq!(nearest("tolerence", known), Some("tolerance"));
/// assert_eq!(nearest("colour", known), None);
/// ```
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = plain(word);
    let length = word.chars().count();
    known
        .into_iter()
        .filter_map(|candidate| {
            let distance = strsim::damerau_levenshtein(&word, &plain(candidate));
            let shorter = length.min(candidate.chars().count());
            let longer = length.max(candidate.chars().count());
            // A word with no letter in common is not a slip of the pen.
            (distance <= (longer / 3).max(1) && (distance == 0 || distance < shorter))
                .then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the value that a mistyped value was meant to be, as [`nearest`]. A value that contains
/// another whole is no slip of it if more than one letter is added: `male` is not `female`.
pub fn nearest_value<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let plain_word = plain(word);
    let is_another = |candidate: &str| {
        let candidate = plain(candidate);
        let lengths = [&plain_word, &candidate].map(|text| text.chars().count());
        lengths[0].abs_diff(lengths[1]) > 1
            && (candidate.contains(&plain_word) || plain_word.contains(&candidate))
    };
    nearest(word, known.into_iter().filter(|known| !is_another(known)))
}

/// Joins words with commas. A word that contains a comma, or has blanks at an end, is put in
/// quotes.
///
/// ```
/// # use kleroterion_core::nearest::listed;
/// assert_eq!(listed(["all", "greedy, first"]), "all, \"greedy, first\"");
/// ```
pub fn listed<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut listed = String::new();
    for word in words {
        if !listed.is_empty() {
            listed.push_str(", ");
        }
        match word.contains(',') || word.trim() != word || word.is_empty() {
            true => listed.push_str(&format!("{word:?}")),
            false => listed.push_str(word),
        }
    }
    listed
}

/// Joins words with commas and `and`: "a", "a and b", "a, b and c".
pub fn joined(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.concat(),
    }
}

/// Returns advice on a mistyped word: "did you mean `x`?" if something is near, and the list of
/// known words under the given name. Of many known words only the near one is named.
pub fn advice(word: &str, known: &[&str], name: &str) -> String {
    const MANY: usize = 12;
    let all = match known {
        [] => format!("there are no {name} here"),
        _ => format!("{name}: {}", listed(known.iter().copied())),
    };
    match nearest(word, known.iter().copied()) {
        Some(near) if known.len() > MANY => format!("did you mean `{near}`?"),
        Some(near) => format!("did you mean `{near}`? {all}"),
        None => all,
    }
}

fn plain(word: &str) -> String {
    word.to_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found() {
        let known = [
            "slate",
            "choose",
            "until",
            "max_rounds",
            "v",
            "interview_cap",
        ];
        for (word, meant) in [
            ("slat", Some("slate")),
            ("salte", Some("slate")),
            ("Slate", Some("slate")),
            ("max-rounds", Some("max_rounds")),
            ("maxrounds", Some("max_rounds")),
            ("max_roudns", Some("max_rounds")),
            ("interviews_cap", Some("interview_cap")),
            ("x", None),
            ("", None),
            ("V", Some("v")),
            ("budget", None),
            ("über", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(nearest("slate", []), None);
    }

    #[test]
    fn a_value_within_another_is_no_slip() {
        for (word, known, due) in [
            ("Male", "female", None),
            ("female", "male", None),
            ("man", "woman", None),
            ("homme", "femme", None),
            ("Femal", "female", Some("female")),
            ("femalee", "female", Some("female")),
            ("weiblich", "wieblich", Some("wieblich")),
            ("männlich", "unmännlich", None),
            ("urbain", "suburbain", None),
            ("rural", "no rural", None),
        ] {
            assert_eq!(nearest_value(word, [known]), due, "{word}");
        }
    }

    #[test]
    fn of_equals_the_first() {
        assert_eq!(nearest("abcx", ["abcd", "abce"]), Some("abcd"));
        assert_eq!(nearest("abce", ["abcd", "abce"]), Some("abce"));
    }

    #[test]
    fn advice_names_all() {
        assert_eq!(
            advice("tset", &["test", "b"], "keys"),
            "did you mean `test`? keys: test, b"
        );
        assert_eq!(advice("zzz", &["a", "b"], "keys"), "keys: a, b");
        assert_eq!(advice("zzz", &[], "keys"), "there are no keys here");
        assert_eq!(
            advice("zzz", &["a, b", "c"], "labels"),
            "labels: \"a, b\", c"
        );
    }
}
