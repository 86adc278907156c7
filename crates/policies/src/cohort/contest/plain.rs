//! The contest for any objective: everything anew at each step.

use super::{Contest, GroupEdges, Scope, keep_widest, much_wider, narrowness};
use crate::cohort::objective::{CohortShape, Objective, slots};
use kleroterion_core::protocol::LookStats;

/// A contest that asks the objective for M and M~ at each step.
#[derive(Clone, Debug)]
pub struct PlainContest<O> {
    objective: O,
    shape: CohortShape,
    values: Vec<f64>,
    nobody: Vec<bool>,
    /// M.
    leading: Vec<bool>,
    /// M~.
    rival: Vec<bool>,
}

impl<O: Objective> PlainContest<O> {
    /// Makes the contest before the first interview.
    #[must_use]
    pub fn new(objective: O, shape: CohortShape) -> Self {
        let nobody = vec![false; shape.groups.len()];
        Self {
            objective,
            shape,
            values: Vec::new(),
            leading: nobody.clone(),
            rival: nobody.clone(),
            nobody,
        }
    }

    /// The worth of cohorts.
    pub(super) fn objective(&self) -> &O {
        &self.objective
    }

    /// The shape of the cohort.
    pub(super) fn shape(&self) -> &CohortShape {
        &self.shape
    }

    /// M and M~.
    pub(super) fn cohorts(&self) -> [&[bool]; 2] {
        [&self.leading, &self.rival]
    }
}

impl<O: Objective> Contest for PlainContest<O> {
    fn settle(&mut self, files: &[LookStats], _: &[u32], scale: f64) -> f64 {
        let Self {
            objective,
            shape,
            values,
            ..
        } = self;
        values.clear();
        values.extend(files.iter().map(|file| file.mean));
        objective.best(shape, values, &self.nobody, &mut self.leading);
        for ((value, file), member) in values.iter_mut().zip(files).zip(&self.leading) {
            let radius = scale * narrowness(file.weight);
            *value += if *member { -radius } else { radius };
        }
        objective.best(shape, values, &self.leading, &mut self.rival);
        if self.rival == self.leading {
            return 0.0;
        }
        let worth = |cohort| objective.worth(shape, values, cohort);
        (worth(&self.rival) - worth(&self.leading)).max(0.0)
    }

    fn widest(&self, files: &[LookStats], scope: Scope, looks: usize, picks: &mut Vec<u32>) {
        let both = || (0..).zip(self.leading.iter().zip(&self.rival));
        picks.clear();
        picks.extend(both().filter(|(_, (m, r))| m != r).map(|(slot, _)| slot));
        if scope == Scope::Hybrid {
            let weight = |slot: u32| files[slot as usize].weight;
            let least = picks.iter().map(|&slot| weight(slot));
            let least = least.fold(f64::INFINITY, f64::min);
            let common = both()
                .filter(|(_, (m, r))| **m && **r)
                .map(|(slot, _)| slot);
            picks.extend(common.filter(|&slot| much_wider(weight(slot), least)));
        }
        if picks.len() < 2 {
            return;
        }
        let Self {
            objective,
            shape,
            leading,
            ..
        } = self;
        let boundary = GroupEdges::of(shape, files, leading);
        keep_widest(files, looks, picks, |slot| {
            let at = slot as usize;
            let group = usize::from(shape.groups[at]);
            boundary.gap(objective, group, files[at].mean, leading[at])
        });
    }

    fn cohort(&self) -> Vec<u32> {
        slots(&self.leading)
    }
}
