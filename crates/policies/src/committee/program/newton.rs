//! Newton's method for the convex functions of the fits.
//!
//! Their gradients are continuous, their second derivatives jump where a cell meets a limit and may
//! be singular, so that a small ridge is added, and adapted (Levenberg and Marquardt), and the
//! step's length is searched for.

use super::matrix::{Factored, Matrix, dot};

/// A search along a step ends where the slope is no more than this share of what it was.
const SLOPE_LEFT: f64 = 0.5;

/// Most trials of one search.
const TRIALS: usize = 40;

/// The ridge, relative to the values' shares: the first, the least and the most.
const RIDGE: [f64; 3] = [1e-6, 1e-14, 1e-1];

/// A point on its way to the minimum.
pub(super) struct Descent {
    /// The point's coordinates.
    pub at: Vec<f64>,
    /// The ridge that suits.
    ridge: f64,
    /// Coordinates that stay as they are.
    fixed: Vec<usize>,
}

impl Descent {
    /// Makes the start of a descent. The `fixed` coordinates stay unchanged.
    pub fn new(at: Vec<f64>, fixed: Vec<usize>) -> Self {
        let [ridge, ..] = RIDGE;
        Self { at, ridge, fixed }
    }

    /// Factors the second derivatives with a ridge on them; a coordinate whose share is 0 and whose
    /// derivatives are stays where it is.
    pub fn factor(&self, mut curvature: Matrix, shares: &[f64]) -> Factored {
        for (place, share) in shares.iter().enumerate() {
            curvature.add(place, place, self.ridge * share);
        }
        self.fixed.iter().for_each(|&place| curvature.strike(place));
        curvature.factor(0.0)
    }

    /// Raises the ridge to at least this.
    pub fn stiffen_to(&mut self, ridge: f64) {
        self.ridge = self.ridge.max(ridge);
    }

    /// Raises the ridge after a step that made no progress. Returns true if it could.
    pub fn stiffen(&mut self) -> bool {
        let [.., most] = RIDGE;
        let could = self.ridge < most;
        self.ridge = (self.ridge * 100.0).min(most);
        could
    }

    /// Moves along the step, not beyond its end, until the slope is small. The slope is the
    /// gradient times the step. By convexity it increases on the way from a number below 0. `here`
    /// is the gradient here, `gradient` finds it elsewhere. Returns true if the point moved.
    pub fn go(
        &mut self,
        step: &[f64],
        here: &[f64],
        gradient: impl Fn(&[f64]) -> Vec<f64>,
    ) -> bool {
        let first = dot(here, step);
        if !(first < 0.0 && first.is_finite()) {
            return false;
        }
        let at = |t: f64| -> Vec<f64> {
            let along = self.at.iter().zip(step);
            along.map(|(b, s)| b + t * s).collect()
        };
        // Lengths and slopes to either side of the root; the length to try.
        let (mut low, mut high) = ((0.0, first), None);
        let mut t = 1.0;
        for _ in 0..TRIALS {
            let slope = dot(&gradient(&at(t)), step);
            if slope.abs() <= -SLOPE_LEFT * first || (slope < 0.0 && high.is_none()) {
                low = (t, slope);
                break;
            }
            if slope < 0.0 {
                low = (t, slope);
            } else {
                high = Some((t, slope));
            }
            if let Some((end, above)) = high {
                // Where the chord meets 0, but not too near to either side.
                let (start, below) = low;
                let width = end - start;
                t = (start + width * below / (below - above))
                    .clamp(start + 0.1 * width, end - 0.1 * width);
            }
        }
        let (t, _) = low;
        self.at = at(t);
        let [_, least, most] = RIDGE;
        let factor = if t > 0.9 {
            0.1
        } else if t < 0.2 {
            10.0
        } else {
            1.0
        };
        self.ridge = (self.ridge * factor).clamp(least, most);
        t > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kinked_function_is_minimised() {
        // f(x, y) = max(0, x - y)^2 / 2 + max(0, y - x - 1)^2 / 2 + (x + y - 3)^2 / 2 - x / 4: at
        // the minimum x - y = 1/8, x + y = 25/8.
        let gradient = |at: &[f64]| {
            let (x, y) = (at[0], at[1]);
            let (a, b, c) = ((x - y).max(0.0), (y - x - 1.0).max(0.0), x + y - 3.0);
            vec![a - b + c - 0.25, b - a + c]
        };
        let mut point = Descent::new(vec![-40.0, 7.0], vec![]);
        for _ in 0..30 {
            let here = gradient(&point.at);
            let kinks = if (-1.0..=0.0).contains(&(point.at[0] - point.at[1])) {
                0.0
            } else {
                1.0
            };
            let mut curvature = Matrix::zero(2);
            curvature.add(0, 0, 1.0 + kinks);
            curvature.add(1, 0, 1.0 - kinks);
            curvature.add(1, 1, 1.0 + kinks);
            let back = point.factor(curvature, &[1.0, 1.0]).solve(&here);
            let step: Vec<f64> = back.iter().map(|b| -b).collect();
            point.go(&step, &here, gradient);
        }
        assert!((point.at[0] - 1.625).abs() < 1e-9, "{:?}", point.at);
        assert!((point.at[1] - 1.5).abs() < 1e-9, "{:?}", point.at);
    }
}
