//! Answers by kinds: lotteries over the panels found, and proofs that none is fairer.

use serde::{Deserialize, Serialize};

/// Panels found, by their place, and their probabilities.
pub(super) type KindLottery = Vec<(usize, f64)>;

/// True if a search ended before it had proved its bound.
pub(super) type Undecided = bool;

/// Weights under which no panel is heavier than a bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KindProof {
    /// The weight of a member of each open kind. In a stage, those who rise have a total of 1.
    pub weights: Vec<f64>,
    pub bound: f64,
    /// The open kinds that the stage settles, by their places.
    pub settled: Vec<usize>,
    pub undecided: Undecided,
}
