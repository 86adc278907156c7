//! The Example of Section 4: the mix of strong and weak interviews that gives some information at
//! the least cost.

/// The greatest x and the greatest y that are tried.
const WANTED: u32 = 60;
const GAIN: u32 = 12;

/// A need for information, with the gain and cost of a strong interview. A weak interview gives 1
/// and costs 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct MixNeed {
    /// The information x that is needed.
    pub x: u32,
    /// The information y that a strong interview gives.
    pub y: u32,
    /// The cost z of a strong interview.
    pub z: u32,
}

/// A number of strong interviews, and a number of weak ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mix {
    strong: u32,
    weak: u32,
}

/// Iterates over all needs up to the greatest whose y and z are wanted.
pub(super) fn needs(wanted: impl Fn(u32, u32) -> bool) -> impl Iterator<Item = MixNeed> {
    let sides = (1..=GAIN).flat_map(|y| (1..=GAIN).map(move |z| (y, z)));
    let sides = sides.filter(move |(y, z)| wanted(*y, *z));
    sides.flat_map(|(y, z)| (1..=WANTED).map(move |x| MixNeed { x, y, z }))
}

impl MixNeed {
    /// Returns true if a mix gives the needed information.
    pub(super) fn is_met(&self, mix: Mix) -> bool {
        mix.strong * self.y + mix.weak >= self.x
    }

    /// Returns the cost of the cheapest mix that gives the needed information, found by trying all.
    pub(super) fn cheapest(&self) -> u32 {
        let mixes = (0..=self.x).flat_map(|strong| {
            let mix = move |weak| Mix { strong, weak };
            (0..=self.x).map(mix)
        });
        let met = mixes.filter(|mix| self.is_met(*mix));
        met.map(|mix| self.cost(mix)).min().unwrap_or(0)
    }

    /// Returns true if a mix gives the needed information and no cheaper one does.
    pub(super) fn is_cheapest(&self, mix: Mix) -> bool {
        self.is_met(mix) && self.cost(mix) == self.cheapest()
    }

    fn cost(&self, mix: Mix) -> u32 {
        mix.strong * self.z + mix.weak
    }

    /// Returns 1\[z - (x mod y)\], and x mod y.
    fn indicator(&self) -> (u32, u32) {
        let rest = self.x % self.y;
        (u32::from(self.z >= rest), rest)
    }
}

impl Mix {
    /// Returns the mix of ceil(x / y) strong interviews.
    pub(super) fn strong_alone(need: &MixNeed) -> Self {
        Self {
            strong: need.x.div_ceil(need.y),
            weak: 0,
        }
    }

    /// Returns the mix as printed: floor(x / y) + 1\[z - (x mod y)\] strong interviews and 1\[z -
    /// (x mod y)\] (x mod y) weak ones.
    pub(super) fn printed(need: &MixNeed) -> Self {
        let (indicator, rest) = need.indicator();
        Self {
            strong: need.x / need.y + indicator,
            weak: indicator * rest,
        }
    }

    /// Returns the printed mix with the indicator of the strong interviews inverted.
    pub(super) fn inverted(need: &MixNeed) -> Self {
        let (indicator, rest) = need.indicator();
        Self {
            strong: need.x / need.y + 1 - indicator,
            weak: indicator * rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_mix_by_hand() {
        // 7 of looks that give 5 for 3: one strong and two weak cost 5, two strong 6.
        let need = MixNeed { x: 7, y: 5, z: 3 };
        assert_eq!(need.cheapest(), 5);
        assert!(need.is_cheapest(Mix { strong: 1, weak: 2 }));
        assert!(!need.is_cheapest(Mix { strong: 2, weak: 0 }));
        // 9: two strong cost 6, one strong and four weak 7.
        let need = MixNeed { x: 9, y: 5, z: 3 };
        assert_eq!(need.cheapest(), 6);
        assert_eq!(Mix::inverted(&need), Mix { strong: 2, weak: 0 });
        // As printed it is one strong look, which gives 5.
        assert_eq!(Mix::printed(&need), Mix { strong: 1, weak: 0 });
        assert!(!need.is_met(Mix::printed(&need)));
    }

    #[test]
    fn all_of_the_sides_that_are_wanted() {
        let sides = (GAIN - 1) * (GAIN - 2) / 2;
        let found = needs(|y, z| y > z && z > 1).count() as u32;
        assert_eq!(found, WANTED * sides);
    }
}
