//! The optimum of program (5).

use crate::committee::learning::grid::CellGrid;

/// An optimum of program (5).
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// The gain `g = sum_x m(x)`, in [0, 1].
    pub gain: f64,
    /// The mass that the optimistic law moves, `A = sum_x (p~(x) - p^(x))+`: at most beta/2.
    pub moved: f64,
    /// The accepted mass `m(x) = mu(x, 1)` by cell.
    pub accepted: Vec<f64>,
    /// The optimistic law `p~(x)` by cell.
    pub law: Vec<f64>,
    /// The acceptance `pi(x)` by cell. `None` if `p~(x) = 0`, so that any will do. 0 if a value's
    /// target is 0.
    pub acceptance: Vec<Option<f64>>,
}

impl Optimum {
    /// The optimum of masses accepted and rejected by cell.
    pub(super) fn of(
        grid: &CellGrid,
        p_hat: &[f64],
        accepted: Vec<f64>,
        rejected: Vec<f64>,
    ) -> Self {
        let law: Vec<f64> = accepted.iter().zip(&rejected).map(|(m, r)| m + r).collect();
        let moved = law.iter().zip(p_hat).map(|(q, p)| (q - p).max(0.0)).sum();
        let cells = grid.open().iter().zip(&accepted).zip(&law);
        let acceptance = cells
            .map(|((&open, &m), &q)| match open {
                false => Some(0.0),
                true if q > 0.0 => Some(m / q),
                true => None,
            })
            .collect();
        Self {
            gain: accepted.iter().sum::<f64>().min(1.0),
            moved,
            accepted,
            law,
            acceptance,
        }
    }

    /// Returns pi by cell, with `rule(cell)` where any will do.
    pub fn filled(&self, rule: impl Fn(usize) -> f64) -> Vec<f64> {
        let cells = self.acceptance.iter().enumerate();
        cells
            .map(|(cell, pi)| pi.unwrap_or_else(|| rule(cell)))
            .collect()
    }
}
