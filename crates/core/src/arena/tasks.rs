//! The tasks of an arena but the lanes', and the messages between them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::{mpsc, oneshot};
use tracing::field::Empty;
use tracing::{Instrument, debug, debug_span, trace};

use super::flow::FanOut;
use super::mail::{OutsideMaker, SeatReply, SeatRequest};
use super::state::PlayedRound;
use crate::draw::{Draw, Key, Purpose};
use crate::feedback::{AnsweredBy, Answers, Feedback};
use crate::pool::{Mustered, PoolMaker, PoolRound};
use crate::protocol::{Batch, Drawn, Ending, Ledger, SealedAnswers, SealedOutcomes, Stop};
use crate::score::Scoreboard;
use crate::source::Source;

/// The end of the source; set before its channel closes.
pub(super) type SourceEnd = Arc<OnceLock<Stop>>;

/// The receivers of the source's batches.
pub(super) enum Downstream {
    /// Straight to the lanes.
    Lanes(FanOut),
    /// To the feedback task.
    Feedback(mpsc::Sender<Batch>),
}

impl Downstream {
    async fn all_gone(&self) {
        match self {
            Self::Lanes(lanes) => lanes.all_gone().await,
            Self::Feedback(feedback) => feedback.closed().await,
        }
    }

    async fn send(&mut self, batch: Batch) -> bool {
        match self {
            Self::Lanes(lanes) => lanes.send(batch).await,
            Self::Feedback(feedback) => feedback.send(batch).await.is_ok(),
        }
    }
}

/// Emits batches until the stream, the largest horizon, or the last lane ends; returns how many
/// persons were left over.
pub(super) async fn source_task(
    mut source: Box<dyn Source>,
    mut downstream: Downstream,
    persons: usize,
    horizon: u64,
    end: SourceEnd,
    interrupt: Arc<AtomicBool>,
) -> u64 {
    let mut rounds = 0;
    while rounds < horizon {
        if interrupt.load(Ordering::Relaxed) {
            end.get_or_init(|| Ending::Interrupted.into());
            break;
        }
        let span = debug_span!("batch", first_round = Empty, rounds = Empty);
        // A quiet live source must not outlive its lanes.
        let next = tokio::select! {
            biased;
            () = downstream.all_gone() => break,
            next = source.next(persons).instrument(span.clone()) => next,
        };
        match next {
            Ok(Some(batch)) => {
                rounds += batch.rounds() as u64;
                span.record("first_round", batch.round_number(0));
                span.record("rounds", batch.rounds());
                let (first_round, persons) = (batch.round_number(0), batch.persons().len());
                debug!(
                    first_round,
                    rounds = batch.rounds(),
                    persons,
                    "the source gave a batch"
                );
                if !downstream.send(batch).instrument(span).await {
                    break;
                }
            }
            Ok(None) => {
                // A stream from outside is drained before it ends so.
                if interrupt.load(Ordering::Relaxed) {
                    end.get_or_init(|| Ending::Interrupted.into());
                }
                break;
            }
            Err(error) => {
                end.get_or_init(|| Stop::because(Ending::SourceFailed, error.to_string()));
                break;
            }
        }
    }
    end.get_or_init(|| Ending::SourceEnded.into());
    source.left_over()
}

/// Seals the answers onto every batch.
pub(super) async fn feedback_task(
    answers: Answers,
    key: Key,
    mut batches: mpsc::Receiver<Batch>,
    mut lanes: FanOut,
) {
    loop {
        let next = tokio::select! {
            biased;
            () = lanes.all_gone() => break,
            next = batches.recv() => next,
        };
        let Some(mut batch) = next else { break };
        seal(&answers, key, &mut batch);
        let (first_round, rounds) = (batch.round_number(0), batch.rounds());
        debug!(
            first_round,
            rounds, "feedback sealed the answers of a batch"
        );
        if !lanes.send(batch).await {
            break;
        }
    }
}

fn seal(answers: &Answers, key: Key, batch: &mut Batch) {
    let drawn = |feedback: &Arc<dyn Feedback>| Drawn {
        feedback: Arc::clone(feedback),
        key,
    };
    let sealed = |by: &AnsweredBy| match by {
        AnsweredBy::Drawn(feedback) => SealedAnswers::Drawn(drawn(feedback)),
        AnsweredBy::Outside => SealedAnswers::Outside,
    };
    if let Some(by) = &answers.looks {
        batch.seal_looks(sealed(by));
    }
    match &answers.outcomes {
        Some(AnsweredBy::Drawn(feedback)) => {
            batch.seal_outcomes(SealedOutcomes::Drawn(drawn(feedback)));
        }
        Some(AnsweredBy::Outside) => batch.seal_outcomes(SealedOutcomes::Outside),
        None => {}
    }
    if let Some(by) = &answers.offers {
        batch.seal_offers(sealed(by));
    }
}

