//! The room for refused records, so that a sender of rubbish fills no disk.

use kleroterion_io::journal::RefusalEntry;

use crate::limits::{MOST_REFUSED_BYTES, MOST_REFUSED_TIMES, REFUSED_FREE_BYTES};

/// The bytes of an entry besides its words, roughly.
const FRAME: u64 = 100;

/// The fewest records counted by one entry, so that the entry is smaller than the records that it
/// counts.
pub(super) const TOGETHER: u64 = 1000;

/// The room for refused records in the journal and in `bad.ndjson`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RefusalRoom {
    kept: u64,
    came: u64,
    /// The number of records that were not kept and that no entry counts yet.
    uncounted: u64,
}

impl RefusalRoom {
    /// Adds an entry of a journal.
    pub(super) fn note(&mut self, refusal: &RefusalEntry) {
        self.came += refusal.record.len() as u64;
        self.kept += cost(refusal);
    }

    /// Returns true if a record is kept. A record that is not kept is counted.
    pub(super) fn takes(&mut self, refusal: &RefusalEntry) -> bool {
        self.came += refusal.record.len() as u64;
        let room = MOST_REFUSED_BYTES.min(REFUSED_FREE_BYTES + MOST_REFUSED_TIMES * self.came);
        let fits = self.kept + cost(refusal) <= room;
        match fits {
            true => self.kept += cost(refusal),
            false => self.uncounted += 1,
        }
        fits
    }

    /// The entry that counts the records not kept, once there are `at_least` of them.
    pub(super) fn counted(&mut self, at_least: u64) -> Option<RefusalEntry> {
        if self.uncounted < at_least.max(1) {
            return None;
        }
        let records = std::mem::take(&mut self.uncounted);
        let many = if records == 1 { "" } else { "s" };
        let error = format!(
            "{records} more record{many} refused and not kept, because {} MB of refused records \
             are kept at most, and beyond {} MB {MOST_REFUSED_TIMES} bytes for each that comes",
            MOST_REFUSED_BYTES >> 20,
            REFUSED_FREE_BYTES >> 20,
        );
        Some(RefusalEntry {
            line: 0,
            error,
            record: "".into(),
            records,
        })
    }
}

fn cost(refusal: &RefusalEntry) -> u64 {
    refusal.error.len() as u64 + refusal.record.len() as u64 + FRAME
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(record: &str) -> RefusalEntry {
        RefusalEntry {
            line: 1,
            error: "it is no JSON: expected value at line 1 column 1".into(),
            record: record.into(),
            records: 0,
        }
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_rest_is_counted() {
        for (record, least) in [
            ("x", REFUSED_FREE_BYTES),
            (&*"x".repeat(1000), MOST_REFUSED_BYTES - 2000),
        ] {
            let mut room = RefusalRoom::default();
            let (mut kept, mut bytes, mut counted) = (0, 0, 0);
            for came in 1..200_000 {
                let refusal = refusal(record);
                if room.takes(&refusal) {
                    kept += 1;
                    bytes += cost(&refusal);
                } else if let Some(entry) = room.counted(TOGETHER) {
                    counted += entry.records;
                    assert_eq!(kept + counted, came);
                }
                assert!(
                    bytes <= MOST_REFUSED_BYTES
                        && bytes <= REFUSED_FREE_BYTES + MOST_REFUSED_TIMES * room.came
                );
            }
            counted += room.counted(1).expect("some are left").records;
            assert_eq!(kept + counted, 199_999);
            assert!(bytes >= least && counted > 0, "{bytes}");
            assert_eq!(room.counted(1), None);
        }
    }

    #[test]
    fn a_run_that_goes_on_has_no_more_room_than_it_had() {
        let mut room = RefusalRoom::default();
        let mut again = RefusalRoom::default();
        let refusal = refusal("x");
        while room.takes(&refusal) {
            again.note(&refusal);
        }
        assert!(!again.takes(&refusal));
    }
}
