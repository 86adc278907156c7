//! The contest for `top_k`, by those near the boundary.

use std::cmp::Ordering;

use super::{Contest, Scope, keep_widest, much_wider, narrowness};
use crate::cohort::objective::descending;
use kleroterion_core::protocol::LookStats;

/// The factor by which c may grow until the next rebuild.
const GROWTH: f64 = 1.01;

/// The arms that are kept hot in addition to those that must be, and half as many as must be.
const SPARE: usize = 8;

/// A hot arm.
#[derive(Clone, Copy, Debug)]
struct Hot {
    /// The bound u~.
    bound: f64,
    mean: f64,
    /// The radius is c times this.
    narrow: f64,
    weight: f64,
    slot: u32,
}

impl Hot {
    fn new(slot: u32, file: LookStats) -> Self {
        Self {
            bound: 0.0,
            mean: file.mean,
            narrow: narrowness(file.weight),
            weight: file.weight,
            slot,
        }
    }

    /// Returns true if this arm comes before another in M.
    #[inline]
    fn leads(&self, other: &Self) -> bool {
        self.mean > other.mean || (self.mean == other.mean && self.slot < other.slot)
    }

    /// Returns true if this arm comes before another, on the same side of M, in M~.
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.bound > other.bound || (self.bound == other.bound && self.slot < other.slot)
    }

    /// Compares two arms by their order in M.
    fn order(&self, other: &Self) -> Ordering {
        descending(self.bound, other.bound).then(self.slot.cmp(&other.slot))
    }
}

/// The bounds that all cold arms keep to, while c is at most `scale`.
#[derive(Clone, Debug)]
struct Cold {
    /// The largest c for which the bounds hold.
    scale: f64,
    /// The members.
    members: Vec<u32>,
    /// The least mean and the least u~ of the cold members.
    floor: [f64; 2],
    /// The outsiders' greatest mean and greatest u~.
    ceiling: [f64; 2],
    /// The members' least weight.
    weight: f64,
}

impl Cold {
    /// Makes bounds without arms, for c up to `scale`.
    fn up_to(scale: f64) -> Self {
        Self {
            scale,
            members: Vec::new(),
            floor: [f64::INFINITY; 2],
            ceiling: [f64::NEG_INFINITY; 2],
            weight: f64::INFINITY,
        }
    }
}

/// Follows the boundary of M.
///
/// M are the K highest estimates, M~ the K highest u~. All radii share the factor c, and c only
/// grows, slowly. So at a rebuild, over all arms, some are set apart as *cold*: members of M and
/// others who will be so, and not be contested, while c is at most 1.01 of what it is and the rest
/// keep on their side of them. All else is *hot*, and a step is about the hot alone. Two
/// certificates are checked at each step, and where one fails all is rebuilt:
///
/// 1. M: each hot member's mean is above those of the cold outsiders, each hot outsider's below
///    those of the cold members.
/// 2. M~: each hot arm in M~ is above what any cold outsider's u~ can be (at 1.01 c), each that is
///    not below what any cold member's can be.
///
/// The files of the cold do not change, for only the contested are interviewed (under
/// `Scope::Hybrid` also cold members: then all is rebuilt). So M, M~ and the next interview are
/// those of Algorithm 1, interview for interview.
#[derive(Clone, Debug)]
pub struct HotSet {
    places: usize,
    /// Hot members of M, the least u~ first, of equals the higher slot.
    members: Vec<Hot>,
    /// Hot others, the greatest u~ first, of equals the lower slot.
    outsiders: Vec<Hot>,
    /// The number of first members and first outsiders that change places in M~.
    exchanged: usize,
    cold: Cold,
}

impl HotSet {
    /// Makes the contest before the first interview; `places` candidates will be chosen.
    #[must_use]
    pub fn new(places: usize) -> Self {
        Self {
            places,
            members: Vec::new(),
            outsiders: Vec::new(),
            exchanged: 0,
            cold: Cold::up_to(f64::NEG_INFINITY),
        }
    }

    /// Takes in the file of an arm that was looked at, and puts M right. Whether certificate 1
    /// holds.
    #[inline]
    fn see(&mut self, slot: u32, file: LookStats) -> bool {
        let Self {
            members, outsiders, ..
        } = self;
        if let Some(at) = members.iter().position(|hot| hot.slot == slot) {
            members[at] = Hot::new(slot, file);
            let rival = best(outsiders, |a, b| a.leads(b));
            if let Some(rival) = rival
                && outsiders[rival].leads(&members[at])
            {
                std::mem::swap(&mut members[at], &mut outsiders[rival]);
                return self.keeps_inside(at) && self.keeps_outside(rival);
            }
            return self.keeps_inside(at);
        }
        let Some(at) = outsiders.iter().position(|hot| hot.slot == slot) else {
            // A cold one: only its file says.
            return false;
        };
        outsiders[at] = Hot::new(slot, file);
        let rival = best(members, |a, b| b.leads(a));
        if let Some(rival) = rival
            && outsiders[at].leads(&members[rival])
        {
            std::mem::swap(&mut outsiders[at], &mut members[rival]);
            return self.keeps_inside(rival) && self.keeps_outside(at);
        }
        self.keeps_outside(at)
    }

