//! Addressed random numbers.
//!
//! A random number belongs to an *address*: (seed, replication, purpose, who, nth). The order and
//! number of requests and the thread make no difference. Lanes that meet the same person therefore
//! get the same random numbers.
//!
//! The generator is Philox4x64-10 (Salmon et al., SC 2011). Key = (seed, replication); the counter
//! of a block is (block, nth, who, purpose) with blocks counted from 1, which makes the words of an
//! address equal to
//! `numpy.random.Philox(counter=[0, nth, who, purpose], key=[seed, replication]).random_raw(n)`,
//! bit for bit.
//!
//! The transforms are few, each but [`beta`] uses one word, and none calls the platform's
//! mathematics:
//!
//! | transform | of a word w |
//! |---|---|
//! | [`uniform`] in \[0, 1) | (w >> 11) 2^-53 |
//! | [`below`] n | the high 64 bits of w n |
//! | [`normal`] | inverse CDF at ((w >> 12) + 1/2) 2^-52 |
//! | [`Categorical`] | the first j with uniform(w) < p_0 + ... + p_j |
//! | [`poisson`] | the first n with uniform(w) < P(0) + ... + P(n) |
//! | [`geometric`] | the first n with uniform(w) < 1 - (1 - p)^n |
//!
//! Laws of numbers by name ([`LawSpec`]) come from `rand_distr`, whose algorithms take as many
//! words as they need: each has an address of its own. Their mathematics is `libm`'s.

mod categorical;
mod exact;
mod law;
mod normal;
mod poisson;

use std::convert::Infallible;

pub use categorical::{Categorical, NotALaw};
pub use law::{BadLaw, DirichletLaw, LawSpec, NumberLaw};
pub use normal::{inverse_normal_cdf, normal, normal_cdf};
pub use poisson::{beta, geometric, poisson};

/// The purpose of a random number; the last word of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The traits of a candidate. A stream: person g of a source that needs w words reads words g w
    /// .. (g+1) w.
    Person = 1,
    /// The noise of an interview: who = person, nth = the number of earlier interviews of that
    /// person, of any kind.
    Interview = 2,
    /// The outcome of an accepted person: who = person.
    Outcome = 3,
    /// The applicants from a roster and their order: who = round. nth = 0 for the head-count of
    /// each group, 1 for the group of each slot, 2 + g for the members of group g.
    Muster = 4,
    /// A policy's own random numbers: who = [`label_key`] of its label, nth = round. who =
    /// [`SHARED`] for random numbers shared by all policies.
    Policy = 5,
    /// The order of the rows of a file. A stream.
    Shuffle = 6,
    /// The delay of an outcome: who = person.
    Delay = 7,
    /// The world itself, if it is drawn anew for each replication. A stream.
    World = 8,
    /// The size of a roster: who = round.
    Size = 9,
    /// The alternates of a panel. A stream.
    Alternates = 12,
    /// The drop-outs of a panel: who = respondent, nth = index of the simulated drop-out. The last
    /// nth gives the order in which people of the same values become alternates.
    DropOut = 20,
    /// The traits of a person in a population that a config spells out: who = person. nth = 0 for
    /// coupled traits, 1 for misread attributes, 2 for measurement errors, 3 for merit, 4 for the
    /// score, 16 + k for feature k.
    Trait = 30,
    /// The time at which a person arrives. A stream: person g has word g.
    Arrival = 31,
    /// The reply of a chosen person to an offer: who = person.
    Offer = 40,
    /// The member of a household who is on the slate of a round with interviews for sale: who =
    /// round. Word k belongs to person k of the roster.
    Household = 41,
    /// The answers to letters: who = simulation; nth = 0 for the people who answer, 1 + n for rate
    /// n.
    Letters = 21,
    /// The assignment of a kind's people to numbered panels: who = 1 + the place of the kind's
    /// households; 0 for the order of the panels.
    Numbered = 22,
}

/// The seed and replication of an address, shared by a whole replication.
///
/// Neither a key nor a [`Draw`] is ever printed, because the seed lets one compute every outcome.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key {
    seed: u64,
    replication: u64,
}

