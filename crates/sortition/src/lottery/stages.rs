//! Maximin and leximin: the least chance as large as can be; then, for leximin, the next least, and
//! so on.
//!
//! A stage raises the chances of the kinds that still rise by column generation: the master program
//! gives weights of the kinds, and the heaviest panel under them is added, until none is heavier
//! than those known. The panel is sought at a mean of these weights and of the best so far
//! (smoothing, Wentges 1997), which takes a third of the panels. Kinds of positive weight then
//! are settled: none can have more without another of them having less (Flanigan, Goelz, Gupta,
//! Hennig and Procaccia, Nature 2021, with kinds in place of respondents).

use super::columns::{Columns, NoLottery};
use super::master::Master;
use super::proof::{KindLottery, KindProof};
use super::watch::LotteryProgress;

/// Exchanges allowed to a master program.
const EXCHANGES: u32 = 200_000;
/// The share of the best weights so far in those under which a panel is sought.
const KEPT: f64 = 0.8;
/// The share of the way to the bound that a panel must go to be added without further search.
const SHARE: f64 = 0.8;
/// A stage ends where less than this can be won.
const GAP: f64 = 1e-12;
/// Kinds of a smaller weight are not settled.
const WEIGHT: f64 = 1e-9;

/// The lottery of one stage (maximin), or of as many as there are levels (leximin).
pub(super) fn raise_all(
    columns: &mut Columns<'_>,
    all: bool,
) -> Result<(KindLottery, Vec<KindProof>), NoLottery> {
    let mut master = Master::new(columns.open.len(), &columns.shares(0));
    for panel in 1..columns.panels.len() {
        master.add(columns.shares(panel));
    }
    let mut stages: Vec<KindProof> = Vec::new();
    while master.rising().iter().any(|rises| *rises) {
        let stage = Stage::new(columns, &mut master).raise()?;
        let settled = master.rising().iter().filter(|rises| !**rises).count();
        columns.watch.see(LotteryProgress::Settled {
            kinds: settled,
            of: columns.open.len(),
        });
        let weights = &stage.weights;
        let counts: Vec<f64> = columns
            .open
            .iter()
            .map(|&kind| columns.counts[kind])
            .collect();
        let heaviest = stage.settled.iter().copied().max_by(|&a, &b| {
            f64::total_cmp(&(weights[a] * counts[a]), &(weights[b] * counts[b])).then(b.cmp(&a))
        });
        let settled = stage.settled.clone();
        stages.push(stage);
        match heaviest {
            Some(heaviest) if all => master.settle(&settled, heaviest),
            _ => break,
        }
    }
    Ok((master.lottery(), stages))
}

/// A stage that is under way.
struct Stage<'a, 'k> {
    columns: &'a mut Columns<'k>,
    master: &'a mut Master,
    rising: Vec<usize>,
    floors: Vec<f64>,
    /// The weights of the kinds that prove the least bound of the rise so far, and that bound.
    best: Option<(Vec<f64>, f64)>,
}

impl<'a, 'k> Stage<'a, 'k> {
    fn new(columns: &'a mut Columns<'k>, master: &'a mut Master) -> Self {
        let rises = |kind: &usize| master.rising()[*kind];
        Self {
            rising: (0..columns.open.len()).filter(rises).collect(),
            floors: master.floors().to_vec(),
            columns,
            master,
            best: None,
        }
    }

    fn raise(mut self) -> Result<KindProof, NoLottery> {
        let watch = self.columns.watch;
        self.master.solve(EXCHANGES, &watch);
        let mut missed = 0.0;
        loop {
            self.columns.go_on()?;
            let (weights, most) = self.master.weights();
            let rise = self.master.rise();
            let proved = |best: &&(Vec<f64>, f64)| best.1 - rise <= GAP;
            let kept = 1.0 - (missed + 1.0) * (1.0 - KEPT);
            let kept = match self.best.as_ref().is_some_and(|best| proved(&best)) {
                true => 0.0,
                false => kept,
            };
            let (at, exact) = match &self.best {
                Some((best, _)) if kept > 1e-9 => (mixed(best, &weights, kept), false),
                _ => (weights.clone(), true),
            };
            let floor: f64 = at
                .iter()
                .zip(&self.floors)
                .map(|(w, floor)| w * floor)
                .sum();
            let above = (rise + floor) + GAP * (1.0 + rise + floor);
            let of_members = self.of_members(&at);
            let found = self
                .columns
                .heaviest(&self.columns.of_kinds(&of_members), above, SHARE);
            let bound = found.bound.max(rise + floor);
            if self
                .best
                .as_ref()
                .is_none_or(|(_, least)| bound - floor < *least)
            {
                self.best = Some((at, bound - floor));
            }
            let better = found
                .panel
                .filter(|panel| self.weight(&weights, panel) > most + GAP);
            if let Some(panel) = better {
                self.columns.panels.push(panel);
                let last = self.columns.panels.len() - 1;
                self.master.add(self.columns.shares(last));
                self.master.solve(EXCHANGES, &watch);
                missed = 0.0;
            } else if exact {
                let settled = self.rising.iter().copied();
                return Ok(KindProof {
                    settled: settled.filter(|&kind| weights[kind] > WEIGHT).collect(),
                    undecided: found.bound > above + GAP * (1.0 + above),
                    weights: of_members,
                    bound,
                });
            } else {
                missed += 1.0;
            }
        }
    }

    /// The weight of a member of each open kind, from that of the kind.
    fn of_members(&self, weights: &[f64]) -> Vec<f64> {
        let open = self.columns.open.iter().zip(weights);
        open.map(|(&kind, weight)| weight / self.columns.counts[kind])
            .collect()
    }

    fn weight(&self, weights: &[f64], panel: &[u32]) -> f64 {
        let of_members = self.of_members(weights);
        let open = self.columns.open.iter().zip(of_members);
        open.map(|(&kind, weight)| weight * f64::from(panel[kind]))
            .sum()
    }
}

fn mixed(best: &[f64], last: &[f64], kept: f64) -> Vec<f64> {
    let pairs = best.iter().zip(last);
    pairs
        .map(|(best, last)| kept * best + (1.0 - kept) * last)
        .collect()
}
