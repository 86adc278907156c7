//! Sizes of rounds: how many persons come in each.

use crate::draw::{Key, Purpose, poisson};
use crate::limits::MOST_SLATE;

/// N_t, the size of round t = 1, 2, ...
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// The same size in every round.
    Constant(u32),
    /// A size from each of these rounds on, in rising order; the first is round 1.
    Stepped(Vec<(u64, u32)>),
    /// The sizes one after the other. The source ends after the last.
    Listed(Vec<u32>),
    /// A Poisson size with this mean, at least 0 and at most [`MOST_SLATE`], drawn for each round.
    Poisson(f64),
}

impl Sizes {
    /// Returns the size of a round (from 1). `None` after the end.
    #[must_use]
    pub fn at(&self, key: Key, round: u64) -> Option<u32> {
        match self {
            Self::Constant(size) => Some(*size),
            Self::Stepped(steps) => {
                let begun = steps.partition_point(|(from, _)| *from <= round);
                steps.get(begun.checked_sub(1)?).map(|(_, size)| *size)
            }
            Self::Listed(sizes) => sizes.get(usize::try_from(round - 1).ok()?).copied(),
            Self::Poisson(mean) => {
                let word = key.draw(Purpose::Size, round, 0).word();
                Some(poisson(word, *mean).min(u64::from(MOST_SLATE)) as u32)
            }
        }
    }

    /// Returns the sizes of the rounds from `round` on. There is at least one, and as many as hold
    /// about `persons` persons, if each round has `each` times its size.
    pub fn stretch(&self, key: Key, round: u64, each: usize, persons: usize) -> Vec<usize> {
        let mut sizes = Vec::new();
        let mut sum = 0;
        while let Some(size) = self.at(key, round + sizes.len() as u64) {
            let size = size as usize * each;
            if !sizes.is_empty() && sum + size > persons {
                break;
            }
            sizes.push(size);
            sum += size;
            // Rounds without people count too.
            if sizes.len() >= persons.max(1) {
                break;
            }
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_make_the_same_rounds_whatever_their_length() {
        let key = Key::new(1, 2);
        let listed = Sizes::Listed(vec![3, 0, 5, 1]);
        let stepped = Sizes::Stepped(vec![(1, 2), (8, 0), (9, 5)]);
        for sizes in [Sizes::Constant(4), listed, stepped, Sizes::Poisson(3.0)] {
            let plainly = (1..=40).map_while(|round| sizes.at(key, round));
            let plainly: Vec<usize> = plainly.map(|size| 2 * size as usize).collect();
            for persons in [1, 7, 64, 1024] {
                let mut all: Vec<usize> = Vec::new();
                while all.len() < 40 {
                    let next = sizes.stretch(key, all.len() as u64 + 1, 2, persons);
                    if next.is_empty() {
                        break;
                    }
                    all.extend(next);
                }
                all.truncate(40);
                assert_eq!(all, plainly, "{sizes:?} by {persons}");
            }
        }
        assert_eq!(Sizes::Listed(vec![3]).at(key, 2), None);
    }

    #[test]
    fn drawn_sizes_have_their_mean() {
        let key = Key::new(5, 0);
        let sizes = (1..=4000).filter_map(|round| Sizes::Poisson(100.0).at(key, round));
        let mean = sizes.map(f64::from).sum::<f64>() / 4000.0;
        assert!((mean - 100.0).abs() < 4.0 * 10.0 / 4000f64.sqrt(), "{mean}");
    }
}
