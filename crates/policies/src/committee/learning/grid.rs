//! The cells and the targets, in the form that the planners need.

use super::super::program::{self, ProgramError};
use kleroterion_core::protocol::Law;

/// All the cells of some attributes, and the targets.
#[derive(Clone, Debug)]
pub struct CellGrid {
    levels: Vec<usize>,
    rho: Vec<Vec<f64>>,
    values: Vec<Vec<u16>>,
    open: Vec<bool>,
}

impl CellGrid {
    /// Makes the cells of `levels[i]` values of attribute i, with targets `rho[i][j]`. Each
    /// `rho[i]` sums to 1; zeros are legal.
    ///
    /// # Errors
    /// [`ProgramError::Malformed`], with all that is wrong, where these are no targets on those
    /// levels or there are too many cells.
    pub fn new(levels: &[usize], rho: &[Vec<f64>]) -> Result<Self, ProgramError> {
        // The known-p program checks its input; a law of one person makes it do (next to) nothing
        // else.
        let checked = program::solve(levels, &Law::Cells(vec![(0, 1.0)]), rho);
        if let Err(error @ ProgramError::Malformed(_)) = checked {
            return Err(error);
        }
        let total: usize = levels.iter().product();
        let mut below = total;
        let mut open = vec![true; total];
        let mut values = Vec::new();
        for (&n, targets) in levels.iter().zip(rho) {
            below /= n;
            let column: Vec<u16> = (0..total).map(|cell| (cell / below % n) as u16).collect();
            for (open, &j) in open.iter_mut().zip(&column) {
                *open &= targets[usize::from(j)] > 0.0;
            }
            values.push(column);
        }
        let scaled = |row: &Vec<f64>| {
            let sum: f64 = row.iter().sum();
            row.iter().map(|target| target / sum).collect()
        };
        Ok(Self {
            levels: levels.to_vec(),
            rho: rho.iter().map(scaled).collect(),
            values,
            open,
        })
    }

    /// `|X|`: the number of cells.
    pub fn cells(&self) -> usize {
        self.open.len()
    }

    /// The number of values of each attribute.
    pub fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// The target `rho^i_j` by attribute and value; each row sums to 1.
    pub fn rho(&self) -> &[Vec<f64>] {
        &self.rho
    }

    /// The value of each cell, by attribute.
    pub fn values(&self) -> &[Vec<u16>] {
        &self.values
    }

    /// True for each cell whose values all have targets above 0. No one of the other cells is ever
    /// accepted.
    pub fn open(&self) -> &[bool] {
        &self.open
    }

    /// Returns `max_{i,j} |sum_x m(x) (1[x^i = j] - rho^i_j)|` for masses m by cell: the distance
    /// of those accepted from the targets.
    pub fn violation(&self, masses: &[f64]) -> f64 {
        let total: f64 = masses.iter().sum();
        let mut worst = 0.0f64;
        for (column, targets) in self.values.iter().zip(&self.rho) {
            let mut sums = vec![0.0; targets.len()];
            for (&j, mass) in column.iter().zip(masses) {
                sums[usize::from(j)] += mass;
            }
            for (sum, target) in sums.iter().zip(targets) {
                worst = worst.max((sum - total * target).abs());
            }
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_with_the_first_attribute_most_significant() {
        let grid = CellGrid::new(&[2, 3], &[vec![0.5, 0.5], vec![0.4, 0.0, 0.6]]).unwrap();
        assert_eq!(grid.values()[0], [0, 0, 0, 1, 1, 1]);
        assert_eq!(grid.values()[1], [0, 1, 2, 0, 1, 2]);
        assert_eq!(grid.open(), [true, false, true, true, false, true]);
        // Cell (1, 2) alone: all of value 1 and none of value 0 of attribute 0.
        assert!((grid.violation(&[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn every_fault_of_the_targets_is_told() {
        let error = CellGrid::new(&[2, 2], &[vec![0.5, 0.6], vec![1.5, -0.5]]).unwrap_err();
        let ProgramError::Malformed(faults) = error else {
            panic!("{error:?}")
        };
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(CellGrid::new(&[4096, 4096, 2], &[vec![], vec![], vec![]]).is_err());
        assert!(CellGrid::new(&[], &[]).is_err());
    }
}
