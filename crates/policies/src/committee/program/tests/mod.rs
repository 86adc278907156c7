//! Helpers of the program's tests: instances, and the conditions that any solution must meet by the
//! definitions.

mod certified;
mod limits;
mod papers;
mod random;

use super::*;
use kleroterion_testkit::programs::{self, Rows, scaled};

/// Whatever the instance.
const SOLVERS: &[Method] = &[Method::ClippedFit, Method::InteriorPoint, Method::Simplex];

/// A committee's law and targets.
struct Instance {
    levels: Vec<usize>,
    /// Per cell.
    p: Vec<f64>,
    rho: Rows,
}

impl Instance {
    fn of_product(marginals: &Rows, rho: Rows) -> Self {
        Self {
            levels: marginals.iter().map(Vec::len).collect(),
            p: programs::product(marginals),
            rho,
        }
    }

    fn cells(&self) -> Vec<(u32, f64)> {
        programs::cells(&self.p)
    }

    fn solve(&self) -> Result<Solution, ProgramError> {
        solve(&self.levels, &Law::Cells(self.cells()), &self.rho)
    }

    fn solve_by(&self, method: Method) -> Result<Solution, ProgramError> {
        solve_by(method, &self.levels, &Law::Cells(self.cells()), &self.rho)
    }

    /// Value of attribute i in a cell, by division from the right.
    fn value(&self, cell: usize, i: usize) -> usize {
        programs::value(&self.levels, cell, i)
    }

    /// Gain and violation of a full table, from the definitions.
    fn measure(&self, pi: &[f64]) -> (f64, f64) {
        let accepted: Vec<f64> = pi.iter().zip(&self.p).map(|(pi, p)| pi * p).collect();
        let gain: f64 = accepted.iter().sum();
        let shares = programs::shares(&self.levels, &accepted);
        let excess = shares.iter().flatten().zip(self.rho.iter().flatten());
        let excess = excess.map(|(share, rho)| (share - rho * gain).abs());
        (gain, excess.fold(0.0, f64::max))
    }

    /// That a solution is what it says and keeps to the targets.
    fn check(&self, solution: &Solution) {
        let pi = solution.acceptance.table(&self.levels);
        assert!(pi.iter().all(|pi| (0.0..=1.0).contains(pi)));
        let (gain, violation) = self.measure(&pi);
        assert!((gain - solution.gain).abs() < 1e-12, "{gain} {solution:?}");
        assert!(
            (violation - solution.violation).abs() < 1e-12,
            "{violation} {solution:?}"
        );
        assert!(violation <= 1e-9, "{violation} {solution:?}");
        assert!(solution.gap <= 1e-7 * gain, "{solution:?}");
    }

    /// Returns `min p / rho` of the law.
    fn bound(&self) -> f64 {
        let shares = programs::shares(&self.levels, &self.p);
        let ratios = shares.iter().flatten().zip(self.rho.iter().flatten());
        let open = ratios.filter(|(_, rho)| **rho > 0.0);
        open.map(|(share, rho)| share / rho).fold(1.0, f64::min)
    }
}
