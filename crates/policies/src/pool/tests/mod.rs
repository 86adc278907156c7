//! The pool policies against slow, obvious implementations, and the numbers of the paper's
//! settings.

mod ahead;
mod allocations;
mod edges;
mod finite;
mod horizons;
mod institutions;
mod large;
mod plans;
mod prospects;
mod slates;

use super::theory::LargeN;
use super::{GreedyTerm, Infeasible, ScoreLaw, Weighing};

/// A setting of the paper: the groups' means and variances, abar, sbar.
#[derive(Clone, Copy)]
struct Case {
    u: (f64, f64),
    v: (f64, f64),
    admitted: f64,
    target: f64,
}

/// Figures 1a and 1b, and 2.
const EQUALS: Case = Case {
    u: (5.0, 1.0),
    v: (5.0, 1.0),
    admitted: 0.3,
    target: 0.4,
};

/// Figures 1c and 1d.
const SELECTIVE: Case = Case {
    u: (4.9, 1.5),
    v: (5.0, 1.0),
    admitted: 0.1,
    target: 0.4,
};

/// Figure 1f.
const LAW_SCHOOL: Case = Case {
    u: (-1.46, 2.73),
    v: (0.79, 3.16),
    admitted: 0.3,
    target: 0.5,
};

/// Figure 4.
const CREDIT: Case = Case {
    u: (0.32, 1.93),
    v: (0.85, 2.06),
    admitted: 0.3,
    target: 0.5,
};

impl Case {
    fn laws(&self) -> [ScoreLaw; 2] {
        [self.u, self.v].map(|(mean, variance)| ScoreLaw::of_variance(mean, variance))
    }

    fn large(&self, lambda: f64) -> LargeN {
        let [u, v] = self.laws();
        LargeN {
            u,
            v,
            admitted: self.admitted,
            target: self.target,
            lambda,
        }
    }

    fn weighing(&self, lambda: f64, greedy_term: GreedyTerm, infeasible: Infeasible) -> Weighing {
        Weighing {
            target: vec![self.target, 1.0 - self.target],
            lambda,
            greedy_term,
            laws: self.laws().to_vec(),
            infeasible,
        }
    }
}
