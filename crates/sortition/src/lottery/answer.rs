//! The answer of a rule by kinds of respondents: what can be kept, and checked again.

use serde::{Deserialize, Serialize};

use super::certificate::{LotteryCertificate, LotteryRule, NODES, PanelLottery};
use super::columns::{Columns, NoLottery, closed};
use super::levels::Outline;
use super::mixture::mixture;
use super::named::people;
use super::proof::KindProof;
use super::watch::LotteryWatch;
use super::{nash, stages};
use crate::PanelKinds;
use crate::heaviest::{PanelSearch, SearchEnd};

/// Questions with fewer kinds are answered by column generation from the start.
const FEW: usize = 64;
/// The share of a bound by which rounding may break it.
const NEAR: f64 = 1e-11;
/// Levels that are proved are so to within this.
const GAP: f64 = 1e-7;
/// Probabilities sum to 1 within this.
const WHOLE: f64 = 1e-9;

/// A lottery over panels by kind, with its proof. It contains no names or numbers of respondents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LotteryAnswer {
    /// The kinds that can be on a panel.
    pub(super) open: Vec<usize>,
    /// The panels, each as kinds and how many of them, and their probabilities.
    pub(super) panels: Vec<(Vec<(usize, u32)>, f64)>,
    /// The proofs: one per stage for maximin and leximin, a single one for Nash.
    pub(super) proofs: Vec<KindProof>,
}

