//! The cells in which somebody may be accepted, in columns.

use super::acceptance::Table;
use super::{Cause, ProgramError, Unreachable};
use crate::protocol::Law;

/// Largest product of levels: tables over all the cells stay below 128 MB.
const MOST_CELLS: usize = 1 << 24;

/// How far from 1 a distribution may sum.
const SUM_SLACK: f64 = 1e-9;

/// The eligible cells of a law: p > 0 and every value's target > 0. In all others `pi` is 0 or of no account.
pub(super) struct Support {
    /// The cells, increasing.
    pub cells: Vec<u32>,
    /// p of each cell.
    pub mass: Vec<f64>,
    /// Per attribute, each cell's value.
    pub values: Vec<Vec<u16>>,
    /// Per attribute and value, the mass of the eligible cells that have it.
    pub shares: Vec<Vec<f64>>,
}

impl Support {
    /// The eligible cells of a law, and the targets scaled to sum to 1 exactly enough.
    pub fn new(
        levels: &[usize],
        law: &Law,
        rho: &[Vec<f64>],
    ) -> Result<(Self, Vec<Vec<f64>>), ProgramError> {
        check(levels, law, rho)?;
        let rho: Vec<Vec<f64>> = rho
            .iter()
            .map(|row| {
                let sum: f64 = row.iter().sum();
                row.iter().map(|r| r / sum).collect()
            })
            .collect();
        let mut support = Self {
            cells: Vec::new(),
            mass: Vec::new(),
            values: vec![Vec::new(); levels.len()],
            shares: levels.iter().map(|&n| vec![0.0; n]).collect(),
        };
        let mut arrives: Vec<Vec<bool>> = levels.iter().map(|&n| vec![false; n]).collect();
        let mut visit = |cell: u32, values: &[u16], p: f64| {
            let mut eligible = true;
            for ((&j, seen), targets) in values.iter().zip(&mut arrives).zip(&rho) {
                seen[usize::from(j)] = true;
                eligible &= targets[usize::from(j)] > 0.0;
            }
            if eligible {
                support.cells.push(cell);
                support.mass.push(p);
                for ((&j, column), shares) in values
                    .iter()
                    .zip(&mut support.values)
                    .zip(&mut support.shares)
                {
                    column.push(j);
                    shares[usize::from(j)] += p;
                }
            }
        };
        let mut values = vec![0u16; levels.len()];
        match law {
            Law::Cells(cells) => {
                for &(cell, p) in cells {
                    unpack(cell, levels, &mut values);
                    visit(cell, &values, p);
                }
            }
            Law::Product(marginals) => {
                let total: usize = levels.iter().product();
                for cell in 0..total as u32 {
                    unpack(cell, levels, &mut values);
                    let p: f64 = values
                        .iter()
                        .zip(marginals)
                        .map(|(&j, q)| q[usize::from(j)])
                        .product();
                    if p > 0.0 {
                        visit(cell, &values, p);
                    }
                }
            }
        }
        let mut unreachable = Vec::new();
        for (attribute, targets) in rho.iter().enumerate() {
            for (value, &target) in targets.iter().enumerate() {
                if target > 0.0 && support.shares[attribute][value] == 0.0 {
                    let cause = if arrives[attribute][value] {
                        Cause::Excluded
                    } else {
                        Cause::Absent
                    };
                    unreachable.push(Unreachable {
                        attribute,
                        value,
                        cause,
                    });
                }
            }
        }
        if unreachable.is_empty() {
            Ok((support, rho))
        } else {
            Err(ProgramError::Unreachable(unreachable))
        }
    }

    /// How many cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// `min_{i,j: rho > 0} p^i_j / rho^i_j` over the eligible, at most 1: no policy that keeps to the targets gains more, since of those
    /// accepted `g rho^i_j <= p^i_j` have the value.
    pub fn bound(&self, rho: &[Vec<f64>]) -> f64 {
        let ratios = self
            .shares
            .iter()
            .flatten()
            .zip(rho.iter().flatten())
            .filter(|&(_, &target)| target > 0.0)
            .map(|(share, target)| share / target);
        ratios.fold(1.0, f64::min)
    }

    /// `min(1, prod_i a^i_{x^i})` in each cell.
    pub fn probabilities(&self, factors: &[Vec<f64>]) -> Vec<f64> {
        let mut product = vec![1.0; self.len()];
        for (column, factors) in self.values.iter().zip(factors) {
            for (product, &j) in product.iter_mut().zip(column) {
                *product *= factors[usize::from(j)];
            }
        }
        // No factor of an eligible cell is 0, so no product is NaN, and an infinite one means 1.
        product.iter().map(|m| m.min(1.0)).collect()
    }

