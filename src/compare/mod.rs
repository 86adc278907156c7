//! Comparison of the policies of a finished run: folds, paired differences, intervals, verdicts.

mod decision;
mod evidence;
mod order;
mod pairs;
mod parity;
mod rounds;
pub mod sequence;
mod summary;
pub mod t;
mod verdict;

pub use decision::Decision;
pub use evidence::Beside;
pub use order::{Estimate, beats, quantile_interval};
pub use pairs::{Blocked, Estimand, Judge, Pair, Versus, compare};
pub use parity::{PARITY_METHOD, Parity};
pub use rounds::{RoundPair, Rounds};
pub use summary::{Point, PolicySummary, Stats, Summary, Versions, quantile};
pub use verdict::Verdict;
