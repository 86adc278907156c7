//! The levels of leximin among all chances that quotas and households leave, whether or not panels
//! give them.
//!
//! A panel of fractions of people has few rows, a row a quota, whatever the number of people. So a
//! stage is a small program here: the least chance of those who still rise as large as can be.
//! Chances under a lottery are a mean of panels and keep the same rows. Where some lottery gives
//! the chances found here, no lottery is fairer, and the multipliers of the rows are the weights of
//! the certificate. Mixtures look for that lottery.
//!
//! Rows of households are added where a solution breaks them; few of them ever bind.

use super::proof::KindProof;
use super::watch::LotteryWatch;
use crate::PanelKinds;
use crate::heaviest::{Ended, ProgramRow, RelaxedPanel, home_row, value_rows};

/// Rows are kept to within this.
const NEAR: f64 = 1e-11;
/// A row that is broken by less than this is not added.
const BROKEN: f64 = 1e-10;
/// Exchanges allowed to a program.
const EXCHANGES: u32 = 20_000;
/// Kinds of a smaller weight are not settled.
const WEIGHT: f64 = 1e-9;

/// The chances of leximin, and the stages that prove them.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// The chance of a member of each open kind.
    pub chances: Vec<f64>,
    /// The stages: the weights and bounds that prove the chance at which some kinds are settled, by
    /// the multipliers of the rows.
    pub stages: Vec<KindProof>,
}

/// The chances that rows leave to open kinds.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    /// The number of respondents of each open kind.
    counts: Vec<f64>,
    /// The most of each that can sit together.
    most: Vec<f64>,
    rows: Vec<ProgramRow>,
    /// Rows that no solution has broken yet.
    waiting: Vec<ProgramRow>,
}

impl Outline {
    /// Makes the outline of the panels of some kinds, of which `open` can be on one.
    pub fn new(kinds: &PanelKinds, open: &[usize]) -> Self {
        let mut places = vec![None; kinds.kinds().len()];
        for (place, &kind) in open.iter().enumerate() {
            places[kind] = Some(place);
        }
        let among_open = |row: ProgramRow| ProgramRow {
            terms: row
                .terms
                .iter()
                .filter_map(|(kind, number)| Some((places[*kind]?, *number)))
                .collect(),
            ..row
        };
        let rows = value_rows(kinds).into_iter().map(among_open).collect();
        let shared = kinds.homes().iter().filter(|homes| homes.kinds.len() > 1);
        let waiting = shared.map(|homes| among_open(home_row(homes)));
        let mut waiting: Vec<ProgramRow> = waiting.collect();
        let most: Vec<f64> = open
            .iter()
            .map(|&kind| f64::from(kinds.kinds()[kind].most))
            .collect();
        waiting.extend(most.iter().enumerate().map(|(place, &max)| ProgramRow {
            terms: vec![(place, 1.0)],
            min: 0.0,
            max,
        }));
        Self {
            counts: open
                .iter()
                .map(|&kind| kinds.kinds()[kind].count())
                .collect(),
            most,
            rows,
            waiting,
        }
    }

    /// Computes the levels of leximin. `None` if a program is not solved, or the watch stops it.
    pub fn levels(&mut self, watch: &LotteryWatch<'_>) -> Option<Levels> {
        let mut chances = vec![0.0; self.counts.len()];
        let mut rising = vec![true; chances.len()];
        let mut stages = Vec::new();
        let mut level = 0.0;
        while rising.contains(&true) {
            let (risen, weights, bound) = self.risen(&chances, &rising, level, watch)?;
            level = risen;
            let rise = chances.iter_mut().zip(&rising);
            rise.filter(|(_, rises)| **rises)
                .for_each(|(chance, _)| *chance = level);
            let of_kind = |place: usize| self.counts[place] * weights[place];
            let heavy = |place: &usize| rising[*place] && of_kind(*place) > WEIGHT;
            let settled: Vec<usize> = (0..rising.len()).filter(heavy).collect();
            settled.iter().for_each(|&place| rising[place] = false);
            if settled.is_empty() {
                return None;
            }
            stages.push(KindProof {
                weights,
                bound,
                settled,
                undecided: false,
            });
        }
        Some(Levels { chances, stages })
    }

