//! Sentences on comparisons of committees that were not all filled.

/// The note on a fact about filled committees if a committee is not filled.
pub(crate) const EMPTY_PLACES: &str = "not compared: a committee has empty places";

/// Returns a phrase on the replications over which two policies are compared if some committees
/// were not filled. Of `all` replications `n` have values. In `unfilled` of them one of the two
/// left places empty.
pub(crate) fn apart(n: u64, unfilled: u64, all: u64) -> String {
    match n + unfilled <= all {
        true => format!("over the {n} of {all} replications in which both filled"),
        false => format!(
            "in {unfilled} of {all} replications one of the two left places empty, which counts as \
             the worst value"
        ),
    }
}
