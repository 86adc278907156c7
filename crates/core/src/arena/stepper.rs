//! A lane stepped by hand: whoever holds it decides in the policy's place, one move at a time.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use super::lane::Lane;
use super::lane_task::{Course, LaneFailure};
use super::run::{Arena, ArenaError, Company, LaneSpec, Opened, PlayedArena, Stream};
use super::seat::{Act, Seat};
use crate::protocol::{
    Batch, Ending, Ledger, LookAnswer, Move, Outcome, Persons, Policy, Shown, Stop, Truth, View,
};

/// A lane of an arena, stepped by hand. It is played by the same tasks as any lane, on a runtime of
/// its own, so the same moves give the same ledgers and scores.
///
/// ```
/// use std::sync::Arc;
///
/// use kleroterion_core::arena::{Arena, Blind, Carrier, LaneSpec, Step, Stepper};
/// use kleroterion_core::draw::Key;
/// use kleroterion_core::feedback::Answers;
/// use kleroterion_core::protocol::{
///     Attribute, Choose, Ending, Law, Move, Policy, Rules, Schema, Until, View,
/// };
/// use kleroterion_core::score::{Moments, Scoreboard};
/// use kleroterion_core::source::{Generated, People};
///
/// /// Accepts those who are old.
/// #[derive(Clone)]
/// struct Old;
///
/// impl Policy for Old {
///     fn act(&mut self, view: &mut View<'_>) -> Move {
///         Move::decide(view.candidate(0).values() == [1])
///     }
/// }
///
/// let age = Attribute {
///     name: "age".into(),
///     values: vec!["young".into(), "old".into()],
/// };
/// let schema = Arc::new(Schema::new(vec![age], vec![], false)?);
/// let people = Arc::new(People::new(schema, &Law::Product(vec![vec![0.7, 0.3]]))?);
/// let arena = Arena {
///     key: Key::new(2026, 0),
///     source: Box::new(Generated::new(people, Key::new(2026, 0), 1)),
///     feedback: Answers::default(),
///     carrier: Carrier::default(),
///     lanes: vec![LaneSpec {
///         label: "old",
///         rules: Arc::new(Rules::new(Choose::Any, Until::Accepted(10))),
///         prototype: &Blind(Old),
///         pool: None,
///         outside: None,
///         answerer: None,
///         scoreboard: Scoreboard::new(vec![], Moments::End),
///         traced: false,
///         itemised: false,
///     }],
///     persons: 100,
///     interrupt: Arc::default(),
/// };
/// let mut stepper = Stepper::begin(arena, 0)?;
/// let mut moves = 0;
/// while let Step::Acts(view) = stepper.step() {
///     let is_old = view.candidate(0).values() == [1];
///     moves += 1;
///     if let Some(stop) = stepper.answer(Move::decide(is_old))?.stop {
///         assert_eq!(stop.ending, Ending::Filled);
///     }
/// }
/// assert!(moves >= 10);
/// let (scores, stop) = stepper.finish()?.lanes.remove(0);
/// assert_eq!(scores.finish(stop).ending, Ending::Filled);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stepper {
    lane: Lane<Hand>,
    stop: Option<Stop>,
    /// The tasks around the lane; `None` once one has failed.
    tasks: Option<Tasks>,
    /// The failure of a task.
    failed: Option<ArenaError>,
    runtime: Own,
}

/// The next step of a lane.
pub enum Step<'a> {
    /// The lane waits for a move on this view. Measures and reasons are given to it, and random
    /// numbers drawn from it, as by any policy.
    Acts(View<'a>),
    /// The lane has ended.
    Ended(&'a Stop),
}

/// The events between a move and the next one.
pub struct Follows<'a> {
    /// The answers to the interviews that the move bought. The next view has them too.
    pub answers: &'a [LookAnswer],
    /// The outcomes and refusals that the policy hears, in order.
    pub heard: Vec<LaneNews>,
    /// The ending of the lane, if it has ended.
    pub stop: Option<&'a Stop>,
}

