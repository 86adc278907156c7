//! The number of a panel from public randomness. All numbers are equally likely.
//!
//! The hash of a try is the SHA-256 of four lines, each ended by a line feed:
//!
//! ```text
//! klero draw number 1
//! commitment: <SHA-256 of commitment.json>
//! randomness: <SHA-256 of the randomness>
//! try: 1
//! ```
//!
//! Its first 15 hexadecimal digits write a number below 2^60. With `m` panels, the largest multiple
//! of `m` up to 2^60 is the limit: a number below it gives its remainder by `m`, plus 1. Any other
//! number is passed over, and the next try counts, so that no panel has more numbers than another.

use crate::hash::sha256;

/// The digits of a hash that are read.
const DIGITS: u32 = 15;

/// The number of a panel, from a hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedNumber {
    /// The number, from 1.
    pub number: u32,
    /// The hash that gives the number.
    pub sha256: String,
    /// The number of the try that gave the hash.
    pub tries: u32,
}

/// Computes the number of a panel from the hashes of the commitment and of the randomness.
///
/// ```
/// use kleroterion_drawing::hashed_number;
///
/// // printf 'klero draw number 1\ncommitment: a\nrandomness: b\ntry: 1\n' | sha256sum
/// let drawn = hashed_number("a", "b", 1_000);
/// assert_eq!(drawn.tries, 1);
/// assert!((1..=1_000).contains(&drawn.number));
/// ```
#[must_use]
pub fn hashed_number(commitment: &str, randomness: &str, panels: u32) -> HashedNumber {
    let mut tries = 1;
    loop {
        let sha256 = sha256(lines(commitment, randomness, tries).as_bytes());
        if let Some(number) = number(leading(&sha256), DIGITS, panels.max(1)) {
            return HashedNumber {
                number,
                sha256,
                tries,
            };
        }
        tries += 1;
    }
}

/// The text that a try's hash is of.
pub(super) fn lines(commitment: &str, randomness: &str, tries: u32) -> String {
    format!(
        "klero draw number 1\ncommitment: {commitment}\nrandomness: {randomness}\ntry: {tries}\n"
    )
}

/// The first multiple of the number of panels at or after which numbers are passed over.
pub(super) fn limit(panels: u32) -> u64 {
    limit_of(DIGITS, u64::from(panels.max(1)))
}

fn limit_of(digits: u32, panels: u64) -> u64 {
    let all = 16_u64.pow(digits);
    all - all % panels
}

/// The number that the first digits of a hash write.
fn leading(sha256: &str) -> u64 {
    let digits = sha256.chars().take(DIGITS as usize);
    digits.fold(0, |number, digit| {
        number * 16 + u64::from(digit.to_digit(16).unwrap_or_default())
    })
}

/// The panel's number from a number of some hexadecimal digits, where it counts.
fn number(written: u64, digits: u32, panels: u32) -> Option<u32> {
    let panels = u64::from(panels);
    let counts = written < limit_of(digits, panels);
    counts.then_some((written % panels) as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks all numbers of two digits for each number of panels. Each panel has as many as any
    /// other, unless there are too few for one each.
    #[test]
    fn no_number_has_more_ways_than_another() {
        for panels in [1, 2, 3, 7, 10, 100, 129, 255, 256] {
            let mut ways = vec![0; panels as usize];
            let numbers = (0..256).filter_map(|written| number(written, 2, panels));
            numbers.for_each(|number| ways[number as usize - 1] += 1);
            assert!(
                ways.iter().all(|n| *n == 256 / panels),
                "{panels}: {ways:?}"
            );
        }
    }

    #[test]
    fn numbers_at_the_limit_are_passed_over() {
        for (written, digits, panels, due) in [
            (0, 1, 3, Some(1)),
            (14, 1, 3, Some(3)),
            (15, 1, 3, None),
            (999, 3, 1_000, Some(1_000)),
            (3_999, 3, 1_000, Some(1_000)),
            (4_000, 3, 1_000, None),
            (4_095, 3, 1_000, None),
            (4_095, 3, 4_096, Some(4_096)),
        ] {
            assert_eq!(number(written, digits, panels), due, "{written} {panels}");
        }
    }

    /// By `printf 'klero draw number 1\ncommitment: a\nrandomness: b\ntry: 1\n' | sha256sum`, and
    /// `echo $((16#DIGITS % 1000 + 1))`.
    #[test]
    fn the_number_is_what_a_shell_computes() {
        for (randomness, panels, digits, number) in FROZEN {
            let drawn = hashed_number("a", randomness, panels);
            assert_eq!(&drawn.sha256[..15], digits, "{randomness}");
            assert_eq!((drawn.number, drawn.tries), (number, 1), "{randomness}");
        }
    }

    const FROZEN: [(&str, u32, &str, u32); 3] = [
        ("b", 1000, "2400c0f5fee7605", 910),
        ("b", 7, "2400c0f5fee7605", 1),
        ("c", 10000, "2776ecb071f55d9", 4490),
    ];

    /// Chi-square of the numbers 1 to 20 over 20,000 values of the randomness: 19 degrees of freedom,
    /// of which 43.8 is passed with a chance of a thousandth.
    #[test]
    fn numbers_are_alike() {
        let mut counts = [0_u32; 20];
        for value in 0..20_000 {
            let drawn = hashed_number("c", &value.to_string(), 20);
            counts[drawn.number as usize - 1] += 1;
        }
        let off = counts.map(|count| (f64::from(count) - 1_000.0).powi(2) / 1_000.0);
        assert!(off.iter().sum::<f64>() < 43.8, "{counts:?}");
    }
}
