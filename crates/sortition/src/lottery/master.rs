//! The master program of column generation: of the panels found so far, the lottery that raises
//! the chances of the kinds that are still rising as far as it can, by the primal simplex method.
//!
//! With `a(j, k)` the share of kind k that sits on panel j, it maximises the rise r >= 0 subject to
//! `sum_j p(j) a(j, k) >= floor(k) + r` for rising kinds, `>= floor(k)` for settled ones, and
//! `sum_j p(j) = 1`. The multipliers of its rows are the weights that the certificate needs: at a
//! vertex they are exact up to rounding, which an interior point is not.

use super::watch::LotteryWatch;
use crate::heaviest::BasisInverse;
use kleroterion_core::draw::uniform;

/// Reduced values below this are none.
const DUAL: f64 = 1e-12;
/// Entries below this are no pivots.
const PIVOT: f64 = 1e-7;
/// Steps below this are none.
const STEP: f64 = 1e-16;
/// Floors are lower than they should be by up to twice this, each by another amount. Most vertices
/// would be degenerate otherwise, and the method would stand still for long.
const LOWER: f64 = 1e-12;
/// Exchanges without a step after which the first improving variable enters instead of the best.
const STALLED: u32 = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    Panel(usize),
    Surplus(usize),
    Rise,
}

/// The program. It has one panel from the start.
#[derive(Clone, Debug)]
pub(super) struct Master {
    kinds: usize,
    panels: Vec<Vec<(usize, f64)>>,
    floors: Vec<f64>,
    rising: Vec<bool>,
    basis: Vec<Variable>,
    inverse: BasisInverse,
    values: Vec<f64>,
}

impl Master {
    /// Makes the program with one panel, by the share of each kind on it.
    pub fn new(kinds: usize, first: &[(usize, f64)]) -> Self {
        let surplus = (0..kinds).map(Variable::Surplus);
        let mut master = Self {
            kinds,
            panels: vec![first.to_vec()],
            floors: vec![0.0; kinds],
            rising: vec![true; kinds],
            basis: surplus.chain([Variable::Panel(0)]).collect(),
            inverse: BasisInverse::unit(kinds + 1),
            values: Vec::new(),
        };
        master.refresh();
        master
    }

    /// Adds a panel.
    pub fn add(&mut self, panel: Vec<(usize, f64)>) {
        self.panels.push(panel);
    }

    /// The kinds that still rise.
    pub fn rising(&self) -> &[bool] {
        &self.rising
    }

    /// The least chance of each kind before the rise is added.
    pub fn floors(&self) -> &[f64] {
        &self.floors
    }

    /// The rise: the common amount by which the rising kinds' chances exceed their floors.
    pub fn rise(&self) -> f64 {
        self.value_of(Variable::Rise)
    }

    fn value_of(&self, variable: Variable) -> f64 {
        let place = self.basis.iter().position(|basic| *basic == variable);
        place.map_or(0.0, |place| self.values[place])
    }

    /// The probabilities of the panels with positive probability.
    pub fn lottery(&self) -> Vec<(usize, f64)> {
        let basis = self.basis.iter().zip(&self.values);
        let mut lottery: Vec<(usize, f64)> = basis
            .filter_map(|(variable, value)| match variable {
                Variable::Panel(panel) if *value > LOWER => Some((*panel, *value)),
                _ => None,
            })
            .collect();
        lottery.sort_unstable_by_key(|(panel, _)| *panel);
        lottery
    }

    /// Returns the multipliers: the weight of each kind, and the largest weight of a known panel.
    pub fn weights(&self) -> (Vec<f64>, f64) {
        let mut weights = self.multipliers();
        let bound = weights.pop().unwrap_or(0.0);
        (weights.iter().map(|w| (-w).max(0.0)).collect(), bound)
    }

    fn multipliers(&self) -> Vec<f64> {
        let rise = |basic: &Variable| f64::from(u8::from(*basic == Variable::Rise));
        self.inverse.left_times(self.basis.iter().map(rise))
    }

    fn column(&self, variable: Variable) -> Vec<(usize, f64)> {
        match variable {
            Variable::Panel(panel) => {
                let mut column = self.panels[panel].clone();
                column.push((self.kinds, 1.0));
                column
            }
            Variable::Surplus(kind) => vec![(kind, -1.0)],
            Variable::Rise => {
                let rising = (0..self.kinds).filter(|&kind| self.rising[kind]);
                rising.map(|kind| (kind, -1.0)).collect()
            }
        }
    }

