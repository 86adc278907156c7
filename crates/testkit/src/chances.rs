//! Chances that follow from a seed.

/// Random numbers that follow from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Chances(u64);

impl Chances {
    /// Makes the numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.any() % end
    }

    /// Returns true with probability `1 / many`.
    pub fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// Makes an independent stream of numbers.
    pub fn split(&mut self) -> Self {
        Self(self.any())
    }
}
