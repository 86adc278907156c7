//! The contest for `diverse`, by the heads of the groups.

use super::{Contest, GroupEdges, PlainContest, Scope, keep_widest, much_wider, narrowness};
use crate::cohort::objective::{CohortShape, Edge, Objective, Step, descending, root};
use kleroterion_core::protocol::LookStats;

/// The factor by which c may grow until the heads are gathered anew.
const GROWTH: f64 = 1.01;

/// The arms of a group that are kept hot in addition to those that must be.
const SPARE: usize = 4;

/// A hot arm.
#[derive(Clone, Copy, Debug)]
struct Hot {
    slot: u32,
    /// The values u^ and u~.
    values: [f64; 2],
    narrow: f64,
    weight: f64,
    /// True if the arm is taken by M, and by M~.
    taken: [bool; 2],
}

/// The hot arms of a group in the order in which a cohort takes them.
#[derive(Clone, Debug, Default)]
struct Ladder {
    /// Indices of hot arms.
    order: Vec<u32>,
    /// The sums of the first 0, 1, 2, ... values.
    sums: Vec<f64>,
    /// The number of values taken.
    taken: usize,
    /// The cold arms' highest value.
    ceiling: Option<f64>,
}

/// A cohort as a ladder a group: M by u^ (which = 0), M~ by u~ (which = 1; of equals it takes M's
/// members first).
#[derive(Clone, Debug, Default)]
struct Ladders {
    groups: Vec<Ladder>,
    which: usize,
}

impl Ladders {
    fn step(&self, hot: &[Hot], group: usize, at: usize) -> Option<Step> {
        let ladder = &self.groups[group];
        let arm = &hot[*ladder.order.get(at)? as usize];
        Some(Step {
            gain: root(ladder.sums[at + 1]) - root(ladder.sums[at]),
            seated: self.which == 1 && arm.taken[0],
            slot: arm.slot,
        })
    }

    /// Corrects the cohort after values have changed. Returns true if it is the best of all,
    /// including the cold arms.
    fn settle(&mut self, hot: &mut [Hot]) -> bool {
        let which = self.which;
        for ladder in &mut self.groups {
            ladder.sort(hot, which);
        }
        loop {
            // The first of all next arms, and the last of all that are taken.
            let mut first: Option<(usize, Step)> = None;
            let mut last: Option<(usize, Step)> = None;
            for (group, ladder) in self.groups.iter().enumerate() {
                if let Some(step) = self.step(hot, group, ladder.taken)
                    && first.is_none_or(|(_, first)| step.precedes(&first))
                {
                    first = Some((group, step));
                }
                if ladder.taken > 0
                    && let Some(step) = self.step(hot, group, ladder.taken - 1)
                    && last.is_none_or(|(_, last)| last.precedes(&step))
                {
                    last = Some((group, step));
                }
            }
            match (first, last) {
                (Some((to, next)), Some((from, step))) if from != to && next.precedes(&step) => {
                    self.groups[to].taken += 1;
                    self.groups[from].taken -= 1;
                }
                _ => break,
            }
        }
        for ladder in &self.groups {
            for (at, &arm) in ladder.order.iter().enumerate() {
                hot[arm as usize].taken[which] = at < ladder.taken;
            }
        }
        self.groups.iter().all(|ladder| ladder.holds(hot, which))
    }

    fn worth(&self) -> f64 {
        let sums = self.groups.iter().map(|ladder| ladder.sums[ladder.taken]);
        sums.map(root).sum()
    }
}

impl Ladder {
    /// Sorts the arms and sums their values.
    fn sort(&mut self, hot: &[Hot], which: usize) {
        let key = |&arm: &u32| {
            let arm = &hot[arm as usize];
            (arm.values[which], which == 1 && arm.taken[0], arm.slot)
        };
        let order = |a: &u32, b: &u32| {
            let ((x, seated, a), (y, other, b)) = (key(a), key(b));
            descending(x, y).then(other.cmp(&seated)).then(a.cmp(&b))
        };
        // From step to step few change places, and this sort is quick at that.
        self.order.sort_by(order);
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        for &arm in &self.order {
            sum += hot[arm as usize].values[which];
            self.sums.push(sum);
        }
    }

