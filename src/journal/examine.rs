//! Examining a journal: whether it is whole, and where it is not.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::JournalError;
use super::head::{Head, Reach};
use super::reader::JournalReader;

/// The findings about a journal.
#[derive(Debug)]
pub struct Examined {
    /// Its format.
    pub format: &'static str,
    /// How far its entries are whole: the last one, and the chain up to it.
    pub end: Reach,
    /// How many persons are among them.
    pub persons: u64,
    /// How many entries there are of each kind.
    pub kinds: BTreeMap<&'static str, u64>,
    /// What the head says; none where it is gone or can't be read.
    pub head: Option<Reach>,
    /// The first fault.
    pub fault: Option<JournalError>,
}

/// Reads the whole journal of a folder, and holds it against its hashes, its head and its schema.
///
/// # Errors
/// Where there is no journal, or not even its facts can be read.
pub fn examine(folder: &Path) -> Result<Examined, JournalError> {
    let (head, headless) = match Head::peek(folder) {
        Ok(head) => (Some(head), None),
        Err(error @ JournalError::Headless(..)) => (None, Some(error)),
        Err(error) => return Err(error),
    };
    let mut reader = JournalReader::up_to(folder, head)?;
    let mut kinds = BTreeMap::new();
    let read = reader.read_all(|numbered| {
        *kinds.entry(numbered.entry.kind().word()).or_default() += 1;
    });
    let fault = read.and_then(|()| reader.check()).err().or(headless);
    Ok(Examined {
        format: reader.facts.format.word(),
        end: Reach::of(reader.end),
        persons: reader.end.persons,
        kinds,
        head,
        fault,
    })
}
