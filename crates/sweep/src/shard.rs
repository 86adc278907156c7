//! Shards: the units of a plan, divided among processes.

/// One of several processes that play a plan together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this shard, from 0.
    pub number: u64,
    /// The number of shards.
    pub of: u64,
}

impl Shard {
    /// Returns true if this shard plays the unit with the given number in the plan.
    #[must_use]
    pub fn plays(self, unit: u64) -> bool {
        unit % self.of == self.number
    }
}

/// Formats ascending numbers in the syntax of `sbatch --array`, for example `0-3,7`.
#[must_use]
pub fn array(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let text = runs.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_joins_what_follows_each_other() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[3], "3"),
            (&[0, 1], "0-1"),
            (&[0, 1, 2, 4, 7, 8, 63], "0-2,4,7-8,63"),
        ] {
            assert_eq!(array(numbers.iter().copied()), text);
        }
    }

    #[test]
    fn each_unit_has_one_shard() {
        for of in [1, 2, 3, 7, 64] {
            for unit in 0..200 {
                let shards = (0..of).map(|number| Shard { number, of });
                assert_eq!(shards.filter(|shard| shard.plays(unit)).count(), 1);
            }
        }
    }
}
