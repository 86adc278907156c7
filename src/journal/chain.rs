//! The hash of all entries so far.

use super::entry::{EntryKind, JournalEntry};
use super::format::Format;

/// Bytes of a link.
pub(super) const LINK: usize = 16;

/// The chain of hashes: link n = BLAKE3(link n-1, entry n), cut to 16 bytes. Link 0 covers the
/// facts; in format 1 it is all zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain([u8; LINK]);

/// The columns of an entry, but for its number and its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns<'a> {
    pub(super) kind: EntryKind,
    pub(super) id: Option<&'a str>,
    pub(super) person: Option<u64>,
    pub(super) policy: Option<&'a str>,
    pub(super) body: &'a str,
}

impl<'a> Columns<'a> {
    /// The columns of an entry with this body, after this many persons: all follow from these.
    pub(super) fn of(entry: &'a JournalEntry, body: &'a str, persons: u64) -> Self {
        let reported = entry.reported();
        let person = match entry.kind() {
            EntryKind::Candidate => Some(persons),
            _ => reported.map(|reported| reported.person),
        };
        Self {
            kind: entry.kind(),
            id: entry.id(),
            person,
            policy: reported.and_then(|reported| reported.policy.as_deref()),
            body,
        }
    }
}

/// The end of a journal, on which the link of its next entry depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChainEnd {
    pub(super) format: Format,
    /// The number of the last entry.
    pub(super) seq: u64,
    pub(super) chain: Chain,
    pub(super) persons: u64,
    /// Whether persons have ids of their own: a fact that is noted before the first person.
    pub(super) named: Option<bool>,
}

impl ChainEnd {
    /// The end of a journal without entries.
    pub(super) fn start(format: Format, chain: Chain, named: Option<bool>) -> Self {
        Self {
            format,
            seq: 0,
            chain,
            persons: 0,
            named,
        }
    }

    /// The end after one more entry.
    pub(super) fn with(mut self, columns: Columns<'_>) -> Self {
        let mut hash = LinkHash::new();
        hash.0.update(&self.chain.0);
        self.seq += 1;
        hash.0.update(&self.seq.to_le_bytes());
        match self.format {
            Format::One => {
                hash.0.update(columns.kind.word().as_bytes());
                hash.text(columns.id.unwrap_or_default());
                hash.text(columns.body);
            }
            Format::Two => {
                hash.text(columns.kind.word());
                hash.maybe(columns.id);
                let person = columns.person.map(|person| person.to_string());
                hash.maybe(person.as_deref());
                hash.maybe(columns.policy);
                hash.text(columns.body);
                if columns.kind == EntryKind::Candidate {
                    hash.maybe(self.named.map(|named| if named { "true" } else { "false" }));
                }
            }
        }
        self.chain = hash.link();
        self.persons += u64::from(columns.kind == EntryKind::Candidate);
        self
    }
}

struct LinkHash(blake3::Hasher);

impl LinkHash {
    fn new() -> Self {
        Self(blake3::Hasher::new())
    }

    /// The length goes first, so that no two entries make the same bytes.
    fn text(&mut self, text: &str) {
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    /// An empty text is another thing than none.
    fn maybe(&mut self, text: Option<&str>) {
        self.0.update(&[u8::from(text.is_some())]);
        self.text(text.unwrap_or_default());
    }

    fn link(&self) -> Chain {
        let mut link = [0; LINK];
        link.copy_from_slice(&self.0.finalize().as_bytes()[..LINK]);
        Chain(link)
    }
}

impl Chain {
    /// The link before the first entry: it covers the facts, in the order of their keys.
    pub(super) fn of_facts(facts: &[(String, String)]) -> Self {
        let mut facts: Vec<_> = facts.iter().collect();
        facts.sort();
        let mut hash = LinkHash::new();
        for (key, value) in facts {
            hash.text(key);
            hash.text(value);
        }
        hash.link()
    }

    /// The link as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The link as hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A link of hexadecimal digits.
    #[must_use]
    pub fn of_hex(text: &str) -> Option<Self> {
        let mut link = [0; LINK];
        if text.len() != 2 * LINK || !text.is_ascii() {
            return None;
        }
        for (byte, at) in link.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
        }
        Some(Self(link))
    }
}
