//! The heaviest panel of fractions of people: a linear program with bounds on every variable, by
//! the dual simplex method.
//!
//! Every variable has two finite bounds, so any basis is dual feasible once each variable outside
//! it lies at the right bound. The method can therefore start from the last basis, whatever has
//! changed since: weights or bounds.

use super::inverse::BasisInverse;
use crate::{AlikeHomes, PanelKinds};

/// Numbers this near to a bound keep it.
const NEAR: f64 = 1e-9;
/// Entries below this are no pivots.
const PIVOT: f64 = 1e-8;
/// Reduced weights below this are none.
const DUAL: f64 = 1e-14;

/// The way in which a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It ended at an optimum.
    Optimal,
    /// It was proved that no weight is above the cutoff.
    Below,
    /// No solution keeps the bounds.
    Infeasible,
    /// The exchanges allowed were used up. The bound holds all the same.
    GaveUp,
}

/// The program.
#[derive(Clone, Debug)]
pub(crate) struct RelaxedPanel {
    /// The rows of each variable, with its coefficient: first the kinds, then one slack a row.
    columns: Vec<Vec<(usize, f64)>>,
    right: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    weights: Vec<f64>,
    /// The variable of each place of the basis.
    basis: Vec<usize>,
    /// True for each variable in the basis.
    basic: Vec<bool>,
    /// True for each variable outside the basis at its upper bound.
    high: Vec<bool>,
    inverse: BasisInverse,
    values: Vec<f64>,
    /// The reduced weight of each variable.
    reduced: Vec<f64>,
    /// Values this near to a bound keep it.
    near: f64,
    /// True if an exchange takes variables from bound to bound on its way.
    long: bool,
}

impl RelaxedPanel {
    /// Makes the program of some kinds, without regard to households. All weights are 0.
    pub fn new(kinds: &PanelKinds) -> Self {
        Self::with_homes(kinds, &[])
    }

    /// Makes the program of some kinds with rows for some households.
    pub fn with_homes(kinds: &PanelKinds, homes: &[&AlikeHomes]) -> Self {
        let upper = kinds.kinds().iter().map(|kind| f64::from(kind.most));
        let mut rows = value_rows(kinds);
        rows.extend(homes.iter().map(|homes| home_row(homes)));
        let mut program = Self::of_rows(upper.collect(), &rows);
        for (column, kind) in program.columns.iter_mut().zip(kinds.kinds()) {
            // The size comes after the values: sums in this order gave the lotteries that are kept.
            column[..=kind.bounds.len()].rotate_left(1);
        }
        program
    }