impl Key {
    /// The key of one replication of a run.
    #[must_use]
    pub fn new(seed: u64, replication: u64) -> Self {
        Self { seed, replication }
    }

    /// The number of the replication.
    #[must_use]
    pub fn replication(self) -> u64 {
        self.replication
    }

    /// Returns the random words at an address.
    #[must_use]
    pub fn draw(self, purpose: Purpose, who: u64, nth: u64) -> Draw {
        Draw {
            key: [self.seed, self.replication],
            counter: [0, nth, who, purpose as u64],
            words: [0; 4],
            used: 4,
        }
    }

    /// Fills `words` with the words `from ..` of the stream of `purpose` (who = nth = 0). Any
    /// stretch of the stream costs the same, wherever it starts: about a quarter of a block a word.
    pub fn fill(self, purpose: Purpose, from: u64, words: &mut [u64]) {
        let key = [self.seed, self.replication];
        let block = |number: u64| philox4x64([number + 1, 0, 0, purpose as u64], key);
        let mut number = from / 4;
        let skip = (from % 4) as usize;
        let mut rest = words;
        if skip > 0 {
            let head = rest.len().min(4 - skip);
            rest[..head].copy_from_slice(&block(number)[skip..skip + head]);
            rest = &mut rest[head..];
            number += 1;
        }
        let mut blocks = rest.chunks_exact_mut(4);
        for four in &mut blocks {
            four.copy_from_slice(&block(number));
            number += 1;
        }
        let tail = blocks.into_remainder();
        if !tail.is_empty() {
            let n = tail.len();
            tail.copy_from_slice(&block(number)[..n]);
        }
    }
}

/// The random words of one address, in order; a [`rand::Rng`].
#[derive(Clone)]
pub struct Draw {
    key: [u64; 2],
    counter: [u64; 4],
    words: [u64; 4],
    used: u8,
}

impl Draw {
    /// Moves to another (who, nth) of the same key and purpose, at its first word.
    #[inline]
    pub fn readdress(&mut self, who: u64, nth: u64) {
        self.counter[0] = 0;
        self.counter[1] = nth;
        self.counter[2] = who;
        self.used = 4;
    }

    /// Returns the same draw with its first words made, so that its copies need not make them
    /// again.
    pub(crate) fn begun(mut self) -> Self {
        if self.used == 4 {
            self.refill();
        }
        self
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u64 {
        if self.used == 4 {
            self.refill();
        }
        let word = self.words[usize::from(self.used)];
        self.used += 1;
        word
    }

    fn refill(&mut self) {
        self.counter[0] += 1;
        self.words = philox4x64(self.counter, self.key);
        self.used = 0;
    }

    /// The next uniform in \[0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        uniform(self.word())
    }

    /// The next standard normal.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        normal(self.word())
    }

    /// The next whole number below `n`.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        below(self.word(), n)
    }
}

impl rand::TryRng for Draw {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.word() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for eight in bytes.chunks_mut(8) {
            let word = self.word().to_le_bytes();
            eight.copy_from_slice(&word[..eight.len()]);
        }
        Ok(())
    }
}

/// A uniform in \[0, 1) of 53 bits.
#[inline]
#[must_use]
pub fn uniform(word: u64) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 53) as f64;
    (word >> 11) as f64 * STEP
}

/// A uniform strictly between 0 and 1: ((w >> 12) + 1/2) 2^-52.
#[inline]
#[must_use]
pub fn open_uniform(word: u64) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 52) as f64;
    ((word >> 12) as f64 + 0.5) * STEP
}

/// A whole number below `n` (0 where n = 0); off from uniform by less than n 2^-64.
#[inline]
#[must_use]
pub fn below(word: u64, n: u64) -> u64 {
    ((u128::from(word) * u128::from(n)) >> 64) as u64
}

/// The label hash that addresses use for random numbers shared by all policies.
pub const SHARED: u64 = 0;

/// Returns the number of a lane's label for the addresses of its policy (FNV-1a, 64 bits). A
/// policy's own random numbers follow its label, not its place in the list.
#[must_use]
pub fn label_key(label: &str) -> u64 {
    label.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

// The block function of Philox4x64-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as
// easy as 1, 2, 3; SC 2011, Section 3.3 and its published constants).

const MULTIPLIERS: [u64; 2] = [0xd2e7_470e_e14c_6c93, 0xca5a_8263_9512_1157];
const WEYL: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b];
const ROUNDS: usize = 10;

