//! Numbers as they are printed.

/// Six digits, which is more than reviews give.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