    #[inline]
    fn keeps_inside(&self, at: usize) -> bool {
        self.members[at].mean > self.cold.ceiling[0]
    }

    #[inline]
    fn keeps_outside(&self, at: usize) -> bool {
        self.outsiders[at].mean < self.cold.floor[0]
    }

    /// Finds u~ of the hot.
    #[inline]
    fn bound(&mut self, scale: f64) {
        for hot in &mut self.members {
            hot.bound = hot.mean - scale * hot.narrow;
        }
        for hot in &mut self.outsiders {
            hot.bound = hot.mean + scale * hot.narrow;
        }
    }

    /// Finds M~ among the hot.
    #[inline]
    fn pair(&mut self) {
        // From step to step few change places.
        insertion_sort(&mut self.members, |a, b| b.precedes(a));
        insertion_sort(&mut self.outsiders, Hot::precedes);
        let pairs = self.members.iter().zip(&self.outsiders);
        self.exchanged = pairs
            .take_while(|(member, other)| other.bound > member.bound)
            .count();
    }

    /// Certificate 2.
    #[inline]
    fn holds(&self) -> bool {
        let bound = |list: &[Hot], at: usize| list.get(at).map(|hot| hot.bound);
        let (next, last) = (self.exchanged, self.exchanged.wrapping_sub(1));
        let is_out = [bound(&self.outsiders, next), bound(&self.members, last)];
        let is_in = [bound(&self.members, next), bound(&self.outsiders, last)];
        let [floor, ceiling] = [self.cold.floor[1], self.cold.ceiling[1]];
        is_out.into_iter().flatten().all(|bound| bound < floor)
            && is_in.into_iter().flatten().all(|bound| bound > ceiling)
    }

    /// Sorts all arms into hot and cold.
    fn rebuild(&mut self, files: &[LookStats], scale: f64) {
        let mut order: Vec<u32> = (0..files.len() as u32).collect();
        let file = |slot: u32| files[slot as usize];
        let by_mean = |a: &u32, b: &u32| {
            let means = descending(file(*a).mean, file(*b).mean);
            means.then(a.cmp(b))
        };
        let places = self.places.min(files.len());
        if places < files.len() {
            order.select_nth_unstable_by(places, by_mean);
        }
        let (members, outsiders) = order.split_at(places);
        let hot = |&slot: &u32| Hot::new(slot, file(slot));
        self.members.clear();
        self.members.extend(members.iter().map(hot));
        self.outsiders.clear();
        self.outsiders.extend(outsiders.iter().map(hot));

        let widest = GROWTH * scale;
        let threshold = self.threshold(scale);
        // How far each is from being contested at the widest radius.
        let slack = |hot: &Hot, side: f64| side * (hot.mean - threshold) - widest * hot.narrow;
        let mut slacks: Vec<f64> = (self.members.iter().map(|hot| slack(hot, 1.0)))
            .chain(self.outsiders.iter().map(|hot| slack(hot, -1.0)))
            .collect();
        let near = slacks.iter().filter(|slack| **slack <= 0.0).count();
        let keep = near + near / 2 + SPARE;
        let mut most = f64::INFINITY;
        if keep < slacks.len() {
            let (_, nth, _) = slacks.select_nth_unstable_by(keep, f64::total_cmp);
            // Far enough from 0 that rounding can't bring cold members and cold outsiders together.
            most = nth.max(1e-12 * (threshold.abs() + widest));
        }
        let mut cold = Cold::up_to(widest);
        self.members.retain(|hot| {
            let is_cold = slack(hot, 1.0) > most;
            if is_cold {
                cold.members.push(hot.slot);
                cold.floor[0] = cold.floor[0].min(hot.mean);
                cold.floor[1] = cold.floor[1].min(hot.mean - widest * hot.narrow);
                cold.weight = cold.weight.min(hot.weight);
            }
            !is_cold
        });
        self.outsiders.retain(|hot| {
            let is_cold = slack(hot, -1.0) > most;
            if is_cold {
                cold.ceiling[0] = cold.ceiling[0].max(hot.mean);
                cold.ceiling[1] = cold.ceiling[1].max(hot.mean + widest * hot.narrow);
            }
            !is_cold
        });
        self.cold = cold;
        self.members.sort_unstable_by(|a, b| b.order(a));
        self.outsiders.sort_unstable_by(Hot::order);
        self.pair();
    }

    /// The least mean in M and the greatest outside.
    fn edges(&self) -> [f64; 2] {
        let means = |list: &[Hot], pick: fn(f64, f64) -> f64, cold: f64| {
            list.iter().map(|hot| hot.mean).fold(cold, pick)
        };
        [
            means(&self.members, f64::min, self.cold.floor[0]),
            means(&self.outsiders, f64::max, self.cold.ceiling[0]),
        ]
    }

