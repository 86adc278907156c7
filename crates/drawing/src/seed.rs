//! The seed of a draw: a hash over the commitment and the public randomness.
//!
//! The hash is the SHA-256 of three lines, each ended by a line feed:
//!
//! ```text
//! klero draw seed 1
//! commitment: <SHA-256 of commitment.json>
//! randomness: <SHA-256 of the randomness>
//! ```
//!
//! The seed is the number that its first 15 hexadecimal digits write.

use super::hash::sha256;

/// The digits of the hash that make the seed: 60 bits, which `--seed` takes too.
const DIGITS: usize = 15;

/// The way in which randomness was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedOrigin {
    /// A text on the command line.
    Text,
    /// The bytes of a file.
    File,
}

impl SeedOrigin {
    /// The word for the origin in `draw.json`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::File => "file",
        }
    }
}

/// The public randomness of a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Randomness {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The way in which it was given.
    pub origin: SeedOrigin,
}

impl Randomness {
    /// The SHA-256 of the bytes.
    #[must_use]
    pub fn sha256(&self) -> String {
        sha256(&self.bytes)
    }

    /// The text, if it was given as one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self.origin {
            SeedOrigin::Text => std::str::from_utf8(&self.bytes).ok(),
            SeedOrigin::File => None,
        }
    }
}

/// The seed of a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawSeed {
    /// The hash that gives the seed.
    pub sha256: String,
    /// The seed.
    pub number: u64,
}

impl DrawSeed {
    /// Computes the seed from the hashes of the commitment and of the randomness.
    #[must_use]
    pub fn of(commitment: &str, randomness: &str) -> Self {
        let sha256 = sha256(lines(commitment, randomness).as_bytes());
        let number = sha256.bytes().take(DIGITS).fold(0, |number, digit| {
            let digit = char::from(digit).to_digit(16).unwrap_or_default();
            number * 16 + u64::from(digit)
        });
        Self { sha256, number }
    }
}

/// Returns the text whose hash gives the seed.
#[must_use]
pub fn lines(commitment: &str, randomness: &str) -> String {
    format!("klero draw seed 1\ncommitment: {commitment}\nrandomness: {randomness}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `printf 'klero draw seed 1\ncommitment: a\nrandomness: b\n' | sha256sum`.
    #[test]
    fn the_seed_is_what_a_shell_computes() {
        let seed = DrawSeed::of("a", "b");
        assert_eq!(
            seed.sha256,
            "b3e6e51ec0ecde28cb0767812e086147289030348e33d5cce4479154a7a3fa31"
        );
        assert_eq!(seed.number, 0xb3e6e51ec0ecde2);
    }
}
