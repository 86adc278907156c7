//! The candidates of a temporary journal, in memory.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::limits::RECENT_BYTES;

/// The numbers of a candidate: that of the entry, and that in the stream.
type Standing = (u64, u64);

/// The candidates by their ids, each with its numbers and its record.
#[derive(Debug)]
pub(super) struct Recent {
    candidates: HashMap<Box<str>, (Standing, Box<str>)>,
    /// The memory that they take, in bytes, roughly.
    bytes: usize,
    /// The memory that they may take.
    most: usize,
}

impl Recent {
    /// Makes room for candidates that take this much memory, roughly.
    pub(super) fn within(most: usize) -> Self {
        Self {
            candidates: HashMap::new(),
            bytes: 0,
            most,
        }
    }

    /// Adds a candidate. Returns false if the id is known.
    pub(super) fn add(&mut self, id: &str, standing: Standing, record: &str) -> bool {
        let Entry::Vacant(place) = self.candidates.entry(id.into()) else {
            return false;
        };
        place.insert((standing, record.into()));
        self.bytes += id.len() + record.len() + RECENT_BYTES;
        true
    }

    /// Returns true if they take more memory than they may.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.most
    }

    pub(super) fn standing(&self, id: &str) -> Option<Standing> {
        self.candidates.get(id).map(|(standing, _)| *standing)
    }

    pub(super) fn record(&self, id: &str) -> Option<String> {
        self.candidates
            .get(id)
            .map(|(_, record)| record.to_string())
    }

    /// Returns all candidates, in any order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, Standing, &str)> {
        let all = self.candidates.iter();
        all.map(|(id, (standing, record))| (&**id, *standing, &**record))
    }
}
