//! People and outcomes that come again: repeats, corrections and contradictions.

use super::super::error::RecorderError;
use super::super::past::correction;
use super::super::stream::Arrival;
use super::Recorder;
use kleroterion_io::feed::{CandidateRecord, Hindrance, OutcomeRecord, Taken, differing};
use kleroterion_io::journal::{Added, Corrected, Reported};

impl Recorder {
    /// Takes a person who is known already.
    pub(super) fn known(&mut self, person: &CandidateRecord) -> Result<Taken, RecorderError> {
        // Where no lane plays any more those are known still who came.
        let Some((seq, number)) = self.journal.standing(&person.id)? else {
            if *self.notes.over().borrow() || !self.is_late() {
                return Ok(Taken::Over);
            }
            let late = Hindrance::Late;
            self.refuse(person.refused(&late.why()))?;
            return Ok(Taken::Hindered(late));
        };
        let record = self.journal.record(&person.id)?;
        if let Some(members) = record.and_then(|record| differing(&record, &person.record)) {
            let differs = Taken::Differs(members.into());
            self.refuse(person.refused(&differs.why_not().unwrap_or_default()))?;
            return Ok(differs);
        }
        self.watched.gauges.duplicates.add(1);
        Ok(Taken::Known {
            seq,
            person: number,
        })
    }

    /// Takes an outcome of a person whose outcome was reported already.
    pub(super) fn repeated_outcome(
        &mut self,
        outcome: OutcomeRecord,
    ) -> Result<Taken, RecorderError> {
        let OutcomeRecord {
            id, policy, value, ..
        } = &outcome;
        let (Some((_, person)), Some((told, before))) = (
            self.journal.standing(id)?,
            self.journal.outcome(id, policy.as_deref())?,
        ) else {
            return Ok(Taken::Unknown);
        };
        if before == *value {
            self.watched.gauges.duplicates.add(1);
            return Ok(Taken::Duplicate);
        }
        if self.is_settled(person) {
            let settled = Taken::Hindered(Hindrance::Settled);
            return self.refuse_as(settled, outcome.line, outcome.record);
        }
        let hindered = match self.is_heard(person, told) {
            true => self.notes.outcomes().hindered(person, policy.as_deref()),
            false => Vec::new(),
        };
        if !hindered.is_empty() {
            let contradicts = Taken::Contradicts {
                before,
                value: *value,
                learnt: hindered.join(", ").into(),
            };
            return self.refuse_as(contradicts, outcome.line, outcome.record);
        }
        let reported = Reported {
            person,
            policy: outcome.policy,
            value: outcome.value,
        };
        let (Some(feed), Some(record)) = (&self.feed, self.journal.record(&outcome.id)?) else {
            return Ok(Taken::Unknown);
        };
        let report = correction(feed, &outcome.id, &record, reported.clone(), before);
        let report = report.map_err(|why| RecorderError::Unreadable(told, why))?;
        let corrected = Corrected { reported, before };
        let added = self.journal.correct(&outcome.id, corrected)?;
        self.watched.gauges.corrections.add(1);
        let arrival = Arrival::report(self.notes.outcomes(), report);
        self.held.push(arrival);
        match added {
            Added::As { seq, .. } => Ok(Taken::Corrected { seq }),
            Added::Duplicate | Added::Unknown => Ok(Taken::Duplicate),
        }
    }

    /// Returns true if an outcome is the first of its person and is no longer waited for.
    pub(super) fn is_too_late(
        &self,
        id: &str,
        policy: Option<&str>,
    ) -> Result<bool, RecorderError> {
        let feed = self.feed.as_ref();
        if feed.is_none_or(|feed| feed.horizon.is_none()) {
            return Ok(false);
        }
        let Some((_, person)) = self.journal.standing(id)? else {
            return Ok(false);
        };
        Ok(self.is_settled(person) && self.journal.outcome(id, policy)?.is_none())
    }

    fn is_settled(&self, person: u64) -> bool {
        let count = self.count.as_ref();
        count.is_some_and(|count| count.is_settled(person))
    }

    /// Returns true if lanes may have learnt a person's outcome that was reported with entry
    /// `told`.
    fn is_heard(&self, person: u64, told: u64) -> bool {
        let count = self.count.as_ref();
        count.is_none_or(|count| count.heard(person, told))
    }
}
