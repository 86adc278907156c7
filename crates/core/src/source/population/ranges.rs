//! The least and the greatest number that laws allow.

use super::traits::{FeatureLaw, MeritLaw, ScoreOf, Traits};
use super::{ByValue, MeasurementError};
use crate::draw::NumberLaw;

impl Traits {
    /// The ends of what people are worth, where they are worth something; infinite where there is
    /// no end.
    pub(super) fn merit_range(&self) -> Option<(f64, f64)> {
        Some(match self.merit.as_ref()? {
            MeritLaw::Law(law) => of_laws(law),
            MeritLaw::Linear { constant, weights } => {
                let features = self.features.iter().flat_map(|law| match law {
                    FeatureLaw::Number(law) => vec![of_laws(law)],
                    FeatureLaw::Shares(_) => vec![(0.0, 1.0); law.width()],
                });
                let both = weights.iter().zip(features);
                let ends = both.filter(|(weight, _)| **weight != 0.0).map(ends);
                ends.fold((*constant, *constant), |sum, (low, high)| {
                    (sum.0 + low, sum.1 + high)
                })
            }
        })
    }

    /// The ends of the scores, where there are scores; infinite where there is no end.
    pub(super) fn score_range(&self) -> Option<(f64, f64)> {
        let (low, high) = match self.score.as_ref()? {
            ScoreOf::Law(law) => of_laws(law),
            ScoreOf::Merit => self.merit_range()?,
        };
        let Some(Some(error)) = self.errors.last() else {
            return Some((low, high));
        };
        let noisy = error.iter().any(|error| error.sd > 0.0);
        let biases = |pick: fn(f64, f64) -> f64| bias(error, pick);
        Some(match noisy {
            true => (f64::NEG_INFINITY, f64::INFINITY),
            false => (low + biases(f64::min), high + biases(f64::max)),
        })
    }
}

/// The ends of a weighted number.
fn ends((weight, (low, high)): (&f64, (f64, f64))) -> (f64, f64) {
    let (a, b) = (weight * low, weight * high);
    (a.min(b), a.max(b))
}

fn bias(error: &ByValue<MeasurementError>, pick: fn(f64, f64) -> f64) -> f64 {
    let biases = error.iter().map(|error| error.bias);
    biases.reduce(pick).unwrap_or(0.0)
}

fn of_laws(laws: &ByValue<NumberLaw>) -> (f64, f64) {
    joined(laws.iter().map(NumberLaw::range)).unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
}

/// The range that holds all ranges; none of none.
pub(super) fn joined(ranges: impl Iterator<Item = (f64, f64)>) -> Option<(f64, f64)> {
    ranges.reduce(|(low, high), (least, most)| (low.min(least), high.max(most)))
}