    /// Returns true if no cold arm can be taken and no arm of negative value is.
    fn holds(&self, hot: &[Hot], which: usize) -> bool {
        let value = |at: usize| {
            let arm = self.order.get(at);
            arm.map(|&arm| hot[arm as usize].values[which])
        };
        let above = match (self.ceiling, value(self.taken)) {
            (None, _) => true,
            (Some(ceiling), next) => next.is_some_and(|next| next > ceiling),
        };
        above && (self.taken == 0 || value(self.taken - 1).is_some_and(|last| last >= 0.0))
    }
}

/// Follows the heads of the groups, for an objective that adds up the roots of groups' sums.
///
/// Of each group M and M~ take the highest values, so each is a number a group. From step to step
/// the numbers change by *exchange moves* alone: while one group's next arm would add more than
/// another group's last one does, they change places. (A group's root grows ever more slowly, so
/// that is where greed ends, too.) Kept *hot* of each group are the members of both cohorts and the
/// few next arms. All others are cold: they are not contested, so their files do not change, and
/// they are not taken while the group's next arm is above the cold ones' highest mean, and for M~
/// above their highest u~ at 1.01 c.
///
/// Where that fails, c has grown so far, or members of negative value would have to be taken, the
/// step is that of [`PlainContest`], and the heads are gathered anew. M, M~ and the next interview
/// are always its.
#[derive(Clone, Debug)]
pub struct GroupHeads<O> {
    plain: PlainContest<O>,
    hot: Vec<Hot>,
    /// M and M~.
    cohorts: [Ladders; 2],
    /// The heads hold up to this c.
    scale: f64,
    /// True if the last step was the plain contest's.
    is_plain: bool,
}

impl<O: Objective> GroupHeads<O> {
    /// Makes the contest before the first interview.
    #[must_use]
    pub fn new(objective: O, shape: CohortShape) -> Self {
        let cohorts = [0, 1].map(|which| Ladders {
            groups: vec![Ladder::default(); shape.group_count()],
            which,
        });
        Self {
            plain: PlainContest::new(objective, shape),
            hot: Vec::new(),
            cohorts,
            scale: f64::NEG_INFINITY,
            is_plain: true,
        }
    }

    /// The step among the hot arms, where it is certain to be that of all.
    fn step(&mut self, files: &[LookStats], seen: &[u32], scale: f64) -> Option<f64> {
        if scale > self.scale {
            return None;
        }
        for &slot in seen {
            let arm = self.hot.iter_mut().find(|arm| arm.slot == slot)?;
            let file = files[slot as usize];
            arm.values[0] = file.mean;
            arm.narrow = narrowness(file.weight);
            arm.weight = file.weight;
        }
        let [leading, rival] = &mut self.cohorts;
        if !leading.settle(&mut self.hot) {
            return None;
        }
        for arm in &mut self.hot {
            let radius = scale * arm.narrow;
            arm.values[1] = arm.values[0] + if arm.taken[0] { -radius } else { radius };
        }
        if !rival.settle(&mut self.hot) {
            return None;
        }
        // w~ of M, from each group's highest u~ down.
        let mut worth = 0.0;
        for ladder in &rival.groups {
            let members = ladder.order.iter().map(|&arm| &self.hot[arm as usize]);
            let values = members.filter(|arm| arm.taken[0]).map(|arm| arm.values[1]);
            worth += root(values.sum());
        }
        Some((rival.worth() - worth).max(0.0))
    }

    /// The boundary of M: where the step among the hot holds, the next arm of each group is hot.
    fn boundary(&self) -> GroupEdges {
        let edge = |ladder: &Ladder| {
            let value = |at: usize| {
                let arm = ladder.order.get(at);
                arm.map(|&arm| self.hot[arm as usize].values[0])
            };
            Edge {
                members: ladder.taken as u32,
                sum: ladder.sums[ladder.taken],
                last: ladder.taken.checked_sub(1).and_then(value),
                next: value(ladder.taken),
            }
        };
        GroupEdges::new(self.cohorts[0].groups.iter().map(edge).collect())
    }

