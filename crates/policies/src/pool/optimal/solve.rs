//! Modified policy iteration with a proven distance.

use std::fmt;

use crate::BadParameters;
use crate::limits::{MOST_CHANGES, MOST_WORK};
use kleroterion_core::watch::{Interrupted, Watch};

/// The reason why there is no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unsolved {
    /// The parameters can't be used.
    #[error(transparent)]
    Wrong(BadParameters),
    /// The values may be this far off by rounding alone, which exceeds the tolerance.
    #[error("rounding keeps the values {0:.1e} from the best")]
    Bound(f64),
    /// The plan is too large: in too many states another choice is better with fewer rounds left.
    #[error("choices change more than {MOST_CHANGES} times from round to round")]
    Changes,
    /// The values came this close with the most work allowed.
    #[error("it takes too long: after {MOST_WORK:e} products the values are {0:.1e} from the best")]
    Work(f64),
    /// The watch stopped it.
    #[error("interrupted")]
    Interrupted,
}

impl From<Interrupted> for Unsolved {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// A watcher of the computation of a plan.
pub type PlanWatch<'a> = Watch<'a, PlanProgress>;

/// The progress of the computation of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlanProgress {
    /// The values are this close to the best.
    Near {
        /// The distance from the best, at most.
        off: f64,
        /// The distance that is near enough.
        tolerance: f64,
    },
    /// Rounds of a horizon are worked out, from the last one back.
    Rounds {
        /// The number of rounds worked out.
        done: u32,
        /// The number of all rounds.
        of: u32,
    },
}

impl fmt::Display for PlanProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Near { off, tolerance } => {
                write!(f, "values are right to {off:.1e}, of {tolerance:.1e}")
            }
            Self::Rounds { done, of } => write!(f, "{done} of {of} rounds are worked out"),
        }
    }
}

/// A decision process of finitely many states.
pub(super) trait Chain {
    /// The number of states.
    fn states(&self) -> usize;

    /// The approximate numbers of products in a sweep over all choices, and in one over the choices
    /// noted.
    fn products(&self) -> (f64, f64);

    /// T v: for each state the most that a choice and what follows it can be worth; notes the
    /// choices (the first of equals). It stops between two states where the watch wants it.
    fn improve(
        &mut self,
        gamma: f64,
        values: &[f64],
        next: &mut [f64],
        watch: &PlanWatch<'_>,
    ) -> Result<(), Interrupted>;

    /// The choices of a plan, row by row: those noted; where a plan also answers what does not
    /// matter, the best at these values of the next round. It stops as [`Chain::improve`] does.
    fn table(
        &self,
        gamma: f64,
        values: &[f64],
        watch: &PlanWatch<'_>,
    ) -> Result<Vec<u32>, Interrupted>;

    /// Writes the values of the noted choices, as [`Chain::improve`] does.
    fn evaluate(&self, gamma: f64, values: &[f64], next: &mut [f64]);
}

/// The values, within `bound` of the best, of the choices noted last; `sweeps` over all choices
/// were made.
pub(super) struct Solved {
    pub(super) values: Vec<f64>,
    pub(super) bound: f64,
    pub(super) sweeps: u32,
}

/// The number of sweeps after which the values have about their final size.
const SETTLED: u32 = 5;

/// The task of the solver: how far to go.
pub(super) struct Task<'a> {
    pub(super) gamma: f64,
    pub(super) tolerance: f64,
    pub(super) watch: PlanWatch<'a>,
    /// The largest number of changes of choices that a plan with a horizon may keep.
    pub(super) most_changes: usize,
}

pub(super) fn solve(chain: &mut impl Chain, task: &Task<'_>) -> Result<Solved, Unsolved> {
    let Task {
        gamma,
        tolerance,
        watch,
        ..
    } = *task;
    let mut values = vec![0.0; chain.states()];
    let mut next = values.clone();
    // Sweeps over the chosen between two over all choices: what far rounds are worth shrinks by
    // half or so.
    let evaluations = (0.6 / (1.0 - gamma)).clamp(20.0, 5_000.0) as u32;
    let (over_all, over_chosen) = chain.products();
    let mut work = 0.0;
    let mut nearest = f64::INFINITY;
    for sweeps in 1.. {
        watch.go_on()?;
        chain.improve(gamma, &values, &mut next, &watch)?;
        let (low, high) = range(&values, &next);
        // V* - TV is between these two (MacQueen 1966); the middle is the best guess.
        let factor = gamma / (1.0 - gamma);
        let (low, high) = (factor * low, factor * high);
        let shift = 0.5 * (low + high);
        next.iter_mut().for_each(|value| *value += shift);
        std::mem::swap(&mut values, &mut next);
        // A discount near 1 makes much of it.
        let rounding = rounding(&values) * (1.0 + factor);
        let bound = 0.5 * (high - low) + rounding;
        nearest = nearest.min(bound);
        let off = nearest;
        watch.see(PlanProgress::Near { off, tolerance });
        if bound <= tolerance {
            return Ok(Solved {
                values,
                bound,
                sweeps,
            });
        }
        if rounding > tolerance && sweeps >= SETTLED {
            return Err(Unsolved::Bound(rounding));
        }
        work += over_all + f64::from(evaluations) * over_chosen;
        if work > MOST_WORK {
            break;
        }
        for _ in 0..evaluations {
            watch.go_on()?;
            chain.evaluate(gamma, &values, &mut next);
            std::mem::swap(&mut values, &mut next);
        }
    }
    Err(Unsolved::Work(nearest))
}

