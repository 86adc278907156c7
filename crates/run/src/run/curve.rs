//! The curves of a run: its measures at even steps, averaged over replications as they come.
//!
//! Figures alone are made of them, so a run holds no value of a single replication.

mod fold;
mod lane_curve;
mod steps;
#[cfg(test)]
mod tests;
mod witness;

pub(super) use self::fold::CurveFold;
pub use self::lane_curve::LaneCurve;
pub(super) use self::witness::CurveWitness;

/// The replications that curves are of, the first of a run: readings cost more than short
/// replications do, and a figure shows no difference.
pub(super) const CURVED: u64 = 100;
