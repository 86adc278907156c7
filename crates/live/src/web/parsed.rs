//! The records of one body.

use super::records::BodyRecord;
use crate::limits::{MOST_LISTED_REJECTS, MOST_NOTED_BYTES};
use kleroterion_io::feed::{HandedRecord, Item, RefusedRecord};

/// The bytes that a record takes in memory besides its text.
pub(super) const OVERHEAD: usize = 256;

/// The kind of the records in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordKind {
    Candidates,
    /// One candidate, for whom a decision is requested.
    Candidate,
    Outcomes,
    /// Answers of interviewers.
    Looks,
    Withdrawals,
    /// Closings of slates.
    Slates,
}

/// A record's line, and its number among the elements of an array.
type RecordPlace = (u64, Option<u64>);

/// A body whose records were read.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) items: Vec<Item>,
    /// The place of each item in the body.
    pub(super) places: Vec<RecordPlace>,
    /// The number of records that `where` leaves out.
    pub(super) left_out: u64,
}

impl Parsed {
    pub(super) fn note(&mut self, record: BodyRecord<'_>, told: Result<Option<Item>, String>) {
        let item = match told {
            Ok(Some(item)) => item,
            Ok(None) => {
                self.left_out += 1;
                return;
            }
            Err(error) => {
                let cut = &record.text[..record.text.len().min(MOST_NOTED_BYTES)];
                Item::Refused(RefusedRecord {
                    line: record.line,
                    error,
                    record: String::from_utf8_lossy(cut).into(),
                })
            }
        };
        self.items.push(item);
        self.places.push((record.line, record.element));
    }

    /// The number of unreadable records.
    pub(super) fn unread(&self) -> u64 {
        let unread = |item: &&Item| matches!(item, Item::Refused(_));
        self.items.iter().filter(unread).count() as u64
    }

    /// The number of records in the body.
    pub(super) fn records(&self) -> u64 {
        self.items.len() as u64 + self.left_out
    }

    /// The places of the items, with the errors of unreadable ones. Errors beyond the most that are
    /// listed are empty.
    pub(super) fn handed(&self) -> Vec<HandedRecord> {
        let mut unread = 0;
        let error = |item: &Item| {
            let Item::Refused(refused) = item else {
                return None;
            };
            unread += 1;
            Some(match unread > MOST_LISTED_REJECTS {
                true => String::new(),
                false => refused.error.clone(),
            })
        };
        let places = self.places.iter().zip(self.items.iter().map(error));
        let handed = places.map(|(&(line, element), unread)| HandedRecord {
            line,
            element,
            unread,
        });
        handed.collect()
    }

    /// Refuses candidates who are named in another way than the first.
    pub(super) fn unmix(&mut self) {
        let mut first = None;
        for item in &mut self.items {
            if let Item::Candidate(person) = item
                && *first.get_or_insert(person.naming) != person.naming
            {
                *item = Item::Refused(person.refused(person.naming.refusal()));
            }
        }
    }

    /// Keeps only items for which `is_kept` is true. Call [`Self::handed`] before, since the places
    /// are lost.
    pub(super) fn keep(&mut self, is_kept: impl Fn(&Item) -> bool) {
        self.items.retain(is_kept);
        self.places.clear();
    }
}
