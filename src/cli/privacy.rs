//! The personal data in outputs: hidden ids and dropped attributes.

use std::hash::{BuildHasher, RandomState};

use clap::Args;

/// What outputs say of people.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PrivacyArgs {
    /// People go by hashes of their ids in traces, in selected.csv, in people.csv and on the board;
    /// the key is kept with a live run's journal, else nowhere
    #[arg(long)]
    pub(super) hide_identities: bool,
    /// Attributes that selected.csv and people.csv leave out
    #[arg(long, value_name = "ATTRIBUTE,…", value_delimiter = ',')]
    pub(super) drop_attributes: Vec<String>,
}

impl PrivacyArgs {
    /// A key of the names, if ids are hidden.
    pub(super) fn key(&self) -> Option<[u8; 32]> {
        self.hide_identities.then(random_key)
    }
}

/// A key that can't be guessed, from the system's randomness.
fn random_key() -> [u8; 32] {
    let mut key = [0; 32];
    for part in key.chunks_mut(8) {
        // Keyed by the system anew for each process, and differently each time.
        let word = RandomState::new().hash_one(part.len());
        part.copy_from_slice(&word.to_le_bytes());
    }
    key
}

/// Makes the files that this process creates from now on readable by its user alone, since they
/// hold people's records.
pub fn keep_to_user() {
    #[cfg(unix)]
    {
        use rustix::fs::Mode;
        let others = Mode::RWXG | Mode::RWXO;
        let before = rustix::process::umask(others);
        rustix::process::umask(before | others);
    }
}
