//! The linear program that both forms build for the solver.
//!
//! Masses are scaled by the number of cells, so that they are of the size of 1, and the gain is a
//! variable of its own, h, so that a row of parity has few entries:
//! `sum_{x: x^i = j} m(x) - rho^i_j h = 0`. The rows of the first attribute say that `h = sum m`,
//! so one row of every other attribute follows from the rest and is left out.

use crate::committee::learning::grid::CellGrid;
use good_lp::solvers::microlp::MicroLpSolution;
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable,
    microlp, variable,
};

/// The price of moved mass in the objective; any in (0, 1) gives the same optima.
pub(super) const PRICE: f64 = 0.5;

/// The price where each cell has its own bound: the gain is within as much of the best.
pub(super) const PRICE_OF_EACH: f64 = 1e-4;

/// Scaled masses up to this are nothing.
const NOISE: f64 = 1e-9;

/// A program under construction.
pub(super) struct ExtendedProgram {
    variables: ProblemVariables,
    rows: Vec<Constraint>,
    /// The number of cells, by which masses are scaled.
    pub scale: f64,
}

/// A solved program.
pub(super) struct SolvedProgram {
    solution: MicroLpSolution,
    scale: f64,
}

impl ExtendedProgram {
    pub fn new(grid: &CellGrid) -> Self {
        Self {
            variables: ProblemVariables::new(),
            rows: Vec::new(),
            scale: grid.cells() as f64,
        }
    }

    /// Adds a variable for a mass of at most `most`, unscaled.
    pub fn mass(&mut self, most: f64) -> Variable {
        let most = self.scale * most;
        self.variables.add(variable().min(0.0).max(most))
    }

    /// Adds a row.
    pub fn row(&mut self, row: Constraint) {
        self.rows.push(row);
    }

    /// Maximises the gain less a `price`, `parts` being the parts of the accepted mass of each open
    /// cell.
    pub fn maximise(
        mut self,
        grid: &CellGrid,
        parts: &[&[Option<Variable>]],
        price: Expression,
    ) -> Result<SolvedProgram, ResolutionError> {
        let h = self.mass(1.0);
        for (i, (column, targets)) in grid.values().iter().zip(grid.rho()).enumerate() {
            let mut sums: Vec<Expression> = targets
                .iter()
                .map(|&target| Expression::from(h) * -target)
                .collect();
            for part in parts {
                for (&j, &mass) in column.iter().zip(*part) {
                    if let Some(mass) = mass {
                        sums[usize::from(j)].add_mul(1.0, mass);
                    }
                }
            }
            let positive = (0..targets.len()).filter(|&j| targets[j] > 0.0);
            // The first attribute keeps all its rows.
            for j in positive.skip(usize::from(i > 0)) {
                self.rows.push(std::mem::take(&mut sums[j]).eq(0));
            }
        }
        let mut model = self.variables.maximise(h - price).using(microlp);
        for row in self.rows {
            model.add_constraint(row);
        }
        let solution = model.solve()?;
        let scale = self.scale;
        Ok(SolvedProgram { solution, scale })
    }
}

impl SolvedProgram {
    /// Returns the value of a mass, still scaled, without the solver's noise.
    pub fn mass(&self, variable: Option<Variable>) -> f64 {
        clean(variable.map_or(0.0, |variable| self.solution.value(variable)))
    }

    /// Returns a scaled mass in its own unit.
    pub fn unscaled(&self, mass: f64) -> f64 {
        mass / self.scale
    }
}

/// The mass that a law within this radius in l1 may move. Two laws are never further apart than 2.
pub(super) fn room(radius: f64) -> f64 {
    radius.min(2.0) / 2.0
}

/// A scaled mass without noise.
pub(super) fn clean(mass: f64) -> f64 {
    if mass <= NOISE { 0.0 } else { mass }
}
