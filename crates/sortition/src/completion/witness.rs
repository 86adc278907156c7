//! People who would complete a committee together.

use super::need::Need;
use super::pool::Pool;

/// People who would complete a committee together: proof that one exists.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    members: Vec<u32>,
    is_member: Vec<bool>,
    /// The number of members with each value, by place.
    pub(super) counts: Vec<u32>,
}

impl Witness {
    pub(super) fn new(pool: &Pool, need: &Need, members: Vec<u32>) -> Self {
        let mut witness = Self {
            members: Vec::new(),
            is_member: vec![false; pool.len()],
            counts: vec![0; need.most.len()],
        };
        for one in members {
            witness.add(pool, one);
        }
        witness
    }

    /// Returns true if the witness includes this respondent.
    #[inline]
    pub(super) fn has(&self, one: u32) -> bool {
        self.is_member[one as usize]
    }

    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }

    pub(super) fn add(&mut self, pool: &Pool, one: u32) {
        self.members.push(one);
        self.is_member[one as usize] = true;
        for &place in pool.places(one) {
            self.counts[place as usize] += 1;
        }
    }

    pub(super) fn remove(&mut self, pool: &Pool, one: u32) {
        self.members.retain(|member| *member != one);
        self.is_member[one as usize] = false;
        for &place in pool.places(one) {
            self.counts[place as usize] -= 1;
        }
    }

    /// Returns the witness with `new` in place of a member, chosen by `may_leave`, if the bounds
    /// allow one.
    pub(super) fn with(
        &self,
        pool: &Pool,
        need: &Need,
        new: u32,
        may_leave: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let mate = pool.mates(new).iter().copied().find(|mate| self.has(*mate));
        let leaves = |old: &u32| {
            mate.is_none_or(|mate| mate == *old)
                && may_leave(*old)
                && self.can_change(pool, need, *old, new)
        };
        let old = self.members.iter().copied().find(leaves)?;
        Some(self.changed(pool, old, new))
    }

    /// Returns the witness with one of `open` in place of the member `old`, if the bounds allow
    /// one.
    pub(super) fn without(
        &self,
        pool: &Pool,
        need: &Need,
        old: u32,
        mut open: impl Iterator<Item = u32>,
    ) -> Option<Self> {
        let fits = |new: &u32| {
            self.can_change(pool, need, old, *new) && self.is_free(pool, *new, Some(old))
        };
        let new = open.find(fits)?;
        Some(self.changed(pool, old, new))
    }

    /// Returns true if a person can join once `old` has left.
    pub(super) fn is_free(&self, pool: &Pool, new: u32, old: Option<u32>) -> bool {
        let mut mates = pool.mates(new).iter();
        !self.has(new) && mates.all(|&mate| Some(mate) == old || !self.has(mate))
    }

    fn changed(&self, pool: &Pool, old: u32, new: u32) -> Self {
        let mut changed = self.clone();
        changed.remove(pool, old);
        changed.add(pool, new);
        changed
    }

    /// Returns true if the bounds still hold with `new` in place of the member `old`.
    #[inline]
    fn can_change(&self, pool: &Pool, need: &Need, old: u32, new: u32) -> bool {
        let mut pairs = pool.places(old).iter().zip(pool.places(new));
        pairs.all(|(&from, &to)| {
            let (from, to) = (from as usize, to as usize);
            from == to || (self.counts[from] > need.least[from] && self.counts[to] < need.most[to])
        })
    }
}