    /// Gain and violation of the probabilities `pi` of the cells.
    pub fn measure(&self, pi: &[f64], rho: &[Vec<f64>]) -> (f64, f64) {
        let taken: Vec<f64> = pi.iter().zip(&self.mass).map(|(pi, p)| pi * p).collect();
        let gain: f64 = taken.iter().sum();
        let mut violation = 0.0f64;
        for (column, targets) in self.values.iter().zip(rho) {
            let mut sums = vec![0.0; targets.len()];
            for (&j, taken) in column.iter().zip(&taken) {
                sums[usize::from(j)] += taken;
            }
            for (sum, target) in sums.iter().zip(targets) {
                violation = violation.max((sum - gain * target).abs());
            }
        }
        (gain, violation)
    }

    /// The probabilities `pi` of the cells as a table.
    pub fn table(&self, pi: &[f64], rho: &[Vec<f64>]) -> Table {
        let entries = self.cells.iter().copied().zip(pi.iter().copied());
        let open = rho
            .iter()
            .map(|row| row.iter().map(|&target| target > 0.0).collect())
            .collect();
        Table::new(entries.collect(), open)
    }
}

/// A cell's values, in mixed radix, the first attribute most significant.
pub(super) fn unpack(cell: u32, levels: &[usize], values: &mut [u16]) {
    let mut rest = cell as usize;
    for (value, &n) in values.iter_mut().zip(levels).rev() {
        *value = (rest % n) as u16;
        rest /= n;
    }
}

/// All that is wrong with the shapes and sums.
fn check(levels: &[usize], law: &Law, rho: &[Vec<f64>]) -> Result<(), ProgramError> {
    let mut faults = Vec::new();
    if levels.is_empty() {
        faults.push("there are no attributes".to_owned());
    }
    for (i, &n) in levels.iter().enumerate() {
        if n == 0 || n > usize::from(u16::MAX) + 1 {
            faults.push(format!("attribute {i} has {n} values, not 1 to 65,536"));
        }
    }
    let total = levels
        .iter()
        .try_fold(1usize, |total, &n| total.checked_mul(n))
        .filter(|&total| total <= MOST_CELLS);
    if total.is_none() {
        faults.push(format!(
            "the attributes' values make more than {MOST_CELLS} cells: merge values or drop an attribute"
        ));
    }
    distributions("target", levels, rho, &mut faults);
    match law {
        Law::Product(marginals) => distributions("share", levels, marginals, &mut faults),
        Law::Cells(cells) => {
            let total = total.unwrap_or(MOST_CELLS);
            for pair in cells.windows(2) {
                if pair[0].0 >= pair[1].0 {
                    faults.push(format!("cell {} comes after cell {}", pair[1].0, pair[0].0));
                }
            }
            for &(cell, p) in cells {
                if cell as usize >= total {
                    faults.push(format!("cell {cell} is beyond the last, {}", total - 1));
                }
                if !(p > 0.0 && p.is_finite()) {
                    faults.push(format!("cell {cell} has probability {p}, not above 0"));
                }
            }
            let sum: f64 = cells.iter().map(|&(_, p)| p).sum();
            if (sum - 1.0).abs() > SUM_SLACK || sum.is_nan() {
                faults.push(format!("the cells' probabilities sum to {sum}, not 1"));
            }
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(ProgramError::Malformed(faults))
    }
}

/// All that is wrong with one distribution per attribute.
fn distributions(what: &str, levels: &[usize], rows: &[Vec<f64>], faults: &mut Vec<String>) {
    if rows.len() != levels.len() {
        faults.push(format!(
            "{} attributes have {what}s, not {}",
            rows.len(),
            levels.len()
        ));
    }
    for (i, (row, &n)) in rows.iter().zip(levels).enumerate() {
        if row.len() != n {
            faults.push(format!(
                "attribute {i} has {} {what}s for {n} values",
                row.len()
            ));
        }
        for (j, &x) in row.iter().enumerate() {
            if !(x >= 0.0 && x.is_finite()) {
                faults.push(format!("{what} {j} of attribute {i} is {x}, not 0 or more"));
            }
        }
        let sum: f64 = row.iter().sum();
        if (sum - 1.0).abs() > SUM_SLACK || sum.is_nan() {
            faults.push(format!("the {what}s of attribute {i} sum to {sum}, not 1"));
        }
    }
}
