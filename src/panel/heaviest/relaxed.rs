//! The heaviest panel of fractions of people: a linear program with bounds on every variable, by
//! the dual simplex method.
//!
//! Every variable has two finite bounds, so any basis is dual feasible once each variable outside
//! it lies at the right bound. The method can therefore start from the last basis, whatever has
//! changed since: weights or bounds. All coefficients are 1.

use super::inverse::BasisInverse;
use crate::panel::PanelKinds;

/// Numbers this near to a bound keep it.
const NEAR: f64 = 1e-9;
/// Entries below this are no pivots.
const PIVOT: f64 = 1e-8;
/// Reduced weights below this are none.
const DUAL: f64 = 1e-14;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// At an optimum.
    Optimal,
    /// It was proved that nothing is above the cutoff.
    Below,
    /// Nothing keeps the bounds.
    Infeasible,
    /// The exchanges allowed were used up. The bound holds all the same.
    GaveUp,
}

/// The program.
#[derive(Clone, Debug)]
pub(super) struct RelaxedPanel {
    /// The rows of each variable: first the kinds, then one slack a row.
    columns: Vec<Vec<usize>>,
    right: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    weights: Vec<f64>,
    /// The variable of each place of the basis.
    basis: Vec<usize>,
    /// Whether each variable is in the basis.
    basic: Vec<bool>,
    /// Whether each variable outside the basis lies at its upper bound.
    high: Vec<bool>,
    inverse: BasisInverse,
    values: Vec<f64>,
    /// The reduced weight of each variable.
    reduced: Vec<f64>,
}

impl RelaxedPanel {
    /// The program of some kinds; all weights are 0.
    pub fn new(kinds: &PanelKinds) -> Self {
        let members = f64::from(kinds.members());
        let mut columns: Vec<Vec<usize>> = Vec::new();
        for kind in kinds.kinds() {
            columns.push(kind.bounds.iter().map(|row| row + 1).chain([0]).collect());
        }
        let mut upper: Vec<f64> = kinds.kinds().iter().map(|k| f64::from(k.most)).collect();
        let (mut right, mut slack) = (vec![members], vec![0.0]);
        for bound in kinds.bounds() {
            right.push(f64::from(bound.max));
            slack.push(f64::from(bound.max) - f64::from(bound.min));
        }
        for homes in kinds.homes().iter().filter(|homes| homes.kinds.len() > 1) {
            let count = f64::from(homes.count);
            columns[homes.kinds.clone()]
                .iter_mut()
                .for_each(|column| column.push(right.len()));
            right.push(count);
            slack.push(count);
        }
        let rows = right.len();
        columns.extend((0..rows).map(|row| vec![row]));
        upper.extend(slack);
        let all = columns.len();
        let mut program = Self {
            lower: vec![0.0; all],
            weights: vec![0.0; all],
            basis: (all - rows..all).collect(),
            basic: (0..all).map(|j| j >= all - rows).collect(),
            high: vec![false; all],
            inverse: BasisInverse::unit(rows),
            values: Vec::new(),
            reduced: Vec::new(),
            columns,
            right,
            upper,
        };
        program.price();
        program.place();
        program
    }

    /// Sets the weight of each kind.
    pub fn weigh(&mut self, weights: &[f64]) {
        self.weights[..weights.len()].copy_from_slice(weights);
        self.price();
        self.place();
    }

    /// The bounds of a variable.
    pub fn bounds(&self, variable: usize) -> [f64; 2] {
        [self.lower[variable], self.upper[variable]]
    }

    /// Sets the bounds of a variable; [`Self::place`] then places all anew.
    pub fn bound(&mut self, variable: usize, [lower, upper]: [f64; 2]) {
        self.lower[variable] = lower;
        self.upper[variable] = upper;
    }

    /// The value of every variable in the basis; the others are at a bound.
    pub fn basics(&self) -> impl Iterator<Item = (usize, f64)> {
        self.basis.iter().copied().zip(self.values.iter().copied())
    }

    /// The value of each kind.
    pub fn kinds(&self) -> Vec<f64> {
        let kinds = self.columns.len() - self.right.len();
        let mut values: Vec<f64> = (0..kinds).map(|j| self.at(j)).collect();
        for (variable, value) in self.basics().filter(|(j, _)| *j < kinds) {
            values[variable] = value;
        }
        values
    }

    /// The weight that no panel within the bounds exceeds: it holds for any multipliers of the rows.
    pub fn most(&self) -> f64 {
        let multipliers = self.multipliers();
        let rows = multipliers.iter().zip(&self.right);
        let fixed: f64 = rows.map(|(multiplier, right)| multiplier * right).sum();
        let columns = self.columns.iter().zip(&self.weights).enumerate();
        let most = columns.map(|(j, (column, weight))| {
            let reduced = weight - column.iter().map(|row| multipliers[*row]).sum::<f64>();
            let bound = if reduced > 0.0 {
                self.upper[j]
            } else {
                self.lower[j]
            };
            reduced * bound
        });
        fixed + most.sum::<f64>()
    }

