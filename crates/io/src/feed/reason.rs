//! The reason why a record was refused, without the record's own words, so that anyone may see it.

/// Returns an error of a record without possible personal data.
///
/// Errors show a cell in single quotes, which no cell has within (see `record::cell::shown`), and a
/// JSON error shows a text in double quotes. Names of columns are in backticks: those in `known`
/// stay, and at any other the reason is cut off.
#[must_use]
pub fn without_words(error: &str, known: impl Fn(&str) -> bool) -> String {
    let mut kept = String::new();
    let mut rest = error;
    while let Some(at) = rest.find(['\'', '"', '`']) {
        let (before, quoted) = rest.split_at(at);
        kept.push_str(before);
        let (sign, within) = quoted.split_at(1);
        // A text in JSON may hold the sign that ends it.
        let end = match sign {
            "\"" => within.rfind(sign),
            _ => within.find(sign),
        };
        let Some(end) = end else {
            return kept + "\u{2026}";
        };
        let name = &within[..end];
        match sign {
            "`" if known(name) => kept.extend(["`", name, "`"]),
            "`" => return kept + "\u{2026}",
            sign => kept.extend([sign, "\u{2026}", sign]),
        }
        rest = &within[end + 1..];
    }
    kept + rest
}

/// Returns true if a line looks like a row of separated text.
#[must_use]
pub fn seems_a_row(record: &str) -> bool {
    !seems_an_object(record) && record.contains([',', ';', '\t', '|'])
}

/// Returns true if a line looks like a JSON object.
#[must_use]
pub fn seems_an_object(record: &str) -> bool {
    record.trim_start().starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::cell::shown;

    #[test]
    fn a_reason_has_no_words_of_the_record() {
        let known = |name: &str| ["SEX", "sex", "EDU"].contains(&name);
        for (error, told) in [
            (
                "there is no `SEX`, which gives the attribute `sex`",
                "there is no `SEX`, which gives the attribute `sex`",
            ),
            (
                "'O\u{2019}Hara' in `EDU` is not a finite number; '' in `SEX` is not among the values of `sex`: '1', '2'",
                "'\u{2026}' in `EDU` is not a finite number; '\u{2026}' in `SEX` is not among the values of `sex`: '\u{2026}', '\u{2026}'",
            ),
            (
                "invalid type: string \"a \"b\" c\", expected a map",
                "invalid type: string \"\u{2026}\", expected a map",
            ),
            (
                "there is no `SEX`; did you mean `Ann Smith`?",
                "there is no `SEX`; did you mean \u{2026}",
            ),
            ("a text in `x` y` z", "a text in \u{2026}"),
            ("an open ' quote", "an open \u{2026}"),
            (
                "the row has 2 fields where there are 5 columns",
                "the row has 2 fields where there are 5 columns",
            ),
        ] {
            assert_eq!(without_words(error, known), told);
        }
    }

    /// Whatever a cell holds, nothing of it is left.
    #[test]
    fn no_cell_breaks_out_of_its_quotes() {
        for cell in [
            "secret",
            "sec'ret",
            "'secret",
            "a'; secret '",
            "`secret`",
            "\"secret",
            "s' `SEX` secret",
        ] {
            let error = format!("{} in `SEX` is not a finite number", shown(cell));
            let told = without_words(&error, |name| name == "SEX");
            assert_eq!(told, "'\u{2026}' in `SEX` is not a finite number", "{cell}");
        }
    }

    #[test]
    fn rows_and_objects_are_told_apart_by_their_looks() {
        assert!(seems_a_row("id,AGE,SEX") && seems_a_row("1;2") && !seems_a_row("hello"));
        assert!(seems_an_object(" {\"a\":1,\"b\":2}") && !seems_a_row("{\"a\":1,\"b\":2}"));
    }
}
