//! The heaviest panel: of all panels the one whose members weigh most together, by branch and
//! bound over the program of fractions of people.

mod inverse;
mod relaxed;

pub(super) use inverse::BasisInverse;
pub(super) use relaxed::{Ended, ProgramRow, RelaxedPanel, home_row, value_rows};

use std::sync::atomic::{AtomicBool, Ordering};

use super::{AlikeHomes, PanelKinds};

/// Numbers this near to whole ones are whole.
const NEAR: f64 = 1e-6;
/// Exchanges allowed to a program of fractions, times its rows.
const EXCHANGES: u32 = 2_000;
/// The share of the largest weight a panel could have that counts as nothing.
const NOTHING: f64 = 1e-14;

/// Rows of households that a program has at most before it begins anew without.
const HOMES: usize = 40;

/// A search for heaviest panels. Each search starts where the last one ended.
///
/// The program has rows only for households that its solutions broke, because there are many
/// households and few of them bind.
#[derive(Clone, Debug)]
pub struct PanelSearch<'a> {
    kinds: &'a PanelKinds,
    program: RelaxedPanel,
    /// The households of several kinds.
    shared: Vec<&'a AlikeHomes>,
    /// True for each shared household that the program has rows for.
    has_row: Vec<bool>,
    /// True if households are kept only by branching.
    branches: bool,
    /// Set where the search is to be given up.
    interrupt: Option<&'a AtomicBool>,
}

/// The conditions that end a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchEnd {
    /// The weight up to which panels do not matter.
    pub above: f64,
    /// The share of the way from `above` to the bound known at the start that is enough: 1 asks for
    /// the heaviest panel.
    pub share: f64,
    /// The number of branch-and-bound nodes after which the search is given up.
    pub nodes: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Heaviest {
    /// The heaviest panel found above the weight that matters: its number of members of each kind.
    pub panel: Option<Vec<u32>>,
    /// The weight of the panel.
    pub weight: f64,
    /// The upper bound of the weight of any panel.
    pub bound: f64,
    /// The number of nodes visited.
    pub nodes: u64,
}

/// A branch that is still to be searched.
struct Branch {
    /// Changes made before it.
    depth: usize,
    variable: usize,
    bounds: [f64; 2],
    /// The upper bound of the weight of any panel in it.
    most: f64,
}

impl<'a> PanelSearch<'a> {
    /// Makes a search among the panels of some kinds.
    #[must_use]
    pub fn new(kinds: &'a PanelKinds) -> Self {
        let homes = kinds.homes().iter();
        let shared: Vec<&AlikeHomes> = homes.filter(|homes| homes.kinds.len() > 1).collect();
        Self {
            kinds,
            program: RelaxedPanel::new(kinds),
            has_row: vec![false; shared.len()],
            shared,
            branches: false,
            interrupt: None,
        }
    }

    /// Makes the search give up as soon as `interrupt` is set. It may then miss panels, but its
    /// bounds hold.
    #[must_use]
    pub fn heeding(self, interrupt: &'a AtomicBool) -> Self {
        let interrupt = Some(interrupt);
        Self { interrupt, ..self }
    }

    /// Returns any panel. `None` if there is none, or none was found in `nodes` nodes.
    pub fn any(&mut self, nodes: u64) -> Option<Vec<u32>> {
        let weights = vec![0.0; self.kinds.kinds().len()];
        let (above, share) = (-1.0, 0.0);
        let end = SearchEnd {
            above,
            share,
            nodes,
        };
        self.heaviest(&weights, end).panel
    }

    /// Returns true if people of several kinds live in one household.
    pub(super) fn has_shared_homes(&self) -> bool {
        !self.shared.is_empty()
    }

    /// A search for any panel among those in which some variables keep narrower bounds; `rows`: its
    /// own rows, of which each has a variable after those of the kinds. No two weights should be
    /// the same: the long steps of its program may go round in circles between those that are.
    pub(super) fn narrowed(
        kinds: &'a PanelKinds,
        rows: &[ProgramRow],
        bounds: impl Iterator<Item = (usize, [f64; 2])>,
    ) -> Self {
        let upper = kinds.kinds().iter().map(|kind| f64::from(kind.most));
        let mut program = RelaxedPanel::of_rows(upper.collect(), rows).by_long_steps();
        bounds.for_each(|(variable, bounds)| program.bound(variable, bounds));
        program.place();
        Self {
            program,
            branches: true,
            ..Self::new(kinds)
        }
    }

