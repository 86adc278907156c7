//! Logistic regression with a ridge, to the last digits.
//!
//! min over w of |w|^2 / 2 + sum_i log(1 + exp(-y_i w.x_i)), y_i = 1 or -1: no intercept, nothing
//! standardised (Puranik et al. 2022, Appendix A.4.2, says "logistic regression" and no more; this
//! is the form that meets its Table 1 of the law school).
//!
//! Clarabel solves it as a conic program, whatever the scales of the columns. It stops some 1e-8
//! short of the optimal value; Newton's steps from there end at the rounding, and they say how far
//! the end is from the optimum, which is unique.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, ExponentialConeT, IPSolver, SupportedConeT,
};
use nalgebra::{DMatrix, DVector};
use thiserror::Error;

/// The most Newton steps; from Clarabel's answer two or three suffice.
const STEPS: u32 = 20;

/// The fit is done once one more Newton step would move no score by more than this. It is relative
/// to the largest score, or to 1 if that is larger.
const STILL: f64 = 1e-10;

/// The largest component of the gradient at the end, relative to the sum of the sizes that cancel
/// in it.
const FLAT: f64 = 1e-9;

/// The weights of a fitted regression, at the optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Logistic {
    /// The weights, one per feature.
    pub weights: Vec<f64>,
    /// The measured distance of the weights from the optimum.
    pub convergence: Convergence,
}

/// The distance of an answer from the optimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convergence {
    /// The largest component of the gradient, relative to the sum of the sizes that cancel in it.
    pub gradient: f64,
    /// The most by which one more Newton step would change a score.
    pub step: f64,
    /// The most by which Newton steps changed a score of the conic solver's answer.
    pub mended: f64,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Unconverged {
    /// The conic solver failed, or its answer is not a number.
    #[error("the solver ended with {0}")]
    Solver(String),
    /// The Newton steps did not reach the optimum.
    #[error(
        "the regression did not converge: the gradient is {gradient:.0e} of what cancels in it, \
         and a step would change a score by {step:.0e}"
    )]
    Steps {
        /// As in [`Convergence::gradient`].
        gradient: f64,
        /// As in [`Convergence::step`].
        step: f64,
    },
}

/// The features and labels of people, as a regression needs them.
#[derive(Clone, Copy, Debug)]
pub struct Cases<'a> {
    /// The features of one person after another, `width` per person; all finite.
    pub features: &'a [f64],
    /// The number of features per person, at least one.
    pub width: usize,
    /// True for each person whose label is 1.
    pub labels: &'a [bool],
}

impl Cases<'_> {
    fn rows(&self) -> impl Iterator<Item = (&[f64], bool)> {
        let rows = self.features.chunks_exact(self.width);
        rows.zip(self.labels.iter().copied())
    }

    /// Returns the scores w.x of all people.
    pub fn scores(&self, weights: &[f64]) -> Vec<f64> {
        self.rows().map(|(x, _)| dot(weights, x)).collect()
    }
}

impl Logistic {
    /// Fits the weights.
    ///
    /// # Errors
    /// Where the optimum could not be met to 1e-10 in a score and 1e-9 in the gradient: columns
    /// whose sizes differ by many powers of ten.
    pub fn of(cases: &Cases<'_>) -> Result<Self, Unconverged> {
        let mut weights = conic(cases)?;
        let first = cases.scores(&weights);
        for _ in 0..STEPS {
            let newton = Newton::at(cases, &weights);
            let scores = cases.scores(&weights);
            let size = scores.iter().fold(1.0, |most: f64, z| most.max(z.abs()));
            let Some(step) = newton.step() else { break };
            let moved = largest(&cases.scores(&step));
            if moved <= STILL * size && newton.relative <= FLAT {
                let mended = first.iter().zip(&scores).map(|(a, b)| a - b);
                return Ok(Self {
                    weights,
                    convergence: Convergence {
                        gradient: newton.relative,
                        step: moved,
                        mended: largest(&mended.collect::<Vec<_>>()),
                    },
                });
            }
            for (w, step) in weights.iter_mut().zip(&step) {
                *w -= step;
            }
        }
        let last = Newton::at(cases, &weights);
        let step = last.step().map_or(f64::NAN, |s| largest(&cases.scores(&s)));
        Err(Unconverged::Steps {
            gradient: last.relative,
            step,
        })
    }
}

impl Logistic {
    /// Returns, for each person, the weights that the other people give: all that a jackknife
    /// needs, at the cost of one fit. They are one Newton step away from the weights of all people
    /// together (Pregibon 1981). The error of that step is of the order of the square of one
    /// person's effect. Returns `None` if numbers overflow.
    pub fn without_each(&self, cases: &Cases<'_>) -> Option<Vec<Vec<f64>>> {
        let hessian = Newton::at(cases, &self.weights).hessian;
        let solver = hessian.cholesky()?;
        let rest = cases.rows().map(|(x, label)| {
            let (pull, spread) = pull(dot(&self.weights, x), label);
            // The gradient loses pull x, the Hessian spread x x' (Sherman and Morrison).
            let step = solver.solve(&DVector::from_column_slice(x));
            let leverage = spread * dot(step.as_slice(), x);
            let by = pull / (1.0 - leverage);
            let weights = self.weights.iter().zip(&step);
            weights.map(|(w, step)| w + by * step).collect()
        });
        let rest: Vec<Vec<f64>> = rest.collect();
        let finite = rest.iter().flatten().all(|w| w.is_finite());
        finite.then_some(rest)
    }
}

