//! Ridge regression, one observation at a time.
//!
//! V = X'X + lambda I is kept as its Cholesky factor, updated by rank one: d^2 steps an
//! observation, as Sherman-Morrison on the inverse, but V stays positive definite however small
//! lambda is and however rank-deficient X.

use super::ranks::dot;
use crate::protocol::Outcome;

/// The ridge estimate of a linear reward.
#[derive(Clone, Debug)]
pub struct Ridge {
    dimension: usize,
    lambda: f64,
    /// U with U'U = V: row k holds its columns k .. d, one row after the other.
    factor: Vec<f64>,
    /// X'r.
    sums: Vec<f64>,
    /// ln(det V / det lambda I).
    log_det: f64,
}

impl Ridge {
    /// No observation yet of contexts of length `dimension`; lambda > 0.
    #[must_use]
    pub fn new(dimension: usize, lambda: f64) -> Self {
        let mut factor = Vec::with_capacity(dimension * (dimension + 1) / 2);
        for k in 0..dimension {
            factor.push(lambda.sqrt());
            factor.resize(factor.len() + dimension - k - 1, 0.0);
        }
        Self {
            dimension,
            lambda,
            factor,
            sums: vec![0.0; dimension],
            log_det: 0.0,
        }
    }

    /// The regularisation.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Adds an observation: V += x x', X'r += reward x. One that is not finite, or whose square is
    /// not, is left out. Returns whether it was added.
    pub fn observe(&mut self, context: &[f64], reward: f64) -> bool {
        if !(dot(context, context).is_finite() && reward.is_finite()) {
            return false;
        }
        self.log_det += libm::log1p(self.spread(context));
        for (sum, x) in self.sums.iter_mut().zip(context) {
            *sum += reward * x;
        }
        let mut x = context.to_vec();
        let mut rest = &mut self.factor[..];
        for k in 0..self.dimension {
            let (row, below) = rest.split_at_mut(self.dimension - k);
            rest = below;
            if x[k] == 0.0 {
                continue;
            }
            let diagonal = (row[0] * row[0] + x[k] * x[k]).sqrt();
            let (cosine, sine) = (row[0] / diagonal, x[k] / diagonal);
            row[0] = diagonal;
            for (u, x) in row[1..].iter_mut().zip(&mut x[k + 1..]) {
                let turned = cosine * *u + sine * *x;
                *x = cosine * *x - sine * *u;
                *u = turned;
            }
        }
        true
    }

    /// Gives an observation that was added another reward: X'r += (reward - before) x; V does not
    /// depend on rewards. One that is left out with either reward stays as it is.
    pub fn replace(&mut self, context: &[f64], before: f64, reward: f64) {
        let change = reward - before;
        if dot(context, context).is_finite() && change.is_finite() {
            for (sum, x) in self.sums.iter_mut().zip(context) {
                *sum += change * x;
            }
        }
    }

    /// Adds the outcome of a choice as an observation.
    pub(super) fn learn(&mut self, outcome: &Outcome<'_>) {
        self.observe(outcome.person().features(), outcome.value());
    }

    /// Gives the observation of an outcome that was `before` its new value.
    pub(super) fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.replace(outcome.person().features(), before, outcome.value());
    }

    /// The estimate V^-1 X'r.
    #[must_use]
    pub fn estimate(&self) -> Vec<f64> {
        let mut estimate = self.sums.clone();
        self.forward(&mut estimate);
        let mut end = self.factor.len();
        for k in (0..self.dimension).rev() {
            let row = &self.factor[end - (self.dimension - k)..end];
            end -= row.len();
            let known = dot(&row[1..], &estimate[k + 1..]);
            estimate[k] = (estimate[k] - known) / row[0];
        }
        estimate
    }

    /// x'V^-1 x.
    #[must_use]
    pub fn spread(&self, context: &[f64]) -> f64 {
        let mut solved = context.to_vec();
        self.forward(&mut solved);
        dot(&solved, &solved)
    }

    /// ln(det V / det lambda I), 0 or more.
    #[must_use]
    pub fn log_det(&self) -> f64 {
        self.log_det
    }

    /// b <- U'^-1 b.
    fn forward(&self, b: &mut [f64]) {
        let mut rest = &self.factor[..];
        for k in 0..self.dimension {
            let (row, below) = rest.split_at(self.dimension - k);
            rest = below;
            let (head, tail) = b[k..].split_at_mut(1);
            head[0] /= row[0];
            if head[0] != 0.0 {
                for (b, u) in tail.iter_mut().zip(&row[1..]) {
                    *b -= u * head[0];
                }
            }
        }
    }
}
