//! A walk from people who nearly complete a committee to people who do.

use super::need::Need;
use super::pool::Pool;
use super::witness::Witness;

/// The exchanges for which someone who was exchanged stays where they are.
const REST: u32 = 6;

/// People who are exchanged one by one until they fill a need.
pub(super) struct Repair<'a> {
    pool: &'a Pool,
    need: &'a Need,
    /// The people who may be members, in increasing order.
    open: &'a [u32],
    witness: Witness,
    /// The exchange after which each may move again.
    rests: Vec<u32>,
}

/// The changes of the seats by which bounds are missed, by place.
struct Changes {
    /// Once one member with the value leaves.
    leaves: Vec<i32>,
    /// Once one with the value joins.
    joins: Vec<i32>,
}

impl<'a> Repair<'a> {
    /// A walk that starts from those of `members` who may be of it.
    pub(super) fn new(pool: &'a Pool, need: &'a Need, open: &'a [u32], members: &[u32]) -> Self {
        let may = members.iter().copied();
        let may = may.filter(|one| open.binary_search(one).is_ok());
        Self {
            pool,
            need,
            open,
            witness: Witness::new(pool, need, may.collect()),
            rests: vec![0; pool.len()],
        }
    }

    /// People who fill the need, where at most `steps` exchanges lead to some.
    pub(super) fn walk(mut self, steps: u32) -> Option<Witness> {
        self.fill()?;
        for step in 1..=steps {
            let Some((place, is_over)) = self.missed() else {
                return Some(self.witness);
            };
            // One who leaves or joins has the value that is missed most.
            let has = |one: &u32| self.pool.places(*one).contains(&place);
            let moves = |one: &u32| self.rests[*one as usize] < step;
            let members = self.witness.members().iter().copied().filter(moves);
            let old: Vec<u32> = members.filter(|one| !is_over || has(one)).collect();
            let others = self.open.iter().copied().filter(moves);
            let new: Vec<u32> = others.filter(|one| is_over || has(one)).collect();
            let (old, new) = self.exchange(&old, &new)?;
            self.witness.remove(self.pool, old);
            self.witness.add(self.pool, new);
            self.rests[old as usize] = step + REST;
            self.rests[new as usize] = step + REST;
        }
        self.missed().is_none().then_some(self.witness)
    }

    /// Lets people join or leave until they are as many as there are seats.
    fn fill(&mut self) -> Option<()> {
        let seats = self.need.seats as usize;
        while self.witness.members().len() < seats {
            let changes = self.changes();
            let free = self
                .open
                .iter()
                .copied()
                .filter(|&new| self.witness.is_free(self.pool, new, None));
            let new = free.min_by_key(|new| sum(self.pool.places(*new), &changes.joins))?;
            self.witness.add(self.pool, new);
        }
        while self.witness.members().len() > seats {
            let changes = self.changes();
            let members = self.witness.members().iter().copied();
            let old = members.min_by_key(|old| sum(self.pool.places(*old), &changes.leaves))?;
            self.witness.remove(self.pool, old);
        }
        Some(())
    }

    /// The place whose bounds are missed by most seats, and whether members are too many there.
    fn missed(&self) -> Option<(u32, bool)> {
        let bounds = self.need.least.iter().zip(&self.need.most);
        let by = |(count, (least, most)): (&u32, (&u32, &u32))| {
            (count.saturating_sub(*most), least.saturating_sub(*count))
        };
        let missed = (0..).zip(self.witness.counts.iter().zip(bounds).map(by));
        let missed = missed.filter(|(_, (over, under))| over + under > 0);
        let most = missed.min_by_key(|(_, (over, under))| std::cmp::Reverse(over + under))?;
        let (place, (over, _)) = most;
        Some((place, over > 0))
    }

    fn changes(&self) -> Changes {
        let missed = |place: usize, count: i64| {
            let (least, most) = (self.need.least[place], self.need.most[place]);
            (i64::from(least) - count)
                .max(count - i64::from(most))
                .max(0) as i32
        };
        let with = |more: i64| {
            let places = self.witness.counts.iter().enumerate();
            let change = |(place, count): (usize, &u32)| {
                let count = i64::from(*count);
                missed(place, count + more) - missed(place, count)
            };
            places.map(change).collect()
        };
        Changes {
            leaves: with(-1),
            joins: with(1),
        }
    }

    /// The exchange of a member for another after which the bounds are missed by the fewest seats.
    fn exchange(&self, old: &[u32], new: &[u32]) -> Option<(u32, u32)> {
        let Changes { leaves, joins } = self.changes();
        let joining = |&new: &u32| (new, sum(self.pool.places(new), &joins));
        let joining: Vec<(u32, i32)> = new.iter().map(joining).collect();
        let mut best = None;
        let mut least = i32::MAX;
        for &old in old {
            let places = self.pool.places(old);
            let left = sum(places, &leaves);
            // A value that both have does not change after all.
            let back = |place: u32| leaves[place as usize] + joins[place as usize];
            let most_back: i32 = places.iter().map(|&place| back(place)).sum();
            for &(new, joined) in &joining {
                if left + joined - most_back >= least {
                    continue;
                }
                let pairs = places.iter().zip(self.pool.places(new));
                let same = pairs.filter(|(from, to)| from == to);
                let change = left + joined - same.map(|(&place, _)| back(place)).sum::<i32>();
                if change < least && self.witness.is_free(self.pool, new, Some(old)) {
                    least = change;
                    best = Some((old, new));
                }
            }
        }
        best
    }
}

fn sum(places: &[u32], changes: &[i32]) -> i32 {
    places.iter().map(|&place| changes[place as usize]).sum()
}
