//! Messages of interviewers and of the organiser: answers, withdrawals, closings of slates.

use super::super::error::RecorderError;
use super::super::stream::Arrival;
use super::Recorder;
use crate::looks::{LookKey, Received};
use crate::watch::SlateStatus;
use kleroterion_io::feed::{Hindrance, LookRecord, SlateEnd, Taken, WithdrawalRecord};
use kleroterion_io::journal::{
    Added, AnsweredLook, ClosedBy, JournalEntry, JournalLook, SlateStep, Withdrawn,
};

impl Recorder {
    /// Takes an interviewer's answer.
    pub(super) fn add_look(&mut self, look: LookRecord) -> Result<Taken, RecorderError> {
        let Some(desk) = &self.desk else {
            return Ok(Taken::Over);
        };
        let id = desk.id_of(&look.id);
        let received = desk
            .desk
            .book()
            .receive(&id, look.kind, look.nth, look.value);
        let hindrance = match received {
            Received::Taken(key) => {
                if let Some(by) = &look.by {
                    desk.desk.book().note_interviewer(&key, by);
                }
                let entry = JournalEntry::Answer(
                    key.candidate.clone(),
                    AnsweredLook {
                        look: desk.journalled(&key),
                        value: look.value,
                        by: look.by,
                    },
                );
                let added = self.journal.add(&entry)?;
                return Ok(accepted(added));
            }
            Received::Repeated => {
                self.watched.gauges.duplicates.add(1);
                return Ok(Taken::Duplicate);
            }
            Received::Contradicts(before) => Hindrance::Answered(before),
            Received::Unasked => Hindrance::Unasked,
            Received::Missed => Hindrance::Missed,
            Received::Withdrawn => Hindrance::Withdrawn,
        };
        self.refuse_as(Taken::Hindered(hindrance), look.line, look.record)
    }

    /// Takes a withdrawal.
    pub(super) fn add_withdrawal(
        &mut self,
        withdrawal: WithdrawalRecord,
    ) -> Result<Taken, RecorderError> {
        let desk = self.desk.as_ref();
        let id: Box<str> = desk.map_or_else(
            || withdrawal.id.clone(),
            |desk| desk.id_of(&withdrawal.id).into(),
        );
        if self.withdrawn.contains(&id) {
            self.watched.gauges.duplicates.add(1);
            return Ok(Taken::Duplicate);
        }
        let person = self.journal.standing(&id)?.map(|(_, person)| person);
        let is_known = person.is_some() || desk.is_some_and(|desk| desk.knows(&id));
        if !is_known {
            return self.refuse_as(Taken::Unknown, withdrawal.line, withdrawal.record);
        }
        let entry = JournalEntry::Withdrawal(id.clone(), Withdrawn { person });
        let added = self.journal.add(&entry)?;
        if let Some(desk) = &self.desk {
            desk.desk.change(|book| book.withdraw(&id));
        }
        self.withdrawn.insert(id);
        if let (Some(count), Some(person)) = (&mut self.count, person)
            && count.withdrew(person)
        {
            self.held.push(Arrival::Withdrawal(person));
        }
        Ok(accepted(added))
    }

    /// Closes the slate of a round on the organiser's request.
    pub(super) fn add_closing(&mut self, round: Option<u64>) -> Result<Taken, RecorderError> {
        if !self.closes_slates() {
            return Ok(Taken::Hindered(Hindrance::Sized));
        }
        let whole = self.count.as_ref().map_or(0, |count| count.whole);
        let people = self.count.as_ref().map_or(0, |count| count.open);
        let open = whole + 1;
        if round.is_some_and(|round| round <= whole) {
            return Ok(Taken::Duplicate);
        }
        let hindrance = if whole >= self.slates.last {
            Hindrance::NoMoreSlates
        } else if self.out.is_none() {
            return Ok(Taken::Over);
        } else if round.is_some_and(|round| round > open) {
            Hindrance::OtherRound(open)
        } else if people == 0 {
            Hindrance::EmptySlate
        } else {
            self.close_slate(ClosedBy::Organiser)?;
            return Ok(Taken::Closed {
                round: open,
                people,
            });
        };
        Ok(Taken::Hindered(hindrance))
    }

    /// Closes the open slate.
    pub(super) fn close_slate(&mut self, by: ClosedBy) -> Result<(), RecorderError> {
        let entry = JournalEntry::Slate(SlateStep::Closed(by));
        if let Added::As { seq, .. } = self.journal.add(&entry)?
            && let Some(count) = &mut self.count
        {
            count.closed(seq);
            self.held.push(Arrival::Closing);
            tracing::info!(round = count.whole, ?by, "a slate is closed");
        }
        Ok(())
    }

    /// Returns true if slates are closed rather than full at a size.
    pub(super) fn closes_slates(&self) -> bool {
        let feed = self.feed.as_ref();
        feed.is_some_and(|feed| feed.slates == SlateEnd::Closing)
    }

    /// Returns true if the last slate is closed.
    pub(super) fn is_late(&self) -> bool {
        let whole = self.count.as_ref().map_or(0, |count| count.whole);
        self.closes_slates() && whole >= self.slates.last
    }

    /// Closes the desk if `is_due`, so that lanes no longer wait for interviewers. A waiting lane
    /// must not outlive the user's wish to stop.
    pub(super) fn shut_desk(&self, is_due: bool) {
        if let Some(desk) = self.desk.as_ref().filter(|_| is_due) {
            desk.desk.shut();
        }
    }

    /// Makes committed changes visible to lanes and to readers.
    pub(super) fn show_committed(&self) {
        if let Some(desk) = &self.desk {
            desk.desk.commit();
        }
        if let Some(count) = &self.count
            && self.closes_slates()
        {
            self.watched.note_slate(SlateStatus {
                closed: count.whole,
                last: self.slates.last,
                people: count.open,
            });
        }
    }
}

fn accepted(added: Added) -> Taken {
    match added {
        Added::As { seq, .. } => Taken::Accepted { seq, person: None },
        Added::Duplicate | Added::Unknown => Taken::Duplicate,
    }
}

impl super::RecordersDesk {
    /// The id of a candidate who is shown as `called`, which is the id or the name that hides it.
    fn id_of(&self, called: &str) -> String {
        let hidden = |id: &str| self.names.is_hidden() && self.names.called(id) == called;
        let book = self.desk.book();
        book.called(hidden).unwrap_or(called).to_owned()
    }

    /// Returns true if an interview of a candidate was ever wanted.
    fn knows(&self, id: &str) -> bool {
        self.desk.book().called(|known| known == id).is_some()
    }

    /// The interview's name in the journal.
    pub(super) fn journalled(&self, key: &LookKey) -> JournalLook {
        JournalLook {
            kind: (*self.desk.kinds()[key.kind].name).into(),
            nth: key.nth,
        }
    }
}
