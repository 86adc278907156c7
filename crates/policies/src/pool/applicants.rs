//! The applicants of a round by group, and the best of each: by partial selection, never a full
//! sort.

use kleroterion_core::protocol::Slate;

/// The worst key: of those without a score.
const NONE: u64 = u64::MAX;

/// A number that is smaller the higher the score; the same for 0 and -0.
#[inline]
fn key(score: Option<f64>) -> u64 {
    match score {
        Some(score) if !score.is_nan() => {
            let bits = (score + 0.0).to_bits();
            // Of positive numbers larger bits are higher scores, of negative ones lower.
            if bits >> 63 == 0 {
                !bits & !(1 << 63)
            } else {
                bits
            }
        }
        _ => NONE,
    }
}

/// The score of a key; minus infinity where there is none.
#[inline]
fn score(key: u64) -> f64 {
    match key {
        NONE => f64::NEG_INFINITY,
        key if key >> 63 == 0 => f64::from_bits(!key & !(1 << 63)),
        key => f64::from_bits(key),
    }
}

/// The keys of a group, ever better partitioned. Where `left` > 0 the key before it is that of its
/// rank, where `right` is inside so is the key there, and so is that of `pivot`.
#[derive(Clone, Debug, Default)]
struct Group {
    keys: Vec<u64>,
    left: usize,
    right: usize,
    pivot: Option<usize>,
    /// The number of first keys that are in order.
    sorted: usize,
}

impl Group {
    fn clear(&mut self) {
        self.keys.clear();
    }

    /// Forgets the order of the keys.
    fn close(&mut self) {
        (self.left, self.right, self.pivot) = (0, self.keys.len(), None);
        self.sorted = 0;
    }

    /// Sorts the `best` keys, for callers who ask for one after the other.
    fn sort(&mut self, best: usize) {
        let best = best.min(self.keys.len());
        if best > 0 {
            self.nth(best - 1);
            self.keys[..best].sort_unstable();
            (self.left, self.pivot) = (best, None);
            self.right = self.keys.len();
            self.sorted = best;
        }
    }

    /// The key of a rank (from 0). Of ranks that are asked for as a bisection does, each costs
    /// about the half of the one before.
    fn nth(&mut self, rank: usize) -> u64 {
        if rank < self.sorted {
            return self.keys[rank];
        }
        match self.pivot {
            Some(pivot) if rank < pivot => self.right = self.right.min(pivot),
            Some(pivot) if rank > pivot => self.left = self.left.max(pivot + 1),
            _ => {}
        }
        if rank + 1 == self.left || rank == self.right || self.pivot == Some(rank) {
            return self.keys[rank];
        }
        if rank >= self.left && rank < self.right {
            self.keys[self.left..self.right].select_nth_unstable(rank - self.left);
            self.pivot = Some(rank);
        } else if rank < self.left {
            self.keys[..self.left - 1].select_nth_unstable(rank);
        } else {
            let from = self.right + 1;
            self.keys[from..].select_nth_unstable(rank - from);
        }
        self.keys[rank]
    }
}

/// The applicants of a round.
#[derive(Clone, Debug)]
pub(super) struct Applicants {
    attribute: usize,
    keys: Vec<u64>,
    of: Vec<u16>,
    groups: Vec<Group>,
    /// The bar of each group: all better keys are admitted, and this many of exactly that key.
    bars: Vec<(u64, u32)>,
}

impl Applicants {
    /// Makes an empty list for `groups` groups, which are the values of an attribute (its index in
    /// the schema).
    pub(super) fn new(attribute: usize, groups: usize) -> Self {
        Self {
            attribute,
            keys: Vec::new(),
            of: Vec::new(),
            groups: vec![Group::default(); groups],
            bars: Vec::new(),
        }
    }

    /// Reads a slate and writes the size of each group. A person with a value beyond the groups
    /// counts with the last.
    pub(super) fn read(&mut self, slate: Slate<'_>, sizes: &mut Vec<u32>) {
        self.keys.clear();
        self.of.clear();
        self.groups.iter_mut().for_each(Group::clear);
        let last = self.groups.len() - 1;
        self.keys.reserve(slate.len() as usize);
        self.of.reserve(slate.len() as usize);
        for person in slate.candidates() {
            let group = usize::from(person.values()[self.attribute]).min(last);
            let key = key(person.score());
            self.keys.push(key);
            self.of.push(group as u16);
            self.groups[group].keys.push(key);
        }
        self.groups.iter_mut().for_each(Group::close);
        sizes.clear();
        sizes.extend(self.groups.iter().map(|group| group.keys.len() as u32));
    }

