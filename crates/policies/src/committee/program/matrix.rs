//! Symmetric matrices in a few dozen variables.

/// A symmetric matrix, of which the lower half is kept.
#[derive(Clone)]
pub(super) struct Matrix {
    size: usize,
    /// Row by row, of full length.
    entries: Vec<f64>,
}

/// A matrix factored as `L L'`.
pub(super) struct Factored {
    lower: Matrix,
}

impl Matrix {
    /// Makes a zero matrix.
    pub fn zero(size: usize) -> Self {
        Self {
            size,
            entries: vec![0.0; size * size],
        }
    }

    /// Adds to an entry on or below the diagonal.
    pub fn add(&mut self, row: usize, column: usize, x: f64) {
        self.entries[row * self.size + column] += x;
    }

    /// Returns the product with a vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut product = vec![0.0; n];
        for i in 0..n {
            let row = &self.entries[i * n..][..i];
            product[i] += dot(row, &x[..i]) + self.entries[i * (n + 1)] * x[i];
            for (product, entry) in product[..i].iter_mut().zip(row) {
                *product += entry * x[i];
            }
        }
        product
    }

    /// Makes a row and its column 0, so that the variable stays out of it.
    pub fn strike(&mut self, at: usize) {
        let n = self.size;
        self.entries[at * n..][..n].fill(0.0);
        for row in at..n {
            self.entries[row * n + at] = 0.0;
        }
    }

    /// Returns Cholesky's factors of a matrix without negative eigenvalues. A row that depends on
    /// those before it, except for a share `nothing` of its diagonal entry, is left out; its
    /// variable will be 0.
    pub fn factor(mut self, nothing: f64) -> Factored {
        let n = self.size;
        for row in 0..n {
            let (above, rest) = self.entries.split_at_mut(row * n);
            let this = &mut rest[..n];
            let diagonal = this[row];
            for column in 0..row {
                let other = &above[column * n..][..=column];
                let product = dot(&this[..column], &other[..column]);
                this[column] = if other[column] > 0.0 {
                    (this[column] - product) / other[column]
                } else {
                    0.0
                };
            }
            let pivot = diagonal - dot(&this[..row], &this[..row]);
            if pivot > nothing * diagonal {
                this[row] = pivot.sqrt();
            } else {
                this[..=row].fill(0.0);
            }
        }
        Factored { lower: self }
    }
}

impl Factored {
    /// Returns the solution of `L L' x = b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.lower.size;
        let row = |row: usize| &self.lower.entries[row * n..][..=row];
        let mut x = b.to_vec();
        for i in 0..n {
            let lower = row(i);
            x[i] = if lower[i] > 0.0 {
                (x[i] - dot(&lower[..i], &x[..i])) / lower[i]
            } else {
                0.0
            };
        }
        for i in (0..n).rev() {
            let lower = row(i);
            if lower[i] > 0.0 {
                x[i] /= lower[i];
                let known = x[i];
                for (x, l) in x[..i].iter_mut().zip(lower) {
                    *x -= l * known;
                }
            }
        }
        x
    }
}

/// The scalar product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        let mut matrix = Matrix::zero(rows.len());
        for (i, row) in rows.iter().enumerate() {
            for (j, &x) in row.iter().enumerate() {
                matrix.add(i, j, x);
            }
        }
        matrix
    }

    #[test]
    fn a_system_is_solved() {
        let matrix = matrix(&[&[4.0], &[2.0, 5.0], &[-2.0, 3.0, 6.0]]);
        let b = matrix.times(&[1.0, 2.0, 3.0]);
        assert_eq!(b, [2.0, 21.0, 22.0]);
        let solved = matrix.factor(0.0).solve(&b);
        for (solved, expected) in solved.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((solved - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn a_dependent_row_is_left_out() {
        // The third row is the sum of the others, and so is its right side.
        let solved = matrix(&[&[2.0], &[1.0, 3.0], &[3.0, 4.0, 7.0]])
            .factor(1e-14)
            .solve(&[4.0, 7.0, 11.0]);
        assert_eq!(solved[2], 0.0);
        assert!((solved[0] - 1.0).abs() < 1e-14 && (solved[1] - 2.0).abs() < 1e-14);
    }
}
