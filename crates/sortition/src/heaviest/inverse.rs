//! The inverse of a basis of a linear program, kept from one exchange to the next.

use nalgebra::DMatrix;

/// Exchanges after which the inverse is computed anew.
const FRESH: u32 = 100;
/// An exchange on a smaller entry than this spoils the inverse.
const SMALL: f64 = 1e-4;

/// The inverse of a basis, row by row.
#[derive(Clone, Debug)]
pub(crate) struct BasisInverse {
    size: usize,
    rows: Vec<f64>,
    exchanges: u32,
}

impl BasisInverse {
    /// The inverse of a basis of `size` unit columns.
    pub fn unit(size: usize) -> Self {
        let mut rows = vec![0.0; size * size];
        rows.iter_mut().step_by(size + 1).for_each(|one| *one = 1.0);
        Self {
            size,
            rows,
            exchanges: 0,
        }
    }

    /// Returns a row of the inverse.
    pub fn row(&self, place: usize) -> &[f64] {
        &self.rows[place * self.size..(place + 1) * self.size]
    }

    /// Returns the inverse times a column of (row, number) pairs.
    pub fn times(&self, column: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let column: Vec<(usize, f64)> = column.collect();
        let product = |row: &[f64]| column.iter().map(|(i, number)| row[*i] * number).sum();
        self.rows.chunks_exact(self.size).map(product).collect()
    }

    /// Returns a row of numbers times the inverse.
    pub fn left_times(&self, numbers: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut product = vec![0.0; self.size];
        for (number, row) in numbers.zip(self.rows.chunks_exact(self.size)) {
            if number != 0.0 {
                let sums = product.iter_mut().zip(row);
                sums.for_each(|(sum, entry)| *sum += number * entry);
            }
        }
        product
    }

    /// Puts a column in the basis's `place`; `column` is the inverse times it. Returns true if the
    /// inverse should be recomputed.
    pub fn exchange(&mut self, place: usize, column: &[f64]) -> bool {
        let (size, pivot) = (self.size, column[place]);
        let mut entering = self.row(place).to_vec();
        entering.iter_mut().for_each(|entry| *entry /= pivot);
        for (row, number) in self.rows.chunks_exact_mut(size).zip(column) {
            if *number != 0.0 {
                let entries = row.iter_mut().zip(&entering);
                entries.for_each(|(entry, new)| *entry -= number * new);
            }
        }
        self.rows[place * size..(place + 1) * size].copy_from_slice(&entering);
        self.exchanges += 1;
        self.exchanges >= FRESH || pivot.abs() < SMALL
    }

    /// Computes the inverse of these columns, each of (row, number) pairs. Keeps the old one if
    /// they have no inverse.
    pub fn refresh<C: Iterator<Item = (usize, f64)>>(&mut self, columns: impl Iterator<Item = C>) {
        let mut basis = DMatrix::zeros(self.size, self.size);
        for (place, column) in columns.enumerate() {
            column.for_each(|(row, number)| basis[(row, place)] = number);
        }
        if let Some(inverse) = basis.try_inverse() {
            for (place, row) in self.rows.chunks_exact_mut(self.size).enumerate() {
                for (column, entry) in row.iter_mut().enumerate() {
                    *entry = inverse[(place, column)];
                }
            }
        }
        self.exchanges = 0;
    }
}
