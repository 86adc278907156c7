//! The treatment of a committee with empty places when policies are compared.
//!
//! Whether a lane fills its committee is itself a result, so unfilled lanes are compared: `filled`
//! is judged by itself wherever any lane of the run leaves a place empty, and every other measure
//! over the replications in which both committees filled. That some lane will do so is not known
//! beforehand, so `filled` has its share of alpha in every run whose lanes are to fill a committee.

use kleroterion_core::protocol::Ending;

/// The name of the metric that says whether a committee is filled.
pub const FILLED: &str = "filled";

/// The treatment of replications in which a lane did not fill its committee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unfilled {
    /// No lane is to fill a committee.
    #[default]
    NoCommittee,
    /// The replication is left out of every measure about filled committees.
    LeftOut,
    /// The lane counts with the worst value of the measure's declared range.
    Worst,
}

/// Returns true if a lane that should fill a committee left places empty: it stalled, or its source
/// had no more people.
pub(super) fn is_unfilled(ending: Ending) -> bool {
    matches!(ending, Ending::Stalled | Ending::SourceEnded)
}
