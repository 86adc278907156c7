//! Sentences on comparisons of committees that were not all filled.

/// The note on a fact about filled committees if a committee is not filled.
pub(crate) const EMPTY_PLACES: &str = "not compared: a committee has empty places";

/// Over which replications two policies are compared where not both filled the committee in all: of
/// `all` there were `n` with values, and in `unfilled` one of the two left places empty.
pub(crate) fn apart(n: u64, unfilled: u64, all: u64) -> String {
    match n + unfilled <= all {
        true => format!("over the {n} of {all} replications in which both filled"),
        false => format!(
            "in {unfilled} of {all} replications one of the two left places empty, which counts as \
             the worst value"
        ),
    }
}
