//! Cells of a record: the numbers in them, and their form in messages and filters.

use super::legible::beginning;
use super::span::Span;

/// Returns the finite number that a cell states, or `None`.
pub fn number(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|n: &f64| n.is_finite())
}

/// The number that a column's cell must state, one of its range.
///
/// # Errors
/// Why it is none, with the cell and the column.
pub(crate) fn required_number(cell: &str, column: &str, span: Span) -> Result<f64, String> {
    match number(cell) {
        Some(number) if span.holds(number) => Ok(number),
        stated => Err(refusal(cell, stated, column, span)),
    }
}

/// The reason why a column's cell is no number of its range; `stated`: the number that it states.
pub(crate) fn refusal(cell: &str, stated: Option<f64>, column: &str, span: Span) -> String {
    let cell = shown(cell);
    match stated {
        Some(_) => format!("{cell} in `{column}` {}", span.refusal()),
        None => format!("{cell} in `{column}` is not a finite number"),
    }
}

/// Returns a column's name as a filter must spell it.
pub fn spelt(column: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    match !column.is_empty() && column.chars().all(plain) {
        true => column.to_owned(),
        false => quoted(column),
    }
}

/// Returns the filter that leaves out rows with a cell.
pub fn without(column: &str, cell: &str) -> String {
    format!("{} != {}", spelt(column), quoted(cell))
}

/// Returns true if a filter can contain a text. It can't contain one with both kinds of quotation
/// marks.
pub fn can_be_quoted(text: &str) -> bool {
    !(text.contains('\'') && text.contains('"'))
}

/// Returns a text as a filter must spell it.
pub fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') { '"' } else { '\'' };
    format!("{quote}{text}{quote}")
}

/// Returns a cell as messages show it: in quotes, on one line, not too long. A quote within is
/// written ’, so that it does not end the shown text.
pub fn shown(cell: &str) -> String {
    const SHOWN: usize = 40;
    format!("'{}'", beginning(cell, SHOWN).replace('\'', "\u{2019}"))
}

/// Returns the shortest text that reads back as the same finite number; whole numbers have no
/// point.
#[must_use]
pub fn shortest(value: f64) -> String {
    // Debug, unlike Display, turns to an exponent for the very large and very small.
    let text = format!("{value:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Returns true for 0; for members of JSON that are left out where they count nothing.
#[must_use]
#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
pub fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_cells_in_one_short_line() {
        assert_eq!(shown("a\nb"), "'a⟨U+000A⟩b'");
        assert_eq!(shown(&"é".repeat(50)), format!("'{}…'", "é".repeat(40)));
    }

    #[test]
    fn shortest_reads_back() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (150.0, "150"),
            (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e300, "1e300"),
            (5e-324, "5e-324"),
            (-2.5, "-2.5"),
            (f64::MAX, "1.7976931348623157e308"),
        ] {
            assert_eq!(shortest(value), text);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }
}
