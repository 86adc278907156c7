//! The order of names in which numbers sort by value.

/// A piece of a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NaturalPiece {
    /// A number without a sign, as the bits of its value, which sort as the value does, and its
    /// text.
    Number(u64, String),
    /// The text between numbers.
    Words(String),
}

/// A key that sorts names by their pieces: "r2" before "r10", "lambda 0.5" before "lambda 1".
pub(crate) fn natural(name: &str) -> Vec<NaturalPiece> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let long = number(rest);
        let (piece, after) = rest.split_at(if long > 0 { long } else { words(rest) });
        pieces.push(match piece.parse::<f64>() {
            Ok(value) if long > 0 => NaturalPiece::Number(value.to_bits(), piece.to_owned()),
            _ => NaturalPiece::Words(piece.to_owned()),
        });
        rest = after;
    }
    pieces
}

/// Returns the length in bytes of the number that a text begins with: digits, with a point among or
/// before them.
fn number(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        Some(fraction) if fraction > 0 => whole + 1 + fraction,
        _ => whole,
    }
}

/// Returns the number of bytes before the next number.
fn words(text: &str) -> usize {
    let places = text.char_indices().map(|(at, _)| at).skip(1);
    let mut numbers = places.filter(|at| number(&text[*at..]) > 0);
    numbers.next().unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_as_numbers() {
        let mut names = [
            "a10", "b", "a2", "a", "10", "2", "18-34", "a1", "x 0.5", "x 10", "x 2", "x .1",
        ];
        names.sort_by_key(|name| natural(name));
        let known = [
            "2", "10", "18-34", "a", "a1", "a2", "a10", "b", "x .1", "x 0.5", "x 2", "x 10",
        ];
        assert_eq!(names, known);
    }
}
