//! The first message of a run's stream: the version and the config with which its lanes are played.

use serde::{Deserialize, Serialize};

use super::moves::Hash;
use kleroterion_io::record::outside;

/// The version and the config of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunHead {
    /// The version of the program.
    pub(super) version: String,
    /// The config, as resolved.
    pub(super) config: String,
}

impl RunHead {
    /// Creates the head of a run of this program with this config.
    pub(super) fn new(config: &str) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.to_owned(),
        }
    }

    /// The hash of the version and the config.
    pub(super) fn build(&self) -> Hash {
        let mut hasher = blake3::Hasher::new();
        for text in [&self.version, &self.config] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        *hasher.finalize().as_bytes()
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        outside::read(bytes).ok()
    }
}
