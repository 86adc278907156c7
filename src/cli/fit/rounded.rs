//! Numbers rounded as they are printed.

/// Rounds to six digits, which is more than reviews give.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