/// The message of each round to the pool: the last round, and the wish for the next.
pub(super) struct ToPool {
    pub(super) played: Option<PlayedRound>,
    pub(super) next: PoolNext,
}

/// The wish of a lane that the pool answers, once it has reacted.
pub(super) enum PoolNext {
    /// The applicants in a round of a batch.
    Musters(Arc<Batch>, usize, oneshot::Sender<Mustered>),
    /// The numbers that describe the pool's state.
    Says(oneshot::Sender<Vec<f64>>),
    /// Nothing: the lane has ended.
    Ends,
}

/// Musters and reacts.
pub(super) async fn pool_task(maker: PoolMaker, key: Key, mut messages: mpsc::Receiver<ToPool>) {
    let mut pool = maker(key);
    while let Some(ToPool { played, next }) = messages.recv().await {
        if let Some(played) = played {
            let entry = played.entry();
            pool.react(&entry);
            let (round, chosen) = (entry.round(), entry.chosen().len());
            trace!(round, chosen, state = ?pool.state(), "the pool reacted");
        }
        match next {
            PoolNext::Musters(batch, round, reply) => {
                let mut draw: Draw = key.draw(Purpose::Muster, batch.round_number(round), 0);
                let round = PoolRound::new(&batch, round);
                let mustered = pool.muster(&round, &mut draw);
                check(&mustered, &round);
                let (applied, could) = (mustered.who().len(), round.len());
                trace!(round = round.number(), applied, could, "the pool mustered");
                drop(reply.send(mustered));
            }
            PoolNext::Says(reply) => drop(reply.send(pool.state())),
            PoolNext::Ends => {}
        }
    }
}

/// A pool musters from the roster that it was shown, whatever size it believed that roster to have.
fn check(mustered: &Mustered, round: &PoolRound<'_>) {
    let (last, roster) = (mustered.who().iter().max(), round.len());
    if let Some(last) = last.filter(|&&last| last >= roster) {
        let round = round.number();
        panic!("round {round}: mustered position {last} of a roster of {roster}");
    }
}

/// A message to the outside policy, with its mail.
pub(super) enum ToOutside {
    /// The last of the mail is a question.
    Question(Vec<SeatRequest>, oneshot::Sender<Result<SeatReply, Stop>>),
    /// The lane ends so; the sender is dropped once the policy knows.
    Farewell(Vec<SeatRequest>, Stop, oneshot::Sender<()>),
}

/// Carries the mail of an outside policy.
pub(super) async fn outside_task(
    maker: OutsideMaker,
    key: Key,
    mut messages: mpsc::Receiver<ToOutside>,
) {
    let mut outside = maker(key);
    while let Some(message) = messages.recv().await {
        let left = match message {
            ToOutside::Question(mail, reply) => {
                let answer = outside.answer(mail).await;
                let left = answer.is_err();
                drop(reply.send(answer));
                left
            }
            ToOutside::Farewell(mail, stop, known) => {
                outside.lane_ends(&stop);
                drop(known);
                outside.farewell(mail).await;
                true
            }
        };
        if left {
            break;
        }
    }
}

/// A message of a lane to its scorer.
pub(super) enum ToScorer {
    /// The rounds of a batch.
    Rounds(Arc<Batch>, Box<Ledger>),
    /// The lane has ended.
    End { stop: Stop, pending: usize },
}

/// Scores what the lane sends; returns the board when the lane has ended.
pub(super) async fn scorer_task(
    mut board: Scoreboard,
    mut messages: mpsc::Receiver<ToScorer>,
) -> Option<(Scoreboard, Stop)> {
    while let Some(message) = messages.recv().await {
        match message {
            ToScorer::Rounds(batch, ledger) => {
                let ledger: Arc<Ledger> = ledger.into();
                let first_round = batch.round_number(0);
                debug_span!("batch", first_round, rounds = ledger.rounds()).in_scope(|| {
                    board.record_shared(&batch, &ledger);
                    let (rounds, chosen) = (ledger.rounds(), ledger.chosen_before(ledger.rounds()));
                    debug!(first_round, rounds, chosen, "the scorer took in a batch");
                });
            }
            ToScorer::End { stop, pending } => {
                board.end(pending, &stop);
                return Some((board, stop));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests;
