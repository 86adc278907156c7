//! The panels found so far, and the search for more.

use super::watch::{LotteryProgress, LotteryWatch};
use crate::PanelKinds;
use crate::heaviest::{Heaviest, PanelSearch, SearchEnd, value_rows};
use kleroterion_core::draw::uniform;

/// The spread of the noise on weights of kinds that would otherwise be equal.
const NOISE: f64 = 0.1;

/// The panels found so far.
#[derive(Clone)]
pub(super) struct Columns<'a> {
    kinds: &'a PanelKinds,
    search: PanelSearch<'a>,
    nodes: u64,
    /// The observer of the computation.
    pub watch: LotteryWatch<'a>,
    /// The number of each kind on each panel.
    pub panels: Vec<Vec<u32>>,
    /// The kinds that are on some panel.
    pub open: Vec<usize>,
    /// The number of respondents of each kind.
    pub counts: Vec<f64>,
}

/// The reason why there is no lottery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLottery {
    /// There is no panel.
    #[error("no panel keeps all quotas")]
    NoPanel,
    /// The caller stopped it.
    #[error("the lottery was not computed to its end: it was interrupted")]
    Interrupted,
    /// A search ended before it found a panel or proved that there is none.
    #[error("whether a respondent can be on any panel was not decided in {nodes} nodes")]
    Undecided {
        /// The nodes allowed.
        nodes: u64,
    },
}

impl<'a> Columns<'a> {
    /// Finds panels that cover every kind that can be on any panel.
    pub fn covering(
        kinds: &'a PanelKinds,
        nodes: u64,
        watch: LotteryWatch<'a>,
    ) -> Result<Self, NoLottery> {
        let mut columns = Self {
            kinds,
            search: PanelSearch::new(kinds).heeding(watch.interrupt()),
            nodes,
            watch,
            panels: Vec::new(),
            open: Vec::new(),
            counts: kinds.counts(),
        };
        let mut seen = vec![0.0; kinds.kinds().len()];
        columns.cover(&mut seen);
        columns.go_on()?;
        if columns.panels.is_empty() {
            let panel = columns.search.any(nodes);
            columns.go_on()?;
            columns.panels.push(panel.ok_or(NoLottery::NoPanel)?);
        }
        columns.cover_singly(&mut seen)?;
        columns.open = (0..seen.len()).filter(|&k| seen[k] > 0.0).collect();
        Ok(columns)
    }

    /// Checks that the computation may go on.
    ///
    /// # Errors
    /// Returns an error if the observer has stopped the computation.
    pub fn go_on(&self) -> Result<(), NoLottery> {
        match self.watch.is_interrupted() {
            true => Err(NoLottery::Interrupted),
            false => Ok(()),
        }
    }

    /// Returns true if people of several kinds live in one household.
    pub fn has_shared_homes(&self) -> bool {
        self.search.has_shared_homes()
    }

    /// Spreads numbers of the open kinds over all kinds; 0 for the others.
    pub fn of_kinds(&self, of_open: &[f64]) -> Vec<f64> {
        let mut of_kinds = vec![0.0; self.counts.len()];
        for (&kind, number) in self.open.iter().zip(of_open) {
            of_kinds[kind] = *number;
        }
        of_kinds
    }

    /// Adds panels on which kinds sit that sit on none so far, as long as there are any.
    fn cover(&mut self, seen: &mut [f64]) {
        let mut narrow = self.search.has_shared_homes().then(|| {
            let rows = value_rows(self.kinds);
            let search = PanelSearch::narrowed(self.kinds, &rows, std::iter::empty());
            search.heeding(self.watch.interrupt())
        });
        let noisy = if narrow.is_some() { NOISE } else { 0.0 };
        // Who has been on few panels for their number weighs most.
        loop {
            let absent = |k: &usize| seen[*k] == 0.0;
            let noise = |k: usize| {
                let word = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                noisy * (uniform(word) - 0.5)
            };
            let weights: Vec<f64> = (0..seen.len())
                .map(|k| f64::from(u8::from(absent(&k))) + 0.01 / (1.0 + seen[k]) + noise(k))
                .collect();
            let end = SearchEnd {
                above: 0.0,
                share: 0.8,
                nodes: self.nodes,
            };
            let search = narrow.as_mut().unwrap_or(&mut self.search);
            let Some(panel) = search.heaviest(&weights, end).panel else {
                break;
            };
            let fresh = (0..seen.len()).any(|k| seen[k] == 0.0 && panel[k] > 0);
            for (seen, (count, all)) in seen.iter_mut().zip(panel.iter().zip(&self.counts)) {
                *seen += f64::from(*count) / all;
            }
            self.panels.push(panel);
            if !fresh {
                break;
            }
        }
    }

    /// Asks of each kind on no panel so far for one.
    fn cover_singly(&mut self, seen: &mut [f64]) -> Result<(), NoLottery> {
        for kind in 0..seen.len() {
            if seen[kind] > 0.0 {
                continue;
            }
            let mut weights = vec![0.0; seen.len()];
            weights[kind] = 1.0;
            let found = self.heaviest(&weights, 0.5, 0.0);
            self.go_on()?;
            match found.panel {
                Some(panel) => {
                    for (seen, count) in seen.iter_mut().zip(&panel) {
                        *seen += f64::from(*count);
                    }
                    self.panels.push(panel);
                }
                None if found.bound > 0.5 + 1e-6 => {
                    return Err(NoLottery::Undecided { nodes: self.nodes });
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Searches for the heaviest panel, given the weight of a member of each kind, or one that is
    /// heavy enough.
    pub fn heaviest(&mut self, weights: &[f64], above: f64, share: f64) -> Heaviest {
        let (found, of) = (self.panels.len(), None);
        self.watch.see(LotteryProgress::Panels { found, of });
        let nodes = self.nodes;
        let end = SearchEnd {
            above,
            share,
            nodes,
        };
        self.search.heaviest(weights, end)
    }

    /// The share of each open kind that is on a panel.
    pub fn shares(&self, panel: usize) -> Vec<(usize, f64)> {
        let counts = &self.panels[panel];
        let shares = self.open.iter().enumerate().filter_map(|(place, &kind)| {
            let seated = counts[kind];
            (seated > 0).then(|| (place, f64::from(seated) / self.counts[kind]))
        });
        shares.collect()
    }
}

/// Returns the respondents who can be on no panel, in increasing order. Each search for a panel of
/// theirs may use `nodes` nodes.
///
/// # Errors
/// Returns an error if there is no panel, or if it was not decided who can be on one.
pub fn impossible(kinds: &PanelKinds, nodes: u64) -> Result<Vec<u32>, NoLottery> {
    let columns = Columns::covering(kinds, nodes, LotteryWatch::patient())?;
    Ok(closed(kinds, &columns.open))
}

/// The respondents of all kinds but the open ones, in increasing order.
pub(super) fn closed(kinds: &PanelKinds, open: &[usize]) -> Vec<u32> {
    let kinds = kinds.kinds().iter().enumerate();
    let closed = kinds.filter(|(kind, _)| open.binary_search(kind).is_err());
    let people = closed.flat_map(|(_, kind)| kind.people.iter().flatten().copied());
    let mut people: Vec<u32> = people.collect();
    people.sort_unstable();
    people
}
