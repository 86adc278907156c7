//! The facts of a journal: its format, and the config and options of the run.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::chain::hex;

/// The name of the fact that candidates have ids of their own, noted with the first candidate.
pub(super) const NAMED: &str = "named";

/// The number of bytes of a hash of facts.
const HASH: usize = 8;

/// All facts of a journal, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts(pub(super) BTreeMap<String, String>);

impl Facts {
    pub(super) fn read(store: &Connection) -> rusqlite::Result<Self> {
        let mut find = store.prepare("SELECT key, value FROM fact")?;
        let facts = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Self(facts.collect::<rusqlite::Result<_>>()?))
    }

    /// Returns the hash of the facts, as the head stores it.
    pub(super) fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (key, value) in &self.0 {
            // Lengths go first, so that no two sets of facts make the same bytes.
            for part in [key, value] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
        }
        hex(&hasher.finalize().as_bytes()[..HASH])
    }

    /// Returns true if these facts have the given hash. If `is_ahead`, the journal has entries that
    /// the head doesn't know; then one fact may have been noted since.
    pub(super) fn are(&self, hash: &str, is_ahead: bool) -> bool {
        let before = || {
            let mut facts = self.clone();
            facts.0.remove(NAMED);
            facts.hash()
        };
        self.hash() == hash || is_ahead && before() == hash
    }
}