    /// Gathers the heads around M and M~ of the plain contest.
    fn rebuild(&mut self, files: &[LookStats], scale: f64) {
        self.scale = GROWTH * scale;
        self.hot.clear();
        let cohorts = self.plain.cohorts();
        for group in 0..self.cohorts[0].groups.len() {
            let slots = (0..).zip(&self.plain.shape().groups);
            let slots = slots.filter(|(_, of)| usize::from(**of) == group);
            let arms = slots.map(|(slot, _)| {
                let file = files[slot as usize];
                let narrow = narrowness(file.weight);
                let taken = cohorts.map(|cohort| cohort[slot as usize]);
                let radius = scale * narrow;
                let bound = file.mean + if taken[0] { -radius } else { radius };
                Hot {
                    slot,
                    values: [file.mean, bound],
                    narrow,
                    weight: file.weight,
                    taken,
                }
            });
            let (members, mut others): (Vec<Hot>, Vec<Hot>) =
                arms.partition(|arm| arm.taken[0] || arm.taken[1]);
            // The next arm of M and of M~, and who could come before it.
            let next = [0, 1].map(|which| {
                let next = members.iter().filter(|arm| !arm.taken[which]);
                let values = next.chain(&others).map(|arm| arm.values[which]);
                values.fold(f64::NEG_INFINITY, f64::max)
            });
            let ceiling = |arm: &Hot| arm.values[0] + self.scale * arm.narrow;
            others.sort_unstable_by(|a, b| {
                descending(ceiling(a), ceiling(b)).then(a.slot.cmp(&b.slot))
            });
            let first = self.hot.len() as u32;
            self.hot.extend(&members);
            let mut ceilings = [None::<f64>; 2];
            for (at, arm) in others.iter().enumerate() {
                if at < SPARE || ceiling(arm) >= next[1] || arm.values[0] >= next[0] {
                    self.hot.push(*arm);
                } else {
                    for (highest, value) in ceilings.iter_mut().zip([arm.values[0], ceiling(arm)]) {
                        *highest = Some(highest.map_or(value, |highest| highest.max(value)));
                    }
                }
            }
            for (cohort, ceiling) in self.cohorts.iter_mut().zip(ceilings) {
                let taken = members.iter().filter(|arm| arm.taken[cohort.which]);
                cohort.groups[group] = Ladder {
                    taken: taken.count(),
                    order: (first..self.hot.len() as u32).collect(),
                    sums: Vec::new(),
                    ceiling,
                };
            }
        }
    }
}

impl<O: Objective> Contest for GroupHeads<O> {
    fn settle(&mut self, files: &[LookStats], seen: &[u32], scale: f64) -> f64 {
        if let Some(gap) = self.step(files, seen, scale) {
            self.is_plain = false;
            return gap;
        }
        self.is_plain = true;
        let gap = self.plain.settle(files, seen, scale);
        self.rebuild(files, scale);
        gap
    }

    fn widest(&self, files: &[LookStats], scope: Scope, looks: usize, picks: &mut Vec<u32>) {
        if self.is_plain {
            return self.plain.widest(files, scope, looks, picks);
        }
        picks.clear();
        let contested = self.hot.iter().filter(|arm| arm.taken[0] != arm.taken[1]);
        picks.extend(contested.clone().map(|arm| arm.slot));
        if scope == Scope::Hybrid {
            let least = contested.fold(f64::INFINITY, |least, arm| least.min(arm.weight));
            let common = self.hot.iter().filter(|arm| arm.taken == [true; 2]);
            let wide = common.filter(|arm| much_wider(arm.weight, least));
            picks.extend(wide.map(|arm| arm.slot));
        }
        if picks.len() < 2 {
            return;
        }
        let boundary = self.boundary();
        let groups = &self.plain.shape().groups;
        let is_member = |slot| self.hot.iter().any(|arm| arm.slot == slot && arm.taken[0]);
        keep_widest(files, looks, picks, |slot| {
            let group = usize::from(groups[slot as usize]);
            let mean = files[slot as usize].mean;
            boundary.gap(self.plain.objective(), group, mean, is_member(slot))
        });
    }

    fn cohort(&self) -> Vec<u32> {
        if self.is_plain {
            return self.plain.cohort();
        }
        let members = self.hot.iter().filter(|arm| arm.taken[0]);
        members.map(|arm| arm.slot).collect()
    }
}
