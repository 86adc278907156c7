//! Accounts of the records of one connection, file or request.

use serde::Serialize;

use super::{Item, Receipt, Taken};

/// A record that was not taken, as answers to senders list it.
#[derive(Clone, Debug, Serialize)]
pub struct Rejected {
    /// The line, from 1, where the record begins.
    pub line: u64,
    /// The character of the line, from 1; `None` if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The number of the element, from 1; `None` if the record is not one of an array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<u64>,
    /// The reason, in words.
    pub error: String,
}

/// A record as it was handed to the recorder.
#[derive(Clone, Debug)]
pub struct HandedRecord {
    /// The line, from 1, where it begins.
    pub line: u64,
    /// The number of the element, from 1; `None` if the record is not one of an array.
    pub element: Option<u64>,
    /// The reason why it could not be read; `None` if it was read.
    pub unread: Option<String>,
}

impl HandedRecord {
    /// Returns the line and error of the record behind an item.
    #[must_use]
    pub fn of(item: &Item) -> Self {
        let (line, unread) = match item {
            Item::Candidate(person) => (person.line, None),
            Item::Outcome(outcome) => (outcome.line, None),
            Item::Look(look) => (look.line, None),
            Item::Withdrawal(withdrawal) => (withdrawal.line, None),
            Item::Closing(_) => (1, None),
            Item::Refused(refused) => (refused.line, Some(refused.error.clone())),
        };
        let element = None;
        Self {
            line,
            element,
            unread,
        }
    }
}

/// The account of the records that one sender handed over.
#[derive(Clone, Debug, Default)]
pub struct FeedAccount {
    /// The number of records taken, including corrections.
    pub accepted: u64,
    /// The number of records taken that correct earlier ones.
    pub corrected: u64,
    /// The number of records that had been taken before.
    pub duplicates: u64,
    /// The number of records left out by the config's `where`.
    pub left_out: u64,
    /// The number of records that could be read and were refused.
    pub refused: u64,
    /// The number of records refused because they contradict earlier ones.
    pub conflicts: u64,
    /// The number of records that came after the last lane had ended.
    pub untaken: u64,
    /// The first records that were not taken, up to a limit.
    pub rejected: Vec<Rejected>,
    /// The number of records not taken that `rejected` does not list.
    pub more_rejected: u64,
    /// The number of the last entry of the journal.
    pub last_seq: u64,
    /// The journal number of the last record taken; `None` if none was.
    pub seq: Option<u64>,
    most: usize,
}

impl FeedAccount {
    /// Creates an empty account that lists at most this many rejected records.
    #[must_use]
    pub fn listing(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    /// Adds the records of one delivery and their receipt. A stream that ends within a delivery
    /// takes no record after the one that ends it.
    pub fn settle(&mut self, handed: impl IntoIterator<Item = HandedRecord>, receipt: Receipt) {
        let mut taken = receipt.taken.into_iter();
        let mut ended = None;
        for record in handed {
            let taken = taken.next();
            let ends = matches!(taken, Some(Taken::Refused | Taken::Misnamed(_)));
            let line = record.line;
            self.add(record, taken, ended);
            ended = if ends { Some(line) } else { ended };
        }
        self.last_seq = self.last_seq.max(receipt.last_seq);
    }

    /// Adds one record; `ended` is the line of the last record that may have ended the stream.
    fn add(&mut self, record: HandedRecord, taken: Option<Taken>, ended: Option<u64>) {
        match &taken {
            Some(Taken::Accepted { seq, .. }) => return self.accept(*seq),
            Some(Taken::Corrected { seq }) => {
                self.corrected += 1;
                return self.accept(*seq);
            }
            Some(Taken::Duplicate | Taken::Known { .. }) => {
                self.duplicates += 1;
                return;
            }
            Some(taken @ (Taken::Differs(_) | Taken::Contradicts { .. } | Taken::Hindered(_))) => {
                self.refused += 1;
                self.conflicts += u64::from(taken.is_conflict());
            }
            Some(Taken::Misnamed(_) | Taken::Unknown) => self.refused += 1,
            Some(Taken::Over) => self.untaken += 1,
            None if ended.is_none() => self.untaken += 1,
            Some(Taken::Refused | Taken::Closed { .. }) | None => {}
        }
        let error = match (record.unread, taken, ended) {
            (Some(unread), ..) => unread,
            (None, None, Some(line)) => format!("the stream ended with line {line}"),
            (None, taken, _) => {
                let why_not = taken.unwrap_or(Taken::Over).why_not();
                why_not.unwrap_or("it can't be taken".into()).into_owned()
            }
        };
        self.reject(record.line, record.element, error);
    }

    fn accept(&mut self, seq: u64) {
        self.accepted += 1;
        self.seq = Some(seq);
    }

    /// Lists a record that was not taken.
    pub fn reject(&mut self, line: u64, element: Option<u64>, error: String) {
        if self.rejected.len() == self.most {
            self.more_rejected += 1;
            return;
        }
        self.rejected.push(Rejected {
            line,
            column: None,
            record: element,
            error,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_lines(lines: u64) -> impl Iterator<Item = HandedRecord> {
        (1..=lines).map(|line| HandedRecord {
            line,
            element: None,
            unread: None,
        })
    }

    #[test]
    fn each_fate_is_counted_where_it_belongs() {
        let mut account = FeedAccount::listing(2);
        for before in [0, 1] {
            let taken = vec![
                Taken::Accepted {
                    seq: 4,
                    person: None,
                },
                Taken::Corrected { seq: 5 },
                Taken::Duplicate,
                Taken::Unknown,
                Taken::Differs("'age'".into()),
                Taken::Over,
            ];
            let last_seq = 9 - before;
            account.settle(of_lines(7), Receipt { taken, last_seq });
        }
        assert_eq!((account.accepted, account.corrected), (4, 2));
        assert_eq!((account.duplicates, account.refused), (2, 4));
        // The seventh of each has no fate: it came after the end.
        assert_eq!((account.conflicts, account.untaken), (2, 4));
        assert_eq!((account.seq, account.last_seq), (Some(5), 9));
        let lines: Vec<u64> = account.rejected.iter().map(|one| one.line).collect();
        assert_eq!((lines, account.more_rejected), (vec![4, 5], 6));
    }

    #[test]
    fn after_the_record_with_which_a_stream_ends_none_is_taken() {
        let mut account = FeedAccount::listing(9);
        let taken = vec![Taken::Duplicate, Taken::Refused];
        account.settle(of_lines(4), Receipt { taken, last_seq: 1 });
        assert_eq!((account.untaken, account.rejected.len()), (0, 3));
        let last = account.rejected.last().unwrap();
        assert_eq!(
            (last.line, &*last.error),
            (4, "the stream ended with line 2")
        );
    }
}