/// An event that a policy hears of between two moves.
#[derive(Clone)]
pub enum LaneNews {
    /// The outcome of a choice.
    Outcome(KeptOutcome),
    /// The correction of an outcome heard before.
    Correction {
        /// The corrected outcome.
        outcome: KeptOutcome,
        /// The value that was heard before.
        before: f64,
    },
    /// A chosen person declined, so that the place is open.
    Declined {
        /// The round of the choice.
        round: u64,
        /// The person, in row 0.
        person: Persons,
    },
}

impl LaneNews {
    /// Has a policy hear of it.
    pub fn reach(&self, policy: &mut impl Policy) {
        match self {
            Self::Outcome(outcome) => policy.learn(&outcome.outcome()),
            Self::Correction { outcome, before } => policy.correct(&outcome.outcome(), *before),
            Self::Declined { round, person } => policy.decline(*round, person.shown(0)),
        }
    }
}

/// An outcome that is kept when the batch is gone.
#[derive(Clone)]
pub struct KeptOutcome {
    decided: u64,
    person: Persons,
    value: f64,
    p: Option<f64>,
}

impl KeptOutcome {
    fn of(outcome: &Outcome<'_>) -> Self {
        Self {
            decided: outcome.decided(),
            person: outcome.person().keep(),
            value: outcome.value(),
            p: outcome.p(),
        }
    }

    /// Returns the outcome as a policy learns it.
    #[must_use]
    pub fn outcome(&self) -> Outcome<'_> {
        Outcome::new(self.decided, self.person.shown(0), self.value, self.p)
    }
}

/// The seat of whoever steps a lane.
struct Hand {
    corrects: bool,
    next: Option<Move>,
    heard: Vec<LaneNews>,
}

impl Seat for Hand {
    fn act(&mut self, _: &mut View<'_>, _: &Truth<'_>) -> Act {
        self.next.take().map_or(Act::Waits, Act::Moves)
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.heard.push(LaneNews::Outcome(KeptOutcome::of(outcome)));
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        let person = person.keep();
        self.heard.push(LaneNews::Declined { round, person });
    }

    fn corrects(&self) -> bool {
        self.corrects
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) -> bool {
        if self.corrects {
            let outcome = KeptOutcome::of(outcome);
            self.heard.push(LaneNews::Correction { outcome, before });
        }
        self.corrects
    }
}

/// The tasks around a lane, and its channels to them.
struct Tasks {
    course: Course,
    stream: Stream,
    company: Company,
}

impl Tasks {
    /// Waits for all tasks, once the lane has played so.
    async fn join(
        stream: Stream,
        company: Company,
        played: Result<(), LaneFailure>,
    ) -> Result<PlayedArena, ArenaError> {
        let left_over = stream.join().await;
        let lane = company.join(Ok(played)).await;
        let left_over = left_over?;
        Ok(PlayedArena::new(vec![lane?], left_over))
    }
}

/// A runtime that may be dropped anywhere, in a task of another runtime too.
struct Own(Option<Runtime>);

