//! Least squares by its normal equations, summed row by row.

use nalgebra::{DMatrix, DVector};

/// The number added to the diagonal of X'X.
const RIDGE: f64 = 1e-8;

/// A sum that keeps its rounding errors (Neumaier 1974), as if added up with twice the digits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(super) fn add(&mut self, x: f64) {
        let sum = self.sum + x;
        // Knuth's two-sum: exact whichever of the two is greater.
        let back = sum - self.sum;
        self.lost += (self.sum - (sum - back)) + (x - back);
        self.sum = sum;
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

/// X'X and X'y of the rows so far.
pub(super) struct LeastSquares {
    dimension: usize,
    /// The upper triangle, row after row.
    squares: Vec<Sum>,
    products: Vec<Sum>,
}

impl LeastSquares {
    /// Starts with no rows, of `width` numbers each.
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            squares: vec![Sum::default(); dimension * (dimension + 1) / 2],
            products: vec![Sum::default(); dimension],
        }
    }

    pub(super) fn add(&mut self, x: &[f64], y: f64) {
        let mut rest = &mut self.squares[..];
        for (k, (xk, product)) in x.iter().zip(&mut self.products).enumerate() {
            product.add(xk * y);
            let (row, below) = rest.split_at_mut(self.dimension - k);
            rest = below;
            for (sum, xj) in row.iter_mut().zip(&x[k..]) {
                sum.add(xk * xj);
            }
        }
    }

    /// (X'X + 1e-8 I)^-1 X'y; `None` where a sum is not finite.
    ///
    /// By the eigenvectors of X'X. Where columns depend on each other, as all levels of a column
    /// and a constant do, some eigenvalues are 0, and in exact arithmetic X'y has no component
    /// along their vectors: they get no weight. Divided by 1e-8, the rounding of X'y would be a
    /// weight that depends on the machine.
    pub(super) fn solve(&self) -> Option<Vec<f64>> {
        let d = self.dimension;
        let products = DVector::from_iterator(d, self.products.iter().map(|sum| sum.value()));
        let mut squares = DMatrix::zeros(d, d);
        let mut sums = self.squares.iter();
        for k in 0..d {
            for j in k..d {
                let value = sums.next()?.value();
                (squares[(k, j)], squares[(j, k)]) = (value, value);
            }
        }
        if !squares.iter().chain(&products).all(|x: &f64| x.is_finite()) {
            return None;
        }
        let eigen = squares.symmetric_eigen();
        let largest = eigen.eigenvalues.iter().fold(0.0, |a: f64, b| a.max(*b));
        let nothing = 4.0 * d as f64 * f64::EPSILON * largest;
        let mut mu = DVector::zeros(d);
        for (value, vector) in eigen
            .eigenvalues
            .iter()
            .zip(eigen.eigenvectors.column_iter())
        {
            if *value > nothing {
                mu.axpy(vector.dot(&products) / (value + RIDGE), &vector, 1.0);
            }
        }
        Some(mu.iter().copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};

    /// Gaussian elimination with partial pivoting.
    fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()));
            let pivot = pivot.unwrap();
            a.swap(k, pivot);
            b.swap(k, pivot);
            for i in k + 1..n {
                let factor = a[i][k] / a[k][k];
                let above = a[k].clone();
                for (a, above) in a[i].iter_mut().zip(above).skip(k) {
                    *a -= factor * above;
                }
                b[i] -= factor * b[k];
            }
        }
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
            b[k] = (b[k] - known) / a[k][k];
        }
        b
    }

    fn rows(d: usize, n: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
        let mut row = || (0..d).map(|_| draw.uniform() - 0.3).collect::<Vec<f64>>();
        let x: Vec<Vec<f64>> = (0..n).map(|_| row()).collect();
        let y = x.iter().map(|x| x[0] - 2.0 * x[d - 1] + x[d / 2] * x[0]);
        let y = y.collect();
        (x, y)
    }

    fn solved(x: &[Vec<f64>], y: &[f64]) -> Vec<f64> {
        let mut fit = LeastSquares::new(x[0].len());
        x.iter().zip(y).for_each(|(x, y)| fit.add(x, *y));
        fit.solve().unwrap()
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn as_elimination_has_it() {
        for (d, n) in [(1, 5), (3, 7), (8, 100), (20, 500)] {
            let (x, y) = rows(d, n, d as u64);
            let squares = |k: usize, j: usize| -> f64 {
                x.iter().map(|x| x[k] * x[j]).sum::<f64>() + if k == j { RIDGE } else { 0.0 }
            };
            let a = (0..d).map(|k| (0..d).map(|j| squares(k, j)).collect());
            let b = (0..d).map(|k| x.iter().zip(&y).map(|(x, y)| x[k] * y).sum());
            let due = eliminate(a.collect(), b.collect());
            for (mu, due) in solved(&x, &y).iter().zip(&due) {
                assert!((mu - due).abs() < 1e-9, "{d}: {mu} {due}");
            }
        }
    }

    /// The weights of dependent columns are the shortest that fit as well.
    #[test]
    fn columns_that_depend_on_each_other_share_the_weight() {
        let (x, y) = rows(3, 50, 1);
        let once = solved(&x, &y);
        let doubled: Vec<Vec<f64>> = x.iter().map(|x| vec![x[0], x[1], x[2], x[2]]).collect();
        let twice = solved(&doubled, &y);
        assert!((twice[2] - twice[3]).abs() < 1e-9);
        for (x, wide) in x.iter().zip(&doubled) {
            assert!((dot(&once, x) - dot(&twice, wide)).abs() < 1e-8);
        }
        assert!((twice[2] - once[2] / 2.0).abs() < 1e-8);
    }

    /// A column that is only rounding error among large numbers gets no weight.
    #[test]
    fn great_columns_that_depend_on_each_other_share_the_weight() {
        for seed in 0..10 {
            let (x, y) = rows(3, 50, seed);
            let great = |x: &Vec<f64>| x.iter().map(|x| x * 1e5).collect::<Vec<f64>>();
            let x: Vec<Vec<f64>> = x.iter().map(great).collect();
            let doubled: Vec<Vec<f64>> = x.iter().map(|x| [&x[..], &x[..]].concat()).collect();
            let (once, twice) = (solved(&x, &y), solved(&doubled, &y));
            for (mu, once) in twice.iter().zip(once.iter().cycle()) {
                assert!((mu - once / 2.0).abs() < 1e-13, "{seed}: {mu} {once}");
            }
        }
    }

    #[test]
    fn fewer_rows_than_columns_are_met_by_the_shortest_weights() {
        let (x, y) = rows(6, 3, 2);
        let mu = solved(&x, &y);
        for (x, y) in x.iter().zip(&y) {
            assert!((dot(&mu, x) - y).abs() < 1e-6);
        }
        assert_eq!(solved(&[vec![0.0; 4]], &[1.0]), [0.0; 4]);
    }

    #[test]
    fn numbers_too_great_are_told() {
        let mut fit = LeastSquares::new(2);
        fit.add(&[1e200, 1.0], 1.0);
        assert_eq!(fit.solve(), None);
    }

    #[test]
    fn nothing_is_lost_of_a_long_sum() {
        let mut sum = Sum::default();
        for _ in 0..1000 {
            sum.add(1e16);
            sum.add(1.0);
        }
        for _ in 0..1000 {
            sum.add(-1e16);
        }
        assert_eq!(sum.value(), 1000.0);
    }
}
