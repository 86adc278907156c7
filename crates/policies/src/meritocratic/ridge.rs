//! Ridge regression, one observation at a time.
//!
//! V = X'X + lambda I is kept as its Cholesky factor, updated by rank one: d^2 steps an
//! observation, as Sherman-Morrison on the inverse, but V stays positive definite however small
//! lambda is and however rank-deficient X.
//!
//! The vectors, their sums and the solutions are nalgebra's. Update and substitution are its
//! formulas column by column, so that the columns of a context's zeros are skipped: contexts of
//! groups and of categories are mostly zeros.

use nalgebra::{DMatrix, DVector, DVectorView};

use kleroterion_core::protocol::Outcome;

/// The ridge estimate of a linear reward.
#[derive(Clone, Debug)]
pub struct Ridge {
    lambda: f64,
    /// L with LL' = V, on and below the diagonal.
    factor: DMatrix<f64>,
    /// X'r.
    sums: DVector<f64>,
    /// The value of ln(det V / det lambda I).
    log_det: f64,
}

impl Ridge {
    /// Makes an estimate without observations, for contexts of length `dimension`; lambda > 0.
    #[must_use]
    pub fn new(dimension: usize, lambda: f64) -> Self {
        Self {
            lambda,
            factor: DMatrix::from_diagonal_element(dimension, dimension, lambda.sqrt()),
            sums: DVector::zeros(dimension),
            log_det: 0.0,
        }
    }

    /// The regularisation lambda.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The context as a vector; `None` where its square over lambda is not finite.
    fn vector<'a>(&self, context: &'a [f64]) -> Option<DVectorView<'a, f64>> {
        let vector = DVectorView::from_slice(context, context.len());
        let ratio = vector.norm_squared() / self.lambda;
        ratio.is_finite().then_some(vector)
    }

    /// Adds an observation: V += x x', X'r += reward x. It is left out if it, or its square over
    /// lambda, is not finite. Returns true if it was added.
    pub fn observe(&mut self, context: &[f64], reward: f64) -> bool {
        let vector = self.vector(context).filter(|_| reward.is_finite());
        let Some(vector) = vector else {
            return false;
        };
        self.sums.axpy(reward, &vector, 1.0);
        let mut x = vector.clone_owned();
        // Grows to x'V^-1 x, as L^-1 x is x / diagonal.
        let mut spread = 0.0;
        for (k, mut column) in self.factor.column_iter_mut().enumerate() {
            if x[k] == 0.0 {
                continue;
            }
            let (before, step) = (column[k], x[k] / column[k]);
            let (square, raised) = (before * before, 1.0 + spread);
            let gamma = square * raised + x[k] * x[k];
            column[k] = (square + x[k] * x[k] / raised).sqrt();
            spread += step * step;
            let (after, turn) = (column[k], column[k] / gamma * x[k]);
            let (mut x, mut column) = (x.rows_range_mut(k + 1..), column.rows_range_mut(k + 1..));
            x.axpy(-step, &column, 1.0);
            column.axpy(turn, &x, after / before);
        }
        self.log_det += libm::log1p(spread);
        true
    }

    /// Replaces the reward of an added observation: X'r += (reward - before) x; V does not depend
    /// on rewards. An observation that is left out with either reward stays as it is.
    pub fn replace(&mut self, context: &[f64], before: f64, reward: f64) {
        let change = reward - before;
        if let Some(vector) = self.vector(context).filter(|_| change.is_finite()) {
            self.sums.axpy(change, &vector, 1.0);
        }
    }

    /// Adds the outcome of a choice as an observation.
    pub(super) fn learn(&mut self, outcome: &Outcome<'_>) {
        self.observe(outcome.person().features(), outcome.value());
    }

    /// Corrects the observation of an outcome whose value was `before`.
    pub(super) fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.replace(outcome.person().features(), before, outcome.value());
    }

    /// Returns the estimate V^-1 X'r.
    #[must_use]
    pub fn estimate(&self) -> Vec<f64> {
        let mut estimate = self.sums.clone();
        self.factor
            .solve_lower_triangular_unchecked_mut(&mut estimate);
        self.factor
            .ad_solve_lower_triangular_unchecked_mut(&mut estimate);
        estimate.data.into()
    }

    /// Returns x'V^-1 x.
    #[must_use]
    pub fn spread(&self, context: &[f64]) -> f64 {
        let mut solved = DVector::from_column_slice(context);
        for (k, column) in self.factor.column_iter().enumerate() {
            if solved[k] != 0.0 {
                solved[k] /= column[k];
                let head = solved[k];
                let mut rest = solved.rows_range_mut(k + 1..);
                rest.axpy(-head, &column.rows_range(k + 1..), 1.0);
            }
        }
        solved.norm_squared()
    }

    /// Returns ln(det V / det lambda I), 0 or more.
    #[must_use]
    pub fn log_det(&self) -> f64 {
        self.log_det
    }
}
