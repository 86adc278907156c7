//! Conversion of each item into an entry of the journal and an answer to its sender.

use std::time::Instant;

use tokio::sync::mpsc;
use tracing::{debug, info};

use super::super::error::RecorderError;
use super::super::refusals::TOGETHER;
use super::super::stream::Arrival;
use super::Recorder;
use kleroterion_core::protocol::Report;
use kleroterion_io::feed::{
    CandidateRecord, Delivery, Hindrance, Item, Naming, OutcomeRecord, Receipt, RefusedRecord,
    Taken,
};
use kleroterion_io::journal::{Added, JournalEntry, RefusalEntry};

impl Recorder {
    /// Commits deliveries together, with the notes of the lanes, sends their receipts, and hands
    /// people on.
    pub(super) fn record(&mut self, group: &mut Vec<Delivery>) -> Result<(), RecorderError> {
        if self.out.as_ref().is_some_and(mpsc::Sender::is_closed) {
            self.out = None;
        }
        if group.is_empty() {
            return self.commit_notes();
        }
        let mut receipts = Vec::with_capacity(group.len());
        let mut halted = None;
        let mut refused = 0_u64;
        let before = (self.journal.last_seq(), self.journal.persons());
        for delivery in group.drain(..) {
            self.watched.gauges.left_out.add(delivery.left_out);
            let mut taken = Vec::with_capacity(delivery.items.len());
            for item in delivery.items {
                if halted.is_some() {
                    break;
                }
                let halts = self.halting(&item);
                let became = self.add(item)?;
                let wrong = matches!(became, Taken::Refused | Taken::Misnamed(_));
                let other = matches!(became, Taken::Unknown | Taken::Hindered(_));
                let other = other || became.is_conflict();
                refused += u64::from(wrong || other);
                halted = halts.filter(|_| wrong);
                taken.push(became);
            }
            receipts.push((delivery.receipt, taken));
        }
        self.watched.came(self.journal.persons() - before.1);
        self.note_unkept(TOGETHER)?;
        let noted = self.add_notes()?;
        let started = Instant::now();
        self.journal.commit()?;
        let took = started.elapsed();
        self.show_notes(noted);
        self.bad.flush().map_err(|error| self.bad.error(error))?;
        self.show_committed();
        let gauges = &self.watched.gauges;
        gauges.commits.add(1);
        gauges.commit.add(took, 1);
        self.note_committed();
        let entries = self.journal.last_seq() - before.0;
        debug!(entries, seconds = took.as_secs_f64(), "committed");
        if refused > 0 {
            info!(refused, "records were refused");
        }
        for (receipt, taken) in receipts {
            if let Some(receipt) = receipt {
                let last_seq = self.journal.last_seq();
                // A sender that has gone meanwhile gets no receipt.
                drop(receipt.send(Receipt { taken, last_seq }));
            }
        }
        halted.map_or(Ok(()), Err)
    }

    /// The error with which the stream ends if this item is refused, if it is to end then.
    fn halting(&self, item: &Item) -> Option<RecorderError> {
        self.feed.as_ref().filter(|feed| feed.halts())?;
        let (line, error) = match item {
            Item::Refused(refused) if self.bad.hidden => {
                (refused.line, "it can't be read; its words are hidden")
            }
            Item::Refused(refused) => (refused.line, &*refused.error),
            Item::Candidate(person) => (person.line, person.naming.refusal()),
            // An outcome of an unknown person does no harm to the stream of people.
            Item::Outcome(_) | Item::Look(_) | Item::Withdrawal(_) | Item::Closing(_) => {
                return None;
            }
        };
        Some(RecorderError::Halted(line, error.to_owned()))
    }

