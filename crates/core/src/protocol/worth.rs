//! The worth of a cohort at the true utilities, for scorers.

use std::sync::Arc;

use super::persons::Shown;
use super::schema::Schema;

/// A function w of cohorts.
pub trait CohortWorth: Send + Sync {
    /// Judges the chosen at these utilities, against cohorts of `members`. `values` and `chosen` go
    /// by slot.
    fn judge(&self, slate: &[Shown<'_>], values: &[f64], chosen: &[bool], members: usize)
    -> Judged;

    /// Returns the least and the greatest value of a cohort whose utilities add up as `sums` says.
    fn range(&self, schema: &Schema, sums: &CohortSums) -> (f64, f64);
}

/// The bounds of the sum of a cohort's utilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CohortSums {
    /// The least sum.
    pub lowest: f64,
    /// The greatest sum.
    pub highest: f64,
    /// The greatest sum of the roots of the members' utilities; a utility below 0 counts as 0.
    pub roots: f64,
}

/// The judgement of a cohort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The worth w of the cohort.
    pub value: f64,
    /// True if no admissible cohort of the size wanted is worth more.
    pub optimal: bool,
}

/// An objective by which cohorts are scored.
#[derive(Clone)]
pub struct CohortObjective {
    /// The name in metrics and configs: `top_k`, `diverse`, `quota`. With several attributes it is
    /// `diverse:ATTRIBUTE`, or `diverse:ONE+OTHER` by their combined values.
    pub name: Arc<str>,
    /// The function that gives a cohort's worth.
    pub worth: Arc<dyn CohortWorth>,
}