    /// Makes the program of variables from 0 to their upper bounds, with these rows. All weights
    /// are 0.
    pub fn of_rows(mut upper: Vec<f64>, all: &[ProgramRow]) -> Self {
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); upper.len()];
        for (at, row) in all.iter().enumerate() {
            for &(variable, number) in &row.terms {
                columns[variable].push((at, number));
            }
            upper.push(row.max - row.min);
        }
        let rows = all.len();
        columns.extend((0..rows).map(|row| vec![(row, 1.0)]));
        let all_columns = columns.len();
        let mut program = Self {
            lower: vec![0.0; all_columns],
            weights: vec![0.0; all_columns],
            basis: (all_columns - rows..all_columns).collect(),
            basic: (0..all_columns).map(|j| j >= all_columns - rows).collect(),
            high: vec![false; all_columns],
            inverse: BasisInverse::unit(rows),
            values: Vec::new(),
            reduced: Vec::new(),
            right: all.iter().map(|row| row.max).collect(),
            columns,
            upper,
            near: NEAR,
            long: false,
        };
        program.price();
        program.place();
        program
    }

    /// Sets the tolerance within which bounds are kept.
    pub fn within(mut self, near: f64) -> Self {
        self.near = near;
        self
    }

    /// Turns on long steps. An exchange then goes on past variables that only change their bound,
    /// as long as that lowers the bound on the weight. Most variables can only be 0 or 1, so this
    /// saves most exchanges.
    pub fn by_long_steps(mut self) -> Self {
        self.long = true;
        self
    }

    /// Sets the weight of each kind.
    pub fn weigh(&mut self, weights: &[f64]) {
        self.weights[..weights.len()].copy_from_slice(weights);
        self.price();
        self.place();
    }

    /// The weight of a variable.
    pub fn weight(&self, variable: usize) -> f64 {
        self.weights[variable]
    }

    /// The bounds of a variable.
    pub fn bounds(&self, variable: usize) -> [f64; 2] {
        [self.lower[variable], self.upper[variable]]
    }

    /// Sets the bounds of a variable. [`Self::place`] then recomputes all positions.
    pub fn bound(&mut self, variable: usize, [lower, upper]: [f64; 2]) {
        self.lower[variable] = lower;
        self.upper[variable] = upper;
    }

    /// Returns the value of every variable in the basis. The others are at a bound.
    pub fn basics(&self) -> impl Iterator<Item = (usize, f64)> {
        self.basis.iter().copied().zip(self.values.iter().copied())
    }

    /// The value of each kind.
    pub fn kinds(&self) -> Vec<f64> {
        self.first(self.columns.len() - self.right.len())
    }

    /// The values of the first variables.
    pub fn first(&self, count: usize) -> Vec<f64> {
        let mut values: Vec<f64> = (0..count).map(|j| self.at(j)).collect();
        for (variable, value) in self.basics().filter(|(j, _)| *j < count) {
            values[variable] = value;
        }
        values
    }

    /// The weight that no panel within the bounds exceeds: it holds for any multipliers of the
    /// rows.
    pub fn most(&self) -> f64 {
        let multipliers = self.multipliers();
        let rows = multipliers.iter().zip(&self.right);
        let fixed: f64 = rows.map(|(multiplier, right)| multiplier * right).sum();
        let columns = self.columns.iter().zip(&self.weights).enumerate();
        let most = columns.map(|(j, (column, weight))| {
            let reduced = weight - priced(column, &multipliers);
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

    /// The multiplier of each row.
    pub fn multipliers(&self) -> Vec<f64> {
        let weights = self.basis.iter().map(|&j| self.weights[j]);
        self.inverse.left_times(weights)
    }

    /// Computes the reduced weights.
    fn price(&mut self) {
        let multipliers = self.multipliers();
        let columns = self.columns.iter().zip(&self.weights);
        self.reduced = columns
            .map(|(column, weight)| weight - priced(column, &multipliers))
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
                for (row, number) in &self.columns[j] {
                    right[*row] -= number * value;
                }
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
            let found = match self.long {
                true => self.entering_far(&row, place, too_high),
                false => self.entering(&row, too_high),
            };
            let Some((entering, entries)) = found else {
                return Ended::Infeasible;
            };
            self.exchange(place, too_high, entering, &entries);
        }
        Ended::GaveUp
    }

    /// The place of the basis that is farthest beyond a bound, and whether that is the upper one.
    fn leaving(&self) -> Option<(usize, bool)> {
        let mut worst = (self.near, None);
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
        let columns = self.columns.iter();
        let entries: Vec<f64> = columns.map(|column| priced(column, row)).collect();
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

    /// The variable that comes in after a long step, and the entries of the row. The variables that
    /// it passes go to their other bound.
    fn entering_far(
        &mut self,
        row: &[f64],
        place: usize,
        too_high: bool,
    ) -> Option<(usize, Vec<f64>)> {
        let columns = self.columns.iter();
        let entries: Vec<f64> = columns.map(|column| priced(column, row)).collect();
        let mut ratios: Vec<(f64, usize)> = Vec::new();
        for (j, &entry) in entries.iter().enumerate() {
            let rises = (entry > 0.0) == (self.high[j] != too_high);
            if self.basic[j] || entry.abs() < PIVOT || !rises || self.lower[j] == self.upper[j] {
                continue;
            }
            ratios.push((self.reduced[j].abs() / entry.abs(), j));
        }
        ratios.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let leaving = self.basis[place];
        let mut beyond = match too_high {
            true => self.values[place] - self.upper[leaving],
            false => self.lower[leaving] - self.values[place],
        };
        let mut passed = 0;
        for (_, j) in &ratios {
            let room = (self.upper[*j] - self.lower[*j]) * entries[*j].abs();
            if beyond - room <= 0.0 || passed + 1 == ratios.len() {
                break;
            }
            beyond -= room;
            passed += 1;
        }
        // Of those at the same ratio the one of the largest entry is the safest.
        let (least, mut entering) = *ratios.get(passed)?;
        for (ratio, j) in &ratios[passed..] {
            if *ratio > least + DUAL {
                break;
            }
            if entries[*j].abs() > entries[entering].abs() + PIVOT {
                entering = *j;
            }
        }
        self.flip(ratios[..passed].iter().map(|(_, j)| *j));
        Some((entering, entries))
    }

    /// Moves variables to their other bound.
    fn flip(&mut self, variables: impl Iterator<Item = usize>) {
        let mut change = vec![0.0; self.right.len()];
        let mut has_changed = false;
        for j in variables {
            let from = self.at(j);
            self.high[j] = !self.high[j];
            let by = self.at(j) - from;
            for (row, number) in &self.columns[j] {
                change[*row] += number * by;
            }
            has_changed = true;
        }
        if has_changed {
            let moved = self.inverse.times(change.into_iter().enumerate());
            self.values
                .iter_mut()
                .zip(moved)
                .for_each(|(value, by)| *value -= by);
        }
    }

    fn exchange(&mut self, place: usize, too_high: bool, entering: usize, entries: &[f64]) {
        let leaving = self.basis[place];
        let bound = match too_high {
            true => self.upper[leaving],
            false => self.lower[leaving],
        };
        let column = self.inverse.times(self.columns[entering].iter().copied());
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
                .refresh(columns.map(|column| column.iter().copied()));
            self.price();
            self.place();
        }
    }
}

/// A column times a number of each row.
fn priced(column: &[(usize, f64)], of_rows: &[f64]) -> f64 {
    column
        .iter()
        .map(|(row, number)| number * of_rows[*row])
        .sum()
}

/// A row of a program: the sum of some variables times coefficients lies between two bounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProgramRow {
    /// The variables and their coefficients.
    pub terms: Vec<(usize, f64)>,
    /// The lower bound of the sum.
    pub min: f64,
    /// The upper bound of the sum.
    pub max: f64,
}

impl ProgramRow {
    fn of_ones(variables: impl Iterator<Item = usize>, [min, max]: [u32; 2]) -> Self {
        Self {
            terms: variables.map(|variable| (variable, 1.0)).collect(),
            min: f64::from(min),
            max: f64::from(max),
        }
    }
}

/// The rows of a panel: its size and the bounds of each value.
pub(crate) fn value_rows(kinds: &PanelKinds) -> Vec<ProgramRow> {
    let all = kinds.kinds();
    let members = kinds.members();
    let mut rows = vec![ProgramRow::of_ones(0..all.len(), [members, members])];
    rows.extend(kinds.bounds().iter().enumerate().map(|(row, bound)| {
        let counted = (0..all.len()).filter(|&kind| all[kind].bounds.contains(&row));
        ProgramRow::of_ones(counted, [bound.min, bound.max])
    }));
    rows
}

/// The row of households that are alike.
pub(crate) fn home_row(homes: &AlikeHomes) -> ProgramRow {
    ProgramRow::of_ones(homes.kinds.clone(), [0, homes.count])
}
