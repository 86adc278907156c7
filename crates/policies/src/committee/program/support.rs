//! The cells whose candidates may be accepted, and the targets.

use std::ops::Range;

use super::acceptance::{AcceptanceRule, AcceptanceTable, places, unpack};
use super::cells::Cells;
use super::error::{Cause, ProgramError, Unreachable};
use crate::limits::{MOST_TABLE_CELLS, MOST_VALUES};
use kleroterion_core::protocol::Law;

/// The most by which the sum of a distribution may differ from 1.
const SUM_SLACK: f64 = 1e-9;

/// The eligible cells of a law: p > 0 and every value's target > 0. In all others `pi` is 0 or of
/// no account.
///
/// What there is for each value of each attribute is kept in one row, attribute after attribute.
pub(super) struct Support {
    /// The cells.
    pub cells: Cells,
    /// The targets, scaled so that each attribute's sum to 1 exactly enough.
    pub targets: Vec<f64>,
    /// The mass of the eligible cells with each value.
    pub shares: Vec<f64>,
    /// The number of values of each attribute.
    levels: Vec<usize>,
}

impl Support {
    /// Finds the eligible cells of a law.
    pub fn new(levels: &[usize], law: &Law, rho: &[Vec<f64>]) -> Result<Self, ProgramError> {
        check(levels, law, rho)?;
        let mut targets = Vec::new();
        for row in rho {
            let sum: f64 = row.iter().sum();
            targets.extend(row.iter().map(|r| r / sum));
        }
        let (mut numbers, mut mass) = (Vec::new(), Vec::new());
        let mut arrives = vec![false; targets.len()];
        let mut visit = |cell: u32, values: &[u16], p: f64| {
            for place in places(levels, values) {
                arrives[place] = true;
            }
            if places(levels, values).all(|place| targets[place] > 0.0) {
                numbers.push(cell);
                mass.push(p);
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
                    let shares = values.iter().zip(marginals);
                    let p: f64 = shares.map(|(&j, q)| q[usize::from(j)]).product();
                    if p > 0.0 {
                        visit(cell, &values, p);
                    }
                }
            }
        }
        let cells = Cells::new(levels, numbers, mass);
        let shares = cells.tally(&cells.sums(&vec![0.0; targets.len()]), |_, _, p| p);
        let support = Self {
            cells,
            targets,
            shares,
            levels: levels.to_vec(),
        };
        let unreachable = support.unreachable(&arrives);
        if unreachable.is_empty() {
            Ok(support)
        } else {
            Err(ProgramError::Unreachable(unreachable))
        }
    }

    /// The values with a target that no eligible cell has; `arrives`: whether any cell of the law
    /// has a value.
    fn unreachable(&self, arrives: &[bool]) -> Vec<Unreachable> {
        let values = self.levels.iter().enumerate();
        let values = values.flat_map(|(attribute, &n)| (0..n).map(move |value| (attribute, value)));
        let missed = values.enumerate();
        let missed =
            missed.filter(|(place, _)| self.targets[*place] > 0.0 && self.shares[*place] == 0.0);
        missed
            .map(|(place, (attribute, value))| Unreachable {
                attribute,
                value,
                cause: match arrives[place] {
                    true => Cause::Excluded,
                    false => Cause::Absent,
                },
            })
            .collect()
    }

    /// The number of values of each attribute.
    pub fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// Returns `min_{i,j: rho > 0} p^i_j / rho^i_j` over the eligible, at most 1, and the value's
    /// place. No policy that keeps to the targets gains more, since of those accepted `g rho^i_j <=
    /// p^i_j` have the value.
    pub fn bound(&self) -> (f64, usize) {
        let ratios = self.shares.iter().zip(&self.targets).enumerate();
        let open = ratios.filter(|(_, (_, target))| **target > 0.0);
        open.map(|(place, (share, target))| (share / target, place))
            .fold(
                (1.0, 0),
                |least, next| if next.0 < least.0 { next } else { least },
            )
    }

    /// Returns `pi` of the cells.
    pub fn probabilities(&self, acceptance: &AcceptanceRule) -> Vec<f64> {
        let mut values = vec![0u16; self.levels.len()];
        let cells = self.cells.numbers.iter().map(|&cell| {
            unpack(cell, &self.levels, &mut values);
            acceptance.probability(&values)
        });
        cells.collect()
    }

    /// Returns the total mass accepted, from the masses accepted of each value.
    pub fn gain(&self, accepted: &[f64]) -> f64 {
        accepted[..self.levels[0]].iter().sum()
    }

    /// Returns the excess of the mass accepted of each value over its target's share of the gain.
    pub fn excess(&self, accepted: &[f64]) -> Vec<f64> {
        let mut excess = Vec::with_capacity(accepted.len());
        // Each attribute's own sum, so that an attribute's excesses sum to 0 whatever the rounding.
        for range in self.ranges() {
            let (accepted, targets) = (&accepted[range.clone()], &self.targets[range]);
            let gain: f64 = accepted.iter().sum();
            let scale = gain / targets.iter().sum::<f64>();
            excess.extend(accepted.iter().zip(targets).map(|(a, t)| a - t * scale));
        }
        excess
    }

    /// Returns the greatest excess at a gain, relative to its target's share of it.
    pub fn error(&self, excess: &[f64], gain: f64) -> f64 {
        let values = excess.iter().zip(&self.targets);
        let open = values.filter(|(_, target)| **target > 0.0);
        open.fold(0.0, |error, (e, target)| {
            error.max(e.abs() / (gain * target))
        })
    }

    /// The places of each attribute.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        self.levels.iter().map(move |n| {
            let start = end;
            end += n;
            start..end
        })
    }

    /// The value with the largest target, for every attribute but the first. Masses by value have
    /// the same sum in every attribute, so this value's row follows from the others, by a
    /// difference of which it is the largest part.
    pub fn spare(&self) -> Vec<usize> {
        let largest = |range: Range<usize>| {
            range.max_by(|&a, &b| self.targets[a].total_cmp(&self.targets[b]))
        };
        self.ranges().skip(1).filter_map(largest).collect()
    }

    /// Arranges a number for each value as a row for each attribute.
    pub fn rows(&self, b: &[f64]) -> Vec<Vec<f64>> {
        self.ranges().map(|range| b[range].to_vec()).collect()
    }

    /// Returns the probabilities `pi` of the cells as a table.
    pub fn table(&self, pi: &[f64]) -> AcceptanceTable {
        let entries = self.cells.numbers.iter().copied().zip(pi.iter().copied());
        let open = self
            .ranges()
            .map(|range| self.targets[range].iter().map(|&t| t > 0.0).collect())
            .collect();
        AcceptanceTable::new(entries.collect(), open)
    }
}

/// Checks all shapes and sums.
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
    let values = levels
        .iter()
        .fold(0, |sum: usize, &n| sum.saturating_add(n));
    if values > MOST_VALUES {
        faults.push(format!(
            "the attributes have {values} values in all, and at most {MOST_VALUES} can be solved \
             for: merge values or drop an attribute"
        ));
    }
    let total = levels
        .iter()
        .try_fold(1usize, |total, &n| total.checked_mul(n))
        .filter(|&total| total <= MOST_TABLE_CELLS);
    if total.is_none() {
        faults.push(format!(
            "the attributes' values make more than {MOST_TABLE_CELLS} cells: merge values or drop an \
             attribute"
        ));
    }
    distributions("target", levels, rho, &mut faults);
    match law {
        Law::Product(marginals) => distributions("share", levels, marginals, &mut faults),
        Law::Cells(cells) => {
            let total = total.unwrap_or(MOST_TABLE_CELLS);
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

/// Adds the faults of one distribution per attribute.
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
