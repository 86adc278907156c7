//! Curves: the mean of a measure at steps over the course of a run, for figures.

use std::collections::BTreeMap;

/// The mean of a measure after a step of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The moment, in the unit of `report.at`.
    pub at: u64,
    /// The number of replications with a value there; at least 1.
    pub n: u64,
    /// The mean of the values.
    pub mean: f64,
    /// The standard error of the mean. `None` at n = 1.
    pub se: Option<f64>,
}

/// The curves of a policy, by metric, in rising `at`.
pub type Curves = BTreeMap<String, Vec<CurvePoint>>;
