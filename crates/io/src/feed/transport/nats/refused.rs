//! Which messages could not be read, so that one that is sent again is known.

use std::collections::BTreeSet;

/// How many are remembered.
const MOST: usize = 1 << 16;

/// The latest messages that could not be read, as numbers: they have no id by which a repeat would
/// be known.
#[derive(Debug, Default)]
pub(super) struct RefusedMessages(BTreeSet<u64>);

impl RefusedMessages {
    /// Remembers a message, and forgets the oldest where there are too many.
    pub(super) fn note(&mut self, sequence: u64) {
        self.0.insert(sequence);
        if self.0.len() > MOST {
            self.0.pop_first();
        }
    }

    /// Whether it is remembered.
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
        for sequence in (1..=MOST as u64).chain([7, 7]) {
            refused.note(sequence);
        }
        assert!(refused.has(1) && refused.has(7) && refused.has(MOST as u64));
        refused.note(MOST as u64 + 1);
        assert!(!refused.has(1));
        assert!(refused.has(2) && refused.has(MOST as u64 + 1));
    }
}
