//! What the tests of the program share: instances, and what must hold of any solution, by the definitions.

mod limits;
mod papers;
mod random;

use super::*;

const METHODS: [Method; 3] = [Method::CappedFit, Method::Simplex, Method::InteriorPoint];

type Rows = Vec<Vec<f64>>;

/// A committee's law and targets.
struct Instance {
    levels: Vec<usize>,
    /// Per cell.
    p: Vec<f64>,
    rho: Rows,
}

impl Instance {
    fn of_product(marginals: &Rows, rho: Rows) -> Self {
        let levels: Vec<usize> = marginals.iter().map(Vec::len).collect();
        let mut p = vec![1.0];
        for row in marginals {
            p = p
                .iter()
                .flat_map(|a| row.iter().map(move |b| a * b))
                .collect();
        }
        Self { levels, p, rho }
    }

    fn cells(&self) -> Vec<(u32, f64)> {
        let cells = self.p.iter().enumerate().map(|(cell, &p)| (cell as u32, p));
        cells.filter(|&(_, p)| p > 0.0).collect()
    }

    fn solve(&self) -> Result<Solution, ProgramError> {
        solve(&self.levels, &Law::Cells(self.cells()), &self.rho)
    }

    fn solve_by(&self, method: Method) -> Result<Solution, ProgramError> {
        solve_by(method, &self.levels, &Law::Cells(self.cells()), &self.rho)
    }

    /// Value of attribute i in a cell, by division from the right.
    fn value(&self, cell: usize, i: usize) -> usize {
        cell / self.levels[i + 1..].iter().product::<usize>() % self.levels[i]
    }

    /// Gain and violation of a full table, from the definitions.
    fn measure(&self, pi: &[f64]) -> (f64, f64) {
        let gain: f64 = pi.iter().zip(&self.p).map(|(pi, p)| pi * p).sum();
        let mut violation = 0.0f64;
        for (i, row) in self.rho.iter().enumerate() {
            for (j, rho) in row.iter().enumerate() {
                let mut excess = 0.0;
                for (cell, (pi, p)) in pi.iter().zip(&self.p).enumerate() {
                    let has = f64::from(u8::from(self.value(cell, i) == j));
                    excess += p * pi * (has - rho);
                }
                violation = violation.max(excess.abs());
            }
        }
        (gain, violation)
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
    }

    /// `min p / rho`, of the law as it is.
    fn bound(&self) -> f64 {
        let mut bound = 1.0f64;
        for (i, row) in self.rho.iter().enumerate() {
            for (j, &rho) in row.iter().enumerate() {
                let cells = (0..self.p.len()).filter(|&cell| self.value(cell, i) == j);
                let share: f64 = cells.map(|cell| self.p[cell]).sum();
                if rho > 0.0 {
                    bound = bound.min(share / rho);
                }
            }
        }
        bound
    }
}

fn scaled(mut row: Vec<f64>) -> Vec<f64> {
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
    row
}
