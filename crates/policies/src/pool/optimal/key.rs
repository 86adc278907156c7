//! Hashes of parameters and of texts.

use super::look_ahead::{AheadState, LookAhead};

impl LookAhead {
    /// Returns the hash of the parameters: FNV-1a, 64 bits, over a version and the bits of each. It
    /// is the same on every machine. Other parameters give another hash, up to chance.
    #[must_use]
    pub fn key(&self) -> u64 {
        /// Counts up where what is computed changes.
        const VERSION: u64 = 2;
        let [u, v] = self.laws;
        let state = match self.state {
            AheadState::MeanField { cells } => [0, u64::from(cells), 0],
            AheadState::Share { applicants } => [1, 0, u64::from(applicants)],
            AheadState::Theta { applicants, cells } => [2, u64::from(cells), u64::from(applicants)],
        };
        let numbers = [
            u.mean,
            u.sd,
            v.mean,
            v.sd,
            self.admitted,
            self.target,
            self.lambda,
            self.eta,
            self.gamma,
            self.tolerance,
        ];
        let kinds = [VERSION, self.greedy_term as u64, self.infeasible as u64];
        // 0 and -0 are the same parameter.
        let words = kinds.into_iter().chain(state);
        let words = words.chain(numbers.map(|number| (number + 0.0).to_bits()));
        let words = words.chain(self.horizon.map(u64::from));
        let bytes = words.flat_map(u64::to_le_bytes);
        fnv(bytes)
    }
}

/// Returns the FNV-1a hash, 64 bits.
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let bytes = bytes.into_iter();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
