//! The messages for lanes elsewhere: the head of a run, which comes first, and the journal's
//! committed entries.

use serde::{Deserialize, Serialize};

use super::moves::Hash;
use kleroterion_io::journal::{JournalEntry, Numbered};
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

/// Consecutive entries of the journal, without those that no lane reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryBatch {
    /// The number of the first entry, including those left out.
    pub(super) first: u64,
    /// The number of the last entry, including those left out.
    pub(super) last: u64,
    /// The journal's chain value at the last entry, in hexadecimal digits.
    pub(super) chain: String,
    /// True if no more entries are expected.
    pub(super) is_over: bool,
    entries: Vec<SentEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SentEntry {
    seq: u64,
    kind: String,
    id: Option<String>,
    body: String,
    /// The record of the person, if the entry is a correction.
    record: Option<String>,
}

/// An entry, with the record of the person if it is a correction.
pub(super) type ReadEntry = (Numbered, Option<String>);

impl EntryBatch {
    /// Creates a batch of a journal's entries up to a number.
    pub(super) fn new(first: u64, last: u64, chain: String, entries: Vec<ReadEntry>) -> Self {
        let read = |entry: &JournalEntry| {
            matches!(
                entry,
                JournalEntry::Candidate(..)
                    | JournalEntry::Outcome(..)
                    | JournalEntry::Correction(..)
                    | JournalEntry::Withdrawal(..)
                    | JournalEntry::Slate(_)
                    | JournalEntry::Settled(_)
            )
        };
        let entries = entries.into_iter();
        let entries = entries.filter(|(numbered, _)| read(&numbered.entry));
        let entries = entries.map(|(Numbered { seq, entry }, record)| {
            let (kind, id, body) = entry.columns();
            SentEntry {
                seq,
                kind: kind.to_owned(),
                id: id.map(str::to_owned),
                body: body.into_owned(),
                record,
            }
        });
        Self {
            first,
            last,
            chain,
            is_over: false,
            entries: entries.collect(),
        }
    }

    /// Creates the batch that says that no entries come after `last`.
    pub(super) fn over(last: u64, chain: String) -> Self {
        Self {
            first: last + 1,
            last,
            chain,
            is_over: true,
            entries: Vec::new(),
        }
    }

    /// Encodes the batch as a message.
    pub(super) fn encode(&self) -> Vec<u8> {
        let bytes = postcard::to_stdvec(self).unwrap_or_default();
        let hash = blake3::hash(&bytes);
        [hash.as_bytes(), &bytes[..]].concat()
    }

    /// Decodes a message; `None` if it is damaged.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (hash, bytes) = bytes.split_first_chunk::<32>()?;
        (blake3::hash(bytes) == *hash).then(|| postcard::from_bytes(bytes).ok())?
    }

    /// The entries; `None` if one of them can't be read.
    pub(super) fn read(self) -> Option<Vec<ReadEntry>> {
        let entries = self.entries.into_iter().map(|sent| {
            let entry = JournalEntry::of(&sent.kind, sent.id.as_deref(), &sent.body)?;
            let numbered = Numbered {
                seq: sent.seq,
                entry,
            };
            Some((numbered, sent.record))
        });
        entries.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_io::journal::Withdrawn;

    #[test]
    fn entries_come_back_and_a_flipped_bit_is_damage() {
        let entries = [
            JournalEntry::Candidate("a".into(), "{\"x\":1}".into()),
            JournalEntry::Rounds(3),
            JournalEntry::Withdrawal("a".into(), Withdrawn { person: Some(0) }),
        ];
        let numbered = |(at, entry): (usize, &JournalEntry)| {
            let entry = entry.clone();
            let seq = 1 + at as u64;
            (Numbered { seq, entry }, None)
        };
        let all: Vec<ReadEntry> = entries.iter().enumerate().map(numbered).collect();
        let batch = EntryBatch::new(1, 3, "ab".into(), all.clone());
        let bytes = batch.encode();
        let read = EntryBatch::decode(&bytes).unwrap();
        assert_eq!(read.read().unwrap(), [all[0].clone(), all[2].clone()]);
        for at in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[at / 8] ^= 1 << (at % 8);
            assert_eq!(EntryBatch::decode(&flipped), None);
        }
    }
}