impl Own {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let runtime = self.0.as_ref().expect("it is there until it is dropped");
        runtime.block_on(future)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Stepper {
    /// Begins the lane at this place of an arena, and plays up to the first slate. The arena's
    /// other lanes are left out. So is the lane's policy, but that it says whether it takes
    /// corrections.
    ///
    /// # Errors
    /// Returns an error if no runtime can be started, or another task of the arena panics.
    ///
    /// # Panics
    /// Panics if the arena has no lane at this place, or in a task of a runtime, as all methods that
    /// play do.
    pub fn begin(mut arena: Arena<'_>, lane: usize) -> Result<Self, ArenaError> {
        let spec = arena.lanes.swap_remove(lane);
        arena.lanes = vec![LaneSpec {
            outside: None,
            ..spec
        }];
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = Own(Some(runtime.map_err(|error| ArenaError {
            task: "stepper".into(),
            cause: error.to_string(),
        })?));
        let (stream, mut lanes) = runtime.block_on(async { arena.open(None, &[]) });
        let Opened {
            prototype,
            state,
            ports,
            company,
        } = lanes.remove(0);
        let hand = Hand {
            corrects: prototype.corrects(),
            next: None,
            heard: Vec::new(),
        };
        let course = Course::new(ports);
        let mut stepper = Self {
            lane: Lane::new(hand, state()),
            stop: None,
            tasks: Some(Tasks {
                course,
                stream,
                company,
            }),
            failed: None,
            runtime,
        };
        stepper.go_on()?;
        Ok(stepper)
    }

    /// Returns the next step: the view to move on, or the ending.
    pub fn step(&mut self) -> Step<'_> {
        let under_way = self
            .tasks
            .as_ref()
            .and_then(|tasks| tasks.course.under_way());
        match (&self.stop, under_way) {
            (None, Some((batch, _))) => Step::Acts(self.lane.view(batch)),
            (stop, _) => Step::Ended(stop.as_ref().expect("it has ended")),
        }
    }

    /// Gives the move on the last view, and plays up to the next one or to the lane's end. Once the
    /// lane has ended, a move does nothing.
    ///
    /// # Errors
    /// Returns an error if another task of the arena fails, as [`Arena::play`] does. A move that
    /// breaks a rule is no error: it ends the lane as `disqualified`.
    pub fn answer(&mut self, answer: Move) -> Result<Follows<'_>, ArenaError> {
        let interviews = matches!(answer, Move::Interview(_));
        if self.stop.is_none() {
            self.lane.seat().next = Some(answer);
            self.go_on()?;
        }
        let heard = std::mem::take(&mut self.lane.seat().heard);
        let under_way = self
            .tasks
            .as_ref()
            .and_then(|tasks| tasks.course.under_way());
        let answers = match under_way {
            Some((batch, _)) if interviews => self.lane.view(batch).answers(),
            _ => &[],
        };
        Ok(Follows {
            answers,
            heard,
            stop: self.stop.as_ref(),
        })
    }

    /// The batch under way, and the ledger of its rounds so far. `None` once the lane has ended.
    #[must_use]
    pub fn under_way(&self) -> Option<(&Arc<Batch>, &Ledger)> {
        self.tasks.as_ref()?.course.under_way()
    }

    /// Ends the lane and returns its scores. If it has not ended, it ends now as `left`, and the
    /// round under way does not count.
    ///
    /// # Errors
    /// Returns an error if another task of the arena failed.
    pub fn finish(mut self) -> Result<PlayedArena, ArenaError> {
        let Some(tasks) = self.tasks.take() else {
            return Err(self.failed.take().expect("a task has failed"));
        };
        let stop = self.stop.take();
        let stop = stop.unwrap_or_else(|| Stop::because(Ending::Left, "its steps ended"));
        let Tasks {
            course,
            stream,
            company,
        } = tasks;
        self.runtime.block_on(async {
            let ended = course.end(&mut self.lane, stop).await;
            Tasks::join(stream, company, ended).await
        })
    }

    /// Plays up to the next view or the lane's end.
    fn go_on(&mut self) -> Result<(), ArenaError> {
        let Some(tasks) = &mut self.tasks else {
            return Ok(());
        };
        let failure = match self.runtime.block_on(tasks.course.go_on(&mut self.lane)) {
            Ok(stop) => {
                self.stop = stop;
                return Ok(());
            }
            Err(failure) => failure,
        };
        let Some(Tasks {
            course,
            stream,
            company,
        }) = self.tasks.take()
        else {
            return Ok(());
        };
        drop(course);
        let joined = Tasks::join(stream, company, Err(failure));
        let joined = self.runtime.block_on(joined).map(drop);
        let error = joined.expect_err("a task has failed");
        let stop = Stop::because(Ending::SourceFailed, error.to_string());
        (self.stop, self.failed) = (Some(stop), Some(error.clone()));
        Err(error)
    }
}

#[cfg(test)]
mod tests;
