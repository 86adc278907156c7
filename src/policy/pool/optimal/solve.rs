//! Modified policy iteration with a proven distance.

use crate::policy::BadParameters;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unsolved {
    /// The parameters can't be worked with.
    #[error(transparent)]
    Wrong(BadParameters),
    /// So near the values came, and no nearer.
    #[error("the values are within {0:e} of the best, no nearer: set a tolerance above that")]
    Bound(f64),
}

/// A decision process of finitely many states.
pub(super) trait Chain {
    /// How many states there are.
    fn states(&self) -> usize;

    /// T v: for each state the most that a choice and what follows it can be worth; notes the choices (the first of equals).
    fn improve(&mut self, gamma: f64, values: &[f64], next: &mut [f64]);

    /// The same of the choices noted.
    fn evaluate(&self, gamma: f64, values: &[f64], next: &mut [f64]);
}

/// The values, within `bound` of the best, of the choices noted last; `sweeps` over all choices were made.
pub(super) struct Solved {
    pub(super) values: Vec<f64>,
    pub(super) bound: f64,
    pub(super) sweeps: u32,
}

/// More sweeps over all choices don't help.
const MOST_SWEEPS: u32 = 500;

pub(super) fn solve(
    chain: &mut impl Chain,
    gamma: f64,
    tolerance: f64,
) -> Result<Solved, Unsolved> {
    let mut values = vec![0.0; chain.states()];
    let mut next = values.clone();
    // Sweeps over the chosen between two over all choices: what far rounds are worth shrinks by half or so.
    let evaluations = (0.6 / (1.0 - gamma)).clamp(20.0, 5_000.0) as u32;
    let mut nearest = f64::INFINITY;
    for sweeps in 1..=MOST_SWEEPS {
        chain.improve(gamma, &values, &mut next);
        let (low, high) = range(&values, &next);
        // V* - TV is between these two (MacQueen 1966); the middle is the best guess.
        let factor = gamma / (1.0 - gamma);
        let (low, high) = (factor * low, factor * high);
        let shift = 0.5 * (low + high);
        next.iter_mut().for_each(|value| *value += shift);
        std::mem::swap(&mut values, &mut next);
        // What rounding can have done to a sweep, which a discount near 1 makes much of.
        let largest = values
            .iter()
            .fold(0.0f64, |most, value| most.max(value.abs()));
        let rounding = 16.0 * f64::EPSILON * largest * (1.0 + factor);
        let bound = 0.5 * (high - low) + rounding;
        nearest = nearest.min(bound);
        if bound <= tolerance {
            return Ok(Solved {
                values,
                bound,
                sweeps,
            });
        }
        if rounding > tolerance && sweeps >= 100 {
            break;
        }
        for _ in 0..evaluations {
            chain.evaluate(gamma, &values, &mut next);
            std::mem::swap(&mut values, &mut next);
        }
    }
    Err(Unsolved::Bound(nearest))
}

/// The least and the greatest of `next` - `values`.
fn range(values: &[f64], next: &[f64]) -> (f64, f64) {
    let grown = values.iter().zip(next).map(|(value, next)| next - value);
    grown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), by| {
        (low.min(by), high.max(by))
    })
}