    /// Adds rows for the households that the solution of a program breaks; whether there are any.
    fn add_homes(&mut self, weights: &[f64]) -> bool {
        let seated = self.program.kinds();
        let is_broken = |homes: &AlikeHomes| {
            seated[homes.kinds.clone()].iter().sum::<f64>() > f64::from(homes.count) + NEAR
        };
        let mut fresh = false;
        for (homes, has_row) in self.shared.iter().zip(&mut self.has_row) {
            if !*has_row && is_broken(homes) {
                (*has_row, fresh) = (true, true);
            }
        }
        if fresh {
            let rows = self.shared.iter().zip(&self.has_row);
            let rows = rows.filter(|(_, has_row)| **has_row);
            let rows: Vec<&AlikeHomes> = rows.map(|(homes, _)| *homes).collect();
            self.program = RelaxedPanel::with_homes(self.kinds, &rows);
            self.program.weigh(weights);
        }
        fresh
    }

    /// Solves the first program, with rows for all households that its solution would break.
    fn solve_root(&mut self, weights: &[f64], cutoff: f64) {
        if self.has_row.iter().filter(|has_row| **has_row).count() > HOMES {
            self.has_row.fill(false);
            self.program = RelaxedPanel::new(self.kinds);
        }
        self.program.weigh(weights);
        if self.branches || self.shared.is_empty() {
            return;
        }
        loop {
            let ended = self.program.solve(cutoff, EXCHANGES);
            if ended != Ended::Optimal || !self.add_homes(weights) {
                break;
            }
        }
    }

    /// Searches for the heaviest panel, given the weight of a member of each kind.
    pub fn heaviest(&mut self, weights: &[f64], end: SearchEnd) -> Heaviest {
        let largest = weights.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        let nothing = NOTHING * largest * f64::from(self.kinds.members().max(1));
        self.solve_root(weights, end.above + nothing);
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
            let interrupted = self
                .interrupt
                .is_some_and(|is_set| is_set.load(Ordering::Relaxed));
            if found.nodes >= end.nodes || interrupted {
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
        if let Some(overfull) = self.overfull() {
            let (kind, value) = overfull?;
            return Some((kind, value, most));
        }
        let basics = self.program.basics();
        let sums = weights.len() + 1 + self.kinds.bounds().len();
        let mut branch: Option<(usize, f64, f64)> = None;
        for (variable, value) in basics {
            let [lower, upper] = self.program.bounds(variable);
            let value = value.clamp(lower, upper);
            let off = (value - value.round()).abs();
            // A sum of many kinds decides more than one kind does, or the few of a household.
            let off = match variable {
                kind if kind < weights.len() => off,
                sum if sum < sums => off + 1.0,
                _ => continue,
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

    /// Returns, for the first household kind with too many members, the kind that can have fewer at
    /// the least loss, and a number of it that is too large. The inner option is `None` if no kind
    /// can have fewer.
    fn overfull(&self) -> Option<Option<(usize, f64)>> {
        if self.shared.is_empty() {
            return None;
        }
        let seated = self.program.kinds();
        let is_overfull = |homes: &&&AlikeHomes| {
            seated[homes.kinds.clone()].iter().sum::<f64>() > f64::from(homes.count) + NEAR
        };
        let homes = self.shared.iter().find(is_overfull)?;
        let fewer = homes.kinds.clone();
        let fewer = fewer.filter(|&kind| seated[kind] > self.program.bounds(kind)[0] + NEAR);
        let weight = |kind: &usize| self.program.weight(*kind);
        let lightest = fewer.min_by(|a, b| weight(a).total_cmp(&weight(b)));
        Some(lightest.map(|kind| (kind, (seated[kind] - NEAR).ceil() - 0.75)))
    }

    fn width(&self, variable: usize) -> f64 {
        let [lower, upper] = self.program.bounds(variable);
        upper - lower
    }
}