    fn right(&self) -> impl Iterator<Item = (usize, f64)> {
        let lowered = self.floors.iter().enumerate().map(|(kind, floor)| {
            let word = (kind as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            floor - LOWER * (1.0 + uniform(word))
        });
        lowered.chain([1.0]).enumerate()
    }

    fn refresh(&mut self) {
        let columns: Vec<_> = self.basis.iter().map(|basic| self.column(*basic)).collect();
        self.inverse
            .refresh(columns.into_iter().map(Vec::into_iter));
        self.values = self.inverse.times(self.right());
    }

    /// Solves the program by at most `exchanges`, or until it is interrupted. Returns the number of
    /// exchanges.
    pub fn solve(&mut self, exchanges: u32, watch: &LotteryWatch<'_>) -> u32 {
        let mut stalled = 0;
        for exchange in 0..exchanges {
            if watch.is_interrupted() {
                return exchange;
            }
            let Some(entering) = self.entering(stalled > STALLED) else {
                return exchange;
            };
            let column = self.inverse.times(self.column(entering).into_iter());
            let Some((place, step)) = self.leaving(&column, stalled > STALLED) else {
                return exchange;
            };
            stalled = if step > STEP { 0 } else { stalled + 1 };
            self.exchange(place, entering, &column);
        }
        exchanges
    }

    fn exchange(&mut self, place: usize, entering: Variable, column: &[f64]) {
        let step = self.values[place] / column[place];
        for (value, entry) in self.values.iter_mut().zip(column) {
            *value -= step * entry;
        }
        self.values[place] = step;
        self.basis[place] = entering;
        if self.inverse.exchange(place, column) {
            self.refresh();
        }
    }

    /// The variable that raises most for its size, or the first that raises at all.
    fn entering(&self, first: bool) -> Option<Variable> {
        let multipliers = self.multipliers();
        let mut best = (DUAL, None);
        let mut consider = |variable: Variable, gain: f64| {
            if gain > best.0 && !(first && best.1.is_some()) && !self.basis.contains(&variable) {
                best = (gain, Some(variable));
            }
        };
        let rising = (0..self.kinds).filter(|&kind| self.rising[kind]);
        let rise: f64 = rising.map(|kind| multipliers[kind]).sum();
        consider(Variable::Rise, 1.0 + rise);
        for (panel, shares) in self.panels.iter().enumerate() {
            let price = shares
                .iter()
                .map(|(kind, share)| multipliers[*kind] * share);
            let gain = -(price.sum::<f64>() + multipliers[self.kinds]);
            consider(Variable::Panel(panel), gain);
        }
        for (kind, multiplier) in multipliers[..self.kinds].iter().enumerate() {
            consider(Variable::Surplus(kind), *multiplier);
        }
        best.1
    }

    /// The place that is the first to reach 0, and how far the entering variable then rises.
    fn leaving(&self, column: &[f64], first: bool) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (place, (&entry, value)) in column.iter().zip(&self.values).enumerate() {
            if entry <= PIVOT {
                continue;
            }
            let step = value.max(0.0) / entry;
            let sooner = best.is_none_or(|(other, least)| {
                let tied = step <= least + STEP;
                let preferred = match first {
                    true => self.number(self.basis[place]) < self.number(self.basis[other]),
                    false => entry > column[other],
                };
                step < least - STEP || (tied && preferred)
            });
            if sooner {
                best = Some((place, step));
            }
        }
        best
    }

    fn number(&self, variable: Variable) -> usize {
        match variable {
            Variable::Rise => 0,
            Variable::Panel(panel) => 1 + panel,
            Variable::Surplus(kind) => 1 + self.panels.len() + kind,
        }
    }

    /// Settles kinds at their floor plus the rise. The floor of the kinds that rise on goes up by
    /// the rise. `heaviest` is the settled kind of largest weight.
    pub fn settle(&mut self, kinds: &[usize], heaviest: usize) {
        let rise = self.rise();
        for kind in (0..self.kinds).filter(|&kind| self.rising[kind]) {
            self.floors[kind] += rise;
        }
        // The rise leaves the basis at 0; a surplus of 0 whose multiplier is not takes its place.
        let place = self.basis.iter().position(|basic| *basic == Variable::Rise);
        if let Some(place) = place {
            let surplus = Variable::Surplus(heaviest);
            self.values[place] = 0.0;
            let column = self.inverse.times(self.column(surplus).into_iter());
            self.exchange(place, surplus, &column);
        }
        kinds.iter().for_each(|&kind| self.rising[kind] = false);
        self.refresh();
    }
}
