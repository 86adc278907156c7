//! Numbers as text that reads back exactly.

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