    /// The score of the `rank`-th best (from 1) of a group; minus infinity of those who have none.
    pub(super) fn score(&mut self, group: usize, rank: u32) -> f64 {
        score(self.groups[group].nth(rank as usize - 1))
    }

    /// Sorts the `best` of each group, for callers who ask for one after the other.
    pub(super) fn sort(&mut self, best: u32) {
        self.groups
            .iter_mut()
            .for_each(|group| group.sort(best as usize));
    }

    /// The slots of the best of each group, `counts` of each, in slot order; of equal scores the
    /// lower slot comes first.
    pub(super) fn best(&mut self, counts: &[u32]) -> Vec<u32> {
        self.bars.clear();
        for (group, &count) in self.groups.iter_mut().zip(counts) {
            let bar = match count {
                0 => (0, 0),
                _ => {
                    let bar = group.nth(count as usize - 1);
                    let above = group.keys[..count as usize]
                        .iter()
                        .filter(|&&key| key < bar);
                    (bar, count - above.count() as u32)
                }
            };
            self.bars.push(bar);
        }
        // Whether someone is admitted can't be foretold: without branches.
        let admitted = counts.iter().sum::<u32>() as usize;
        let mut chosen = vec![0; admitted + 1];
        let mut so_far = 0;
        for ((slot, &key), &group) in (0..).zip(&self.keys).zip(&self.of) {
            let (bar, equals) = &mut self.bars[usize::from(group)];
            let equal = (key == *bar) & (*equals > 0);
            *equals -= u32::from(equal);
            chosen[so_far] = slot;
            so_far += usize::from((key < *bar) | equal);
        }
        chosen.truncate(admitted);
        chosen
    }

    /// Returns the reason for admitting these slots, for a trace: the first group's share of them
    /// and of all who apply, and the lowest score admitted of that group and of the others.
    pub(super) fn terms(&self, chosen: &[u32]) -> [(&'static str, f64); 4] {
        let mut lowest = [f64::INFINITY; 2];
        let mut first = 0.0;
        for &slot in chosen {
            let is_first = self.of[slot as usize] == 0;
            let lowest = &mut lowest[usize::from(!is_first)];
            *lowest = lowest.min(score(self.keys[slot as usize]));
            first += f64::from(u8::from(is_first));
        }
        let applying = self.of.iter().filter(|group| **group == 0).count();
        [
            ("share", first / chosen.len() as f64),
            ("applying", applying as f64 / self.of.len() as f64),
            ("lowest_of_first", lowest[0]),
            ("lowest_of_others", lowest[1]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores 4 and 9 of the first group, -1, 3 and 3 of the other.
    #[test]
    fn the_best_of_each_group_come_in_slot_order_and_of_equal_scores_the_lower_slot() {
        let mut applicants = Applicants::new(0, 2);
        applicants.of = vec![0, 1, 1, 0, 1];
        applicants.keys = [4.0, -1.0, 3.0, 9.0, 3.0].map(|x| key(Some(x))).to_vec();
        for (&group, &key) in applicants.of.iter().zip(&applicants.keys) {
            applicants.groups[usize::from(group)].keys.push(key);
        }
        applicants.groups.iter_mut().for_each(Group::close);
        assert!(applicants.best(&[0, 0]).is_empty());
        assert_eq!(applicants.best(&[1, 1]), [2, 3]);
        assert_eq!(applicants.best(&[2, 2]), [0, 2, 3, 4]);
        assert_eq!(applicants.best(&[0, 3]), [1, 2, 4]);
    }

    /// Five applicants, two of the first group; one of each and another of the second are chosen.
    #[test]
    fn terms_are_the_shares_of_the_first_group_and_the_lowest_scores_chosen() {
        let mut applicants = Applicants::new(0, 2);
        applicants.of = vec![0, 1, 1, 0, 1];
        applicants.keys = [4.0, -1.0, 3.0, 9.0, 2.0].map(|x| key(Some(x))).to_vec();
        let terms = |chosen: &[u32]| applicants.terms(chosen).map(|(_, x)| x);
        assert_eq!(terms(&[0, 2, 4]), [1.0 / 3.0, 0.4, 4.0, 2.0]);
        assert_eq!(terms(&[0, 3, 1]), [2.0 / 3.0, 0.4, 4.0, -1.0]);
        assert_eq!(terms(&[1, 2]), [0.0, 0.4, f64::INFINITY, -1.0]);
        let names = applicants.terms(&[0]).map(|(name, _)| name);
        assert_eq!(
            names,
            ["share", "applying", "lowest_of_first", "lowest_of_others"]
        );
    }
}
