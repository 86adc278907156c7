//! Answers of master programs.

/// Panels found, by their place, and their probabilities.
pub(super) type KindLottery = Vec<(usize, f64)>;

/// True if a search ended before it had proved its bound.
pub(super) type Undecided = bool;

/// The weight of a member of each open kind, and a bound on the heaviest panel.
#[derive(Clone, Debug)]
pub(super) struct WeightedKinds {
    pub weights: Vec<f64>,
    pub bound: f64,
}
