//! The feedback task of a lane: it answers the questions of that lane, and draws ahead what the
//! lane is likely to ask next. Those answers are sealed until they are paid for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::mpsc;
use tracing::trace;

use super::mail::{AnswerFailure, Answerer, AnswererMaker, Asking, Question, SeatCandidate};
use super::questions::{Query, Questions};
use crate::draw::Key;
use crate::protocol::{Batch, LookReason, LookStats, Person, Probe, SealedAnswers};

/// The questions of a lane about people of a batch.
pub(super) struct ToFeedback {
    pub(super) batch: Arc<Batch>,
    /// The round, from 1.
    pub(super) round: u64,
    pub(super) questions: Questions,
}

/// The questions with their answers, or why there are none.
pub(super) type FromFeedback = Result<Questions, AnswerFailure>;

/// A lane's end of the two channels.
pub(super) struct FeedbackPort {
    pub(super) ask: mpsc::Sender<ToFeedback>,
    pub(super) answers: mpsc::Receiver<FromFeedback>,
}

/// The two channels between a lane and its feedback task. Each holds one message: the lane waits
/// for the answers before it asks again.
pub(super) fn channels() -> (
    FeedbackPort,
    (mpsc::Receiver<ToFeedback>, mpsc::Sender<FromFeedback>),
) {
    let (ask, asked) = mpsc::channel(1);
    let (answer, answers) = mpsc::channel(1);
    (FeedbackPort { ask, answers }, (asked, answer))
}

/// Answers a lane's questions until it ends.
pub(super) async fn answering_task(
    outside: Option<AnswererMaker>,
    key: Key,
    mut asked: mpsc::Receiver<ToFeedback>,
    answers: mpsc::Sender<FromFeedback>,
) {
    let mut outside = outside.map(|maker| Outside::new(maker(key)));
    while let Some(ToFeedback {
        batch,
        round,
        mut questions,
    }) = asked.recv().await
    {
        questions.answers.clear();
        questions.seals.clear();
        // An answer that no one has asked for ends nothing: it is drawn again if it is asked for.
        if catch_unwind(AssertUnwindSafe(|| draw_ahead(&batch, &mut questions))).is_err() {
            questions.seals.clear();
        }
        let open = draw(&batch, &mut questions);
        let mut given = Ok(());
        if open {
            given = match &mut outside {
                Some(outside) => outside.answer(&batch, round, &mut questions).await,
                None => Err(AnswerFailure::Fails("nobody answers here".into())),
            };
        }
        drop(batch);
        let (asked, answered) = (questions.queries.len(), questions.answers.len());
        trace!(round, asked, answered, "feedback answered");
        let ended = given.is_err();
        if answers.send(given.map(|()| questions)).await.is_err() || ended {
            break;
        }
    }
    if let Some(mut outside) = outside {
        outside.who.farewell().await;
    }
}

/// Draws what is likely to be asked next, and seals it.
fn draw_ahead(batch: &Batch, questions: &mut Questions) {
    if questions.blocks {
        for query in &questions.queries {
            batch.draw_block(query.probe, query.row);
        }
    }
    let Questions {
        ahead,
        kinds,
        seals,
        ..
    } = questions;
    let SealedAnswers::Drawn(drawn) = batch.sealed().looks() else {
        return;
    };
    let each = kinds.len() / ahead.len().max(1);
    for (one, kinds) in ahead.iter().zip(kinds.chunks(each.max(1))) {
        let person = Person::new(batch, one.row);
        for nth in (u64::from(one.nth)..).take(one.looks as usize) {
            drawn.seal_looks(person, nth, kinds, seals);
        }
    }
}

/// Answers what is drawn; whether any answer is to come from outside.
fn draw(batch: &Batch, questions: &mut Questions) -> bool {
    for query in &questions.queries {
        let person = Person::new(batch, query.row);
        // The questions of one message are all of one kind.
        let Some(answer) = batch.sealed().answer(query.probe, person) else {
            return true;
        };
        questions.answers.push(Some(answer));
    }
    false
}

/// An answerer, and what its lane has asked it before.
struct Outside {
    who: Box<dyn Answerer>,
    /// The round under way.
    round: u64,
    /// The number of interviews of each kind that the lane had with each person in this round.
    looks: BTreeMap<(u64, usize), u64>,
}

impl Outside {
    fn new(who: Box<dyn Answerer>) -> Self {
        Self {
            who,
            round: 0,
            looks: BTreeMap::new(),
        }
    }

    async fn answer(
        &mut self,
        batch: &Batch,
        round: u64,
        questions: &mut Questions,
    ) -> Result<(), AnswerFailure> {
        let is_first = round != self.round;
        if is_first {
            self.round = round;
            self.looks.clear();
        }
        let asked = questions.queries.iter();
        let asked = asked.map(|query| self.question(batch, *query)).collect();
        let mut rounds = (0..batch.rounds()).filter(|_| is_first);
        let at = rounds.find(|at| batch.round_number(*at) == round);
        let applicants = at.into_iter().flat_map(|at| batch.roster(at));
        let asking = Asking {
            round,
            questions: asked,
            applicants: applicants.map(|row| candidate(batch, row)).collect(),
            cohorts: questions
                .why
                .take()
                .map_or_else(Vec::new, |why| named(batch, &why)),
        };
        let answers = self.who.answer(asking).await?;
        let (came, wanted) = (answers.len(), questions.queries.len());
        if came != wanted {
            let words = format!("{came} answers came for {wanted} questions");
            return Err(AnswerFailure::Fails(words));
        }
        questions.answers = answers;
        Ok(())
    }

    fn question(&mut self, batch: &Batch, query: Query) -> Question {
        let persons = batch.persons();
        let person = persons.number(query.row);
        let nth = match query.probe {
            Probe::Interview { kind, .. } => {
                let looks = self.looks.entry((person, kind)).or_default();
                *looks += 1;
                *looks - 1
            }
            Probe::Outcome | Probe::Offer => 0,
        };
        Question {
            person,
            candidate: candidate(batch, query.row),
            probe: query.probe,
            nth,
        }
    }
}

fn candidate(batch: &Batch, row: u32) -> SeatCandidate {
    SeatCandidate::new(batch.persons().shown(row), LookStats::default())
}

/// The ids of the people that a reason names.
fn named(batch: &Batch, why: &LookReason) -> Vec<(String, Vec<String>)> {
    let rows = 0..batch.persons().len() as u32;
    let id = |row: &u32| batch.persons().shown(*row).id().to_string();
    let set = |(name, people): &(Cow<'static, str>, Vec<u32>)| {
        let people = people.iter().filter(|row| rows.contains(row));
        (name.to_string(), people.map(id).collect())
    };
    why.people.iter().map(set).collect()
}

#[cfg(test)]
mod tests;
