//! The messages that could not be read, remembered so that they are recognised when they are sent
//! again.

use std::collections::BTreeSet;

use crate::limits::MOST_REFUSED_MESSAGES;

/// The numbers of the latest messages that could not be read. Such messages have no id by which a
/// repeat could be recognised.
#[derive(Debug, Default)]
pub(super) struct RefusedMessages(BTreeSet<u64>);

impl RefusedMessages {
    /// Remembers a message, and forgets the oldest if there are more than the limit.
    pub(super) fn note(&mut self, sequence: u64) {
        self.0.insert(sequence);
        if self.0.len() > MOST_REFUSED_MESSAGES {
            self.0.pop_first();
        }
    }

    /// Returns true if a message is remembered.
    pub(super) fn has(&self, sequence: u64) -> bool {
        self.0.contains(&sequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_remembered_once_each() {
        let mut refused = RefusedMessages::default();
        assert!(!refused.has(1));
        for sequence in (1..=MOST_REFUSED_MESSAGES as u64).chain([7, 7]) {
            refused.note(sequence);
        }
        assert!(refused.has(1) && refused.has(7) && refused.has(MOST_REFUSED_MESSAGES as u64));
        refused.note(MOST_REFUSED_MESSAGES as u64 + 1);
        assert!(!refused.has(1));
        assert!(refused.has(2) && refused.has(MOST_REFUSED_MESSAGES as u64 + 1));
    }
}
