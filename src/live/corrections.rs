//! Outcomes that were reported before, and their corrections.

use std::sync::Arc;

use crate::draw::Key;
use crate::feed::{CandidateRecord, FeedSpec, Read};
use crate::journal::Reported;
use crate::protocol::{Correction, Persons, Report, Schema};

/// A report of an outcome that was reported before with another value, for policies that learnt
/// from it.
///
/// # Errors
/// Where the record of the person can't be read with this config.
pub(super) fn correction(
    feed: &FeedSpec,
    id: &str,
    record: &str,
    told: Reported,
    before: f64,
) -> Result<Report, String> {
    let person = match feed.reading.json(record, 0)? {
        Read::Candidate(person) => person,
        Read::LeftOut => return Err("`where` leaves this person out".into()),
    };
    let about = row(feed.reading.schema(), told.person, id, &person);
    let corrects = Some(Correction {
        before,
        about: Arc::new(about),
    });
    Ok(Report {
        person: told.person,
        policy: told.policy,
        value: told.value,
        corrects,
    })
}

/// A person alone, under its number in the stream.
fn row(schema: &Arc<Schema>, number: u64, id: &str, person: &CandidateRecord) -> Persons {
    let mut row = Persons::new(Arc::clone(schema), number);
    let cell = schema.cell(&person.values);
    row.push_named(
        id.into(),
        cell,
        &person.values,
        &person.features,
        person.score,
    );
    row
}

/// Which people's rounds are whole: an outcome is heard before the first round that becomes whole
/// after it was reported.
pub(super) struct Whole {
    feed: Arc<FeedSpec>,
    key: Key,
    rounds: u64,
    /// How many persons are in whole rounds, and how many in all but the last of them.
    persons: u64,
    before_last: u64,
    /// The entry of the last of them, where it is known.
    seq: Option<u64>,
}

impl Whole {
    pub(super) fn new(feed: Arc<FeedSpec>, key: Key) -> Self {
        Self {
            feed,
            key,
            rounds: 0,
            persons: 0,
            before_last: 0,
            seq: None,
        }
    }

    /// Notes how many persons have come; the last with entry `seq`, where that is known.
    pub(super) fn came(&mut self, persons: u64, seq: Option<u64>) {
        while self.persons < persons {
            let Some(size) = self.feed.sizes.at(self.key, self.rounds + 1) else {
                return;
            };
            let size = u64::from(size) * self.feed.each as u64;
            if self.persons + size > persons {
                return;
            }
            self.rounds += 1;
            if size > 0 {
                self.before_last = self.persons;
                self.persons += size;
                self.seq = seq.filter(|_| self.persons == persons);
            }
        }
    }

    /// Whether an outcome of a person that was reported with entry `told` has been learnt; `seq_of`
    /// finds a person's entry.
    ///
    /// # Errors
    /// As `seq_of`.
    pub(super) fn heard<E>(
        &mut self,
        person: u64,
        told: u64,
        seq_of: impl FnOnce(u64) -> Result<Option<u64>, E>,
    ) -> Result<bool, E> {
        // An outcome of a person whose round was whole last is learnt in the next, whether or not
        // it came early.
        if person >= self.before_last {
            return Ok(false);
        }
        if self.seq.is_none() {
            self.seq = seq_of(self.persons - 1)?;
        }
        Ok(self.seq.is_some_and(|seq| seq > told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Framing, OnError, Reading, ReadingSpec, Transport};
    use crate::source::Sizes;

    fn whole(sizes: Sizes) -> Whole {
        let feed = FeedSpec {
            transport: Transport::Stdin,
            framing: Framing::default(),
            max_length: 100,
            on_error: OnError::Skip,
            reading: Arc::new(Reading::new(ReadingSpec::default()).unwrap()),
            outcomes: None,
            sizes,
            each: 1,
        };
        Whole::new(Arc::new(feed), Key::new(1, 0))
    }

    /// Entries: persons (`true`) and outcomes of person 1. For each outcome whether it was heard
    /// when all had come.
    fn heard(sizes: &Sizes, entries: &[bool], resumed: bool) -> Vec<bool> {
        let mut whole = whole(sizes.clone());
        let seqs = |kind| (1..).zip(entries).filter(move |(_, is)| **is == kind);
        let people: Vec<u64> = seqs(true).map(|(seq, _)| seq).collect();
        match resumed {
            true => whole.came(people.len() as u64, None),
            false => (1..)
                .zip(&people)
                .for_each(|(n, seq)| whole.came(n, Some(*seq))),
        }
        let seq_of = |person: u64| Ok::<_, ()>(Some(people[person as usize]));
        seqs(false)
            .map(|(seq, _)| whole.heard(1, seq, seq_of).unwrap())
            .collect()
    }

    /// The same, played plainly: the round of an outcome is the first that is whole after it, and
    /// after its person's.
    fn plainly(sizes: &[usize], entries: &[bool]) -> Vec<bool> {
        let mut ends = Vec::new();
        let mut sum = 0;
        for size in sizes {
            sum += size;
            ends.push(sum);
        }
        let all = entries.iter().filter(|is| **is).count();
        let outcomes = (0..entries.len()).filter(|at| !entries[*at]);
        let heard = outcomes.map(|at| {
            let came = entries[..at].iter().filter(|is| **is).count();
            let of_person = ends.iter().position(|end| *end > 1).unwrap();
            let later = (of_person + 1..ends.len()).find(|round| ends[*round] > came);
            later.is_some_and(|round| ends[round] <= all)
        });
        heard.collect()
    }

    #[test]
    fn an_outcome_is_heard_once_a_later_round_than_its_persons_is_whole() {
        for sizes in [vec![1; 12], vec![3; 4], vec![2, 1, 5, 2, 2]] {
            let listed = Sizes::Listed(sizes.iter().map(|size| *size as u32).collect());
            for pattern in 0..1_u32 << 9 {
                let mut entries = vec![true, true];
                entries.extend((0..9).map(|bit| pattern >> bit & 1 == 1));
                let plain = plainly(&sizes, &entries);
                for resumed in [false, true] {
                    assert_eq!(
                        heard(&listed, &entries, resumed),
                        plain,
                        "{sizes:?} {entries:?}"
                    );
                }
            }
        }
    }
}