    fn at(&self, variable: usize) -> f64 {
        match self.high[variable] {
            true => self.upper[variable],
            false => self.lower[variable],
        }
    }

    fn multipliers(&self) -> Vec<f64> {
        let weights = self.basis.iter().map(|&j| self.weights[j]);
        self.inverse.left_times(weights)
    }

    /// Computes the reduced weights.
    fn price(&mut self) {
        let multipliers = self.multipliers();
        let columns = self.columns.iter().zip(&self.weights);
        self.reduced = columns
            .map(|(column, weight)| {
                weight - column.iter().map(|row| multipliers[*row]).sum::<f64>()
            })
            .collect();
        self.basis.iter().for_each(|&j| self.reduced[j] = 0.0);
    }

    /// Puts each variable outside the basis at the bound that its reduced weight asks for, and
    /// computes the values of the basis. A variable without room may have had any reduced weight.
    pub fn place(&mut self) {
        for (high, reduced) in self.high.iter_mut().zip(&self.reduced) {
            if reduced.abs() > DUAL {
                *high = *reduced > 0.0;
            }
        }
        let mut right = self.right.clone();
        for j in (0..self.columns.len()).filter(|&j| !self.basic[j]) {
            let value = self.at(j);
            if value != 0.0 {
                self.columns[j].iter().for_each(|row| right[*row] -= value);
            }
        }
        self.values = self.inverse.times(right.into_iter().enumerate());
    }

    /// Solves the program by at most `exchanges`, or until nothing can be above the `cutoff`.
    pub fn solve(&mut self, cutoff: f64, exchanges: u32) -> Ended {
        for exchange in 0..exchanges {
            if exchange % 8 == 7 && self.most() <= cutoff {
                return Ended::Below;
            }
            let Some((place, too_high)) = self.leaving() else {
                return Ended::Optimal;
            };
            let row = self.inverse.row(place).to_vec();
            let Some((entering, entries)) = self.entering(&row, too_high) else {
                return Ended::Infeasible;
            };
            self.exchange(place, too_high, entering, &entries);
        }
        Ended::GaveUp
    }

    /// The place of the basis that is farthest beyond a bound, and whether that is the upper one.
    fn leaving(&self) -> Option<(usize, bool)> {
        let mut worst = (NEAR, None);
        for (place, (j, value)) in self.basics().enumerate() {
            let (over, under) = (value - self.upper[j], self.lower[j] - value);
            if over.max(under) > worst.0 {
                worst = (over.max(under), Some((place, over > under)));
            }
        }
        worst.1
    }

    /// The variable that comes in, by the least ratio of reduced weight to entry, and the entries
    /// of the row.
    fn entering(&self, row: &[f64], too_high: bool) -> Option<(usize, Vec<f64>)> {
        let entry = |column: &Vec<usize>| column.iter().map(|i| row[*i]).sum();
        let entries: Vec<f64> = self.columns.iter().map(entry).collect();
        let mut best: Option<(usize, f64)> = None;
        for (j, &entry) in entries.iter().enumerate() {
            let rises = (entry > 0.0) == (self.high[j] != too_high);
            if self.basic[j] || entry.abs() < PIVOT || !rises || self.lower[j] == self.upper[j] {
                continue;
            }
            let ratio = self.reduced[j].abs() / entry.abs();
            let nearer = best.is_none_or(|(other, least)| {
                ratio < least - DUAL
                    || (ratio <= least + DUAL && entry.abs() > entries[other].abs() + PIVOT)
            });
            if nearer {
                best = Some((j, ratio));
            }
        }
        best.map(|(j, _)| (j, entries))
    }

    fn exchange(&mut self, place: usize, too_high: bool, entering: usize, entries: &[f64]) {
        let leaving = self.basis[place];
        let bound = match too_high {
            true => self.upper[leaving],
            false => self.lower[leaving],
        };
        let column = self.columns[entering].iter().map(|row| (*row, 1.0));
        let column = self.inverse.times(column);
        let step = (self.values[place] - bound) / column[place];
        let from = self.at(entering);
        for (value, entry) in self.values.iter_mut().zip(&column) {
            *value -= step * entry;
        }
        self.values[place] = from + step;
        let price = self.reduced[entering] / entries[entering];
        for (reduced, entry) in self.reduced.iter_mut().zip(entries) {
            *reduced -= price * entry;
        }
        self.reduced[leaving] = -price;
        self.reduced[entering] = 0.0;
        self.basis[place] = entering;
        self.basic[entering] = true;
        self.basic[leaving] = false;
        self.high[leaving] = too_high;
        if self.inverse.exchange(place, &column) {
            let columns = self.basis.iter().map(|&j| &self.columns[j]);
            self.inverse
                .refresh(columns.map(|column| column.iter().map(|row| (*row, 1.0))));
            self.price();
            self.place();
        }
    }
}