    /// The level to which all can rise that still do; the weights that prove it, and their bound.
    fn risen(
        &mut self,
        floors: &[f64],
        rising: &[bool],
        level: f64,
        watch: &LotteryWatch<'_>,
    ) -> Option<(f64, Vec<f64>, f64)> {
        let kinds = floors.len();
        loop {
            watch.go_on().ok()?;
            let mut program = self.program(floors, rising, level);
            let e = program.solve(f64::NEG_INFINITY, EXCHANGES);
            if e != Ended::Optimal {
                return None;
            }
            let values = program.first(kinds + 1);
            let risen = values[kinds];
            let seated = (0..kinds).map(|place| {
                let chance = if rising[place] { risen } else { floors[place] };
                self.counts[place] * chance + values[place]
            });
            if self.add_broken(&seated.collect::<Vec<f64>>()) {
                continue;
            }
            let (mut weights, mut bound) = self.weighed(&program.multipliers());
            let risers = (0..kinds).filter(|&place| rising[place]);
            let whole: f64 = risers
                .map(|place| self.counts[place] * weights[place])
                .sum();
            weights.iter_mut().for_each(|weight| *weight /= whole);
            bound /= whole;
            return (whole > 0.5).then_some((risen, weights, bound));
        }
    }

    /// The weights from 0 of a member of each kind, by multipliers of the rows, and the weight that
    /// no panel exceeds: it keeps the rows.
    fn weighed(&self, multipliers: &[f64]) -> (Vec<f64>, f64) {
        let mut weights = vec![0.0; self.counts.len()];
        let mut bound = 0.0;
        for (row, multiplier) in self.rows.iter().zip(multipliers) {
            bound += multiplier * if *multiplier > 0.0 { row.max } else { row.min };
            for (place, number) in &row.terms {
                weights[*place] += number * multiplier;
            }
        }
        for (weight, most) in weights.iter_mut().zip(&self.most) {
            bound += (-*weight).max(0.0) * most;
            *weight = weight.max(0.0);
        }
        (weights, bound)
    }

    /// The program of a stage: what is seated of each kind above its level, then the level.
    fn program(&self, floors: &[f64], rising: &[bool], level: f64) -> RelaxedPanel {
        let kinds = floors.len();
        let rows = self.rows.iter().map(|row| {
            let mut terms = row.terms.clone();
            let (mut fixed, mut of_level) = (0.0, 0.0);
            for (place, number) in &row.terms {
                let all = number * self.counts[*place];
                match rising[*place] {
                    true => of_level += all,
                    false => fixed += all * floors[*place],
                }
            }
            terms.push((kinds, of_level));
            let (min, max) = (row.min - fixed, row.max - fixed);
            ProgramRow { terms, min, max }
        });
        let upper = (0..kinds).map(|place| {
            let least = if rising[place] { level } else { floors[place] };
            (self.most[place] - self.counts[place] * least).max(0.0)
        });
        let upper = upper.chain([2.0]).collect();
        let mut program = RelaxedPanel::of_rows(upper, &rows.collect::<Vec<_>>()).within(NEAR);
        let mut weights = vec![0.0; kinds + 1];
        weights[kinds] = 1.0;
        program.weigh(&weights);
        program
    }

    /// Adds the rows that a number of seats of each kind breaks; whether there are any.
    fn add_broken(&mut self, seated: &[f64]) -> bool {
        let sum = |row: &ProgramRow| -> f64 {
            let terms = row.terms.iter();
            terms.map(|(place, number)| number * seated[*place]).sum()
        };
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let (broken, waiting): (Vec<_>, Vec<_>) =
            waiting.partition(|row| sum(row) > row.max + BROKEN);
        let has_broken = !broken.is_empty();
        self.rows.extend(broken);
        self.waiting = waiting;
        has_broken
    }
}
