//! The heaviest panel: of all panels the one whose members weigh most together, by branch and
//! bound over the program of fractions of people.

mod inverse;
mod relaxed;

pub(super) use inverse::BasisInverse;

use super::PanelKinds;
use relaxed::{Ended, RelaxedPanel};

/// Numbers this near to whole ones are whole.
const NEAR: f64 = 1e-6;
/// Exchanges allowed to a program of fractions, times its rows.
const EXCHANGES: u32 = 2_000;
/// The share of the largest weight a panel could have that counts as nothing.
const NOTHING: f64 = 1e-14;

/// Looks for heaviest panels, each search from where the last one ended.
#[derive(Clone, Debug)]
pub struct PanelSearch<'a> {
    kinds: &'a PanelKinds,
    program: RelaxedPanel,
}

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub struct SearchEnd {
    /// Panels that are no heavier do not matter.
    pub above: f64,
    /// The share of the way from there to the bound known at the start that is far enough: 1 asks
    /// for the heaviest.
    pub share: f64,
    /// The nodes of branch and bound after which it is given up.
    pub nodes: u64,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Heaviest {
    /// The heaviest panel found that is above what matters: how many of each kind.
    pub panel: Option<Vec<u32>>,
    /// Its weight.
    pub weight: f64,
    /// No panel is heavier than this.
    pub bound: f64,
    /// The nodes visited.
    pub nodes: u64,
}

/// A branch that is still to be searched.
struct Branch {
    /// Changes made before it.
    depth: usize,
    variable: usize,
    bounds: [f64; 2],
    /// No panel in it is heavier than this.
    most: f64,
}

impl<'a> PanelSearch<'a> {
    /// A search among the panels of some kinds.
    #[must_use]
    pub fn new(kinds: &'a PanelKinds) -> Self {
        let program = RelaxedPanel::new(kinds);
        Self { kinds, program }
    }

    /// The heaviest panel for these weights of a member of each kind.
    pub fn heaviest(&mut self, weights: &[f64], end: SearchEnd) -> Heaviest {
        self.program.weigh(weights);
        let largest = weights.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        let nothing = NOTHING * largest * f64::from(self.kinds.members().max(1));
        let mut found = Heaviest {
            panel: None,
            weight: end.above,
            bound: f64::NEG_INFINITY,
            nodes: 0,
        };
        let mut changed: Vec<(usize, [f64; 2])> = Vec::new();
        let mut open: Vec<Branch> = Vec::new();
        let mut enough = f64::INFINITY;
        loop {
            found.nodes += 1;
            let node = self.node(weights, &mut found, nothing);
            if found.nodes == 1 && end.share < 1.0 {
                let most = node.map_or(found.bound, |(_, _, most)| most);
                enough = end.above + end.share * (most - end.above);
            }
            match node {
                Some((variable, value, most)) => {
                    let depth = changed.len();
                    let [lower, upper] = self.program.bounds(variable);
                    let (down, up) = ([lower, value.floor()], [value.floor() + 1.0, upper]);
                    let up_first = value - value.floor() > 0.5;
                    let (first, second) = if up_first { (up, down) } else { (down, up) };
                    for bounds in [second, first] {
                        open.push(Branch {
                            depth,
                            variable,
                            bounds,
                            most,
                        });
                    }
                }
                None if found.panel.is_some() && found.weight >= enough => break,
                None => {}
            }
            let heavy = |branch: &Branch| branch.most > found.weight + nothing;
            while let Some(light) = open.pop_if(|branch| !heavy(branch)) {
                found.bound = found.bound.max(light.most);
            }
            if found.nodes >= end.nodes {
                break;
            }
            let Some(branch) = open.pop() else { break };
            self.undo(&mut changed, branch.depth);
            changed.push((branch.variable, self.program.bounds(branch.variable)));
            self.program.bound(branch.variable, branch.bounds);
            self.program.place();
        }
        self.undo(&mut changed, 0);
        self.program.place();
        let left = open.iter().map(|branch| branch.most);
        found.bound = left.fold(found.bound, f64::max);
        if found.panel.is_some() {
            found.bound = found.bound.max(found.weight);
        }
        found
    }

    fn undo(&mut self, changed: &mut Vec<(usize, [f64; 2])>, depth: usize) {
        for (variable, bounds) in changed.drain(depth..).rev() {
            self.program.bound(variable, bounds);
        }
    }

    /// Solves a node: the variable to branch on, its value, and the most a panel of it can weigh.
    /// Nothing where the node is done.
    fn node(
        &mut self,
        weights: &[f64],
        found: &mut Heaviest,
        nothing: f64,
    ) -> Option<(usize, f64, f64)> {
        let ended = self.program.solve(found.weight + nothing, EXCHANGES);
        if ended == Ended::Infeasible {
            return None;
        }
        let most = self.program.most();
        if most <= found.weight + nothing {
            found.bound = found.bound.max(most);
            return None;
        }
        let basics = self.program.basics();
        let mut branch: Option<(usize, f64, f64)> = None;
        for (variable, value) in basics {
            let [lower, upper] = self.program.bounds(variable);
            let value = value.clamp(lower, upper);
            let off = (value - value.round()).abs();
            // A sum of many kinds decides more than one kind does.
            let off = if variable >= weights.len() {
                off + 1.0
            } else {
                off
            };
            if off.fract() > NEAR && branch.is_none_or(|(_, _, widest)| off > widest) {
                branch = Some((variable, value, off));
            }
        }
        if let Some((variable, value, _)) = branch {
            return Some((variable, value, most));
        }
        let values = self.program.kinds();
        let counts: Vec<u32> = values.iter().map(|value| value.round() as u32).collect();
        if self.kinds.is_panel(&counts) {
            let members = weights.iter().zip(&counts);
            let weight: f64 = members.map(|(w, count)| w * f64::from(*count)).sum();
            found.bound = found.bound.max(most);
            if weight > found.weight {
                (found.panel, found.weight) = (Some(counts), weight);
            }
            return None;
        }
        // The method gave up at whole numbers that are no panel: halve what is widest.
        let halve = (0..weights.len()).max_by(|a, b| self.width(*a).total_cmp(&self.width(*b)))?;
        let [lower, upper] = self.program.bounds(halve);
        if lower == upper {
            found.bound = found.bound.max(most);
            return None;
        }
        Some((halve, (lower + upper) / 2.0 - 0.25, most))
    }

    fn width(&self, variable: usize) -> f64 {
        let [lower, upper] = self.program.bounds(variable);
        upper - lower
    }
}
