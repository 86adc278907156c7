//! The comparison of two texts as names or values, without regard to case, blanks and Unicode form
//! (see [`fold`](super::fold)).

use super::fold::fold;

/// Returns true if two texts differ at most in case, blanks and Unicode form. ASCII texts are
/// compared without a copy.
#[must_use]
pub fn alike(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    // Most texts differ in their first letter. A mark after it changes it, and makes it no other.
    if let (Some(one), Some(other)) = (first(one), first(other))
        && one != other
    {
        return false;
    }
    let texts = [one, other];
    match (
        texts.iter().all(|text| text.is_ascii()),
        texts.iter().any(|text| has_blanks(text)),
    ) {
        // Blanks around the sign of "18 - 29" and "65 +" make no difference.
        (true, true) if texts.iter().any(|text| text.contains(['-', '+'])) => {
            fold(one) == fold(other)
        }
        (true, false) => one.eq_ignore_ascii_case(other),
        (true, true) => letters(one).eq(letters(other)),
        (false, _) => fold(one) == fold(other),
    }
}

fn has_blanks(text: &str) -> bool {
    text.bytes().any(|byte| byte <= b' ')
}

/// The first letter of a text as a small one, where it is a letter or a digit in ASCII.
fn first(text: &str) -> Option<u8> {
    let first = text.bytes().next().filter(u8::is_ascii_alphanumeric);
    first.map(|byte| byte.to_ascii_lowercase())
}

/// The small letters of a text in ASCII, its blanks folded to one and trimmed.
fn letters(text: &str) -> impl Iterator<Item = u8> {
    let words = text.split_whitespace().enumerate();
    words.flat_map(|(nth, word)| {
        let blank = (nth > 0).then_some(b' ');
        let letters = word.bytes().map(|byte| byte.to_ascii_lowercase());
        blank.into_iter().chain(letters)
    })
}

/// Returns the index of the meant name: the one spelt so, else the only one that is alike. Fails
/// with the indexes of the first two if several are alike and none is spelt so.
pub fn find<'a>(
    wanted: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<Option<usize>, [usize; 2]> {
    if let Some(at) = names.clone().position(|name| name == wanted) {
        return Ok(Some(at));
    }
    let mut alike = names
        .enumerate()
        .filter(|(_, name)| alike(name, wanted))
        .map(|(at, _)| at);
    match (alike.next(), alike.next()) {
        (Some(first), Some(second)) => Err([first, second]),
        (first, _) => Ok(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_alike_where_they_fold_alike() {
        let texts = [
            "a",
            "A",
            " a",
            "b",
            "B\u{301}",
            "a\u{301}",
            "á",
            "a b",
            "A  B",
            "a\tb",
            "ab",
            "",
            " ",
            "é",
            "E\u{301}",
            "É ",
            "a\u{a0}b",
            "a\u{200b}",
            "\u{b}a",
            "a\u{1c}b",
            "ß",
            "SS",
            "1",
            "1.0",
            "18-29",
            "18 - 29",
            "18 -29",
            "18 \u{2013} 29",
            "30+",
            "30 +",
            "a - b",
            "a-b",
        ];
        for one in texts {
            for other in texts {
                assert_eq!(
                    alike(one, other),
                    fold(one) == fold(other),
                    "{one:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn the_spelling_itself_comes_first() {
        let names = ["Female", "female", "male"];
        let names = || names.into_iter();
        for (wanted, due) in [
            ("female", Ok(Some(1))),
            ("Female", Ok(Some(0))),
            ("MALE", Ok(Some(2))),
            ("FEMALE", Err([0, 1])),
            ("x", Ok(None)),
        ] {
            assert_eq!(find(wanted, names()), due, "{wanted}");
        }
    }
}
