//! Drop-outs of a panel: members leave independently, each with a chance of their own.

use kleroterion_core::draw::{Key, Purpose};

/// Sets of members who leave, drawn by address: respondent `who` of set `nth`.
#[derive(Clone, Copy)]
pub struct DropOuts<'a> {
    key: Key,
    chances: &'a [f64],
}

impl<'a> DropOuts<'a> {
    /// Makes drop-outs from the probability of each respondent to leave.
    #[must_use]
    pub fn new(key: Key, chances: &'a [f64]) -> Self {
        Self { key, chances }
    }

    /// Returns the members of a panel who leave in set `nth`. Sets with the same address share
    /// their random numbers: a person who leaves at one probability also leaves at any greater one.
    #[must_use]
    pub fn leavers(&self, panel: &[u32], nth: u64) -> Vec<u32> {
        let leaves = |member: &u32| {
            let mut draw = self.key.draw(Purpose::DropOut, u64::from(*member), nth);
            draw.uniform() < self.chances[*member as usize]
        };
        panel.iter().copied().filter(leaves).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_leave_as_often_as_their_chances_say() {
        let chances = [0.0, 0.1, 0.5, 1.0];
        let outs = DropOuts::new(Key::new(3, 1), &chances);
        let sets = 20_000;
        let mut left = [0_u32; 4];
        for nth in 0..sets {
            for member in outs.leavers(&[3, 2, 1, 0], nth) {
                left[member as usize] += 1;
            }
        }
        for (left, chance) in left.into_iter().zip(chances) {
            let share = f64::from(left) / sets as f64;
            let se = (chance * (1.0 - chance) / sets as f64).sqrt();
            assert!((share - chance).abs() <= 4.0 * se, "{share} for {chance}");
        }
        assert!(outs.leavers(&[], 0).is_empty());
    }
}