/// Returns the four words of the Philox 4x64 generator for one counter and key.
// Always inline, so that blocks drawn one after another overlap.
#[inline(always)]
#[must_use]
pub fn philox4x64(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let [mut c0, mut c1, mut c2, mut c3] = counter;
    let [mut k0, mut k1] = key;
    for _ in 0..ROUNDS {
        let (high0, low0) = wide(MULTIPLIERS[0], c0);
        let (high1, low1) = wide(MULTIPLIERS[1], c2);
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
    }
    [c0, c1, c2, c3]
}

#[inline]
fn wide(a: u64, b: u64) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    ((product >> 64) as u64, product as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// The words of `numpy.random.Philox(counter=[0, 7, 42, 5], key=[2021, 3]).random_raw(8)`,
    /// NumPy 2.4.
    const FROZEN: [u64; 8] = [
        0x8a77_9696_e68e_c952,
        0x7228_036c_911e_61d7,
        0x2221_3d08_41cb_9a00,
        0x1b20_7fa4_6020_baa5,
        0x636a_23cd_730f_6a17,
        0x9200_b1ac_5a3f_8b0f,
        0x7efd_c8da_df8b_0ded,
        0xf8bd_0cd5_ed8b_caa5,
    ];

    #[test]
    fn words_equal_numpys() {
        let mut draw = Key::new(2021, 3).draw(Purpose::Policy, 42, 7);
        for word in FROZEN {
            assert_eq!(draw.word(), word);
        }
    }

    #[test]
    fn readdressing_starts_the_address_anew() {
        let mut draw = Key::new(2021, 3).draw(Purpose::Policy, 1, 1);
        draw.word();
        draw.readdress(42, 7);
        assert_eq!(draw.next_u64(), FROZEN[0]);
        assert_eq!(u64::from(draw.next_u32()), FROZEN[1] >> 32);
        let mut bytes = [0; 12];
        draw.fill_bytes(&mut bytes);
        assert_eq!(bytes[..8], FROZEN[2].to_le_bytes());
        assert_eq!(bytes[8..], FROZEN[3].to_le_bytes()[..4]);
    }

    #[test]
    fn any_stretch_of_a_stream_is_the_same_stream() {
        let key = Key::new(9, 4);
        let mut whole = [0; 41];
        key.fill(Purpose::Person, 0, &mut whole);
        let mut draw = key.draw(Purpose::Person, 0, 0);
        assert!(whole.iter().all(|&word| word == draw.word()));
        for from in 0..20 {
            for n in 0..20 {
                let mut part = vec![0; n];
                key.fill(Purpose::Person, from as u64, &mut part);
                assert_eq!(part, whole[from..from + n]);
            }
        }
    }

    #[test]
    fn transforms_at_their_ends() {
        assert_eq!(uniform(0), 0.0);
        assert!(uniform(u64::MAX) < 1.0);
        assert_eq!(below(u64::MAX, 10), 9);
        assert_eq!(below(0, 10), 0);
        assert_eq!(below(u64::MAX, 0), 0);
    }

    #[test]
    fn labels_have_fixed_numbers() {
        assert_eq!(label_key(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(label_key("a"), 0xaf63_dc4c_8601_ec8c);
    }
}

#[cfg(test)]
mod philox_tests {
    use super::philox4x64;

    /// The known-answer vectors that the authors publish with the generator.
    #[test]
    fn known_answers() {
        assert_eq!(
            philox4x64([0; 4], [0; 2]),
            [
                0x16554d9eca36314c,
                0xdb20fe9d672d0fdc,
                0xd7e772cee186176b,
                0x7e68b68aec7ba23b
            ]
        );
        assert_eq!(
            philox4x64([u64::MAX; 4], [u64::MAX; 2]),
            [
                0x87b092c3013fe90b,
                0x438c3c67be8d0224,
                0x9cc7d7c69cd777b6,
                0xa09caebf594f0ba0
            ]
        );
    }
}
