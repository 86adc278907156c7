//! Paths of keys and their assignments, as text.

use toml::de::{DeTable, DeValue};
use toml_writer::ToTomlKey;

use super::node::{Node, Value};
use super::parse::parse_value;
use kleroterion_core::problem::Place;

/// A problem and its remedy.
pub(super) type Refusal = (String, String);

/// The text before and after the first `=` outside quotes.
pub(super) fn split(assignment: &str) -> Option<(&str, &str)> {
    let (at, _) = unquoted(assignment).find(|(_, letter)| *letter == '=')?;
    Some((&assignment[..at], &assignment[at + 1..]))
}

/// The letters of a text outside quotes, with their places in bytes.
pub(super) fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut is_escaped) = (None, false);
    text.char_indices().filter(move |(_, letter)| {
        match (quote, *letter) {
            _ if is_escaped => is_escaped = false,
            (Some('"'), '\\') => is_escaped = true,
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(*letter),
            (None, _) => return true,
            (Some(_), _) => {}
        }
        false
    })
}

/// The keys of a dotted path, at least one.
pub(super) fn steps(path: &str) -> Result<Vec<String>, Refusal> {
    let refusal = || {
        let help = "keys are joined by points, and quoted where they hold more than a-z, A-Z, 0-9, - and _: \
                    policy.\"greedy .05\".tolerance";
        (format!("`{path}` is not a path of keys"), help.to_owned())
    };
    // Nothing but one key may come through: no second line, no `=` of its own.
    if path.contains(char::is_control) || split(path).is_some() {
        return Err(refusal());
    }
    let text = format!("{path} = true");
    let mut table = DeTable::parse(&text).map_err(|_| refusal())?.into_inner();
    let mut steps = Vec::new();
    while let Some((key, value)) = table.into_iter().next() {
        steps.push(key.into_inner().into_owned());
        match value.into_inner() {
            DeValue::Table(inner) => table = inner,
            _ => return Ok(steps),
        }
    }
    Err(refusal())
}

/// A TOML value, or a bare word as a text.
pub(super) fn parse_word_or_value(text: &str, place: &Place) -> Result<Node, Refusal> {
    if text.is_empty() {
        return Err((
            "there is no value after `=`".into(),
            "an empty text is written ''".into(),
        ));
    }
    parse_value(text, place).or_else(|(what, help)| {
        if is_bare_word(text) {
            return Ok(Value::Text(text.to_owned()).at(place));
        }
        // What TOML allows and no config holds has its own reason.
        let what = match DeValue::parse(text) {
            Ok(_) => what,
            // Where it begins as a word, what TOML expected of it misleads.
            Err(_) if text.starts_with(char::is_alphabetic) => {
                return Err((
                    format!("`{text}` is not a TOML value"),
                    format!("put a text in straight quotes: {text:?}"),
                ));
            }
            Err(_) if what == format!("`{text}` is not a value") => {
                format!("`{text}` is not a TOML value")
            }
            Err(_) => format!("`{text}` is not a TOML value: {what}"),
        };
        Err((what, help))
    })
}

/// Returns true if a text is taken as a string without quotes: words, a path of a file, or an
/// address with a port. Other texts that start like a number are wrong numbers.
fn is_bare_word(text: &str) -> bool {
    if text.parse::<std::net::SocketAddr>().is_ok() || is_like_an_address(text) || is_pace(text) {
        return true;
    }
    let named = text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    let path = ["/", "./", "../", "~/"]
        .iter()
        .any(|start| text.starts_with(start));
    let plain = |letter: char| letter.is_alphanumeric() || "_-./:~ ".contains(letter);
    // `nan` is a number that we refuse, not a name.
    (named || path) && text.chars().all(plain) && text != "nan"
}

/// Returns true for four numbers and a port. Their ranges are checked by the listener.
fn is_like_an_address(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
    text.split_once(':').is_some_and(|(host, port)| {
        digits(port) && host.split('.').count() == 4 && host.split('.').all(digits)
    })
}

/// Returns true for a number with a unit of time, for example `100/s`.
fn is_pace(text: &str) -> bool {
    let is_unit = |unit: &str| !unit.is_empty() && unit.chars().all(|c| c.is_ascii_lowercase());
    let parts = text.split_once('/');
    parts.is_some_and(|(many, unit)| many.parse::<f64>().is_ok() && is_unit(unit))
}

/// The label of a list's member, where it is a table that has one.
pub(super) fn label(member: &Node) -> Option<&str> {
    member.value.table()?.value("label")?.text()
}

/// A path one key longer, quoted as [`Document::set`] takes it.
pub(super) fn join(path: &str, key: &str) -> String {
    match path {
        "" => key.to_toml_key(),
        _ => format!("{path}.{}", key.to_toml_key()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_equals_sign_outside_quotes() {
        for (text, parts) in [
            ("a=b=c", Some(("a", "b=c"))),
            ("'=\"'=1", Some(("'=\"'", "1"))),
            ("\"\\\"=\"=", Some(("\"\\\"=\"", ""))),
            ("'\\'=1", Some(("'\\'", "1"))),
            ("'a=1", None),
            ("", None),
        ] {
            assert_eq!(split(text), parts, "{text}");
        }
    }

    #[test]
    fn words_and_numbers_gone_wrong() {
        for word in [
            "virtual_queue",
            "people.csv",
            "127.0.0.1:0",
            "[::1]:8090",
            "../a/b-1.csv",
            "/x",
            "~/x",
            "_a",
            "été",
            "True",
            "two words",
            "greedy .05",
        ] {
            assert!(is_bare_word(word), "{word}");
        }
        for other in [
            "", ".05", "5x", "1,5", "5 words", "a=b", "[a", "\"a", "-a", "nan", "a\n",
        ] {
            assert!(!is_bare_word(other), "{other}");
        }
    }

    proptest! {
        #[test]
        fn joined_keys_come_apart_again(keys in prop::collection::vec("[^\\p{Cc}]{0,6}", 1..6)) {
            let path = keys.iter().fold(String::new(), |path, key| join(&path, key));
            prop_assert_eq!(steps(&path), Ok(keys), "{}", path);
        }
    }
}