impl LotteryAnswer {
    /// The answer of a rule.
    pub(super) fn of(
        rule: LotteryRule,
        kinds: &PanelKinds,
        nodes: u64,
        watch: &LotteryWatch<'_>,
    ) -> Result<Self, NoLottery> {
        let mut columns = Columns::covering(kinds, nodes, *watch)?;
        // What leximin answers is one of the answers of maximin.
        let is_leveled = match rule {
            LotteryRule::Leximin => true,
            LotteryRule::Maximin => columns.has_shared_homes(),
            LotteryRule::Nash => false,
        };
        if is_leveled && columns.open.len() > FEW {
            let answer = Self::by_levels(rule, kinds, &columns, watch);
            if watch.is_interrupted() {
                return Err(NoLottery::Interrupted);
            }
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
        Self::by_columns(rule, &mut columns)
    }

    /// The answer of leximin, with as much of its proof as a rule needs, where panels give the
    /// chances that quotas and households leave. None where that is not so, or such panels are not
    /// found.
    pub(super) fn by_levels(
        rule: LotteryRule,
        kinds: &PanelKinds,
        columns: &Columns<'_>,
        watch: &LotteryWatch<'_>,
    ) -> Option<Self> {
        let levels = Outline::new(kinds, &columns.open).levels(watch)?;
        let mut seats = vec![0.0; kinds.kinds().len()];
        for (&kind, chance) in columns.open.iter().zip(&levels.chances) {
            seats[kind] = chance * columns.counts[kind];
        }
        let stages = match rule {
            LotteryRule::Leximin => usize::MAX,
            LotteryRule::Maximin | LotteryRule::Nash => 1,
        };
        let proofs = levels.stages.into_iter().take(stages).collect();
        let panels = mixture(kinds, &seats, watch)?;
        Some(Self {
            open: columns.open.clone(),
            panels: panels
                .into_iter()
                .map(|(panel, probability)| (seated(&panel), probability))
                .collect(),
            proofs,
        })
    }

    /// The answer by column generation.
    fn by_columns(rule: LotteryRule, columns: &mut Columns<'_>) -> Result<Self, NoLottery> {
        let (lottery, proofs) = match rule {
            LotteryRule::Nash => {
                let (lottery, proof) = nash::nash(columns)?;
                (lottery, vec![proof])
            }
            LotteryRule::Maximin => stages::raise_all(columns, false)?,
            LotteryRule::Leximin => stages::raise_all(columns, true)?,
        };
        let panels = lottery.iter();
        let panels = panels.map(|&(panel, p)| (seated(&columns.panels[panel]), p));
        Ok(Self {
            open: columns.open.clone(),
            panels: panels.collect(),
            proofs,
        })
    }

    /// The lottery over panels of people.
    pub(super) fn lottery(&self, rule: LotteryRule, kinds: &PanelKinds) -> PanelLottery {
        let counts: Vec<Vec<u32>> = self
            .panels
            .iter()
            .map(|panel| spread(&panel.0, kinds))
            .collect();
        let pairs = counts.iter().zip(&self.panels);
        let by_kind: Vec<(&[u32], f64)> = pairs.map(|(c, panel)| (c.as_slice(), panel.1)).collect();
        let (panels, chances) = people(kinds, &by_kind);
        let impossible = closed(kinds, &self.open);
        let certificate = match rule {
            LotteryRule::Nash => {
                let proof = &self.proofs[0];
                let weights = self.of_people(kinds, &proof.weights);
                LotteryCertificate::nash(weights, proof.bound, proof.undecided)
            }
            LotteryRule::Maximin | LotteryRule::Leximin => {
                let stages = self.proofs.iter().map(|proof| {
                    let settled = proof.settled.iter().map(|&place| self.open[place]);
                    let settled =
                        settled.flat_map(|kind| kinds.kinds()[kind].people.iter().flatten());
                    let mut settled: Vec<u32> = settled.copied().collect();
                    settled.sort_unstable();
                    let weights = self.of_people(kinds, &proof.weights);
                    (weights, proof.bound, settled, proof.undecided)
                });
                LotteryCertificate::stages(stages, &chances, &impossible)
            }
        };
        PanelLottery {
            panels,
            chances,
            impossible,
            certificate,
        }
    }

    /// A number of each respondent from a number of each open kind; 0 of the others.
    fn of_people(&self, kinds: &PanelKinds, of_open: &[f64]) -> Vec<f64> {
        let mut of_kinds = vec![0.0; kinds.kinds().len()];
        for (&kind, number) in self.open.iter().zip(of_open) {
            of_kinds[kind] = *number;
        }
        kinds.spread(&of_kinds)
    }

    /// Returns true if the answer proves itself for a question. Its panels are panels, its
    /// probabilities sum to 1, its chances are those that its weights prove, and no panel is
    /// heavier than its bounds.
    #[must_use]
    pub(super) fn holds(
        &self,
        rule: LotteryRule,
        kinds: &PanelKinds,
        watch: &LotteryWatch<'_>,
    ) -> bool {
        self.is_sound(kinds) && {
            let lottery = self.lottery(rule, kinds);
            let settled: usize = self.proofs.iter().map(|proof| proof.settled.len()).sum();
            let is_settled = rule != LotteryRule::Leximin || settled == self.open.len();
            let is_near = lottery.certificate.gap() <= GAP;
            is_settled && is_near && self.is_open(kinds, watch) && {
                self.is_level(rule, kinds, &lottery, watch) || self.is_proved(kinds, watch)
            }
        }
    }

    /// Returns true if the other kinds can be on no panel.
    fn is_open(&self, kinds: &PanelKinds, watch: &LotteryWatch<'_>) -> bool {
        let mut search = PanelSearch::new(kinds).heeding(watch.interrupt());
        let all = 0..kinds.kinds().len();
        let mut closed = all.filter(|kind| self.open.binary_search(kind).is_err());
        closed.all(|kind| {
            let mut weights = vec![0.0; kinds.kinds().len()];
            weights[kind] = 1.0;
            let end = SearchEnd {
                above: 0.5,
                share: 0.0,
                nodes: NODES,
            };
            let found = search.heaviest(&weights, end);
            found.panel.is_none() && found.bound <= 0.5 + NEAR
        })
    }

    /// Returns true if the chances are those that quotas and households allow, or for maximin the
    /// least of them. No chances are then fairer.
    fn is_level(
        &self,
        rule: LotteryRule,
        kinds: &PanelKinds,
        lottery: &PanelLottery,
        watch: &LotteryWatch<'_>,
    ) -> bool {
        let Some(levels) = Outline::new(kinds, &self.open).levels(watch) else {
            return false;
        };
        let least = levels.chances.iter().copied().fold(1.0, f64::min);
        let chances = self.of_people(kinds, &levels.chances);
        let pairs = chances.iter().zip(&lottery.chances);
        let off = pairs.map(|(level, chance)| (level - chance).abs());
        match rule {
            LotteryRule::Leximin => off.fold(0.0, f64::max) <= GAP,
            LotteryRule::Maximin => lottery.least() >= least - GAP,
            LotteryRule::Nash => false,
        }
    }

    /// Returns true if a panel is no heavier than the proof's bound.
    fn is_within(&self, panel: &[(usize, u32)], proof: &KindProof) -> bool {
        let weight = |(kind, seats): &(usize, u32)| {
            let place = self.open.binary_search(kind).ok();
            place.map_or(0.0, |at| proof.weights[at] * f64::from(*seats))
        };
        let weight: f64 = panel.iter().map(weight).sum();
        weight <= proof.bound + NEAR * (1.0 + proof.bound)
    }

    fn is_sound(&self, kinds: &PanelKinds) -> bool {
        let all = kinds.kinds().len();
        let is_place = |place: &usize| *place < self.open.len();
        let is_panel = |(panel, p): &(Vec<(usize, u32)>, f64)| {
            panel
                .iter()
                .all(|(kind, _)| self.open.binary_search(kind).is_ok())
                && kinds.is_panel(&spread(panel, kinds))
                && *p > 0.0
        };
        let is_proof = |proof: &KindProof| {
            proof.weights.len() == self.open.len()
                && proof.weights.iter().all(|weight| *weight >= 0.0)
                && proof.settled.iter().all(is_place)
                && proof.bound.is_finite()
                && !proof.undecided
                && self
                    .panels
                    .iter()
                    .all(|(panel, _)| self.is_within(panel, proof))
        };
        let whole: f64 = self.panels.iter().map(|panel| panel.1).sum();
        self.open.is_sorted()
            && self.open.iter().all(|kind| *kind < all)
            && self.panels.iter().all(is_panel)
            && (whole - 1.0).abs() <= WHOLE
            && !self.proofs.is_empty()
            && self.proofs.iter().all(is_proof)
    }

    /// Returns true if no panel is heavier than each bound.
    fn is_proved(&self, kinds: &PanelKinds, watch: &LotteryWatch<'_>) -> bool {
        let mut search = PanelSearch::new(kinds).heeding(watch.interrupt());
        self.proofs.iter().all(|proof| {
            let mut weights = vec![0.0; kinds.kinds().len()];
            for (&kind, weight) in self.open.iter().zip(&proof.weights) {
                weights[kind] = *weight;
            }
            let above = proof.bound + NEAR * (1.0 + proof.bound);
            let end = SearchEnd {
                above,
                share: 0.0,
                nodes: NODES,
            };
            let found = search.heaviest(&weights, end);
            !watch.is_interrupted() && found.panel.is_none() && found.bound <= above + NEAR
        })
    }

    /// Returns true if all of it is proved, so that it may be stored.
    #[must_use]
    pub(super) fn is_decided(&self) -> bool {
        !self.proofs.iter().any(|proof| proof.undecided)
    }
}

/// The kinds that sit on a panel, and how many of each.
fn seated(panel: &[u32]) -> Vec<(usize, u32)> {
    let counts = panel.iter().copied().enumerate();
    counts.filter(|(_, count)| *count > 0).collect()
}

/// Returns the number of members of each kind on a panel.
fn spread(panel: &[(usize, u32)], kinds: &PanelKinds) -> Vec<u32> {
    let mut counts = vec![0; kinds.kinds().len()];
    for (kind, count) in panel {
        counts[*kind] = *count;
    }
    counts
}
