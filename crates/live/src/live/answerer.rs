//! People as answerers of a lane's interviews, and the witness of the lane's progress.

use std::sync::Arc;

use async_trait::async_trait;

use super::error::RecorderError;
use super::notes::LiveNotes;
use super::stream::StreamEnd;
use crate::looks::{BEST, LookBook, LookDesk, LookKey, SlateMember};
use kleroterion_core::arena::{AnswerFailure, Answerer, AnswererMaker, Asking, SeatCandidate};
use kleroterion_core::protocol::{Batch, Ending, Ledger, Probe, Stop};
use kleroterion_core::score::Witness;
use kleroterion_io::journal::{AskedLook, JournalEntry, JournalLook};
use kleroterion_io::trace::Interviewers;

/// The parts that each lane needs so that people hold its interviews.
#[derive(Clone)]
pub(super) struct Interviewing {
    pub(super) desk: Arc<LookDesk>,
    pub(super) notes: Arc<LiveNotes>,
    pub(super) end: Arc<StreamEnd>,
    /// True if a lane no longer plays, so that its earlier interviews may be wanted by no lane.
    pub(super) may_leave: bool,
}

impl Interviewing {
    /// Makes the answerer of a lane.
    pub(super) fn maker(&self, lane: usize) -> AnswererMaker {
        let people = self.clone();
        Arc::new(move |_| {
            Box::new(DeskAnswerer {
                people: people.clone(),
                lane,
            })
        })
    }

    /// A function that returns the interviewer of an interview.
    pub(super) fn interviewers(&self) -> Interviewers {
        let desk = Arc::clone(&self.desk);
        Interviewers(Arc::new(move |candidate, kind, nth| {
            desk.answered(candidate, kind, nth)
        }))
    }

    /// Creates the witness of a lane.
    pub(super) fn witness(&self, lane: usize) -> Box<dyn Witness> {
        let people = self.clone();
        Box::new(DeskWitness { people, lane })
    }

    /// Returns true if the lanes no longer want an interview that people were asked to hold. It
    /// then ends the run with an error.
    fn contradicts(&self) -> bool {
        let forgotten = self.desk.book().forgotten().cloned();
        let forgotten = forgotten.filter(|_| !self.may_leave);
        if let Some(look) = &forgotten {
            let kind = self.desk.kinds()[look.kind].name.as_ref().into();
            self.notes.fail(RecorderError::Forgotten(kind));
        }
        forgotten.is_some()
    }

    /// Notes in the journal when people were asked to hold an interview.
    fn note_asked(&self, look: &LookKey, at: u64) {
        let asked = AskedLook {
            look: JournalLook {
                kind: (*self.desk.kinds()[look.kind].name).into(),
                nth: look.nth,
            },
            at,
        };
        let candidate = look.candidate.clone();
        self.notes.put(JournalEntry::Asked(candidate, asked));
    }

    /// The reason why a lane can't wait any longer.
    fn stop(&self) -> Stop {
        match self.end.failed.get() {
            Some(why) => Stop::because(Ending::SourceFailed, why.clone()),
            None => Ending::Interrupted.into(),
        }
    }
}

/// An answerer that waits at the desk for a lane.
struct DeskAnswerer {
    people: Interviewing,
    lane: usize,
}

impl DeskAnswerer {
    /// Notes at the desk who applied, and whom the policy would choose now: those who are offered a
    /// place, or the cohort that its reasons name.
    fn note_slate(&self, asking: &Asking) {
        let member = |one: &SeatCandidate| SlateMember {
            id: one.id.as_str().into(),
            values: one.values.clone(),
        };
        let people = asking.applicants.iter().map(member).collect();
        let offers = asking
            .questions
            .iter()
            .filter(|one| one.probe == Probe::Offer);
        let named = asking.cohorts.iter().filter(|(name, _)| name == BEST);
        let best = offers
            .map(|one| &one.candidate.id)
            .chain(named.flat_map(|(_, ids)| ids))
            .map(|id| id.as_str().into());
        let desk = &self.people.desk;
        desk.note_slate(self.lane, asking.round, people, best.collect());
    }
}

#[async_trait]
impl Answerer for DeskAnswerer {
    async fn answer(&mut self, asking: Asking) -> Result<Vec<Option<f64>>, AnswerFailure> {
        let Interviewing { desk, .. } = &self.people;
        self.note_slate(&asking);
        let mut wanted = Vec::with_capacity(asking.questions.len());
        for question in asking.questions {
            let kind = match question.probe {
                Probe::Interview { kind, .. } => Some(kind),
                Probe::Offer => desk.offers(),
                Probe::Outcome => None,
            };
            let Some(kind) = kind else {
                let why = "no one here knows what became of people";
                return Err(AnswerFailure::Fails(why.into()));
            };
            wanted.push(LookKey {
                candidate: question.candidate.id.into(),
                kind,
                nth: question.nth,
            });
        }
        let mut news = desk.news();
        loop {
            // What changes while it looks wakes it.
            news.borrow_and_update();
            let now = self.people.notes.clock.now();
            let (answers, asked) = desk.consult(self.lane, asking.round, &wanted, now);
            if !self.people.contradicts() {
                for asked in asked {
                    self.people.note_asked(&asked.look, asked.at);
                }
            }
            if let Some(answers) = answers {
                return Ok(answers);
            }
            if desk.is_shut() || news.changed().await.is_err() {
                return Err(AnswerFailure::Ends(self.people.stop()));
            }
        }
    }
}

/// A witness that reports to the desk which rounds a lane has closed, and how it ended.
struct DeskWitness {
    people: Interviewing,
    lane: usize,
}

impl Witness for DeskWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        if let Some(last) = ledger.rounds().checked_sub(1) {
            let round = batch.round_number(last);
            let close = |book: &mut LookBook| book.lanes().close(self.lane, round);
            self.people.desk.change(close);
        }
    }

    fn end(&mut self, stop: &Stop) {
        // A lane that is cut off goes on when the run does.
        if !matches!(stop.ending, Ending::Interrupted | Ending::SourceFailed) {
            let broke_off = stop.ending.breaks_off();
            let end = |book: &mut LookBook| book.lanes().end(self.lane, broke_off);
            self.people.desk.change(end);
            self.people.contradicts();
        }
    }
}
