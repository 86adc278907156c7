//! The program by a linear-programming solver.
//!
//! In the accepted masses, scaled: with n cells and the bound b, `y(x) = (n/b) p(x) pi(x)` and `h = (n/b) g`, maximise h subject to
//! `0 <= y(x) <= (n/b) p(x)` and, for each value, `sum_{x: x^i = j} y(x) = rho^i_j h`. All coefficients are then 1 or a target, and h is
//! of the size of n however small the gain. The rows of the first attribute say that `h = sum y`, so one row of every other attribute
//! follows from the rest and is left out (that of the largest target).

use good_lp::solvers::clarabel::ClarabelProblem;
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable,
    clarabel, microlp, variable,
};

use super::support::Support;

/// Scaled masses this near to their limits (or nearer than this part of a limit below 1) are at them.
const NOISE: f64 = 1e-9;

/// Gap, absolute in h and relative, between the primal and the dual at which the interior point stops.
const GAP: f64 = 1e-10;

/// What it may settle for when it can come no nearer; with more than this it has failed.
const ALMOST: f64 = 1e-8;

/// The program, not yet handed to a solver.
pub(super) struct Program {
    variables: ProblemVariables,
    /// y.
    accepted: Vec<Variable>,
    /// The greatest value of each y.
    limits: Vec<f64>,
    /// h.
    gain: Variable,
    /// What must be 0.
    rows: Vec<Expression>,
}

impl Program {
    /// The program of a law's eligible cells.
    pub fn new(support: &Support, rho: &[Vec<f64>]) -> Self {
        let cells = support.len() as f64;
        let scale = cells / support.bound(rho);
        let limits: Vec<f64> = support.mass.iter().map(|p| scale * p).collect();
        let mut variables = ProblemVariables::new();
        let accepted: Vec<Variable> = limits
            .iter()
            .map(|&limit| variables.add(variable().min(0.0).max(limit)))
            .collect();
        let gain = variables.add(variable().min(0.0).max(cells));
        let rows = rows(support, rho, &accepted, gain);
        Self {
            variables,
            accepted,
            limits,
            gain,
            rows,
        }
    }

    /// `pi` of the eligible cells at a vertex, within [0, 1]. Whether it keeps to the targets, and is not all 0, is the caller's to check.
    pub fn simplex(self) -> Result<Vec<f64>, ResolutionError> {
        let model = self.variables.maximise(self.gain).using(microlp);
        probabilities(model, self.rows, &self.accepted, &self.limits)
    }

    /// The same at a point within the optimal face.
    pub fn interior_point(self) -> Result<Vec<f64>, ResolutionError> {
        let mut model: ClarabelProblem = self.variables.maximise(self.gain).using(clarabel);
        let settings = model.settings();
        settings.tol_gap_rel(GAP).tol_gap_abs(GAP);
        settings
            .reduced_tol_gap_rel(ALMOST)
            .reduced_tol_gap_abs(ALMOST)
            .reduced_tol_feas(ALMOST);
        probabilities(model, self.rows, &self.accepted, &self.limits)
    }
}

fn probabilities<M: SolverModel<Error = ResolutionError>>(
    mut model: M,
    rows: Vec<Expression>,
    accepted: &[Variable],
    limits: &[f64],
) -> Result<Vec<f64>, ResolutionError> {
    for row in rows {
        let constraint: Constraint = row.eq(0);
        model.add_constraint(constraint);
    }
    let solution = model.solve()?;
    let masses = accepted.iter().map(|&y| solution.value(y));
    Ok(masses
        .zip(limits)
        .map(|(y, &limit)| clean(y, limit))
        .collect())
}

/// `sum_{x: x^i = j} y(x) - rho^i_j h`, for every value of the first attribute and all but one of the others.
fn rows(
    support: &Support,
    rho: &[Vec<f64>],
    accepted: &[Variable],
    gain: Variable,
) -> Vec<Expression> {
    let mut rows = Vec::new();
    for (i, (column, targets)) in support.values.iter().zip(rho).enumerate() {
        let mut sums: Vec<Expression> = targets
            .iter()
            .map(|&target| Expression::from(gain) * -target)
            .collect();
        for (&j, &y) in column.iter().zip(accepted) {
            sums[usize::from(j)].add_mul(1.0, y);
        }
        let largest = (0..targets.len()).max_by(|&a, &b| targets[a].total_cmp(&targets[b]));
        for (j, sum) in sums.into_iter().enumerate() {
            if targets[j] > 0.0 && (i == 0 || Some(j) != largest) {
                rows.push(sum);
            }
        }
    }
    rows
}

/// A mass as a part of its limit, without the solver's noise.
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