/// Returns the contribution of a person with this score to the gradient and to the Hessian, in
/// units of x and of x x'.
fn pull(z: f64, label: bool) -> (f64, f64) {
    let sign = if label { -1.0 } else { 1.0 };
    // The chance that the label is the other one, and the variance of the label.
    let wrong = 1.0 / (1.0 + libm::exp(-sign * z));
    (sign * wrong, wrong / (1.0 + libm::exp(sign * z)))
}

/// The gradient and the Hessian at some weights.
struct Newton {
    gradient: DVector<f64>,
    hessian: DMatrix<f64>,
    /// As in [`Convergence::gradient`].
    relative: f64,
}

impl Newton {
    fn at(cases: &Cases<'_>, weights: &[f64]) -> Self {
        let d = cases.width;
        let mut gradient = DVector::from_column_slice(weights);
        let mut sizes: Vec<f64> = weights.iter().map(|w| w.abs()).collect();
        let mut hessian = DMatrix::identity(d, d);
        for (x, label) in cases.rows() {
            let (pull, spread) = pull(dot(weights, x), label);
            for (j, &xj) in x.iter().enumerate().filter(|(_, xj)| **xj != 0.0) {
                gradient[j] += pull * xj;
                sizes[j] += pull.abs() * xj.abs();
                let mut column = hessian.column_mut(j);
                for (i, &xi) in x.iter().enumerate().skip(j) {
                    column[i] += spread * xj * xi;
                }
            }
        }
        let parts = gradient.iter().zip(&sizes).map(|(g, size)| match size {
            0.0 => 0.0,
            size => g.abs() / size,
        });
        Self {
            relative: parts.fold(0.0, f64::max),
            gradient,
            hessian,
        }
    }

    /// Returns the Newton step to subtract from the weights, or `None` if numbers overflow.
    fn step(&self) -> Option<Vec<f64>> {
        let finite = self.gradient.iter().chain(&self.hessian);
        if !finite.clone().all(|x| x.is_finite()) {
            return None;
        }
        // Cholesky reads the lower triangle alone.
        let step = self.hessian.clone().cholesky()?.solve(&self.gradient);
        Some(step.iter().copied().collect())
    }
}

/// The regression as a conic program: variables w, and of each person t >= the loss and u, with
/// exp(-t) <= u and exp(-y w.x - t) <= 1 - u, which is t >= log(1 + exp(-y w.x)).
fn conic(cases: &Cases<'_>) -> Result<Vec<f64>, Unconverged> {
    const ROWS: usize = 6;
    let (n, d) = (cases.labels.len(), cases.width);
    let (columns, rows) = (d + 2 * n, ROWS * n);
    let mut of: Vec<Vec<(usize, f64)>> = vec![Vec::new(); columns];
    let mut b = vec![0.0; rows];
    for (i, (x, label)) in cases.rows().enumerate() {
        let (at, t, u) = (ROWS * i, d + 2 * i, d + 2 * i + 1);
        // (-t, 1, u) and (-y w.x - t, 1, 1 - u) are (p, q, r) with q exp(p / q) <= r.
        of[t].extend([(at, 1.0), (at + 3, 1.0)]);
        of[u].extend([(at + 2, -1.0), (at + 5, 1.0)]);
        (b[at + 1], b[at + 4], b[at + 5]) = (1.0, 1.0, 1.0);
        let y = if label { 1.0 } else { -1.0 };
        for (j, &x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            of[j].push((at + 3, y * x));
        }
    }
    let ridge: Vec<Vec<(usize, f64)>> = (0..columns)
        .map(|j| (j < d).then_some((j, 1.0)).into_iter().collect())
        .collect();
    let q: Vec<f64> = (0..columns)
        .map(|j| f64::from(j >= d && (j - d) % 2 == 0))
        .collect();
    let cones: Vec<SupportedConeT<f64>> = (0..2 * n).map(|_| ExponentialConeT()).collect();
    let settings = DefaultSettings {
        verbose: false,
        max_threads: 1,
        ..DefaultSettings::default()
    };
    let (p, a) = (sparse(columns, &ridge), sparse(rows, &of));
    let solver = DefaultSolver::new(&p, &q, &a, &b, &cones, settings);
    let mut solver = solver.map_err(|error| Unconverged::Solver(error.to_string()))?;
    solver.solve();
    let weights = &solver.solution.x[..d];
    // Whether it is the optimum, Newton's steps find out; the solver's own word is not asked.
    if !weights.iter().all(|w| w.is_finite()) {
        return Err(Unconverged::Solver(format!("{:?}", solver.solution.status)));
    }
    Ok(weights.to_vec())
}

/// A matrix from its columns of (row, value), rows ascending.
fn sparse(rows: usize, columns: &[Vec<(usize, f64)>]) -> CscMatrix<f64> {
    let mut starts = vec![0];
    let mut end = 0;
    for column in columns {
        end += column.len();
        starts.push(end);
    }
    let (places, values) = columns.iter().flatten().copied().unzip();
    CscMatrix::new(rows, columns.len(), starts, places, values)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

#[cfg(test)]
mod tests;