    fn add(&mut self, item: Item) -> Result<Taken, RecorderError> {
        Ok(match item {
            Item::Candidate(person) => self.add_person(person)?,
            Item::Outcome(outcome) => self.add_outcome(outcome)?,
            Item::Look(look) => self.add_look(look)?,
            Item::Withdrawal(withdrawal) => self.add_withdrawal(withdrawal)?,
            Item::Closing(round) => self.add_closing(round)?,
            Item::Refused(refused) => {
                self.refuse(refused)?;
                Taken::Refused
            }
        })
    }

    fn add_outcome(&mut self, outcome: OutcomeRecord) -> Result<Taken, RecorderError> {
        let OutcomeRecord {
            id, policy, value, ..
        } = &outcome;
        if self.is_too_late(id, policy.as_deref())? {
            let settled = Taken::Hindered(Hindrance::Settled);
            return self.refuse_as(settled, outcome.line, outcome.record);
        }
        match self.journal.add_outcome(id, policy.as_deref(), *value)? {
            Added::As { seq, person } => {
                self.watched.gauges.outcomes.add(1);
                let report = Report {
                    person: person.unwrap_or_default(),
                    policy: outcome.policy,
                    value: outcome.value,
                    corrects: None,
                };
                let arrival = Arrival::report(self.notes.outcomes(), report);
                self.held.push(arrival);
                Ok(Taken::Accepted { seq, person })
            }
            Added::Duplicate => self.repeated_outcome(outcome),
            Added::Unknown => self.refuse_as(Taken::Unknown, outcome.line, outcome.record),
        }
    }

    fn add_person(&mut self, person: CandidateRecord) -> Result<Taken, RecorderError> {
        let named = person.naming == Naming::Own;
        let fits = self.journal.named().is_none_or(|before| before == named);
        let is_late = self.is_late();
        let added = match (fits, &self.out) {
            (true, Some(_)) if is_late => Added::Duplicate,
            (true, Some(_)) => self.journal.add_candidate(&person.id, &person.record)?,
            (true, None) => Added::Duplicate,
            (false, Some(_)) => {
                self.refuse(person.refused(person.naming.refusal()))?;
                return Ok(Taken::Misnamed(person.naming));
            }
            (false, None) => return Ok(Taken::Over),
        };
        if let Added::As {
            seq,
            person: number,
        } = added
        {
            if self.journal.named().is_none() {
                self.journal.note_named(named)?;
            }
            if let Some(count) = &mut self.count {
                count.came(seq);
            }
            self.begin_slate()?;
            self.held.push(Arrival::Candidate(person));
            return Ok(Taken::Accepted {
                seq,
                person: number,
            });
        }
        self.known(&person)
    }

    /// Refuses a record for the reason that `taken` gives. Returns `taken`.
    pub(super) fn refuse_as(
        &mut self,
        taken: Taken,
        line: u64,
        record: Box<str>,
    ) -> Result<Taken, RecorderError> {
        let error = taken.why_not().unwrap_or_default().into_owned();
        self.refuse(RefusedRecord {
            line,
            error,
            record,
        })?;
        Ok(taken)
    }

    pub(super) fn refuse(&mut self, refused: RefusedRecord) -> Result<(), RecorderError> {
        let reading = self.feed.as_ref().map(|feed| &*feed.reading);
        self.watched.note_refused(&refused, reading);
        let refusal = RefusalEntry {
            line: refused.line,
            error: refused.error,
            record: refused.record,
            records: 0,
        };
        match self.refusals.takes(&refusal) {
            true => self.keep(refusal),
            false => Ok(()),
        }
    }

    /// Notes the number of refused records that are not kept, once there are `at_least` of them.
    pub(super) fn note_unkept(&mut self, at_least: u64) -> Result<(), RecorderError> {
        match self.refusals.counted(at_least) {
            Some(counted) => self.keep(counted),
            None => Ok(()),
        }
    }

    fn keep(&mut self, refusal: RefusalEntry) -> Result<(), RecorderError> {
        self.bad.write(&refusal).map_err(|e| self.bad.error(e))?;
        self.journal.add(&JournalEntry::Refusal(refusal))?;
        Ok(())
    }
}