/// The largest rounding error of a sweep.
pub(super) fn rounding(values: &[f64]) -> f64 {
    let largest = values
        .iter()
        .fold(0.0f64, |most, value| most.max(value.abs()));
    16.0 * f64::EPSILON * largest
}

/// The least and the greatest of `next` - `values`.
fn range(values: &[f64], next: &[f64]) -> (f64, f64) {
    let grown = values.iter().zip(next).map(|(value, next)| next - value);
    grown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), by| {
        (low.min(by), high.max(by))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A chain of two states in turn, worth 1 and 0. The values of a sweep that is too short are
    /// far off.
    struct InTurn {
        products: f64,
        improved: u32,
    }

    impl Chain for InTurn {
        fn states(&self) -> usize {
            2
        }

        fn products(&self) -> (f64, f64) {
            (self.products, self.products)
        }

        fn improve(
            &mut self,
            gamma: f64,
            values: &[f64],
            next: &mut [f64],
            _: &PlanWatch<'_>,
        ) -> Result<(), Interrupted> {
            self.improved += 1;
            self.evaluate(gamma, values, next);
            Ok(())
        }

        fn table(&self, _: f64, _: &[f64], _: &PlanWatch<'_>) -> Result<Vec<u32>, Interrupted> {
            Ok(vec![0; 2])
        }

        fn evaluate(&self, gamma: f64, values: &[f64], next: &mut [f64]) {
            next.copy_from_slice(&[1.0 + gamma * values[1], gamma * values[0]]);
        }
    }

    fn tried(products: f64, gamma: f64, interrupt: bool) -> (Result<Solved, Unsolved>, u32) {
        let interrupt = Arc::new(AtomicBool::new(interrupt));
        watched(products, gamma, PlanWatch::interrupted_by(&interrupt))
    }

    fn watched(products: f64, gamma: f64, watch: PlanWatch<'_>) -> (Result<Solved, Unsolved>, u32) {
        let mut chain = InTurn {
            products,
            improved: 0,
        };
        let task = Task {
            gamma,
            tolerance: 1e-9,
            watch,
            most_changes: 0,
        };
        (solve(&mut chain, &task), chain.improved)
    }

    #[test]
    fn work_is_bounded_by_what_it_is_and_not_by_time() {
        let (solved, needed) = tried(2.0, 0.9, false);
        let solved = solved.map_err(|why| why.to_string()).unwrap();
        // 1 / (1 - gamma^2) where it begins.
        assert!((solved.values[0] - 1.0 / 0.19).abs() <= solved.bound);
        assert!(needed > 3, "{needed}");
        // 21 sweeps of this many products each, twice and no more.
        let (stopped, improved) = tried(MOST_WORK / 21.0 / 2.5, 0.9, false);
        let Err(Unsolved::Work(off)) = stopped else {
            panic!("it is too much");
        };
        assert_eq!(improved, 3);
        assert!(off > 1e-9 && off < 1.0, "{off}");
        // Just enough.
        let share = f64::from(needed - 1) + 0.5;
        assert!(tried(MOST_WORK / 21.0 / share, 0.9, false).0.is_ok());
    }

    #[test]
    fn where_rounding_alone_is_too_much_it_is_said_at_once() {
        let (stopped, improved) = tried(2.0, 1.0 - 1e-9, false);
        let Err(Unsolved::Bound(off)) = stopped else {
            panic!("it can't be");
        };
        assert!(off > 1e-9 && improved <= SETTLED, "{off} {improved}");
    }

    #[test]
    fn an_interrupt_ends_it() {
        let (stopped, improved) = tried(2.0, 0.9, true);
        assert!(matches!(stopped, Err(Unsolved::Interrupted)) && improved == 0);
        let interrupt: Arc<AtomicBool> = Arc::default();
        let near = Mutex::new(Vec::new());
        let see = |progress| {
            let PlanProgress::Near { off, tolerance } = progress else {
                panic!("it has no horizon");
            };
            let mut near = near.lock().unwrap();
            near.push(off);
            assert_eq!(tolerance, 1e-9);
            interrupt.store(near.len() == 2, Ordering::Relaxed);
        };
        let (stopped, improved) = watched(2.0, 0.9, PlanWatch::new(&interrupt, &see));
        assert!(matches!(stopped, Err(Unsolved::Interrupted)) && improved == 2);
        let near = near.into_inner().unwrap();
        assert!(near[1] < near[0] && near[0] > 1e-9);
    }
}
