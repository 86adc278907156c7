//! Events that the clock causes: the end of a slate's time, missed deadlines of interviews, the end
//! of the wait for outcomes. Each is written down when it happens, and never computed again.

use std::time::Duration;

use tracing::debug;

use super::super::clock::wall;
use super::super::error::RecorderError;
use super::super::rounds::RoundCount;
use super::super::settled::millis;
use super::super::stream::Arrival;
use super::Recorder;
use crate::limits::CLOCK_LOOK;
use kleroterion_io::journal::{ClosedBy, JournalEntry, SlateStep};
use kleroterion_run::config::SlateTime;

impl Recorder {
    /// The time until an event may be due; `None` if the clock causes none.
    pub(super) fn due(&self) -> Option<Duration> {
        let now = self.notes.clock.now();
        let left = |due: u64| due.saturating_sub(now);
        let slate = self.slate_left(now);
        let look = self.desk.as_ref().and_then(|desk| {
            let deadline = millis(desk.deadline?);
            Some(left(desk.desk.book().oldest()?.saturating_add(deadline)))
        });
        let mark = self.count.as_ref().and_then(RoundCount::mark_due);
        let due = [slate, look, mark.map(left)].into_iter().flatten().min()?;
        Some(Duration::from_millis(due).min(CLOCK_LOOK))
    }

    /// The time until the open slate's time is over, in milliseconds. A closing time is by the wall
    /// clock.
    fn slate_left(&self, now: u64) -> Option<u64> {
        let count = self.count.as_ref().filter(|_| !self.is_late())?;
        let has_people = count.open > 0;
        match self.slates.close.filter(|_| has_people)? {
            SlateTime::After(time) => {
                let ends = count.begun?.saturating_add(millis(time));
                Some(ends.saturating_sub(now))
            }
            SlateTime::At(instant) => {
                let left = instant.saturating_sub(wall());
                (count.whole == 0).then_some(left)
            }
        }
    }

    /// Closes the slate whose time is over, gives up interviews whose deadline has passed, and
    /// settles outcomes.
    pub(super) fn see_to_time(&mut self) -> Result<(), RecorderError> {
        let now = self.notes.clock.now();
        if self.slate_left(now) == Some(0) {
            self.close_slate(ClosedBy::Time)?;
        }
        let overdue = self.desk.as_ref().and_then(|desk| {
            let deadline = millis(desk.deadline?);
            Some(desk.desk.book().overdue(now.checked_sub(deadline)?))
        });
        for key in overdue.unwrap_or_default() {
            if let Some(desk) = &self.desk {
                let look = desk.journalled(&key);
                let entry = JournalEntry::Miss(key.candidate.clone(), look);
                self.journal.add(&entry)?;
                desk.desk.change(|book| book.miss(&key));
            }
        }
        self.mark_time(now)?;
        self.journal.commit()?;
        self.show_committed();
        Ok(())
    }

    /// Writes down the time if that settles outcomes, or will.
    fn mark_time(&mut self, now: u64) -> Result<(), RecorderError> {
        let Some(count) = &mut self.count else {
            return Ok(());
        };
        if let Some(step) = count.mark_at(now) {
            self.journal.add(&JournalEntry::Settled(step))?;
            count.settled(step);
            self.held.push(Arrival::Settled(step.before));
            debug!(before = step.before, "outcomes are waited for no longer");
        }
        Ok(())
    }

    /// Writes down when the first person of a slate came, if the slate's time ends it.
    pub(super) fn begin_slate(&mut self) -> Result<(), RecorderError> {
        let is_timed = matches!(self.slates.close, Some(SlateTime::After(_)));
        let closes = self.closes_slates() && is_timed;
        if let Some(count) = self.count.as_mut().filter(|_| closes)
            && count.begun.is_none()
        {
            let now = self.notes.clock.now();
            count.begun(now);
            let entry = JournalEntry::Slate(SlateStep::Begun(now));
            self.journal.add(&entry)?;
        }
        Ok(())
    }

    /// Closes the open slate at the end of the feed.
    pub(super) fn end_feed(&mut self) -> Result<(), RecorderError> {
        let people = self.count.as_ref().map_or(0, |count| count.open);
        let has_failed = self.end.failed.get().is_some();
        if self.closes_slates() && !self.is_late() && people > 0 && !has_failed {
            self.close_slate(ClosedBy::FeedEnd)?;
            self.journal.commit()?;
            self.show_committed();
        }
        Ok(())
    }
}
