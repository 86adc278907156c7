//! The words of a JSON reader for what it expected, without the names of our types.

/// Rewrites an error of reading JSON in the words of JSON: an object, a list, a whole number.
///
/// ```
/// # use kleroterion_core::problem::in_words_of_json;
/// let error = "invalid type: integer `1`, expected internally tagged enum FromProgram";
/// assert_eq!(
///     in_words_of_json(error),
///     "invalid type: integer `1`, expected an object"
/// );
/// ```
#[must_use]
pub fn in_words_of_json(error: &str) -> String {
    let Some((found, expected)) = error.rsplit_once(", expected ") else {
        return error.to_owned();
    };
    // Behind the type serde may say where it was.
    let (expected, rest) = match expected.find(" at line ") {
        Some(at) => expected.split_at(at),
        None => (expected, ""),
    };
    let found = found.replace("invalid type: map", "invalid type: object");
    let found = found.replace("invalid type: sequence", "invalid type: list");
    let found = found.replace("unknown variant `", "unknown word `");
    format!("{found}, expected {}{rest}", word(expected))
}

/// The word of JSON for a type as serde names it.
fn word(expected: &str) -> &str {
    let is = |starts: &[&str]| starts.iter().any(|start| expected.starts_with(start));
    match expected {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number of at least 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a map" | "map" => "an object",
        "a sequence" | "sequence" => "a list",
        "unit" => "null",
        _ if is(&[
            "internally tagged enum ",
            "struct ",
            "adjacently tagged enum ",
        ]) =>
        {
            "an object"
        }
        _ if is(&["enum ", "variant identifier"]) => "a word",
        _ if is(&["tuple "]) => "a list",
        _ => expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_called_as_json_calls_them() {
        for (error, told) in [
            (
                "invalid type: sequence, expected struct Decision",
                "invalid type: list, expected an object",
            ),
            (
                "invalid type: string \"0\", expected u32",
                "invalid type: string \"0\", expected a whole number of at least 0",
            ),
            (
                "invalid type: integer `1`, expected struct SweepPlan at line 1 column 1",
                "invalid type: integer `1`, expected an object at line 1 column 1",
            ),
            (
                "invalid type: map, expected a sequence",
                "invalid type: object, expected a list",
            ),
            (
                "unknown variant `choose`, expected `ready` or `select`",
                "unknown word `choose`, expected `ready` or `select`",
            ),
            ("missing field `round`", "missing field `round`"),
        ] {
            assert_eq!(in_words_of_json(error), told);
        }
    }
}