    /// The slot of the contested arm of widest radius, of equals of least gap, then the lower slot.
    fn widest_contested(&self) -> Option<u32> {
        let [inside, outside] =
            [&self.members, &self.outsiders].map(|list| &list[..self.exchanged]);
        let all = || inside.iter().chain(outside);
        let least = all().fold(f64::INFINITY, |least, hot| least.min(hot.weight));
        let mut widest = all().filter(|hot| hot.weight <= least);
        if let (Some(only), None) = (widest.next(), widest.next()) {
            return Some(only.slot);
        }
        let [last, next] = self.edges();
        let keys = |list: &'_ [Hot], gap: &dyn Fn(f64) -> f64| {
            let wide = list.iter().filter(|hot| hot.weight <= least);
            let keys = wide.map(|hot| (gap(hot.mean), hot.slot));
            keys.min_by(|(gap, a), (other, b)| gap.total_cmp(other).then(a.cmp(b)))
        };
        let of = [
            keys(inside, &|mean| mean - next),
            keys(outside, &|mean| last - mean),
        ];
        let first = of.into_iter().flatten();
        let first = first.min_by(|(gap, a), (other, b)| gap.total_cmp(other).then(a.cmp(b)));
        first.map(|(_, slot)| slot)
    }

    /// Returns the threshold between the least u~ in M~ and the greatest outside, while all arms
    /// are hot.
    fn threshold(&mut self, scale: f64) -> f64 {
        self.bound(scale);
        let all = self.members.iter().chain(&self.outsiders);
        let mut bounds: Vec<f64> = all.map(|hot| hot.bound).collect();
        let places = self.members.len();
        if self.outsiders.is_empty() || places == 0 {
            return bounds.first().copied().unwrap_or(0.0);
        }
        let (inside, outside, _) = bounds.select_nth_unstable_by(places, |a, b| descending(*a, *b));
        let least = inside.iter().copied().fold(f64::INFINITY, f64::min);
        least + (*outside - least) / 2.0
    }
}

/// The first of a list in an order.
#[inline]
fn best(list: &[Hot], before: impl Fn(&Hot, &Hot) -> bool) -> Option<usize> {
    let mut best = 0;
    for at in 1..list.len() {
        if before(&list[at], &list[best]) {
            best = at;
        }
    }
    (!list.is_empty()).then_some(best)
}

#[inline]
fn insertion_sort(list: &mut [Hot], before: impl Fn(&Hot, &Hot) -> bool) {
    for at in 1..list.len() {
        if before(&list[at], &list[at - 1]) {
            let moved = list[at];
            let mut to = at;
            while to > 0 && before(&moved, &list[to - 1]) {
                list[to] = list[to - 1];
                to -= 1;
            }
            list[to] = moved;
        }
    }
}

impl Contest for HotSet {
    fn settle(&mut self, files: &[LookStats], seen: &[u32], scale: f64) -> f64 {
        let mut sound = scale <= self.cold.scale;
        for &slot in seen {
            sound = sound && self.see(slot, files[slot as usize]);
        }
        if sound {
            self.bound(scale);
            self.pair();
            sound = self.holds();
        }
        if !sound {
            self.rebuild(files, scale);
        }
        let pairs = self.outsiders.iter().zip(&self.members);
        let gains = pairs.map(|(other, member)| other.bound - member.bound);
        gains.take(self.exchanged).sum()
    }

    fn widest(&self, files: &[LookStats], scope: Scope, looks: usize, picks: &mut Vec<u32>) {
        let contested =
            (self.members[..self.exchanged].iter()).chain(&self.outsiders[..self.exchanged]);
        picks.clear();
        if scope == Scope::SymmetricDifference && looks == 1 {
            picks.extend(self.widest_contested());
            return;
        }
        picks.extend(contested.clone().map(|hot| hot.slot));
        if scope == Scope::Hybrid {
            let least = contested.fold(f64::INFINITY, |least, hot| least.min(hot.weight));
            let common = self.members[self.exchanged..].iter();
            picks.extend(
                common
                    .filter(|hot| much_wider(hot.weight, least))
                    .map(|hot| hot.slot),
            );
            if much_wider(self.cold.weight, least) {
                let cold = self.cold.members.iter().copied();
                picks.extend(cold.filter(|&slot| much_wider(files[slot as usize].weight, least)));
            }
        }
        let [last, next] = self.edges();
        // Cold arms in scope are members.
        let is_outside = |slot| self.outsiders.iter().any(|hot| hot.slot == slot);
        keep_widest(files, looks, picks, |slot| {
            let mean = files[slot as usize].mean;
            match is_outside(slot) {
                true => last - mean,
                false => mean - next,
            }
        });
    }

    fn cohort(&self) -> Vec<u32> {
        let hot = self.members.iter().map(|hot| hot.slot);
        hot.chain(self.cold.members.iter().copied()).collect()
    }
}
