//! The program by a linear-programming solver.
//!
//! In the accepted masses, scaled: with n cells and the bound b, `y(x) = (n/b) p(x) pi(x)` and
//! `h = (n/b) g`, maximise h subject to `0 <= y(x) <= (n/b) p(x)` and, for each value,
//! `sum_{x: x^i = j} y(x) = rho^i_j h`. All coefficients are then 1 or a target, and h is of the
//! size of n however small the gain. The rows of the first attribute say that `h = sum y`, so one
//! row of every other attribute follows from the rest and is left out (that of the largest target).
//! The multipliers of the rows are the proof `v` of `certificate.rs`.

use good_lp::solvers::clarabel::ClarabelProblem;
use good_lp::solvers::{DualValues, SolutionWithDual};
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable,
    clarabel, microlp, variable,
};

use super::acceptance::{places, unpack};
use super::support::Support;

/// Scaled masses this near to their limits (or nearer than this share of a limit below 1) are at
/// them.
const NOISE: f64 = 1e-9;

/// Gap, absolute in h and relative, between the primal and the dual at which the interior point
/// stops.
const GAP: f64 = 1e-10;

/// The tolerance accepted if the solver can come no nearer. Beyond this it has failed.
const ALMOST: f64 = 1e-8;

/// The program, not yet handed to a solver.
pub(super) struct AcceptanceProgram<'a> {
    support: &'a Support,
    variables: ProblemVariables,
    /// The variables y.
    accepted: Vec<Variable>,
    /// The greatest value of each y.
    limits: Vec<f64>,
    /// The variable h.
    gain: Variable,
}

/// The answer of a solver: `pi` of the eligible cells, within [0, 1], and a multiplier for each
/// value. The caller checks their quality.
pub(super) struct SolverAnswer {
    /// The acceptance of each cell.
    pub pi: Vec<f64>,
    /// The dual of each value; all 0 if the solver returns none.
    pub dual: Vec<f64>,
}

impl<'a> AcceptanceProgram<'a> {
    /// Makes the program of a law's eligible cells.
    pub fn new(support: &'a Support) -> Self {
        let cells = support.cells.len() as f64;
        let (bound, _) = support.bound();
        let scale = cells / bound;
        let limits: Vec<f64> = support.cells.mass.iter().map(|p| scale * p).collect();
        let mut variables = ProblemVariables::new();
        let accepted: Vec<Variable> = limits
            .iter()
            .map(|&limit| variables.add(variable().min(0.0).max(limit)))
            .collect();
        // Without an upper limit of its own: that would take the place of the rows' multipliers
        // where the bound is attained.
        let gain = variables.add(variable().min(0.0));
        Self {
            support,
            variables,
            accepted,
            limits,
            gain,
        }
    }

    /// Solves by microlp: a vertex, without multipliers.
    pub fn simplex(self) -> Result<SolverAnswer, ResolutionError> {
        let rows = self.rows();
        let mut model = self.variables.maximise(self.gain).using(microlp);
        for (_, row) in rows {
            model.add_constraint(row);
        }
        let solution = model.solve()?;
        Ok(SolverAnswer {
            pi: probabilities(&solution, &self.accepted, &self.limits),
            dual: vec![0.0; self.support.targets.len()],
        })
    }

    /// Solves by clarabel: a point within the optimal face.
    pub fn interior_point(self) -> Result<SolverAnswer, ResolutionError> {
        let rows = self.rows();
        let mut model: ClarabelProblem = self.variables.maximise(self.gain).using(clarabel);
        let settings = model.settings();
        settings.tol_gap_rel(GAP).tol_gap_abs(GAP);
        settings
            .reduced_tol_gap_rel(ALMOST)
            .reduced_tol_gap_abs(ALMOST)
            .reduced_tol_feas(ALMOST);
        let rows: Vec<_> = rows
            .into_iter()
            .map(|(place, row)| (place, model.add_constraint(row)))
            .collect();
        let mut solution = model.solve()?;
        let pi = probabilities(&solution, &self.accepted, &self.limits);
        let told = solution.compute_dual();
        let mut dual = vec![0.0; self.support.targets.len()];
        for (place, row) in rows {
            dual[place] = told.dual(row);
        }
        Ok(SolverAnswer { pi, dual })
    }

    /// Returns the rows `sum_{x: x^i = j} y(x) = rho^i_j h`, for every value of the first attribute
    /// and all but one of the others, with the value's place.
    fn rows(&self) -> Vec<(usize, Constraint)> {
        let (levels, targets) = (self.support.levels(), &self.support.targets);
        let mut sums: Vec<Expression> = targets
            .iter()
            .map(|&target| Expression::from(self.gain) * -target)
            .collect();
        let mut values = vec![0u16; levels.len()];
        for (&cell, &y) in self.support.cells.numbers.iter().zip(&self.accepted) {
            unpack(cell, levels, &mut values);
            for place in places(levels, &values) {
                sums[place].add_mul(1.0, y);
            }
        }
        let spare = self.support.spare();
        sums.into_iter()
            .enumerate()
            .filter(|(place, _)| targets[*place] > 0.0 && !spare.contains(place))
            .map(|(place, sum)| (place, sum.eq(0)))
            .collect()
    }
}

/// Returns `pi` from the scaled masses accepted.
fn probabilities(solution: &impl Solution, accepted: &[Variable], limits: &[f64]) -> Vec<f64> {
    let masses = accepted.iter().map(|&y| solution.value(y));
    masses
        .zip(limits)
        .map(|(y, &limit)| clean(y, limit))
        .collect()
}

/// A mass as a share of its limit, without the solver's noise.
fn clean(mass: f64, limit: f64) -> f64 {
    let noise = NOISE * limit.min(1.0);
    if mass <= noise {
        0.0
    } else if mass >= limit - noise {
        1.0
    } else {
        mass / limit
    }
}
