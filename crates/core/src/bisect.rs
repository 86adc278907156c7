//! Bisection.

/// The ends, after at most `halvings`, of a range at whose lower end `is_low` is true and at whose
/// upper end it is false.
pub fn bisect(
    (mut lo, mut hi): (f64, f64),
    halvings: usize,
    is_low: impl Fn(f64) -> bool,
) -> (f64, f64) {
    for _ in 0..halvings {
        // As a weighted sum, which does not overflow.
        let middle = 0.5 * lo + 0.5 * hi;
        if middle <= lo || middle >= hi {
            break;
        }
        if is_low(middle) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    (lo, hi)
}
