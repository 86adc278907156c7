//! The panels found so far, and the search for more.

use crate::panel::PanelKinds;
use crate::panel::heaviest::{Heaviest, PanelSearch, SearchEnd};

/// The panels found so far.
#[derive(Clone, Debug)]
pub(super) struct Columns<'a> {
    search: PanelSearch<'a>,
    nodes: u64,
    /// How many of each kind sit on each panel.
    pub panels: Vec<Vec<u32>>,
    /// The kinds that sit on some panel.
    pub open: Vec<usize>,
    /// How many respondents each kind has.
    pub counts: Vec<f64>,
}

/// Why there is no lottery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLottery {
    /// There is no panel at all.
    #[error("no panel keeps all quotas")]
    NoPanel,
    /// A search ended before it found a panel or proved that there is none.
    #[error("whether a respondent can be on any panel was not decided in {nodes} nodes")]
    Undecided {
        /// The nodes allowed.
        nodes: u64,
    },
}

impl<'a> Columns<'a> {
    /// Panels on which every kind sits that can sit on any.
    pub fn covering(kinds: &'a PanelKinds, nodes: u64) -> Result<Self, NoLottery> {
        let mut columns = Self {
            search: PanelSearch::new(kinds),
            nodes,
            panels: Vec::new(),
            open: Vec::new(),
            counts: kinds.counts(),
        };
        let mut seen = vec![0.0; kinds.kinds().len()];
        // Who has been on few panels for their number weighs most.
        loop {
            let absent = |k: &usize| seen[*k] == 0.0;
            let weights: Vec<f64> = (0..seen.len())
                .map(|k| f64::from(u8::from(absent(&k))) + 0.01 / (1.0 + seen[k]))
                .collect();
            let found = columns.heaviest(&weights, 0.0, 0.8);
            let Some(panel) = found.panel else { break };
            let fresh = (0..seen.len()).any(|k| seen[k] == 0.0 && panel[k] > 0);
            for (seen, (count, all)) in seen.iter_mut().zip(panel.iter().zip(&columns.counts)) {
                *seen += f64::from(*count) / all;
            }
            columns.panels.push(panel);
            if !fresh {
                break;
            }
        }
        if columns.panels.is_empty() {
            return Err(NoLottery::NoPanel);
        }
        columns.cover_singly(&mut seen)?;
        columns.open = (0..seen.len()).filter(|&k| seen[k] > 0.0).collect();
        Ok(columns)
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

    /// The heaviest panel for these weights of a member of each kind, or one that is heavy enough.
    pub fn heaviest(&mut self, weights: &[f64], above: f64, share: f64) -> Heaviest {
        let nodes = self.nodes;
        let end = SearchEnd {
            above,
            share,
            nodes,
        };
        self.search.heaviest(weights, end)
    }

    /// The share of each open kind that sits on a panel.
    pub fn shares(&self, panel: usize) -> Vec<(usize, f64)> {
        let counts = &self.panels[panel];
        let shares = self.open.iter().enumerate().filter_map(|(place, &kind)| {
            let seated = counts[kind];
            (seated > 0).then(|| (place, f64::from(seated) / self.counts[kind]))
        });
        shares.collect()
    }
}
