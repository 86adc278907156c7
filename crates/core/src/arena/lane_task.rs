//! The task of a lane: it fetches what the lane needs and sends on what it did.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tracing::{Instrument, debug, debug_span, trace};

use super::answering::{FeedbackPort, ToFeedback};
use super::flow::Inlet;
use super::lane::{Need, Play};
use super::mail::AnswerFailure;
use super::tasks::{PoolNext, SourceEnd, ToOutside, ToPool, ToScorer};
use crate::protocol::{Batch, Ending, Ledger, Stop};

/// A lane's channels.
pub(super) struct Ports {
    pub(super) inlet: Inlet,
    pub(super) scorer: mpsc::Sender<ToScorer>,
    pub(super) pool: Option<mpsc::Sender<ToPool>>,
    pub(super) outside: Option<mpsc::Sender<ToOutside>>,
    pub(super) feedback: Option<FeedbackPort>,
    pub(super) source_end: SourceEnd,
}

/// The reason why a lane can't go on, so that the run fails.
pub(super) enum LaneFailure {
    /// A task on the other end of a channel is gone; the join of that task says why.
    Channel,
    /// Feedback failed, with these words: in the lane itself, or outside.
    Feedback(String),
}

/// Plays a lane to its end.
pub(super) async fn lane_task(mut lane: Box<dyn Play>, ports: Ports) -> Result<(), LaneFailure> {
    let mut course = Course::new(ports);
    let stop = course.go_on(&mut *lane).await?;
    // A lane that asks a policy outside has a task that carries its mail.
    let stop = stop.ok_or(LaneFailure::Channel)?;
    course.end(&mut *lane, stop).await
}

/// The course of a lane through the stream.
pub(super) struct Course {
    ports: Ports,
    /// The batch that the lane plays, and what it has done in it.
    under_way: Option<(Arc<Batch>, Box<Ledger>)>,
}

impl Course {
    pub(super) fn new(ports: Ports) -> Self {
        Self {
            ports,
            under_way: None,
        }
    }

    /// The batch under way, and the lane's ledger of it.
    pub(super) fn under_way(&self) -> Option<(&Arc<Batch>, &Ledger)> {
        let under_way = self.under_way.as_ref();
        under_way.map(|(batch, ledger)| (batch, &**ledger))
    }

    /// Plays on; how the lane ends, or `None` where its policy is asked and no task carries its
    /// mail.
    pub(super) async fn go_on(
        &mut self,
        lane: &mut (dyn Play + 'static),
    ) -> Result<Option<Stop>, LaneFailure> {
        let ports = &mut self.ports;
        loop {
            let (batch, mut ledger) = match self.under_way.take() {
                Some(under_way) => under_way,
                None => {
                    let Some(batch) = ports.inlet.next().await else {
                        // Its sender sets it first; where it panicked, the run fails anyway.
                        let end = ports.source_end.get().cloned();
                        return Ok(Some(end.unwrap_or(Ending::SourceFailed.into())));
                    };
                    let ledger = Ledger::new(lane.state().reacts());
                    (batch, Box::new(ledger.traced(lane.state().is_itemised())))
                }
            };
            let (first_round, rounds) = (batch.round_number(0), batch.rounds());
            let span = debug_span!("batch", first_round, rounds);
            let played = play_batch(lane, &batch, &mut ledger, ports);
            let stop = match played.instrument(span.clone()).await? {
                Played::Whole => None,
                Played::Ended(stop) => Some(stop),
                Played::Asks => {
                    self.under_way = Some((batch, ledger));
                    return Ok(None);
                }
            };
            let stop = fill_open(lane, &batch, &mut ledger, ports)
                .instrument(span)
                .await?
                .or(stop);
            log_rounds(first_round, &ledger);
            hand_on(lane, batch, ledger, ports).await?;
            if stop.is_some() {
                return Ok(stop);
            }
        }
    }

    /// Ends the lane. A round under way does not count.
    pub(super) async fn end(
        self,
        lane: &mut (dyn Play + 'static),
        stop: Stop,
    ) -> Result<(), LaneFailure> {
        let Self { ports, under_way } = self;
        let (mut ports, mut stop) = (ports, stop);
        if let Some((batch, mut ledger)) = under_way {
            ledger.roll_back();
            let open = fill_open(lane, &batch, &mut ledger, &mut ports).await?;
            stop = open.unwrap_or(stop);
            hand_on(lane, batch, ledger, &ports).await?;
        }
        let detail = stop.detail.as_deref();
        debug!(ending = %stop.ending, detail, "the lane has ended");
        ports.inlet.close().await;
        if let (Some(pool), Some(played)) = (&ports.pool, lane.state().take_played()) {
            let played = Some(played);
            let next = PoolNext::Ends;
            let last = ToPool { played, next };
            pool.send(last).await.map_err(|_| LaneFailure::Channel)?;
        }
        if let (Some(outside), Some(mailbox)) = (&ports.outside, lane.mailbox()) {
            let mail = mailbox.take_outbox();
            let (known, is_known) = oneshot::channel();
            let farewell = ToOutside::Farewell(mail, stop.clone(), known);
            // One that has left reads no farewell.
            drop(outside.send(farewell).await);
            drop(is_known.await);
        }
        let pending = lane.state().pending();
        let end = ToScorer::End { stop, pending };
        ports
            .scorer
            .send(end)
            .await
            .map_err(|_| LaneFailure::Channel)
    }
}

/// Hands a batch with its ledger on to the scorer.
async fn hand_on(
    lane: &mut (dyn Play + 'static),
    batch: Arc<Batch>,
    mut ledger: Box<Ledger>,
    ports: &Ports,
) -> Result<(), LaneFailure> {
    if ledger.is_traced() {
        react(lane, &mut ledger, ports).await?;
    }
    let rounds = ToScorer::Rounds(batch, ledger);
    ports
        .scorer
        .send(rounds)
        .await
        .map_err(|_| LaneFailure::Channel)
}

/// Logs each round that counts, at the level of traces, without who was chosen.
fn log_rounds(first_round: u64, ledger: &Ledger) {
    if !tracing::enabled!(tracing::Level::TRACE) {
        return;
    }
    let mut before = 0;
    for (at, round) in (0..ledger.rounds()).zip(first_round..) {
        let after = ledger.chosen_before(at + 1);
        trace!(round, chosen = after - before, "a round was decided");
        before = after;
    }
}

/// The end of playing a batch.
enum Played {
    /// All its rounds are played.
    Whole,
    /// The lane has ended.
    Ended(Stop),
    /// The policy is asked, and no task carries its mail.
    Asks,
}

/// Plays one batch, fetching what the lane needs.
async fn play_batch(
    lane: &mut (dyn Play + 'static),
    batch: &Arc<Batch>,
    ledger: &mut Ledger,
    ports: &mut Ports,
) -> Result<Played, LaneFailure> {
    loop {
        match lane.play_guarded(batch, ledger) {
            Need::Batch => return Ok(Played::Whole),
            Need::End(stop) => return Ok(Played::Ended(stop)),
            Need::Reply if ports.outside.is_none() => return Ok(Played::Asks),
            Need::Fail(words) => return Err(LaneFailure::Feedback(words)),
            Need::Muster => muster(lane, batch, ledger, ports).await?,
            Need::Reply => {
                if let Some(stop) = reply(lane, ports).await? {
                    ledger.roll_back();
                    return Ok(Played::Ended(stop));
                }
            }
            Need::Answers => {
                if let Some(stop) = answers(lane, batch, ports).await? {
                    ledger.roll_back();
                    return Ok(Played::Ended(stop));
                }
            }
        }
    }
}

/// Lets the pool react to the last round of a batch before the next batch is there, so that a trace
/// has the result.
async fn react(
    lane: &mut (dyn Play + 'static),
    ledger: &mut Ledger,
    ports: &Ports,
) -> Result<(), LaneFailure> {
    let (Some(pool), Some(played)) = (&ports.pool, lane.state().take_played()) else {
        return Ok(());
    };
    let (reply, state) = oneshot::channel();
    let (played, next) = (Some(played), PoolNext::Says(reply));
    pool.send(ToPool { played, next })
        .await
        .map_err(|_| LaneFailure::Channel)?;
    let state = state.await.map_err(|_| LaneFailure::Channel)?;
    ledger.note_pool_after(&state);
    Ok(())
}

/// Asks the pool for the applicants of the coming round.
async fn muster(
    lane: &mut (dyn Play + 'static),
    batch: &Arc<Batch>,
    ledger: &mut Ledger,
    ports: &Ports,
) -> Result<(), LaneFailure> {
    let pool = ports.pool.as_ref().ok_or(LaneFailure::Channel)?;
    let (reply, mustered) = oneshot::channel();
    let played = lane.state().take_played();
    let reacted = played.is_some();
    let next = PoolNext::Musters(Arc::clone(batch), lane.state().cursor, reply);
    pool.send(ToPool { played, next })
        .await
        .map_err(|_| LaneFailure::Channel)?;
    let mustered = mustered.await.map_err(|_| LaneFailure::Channel)?;
    if reacted {
        ledger.note_pool_after(mustered.state());
    }
    lane.state().muster(mustered);
    Ok(())
}

/// Carries the mail to the policy outside and its reply back; the stop, if it has left.
async fn reply(
    lane: &mut (dyn Play + 'static),
    ports: &Ports,
) -> Result<Option<Stop>, LaneFailure> {
    let outside = ports.outside.as_ref().ok_or(LaneFailure::Channel)?;
    let mailbox = lane.mailbox().ok_or(LaneFailure::Channel)?;
    let (reply, answer) = oneshot::channel();
    let mail = mailbox.take_outbox();
    outside
        .send(ToOutside::Question(mail, reply))
        .await
        .map_err(|_| LaneFailure::Channel)?;
    match answer.await.map_err(|_| LaneFailure::Channel)? {
        Ok(answer) => mailbox.deliver(answer),
        Err(stop) => return Ok(Some(stop)),
    }
    Ok(None)
}

/// Asks the feedback task for the outcomes that the ledger still lacks; the stop, if the lane ends
/// without them.
async fn fill_open(
    lane: &mut (dyn Play + 'static),
    batch: &Arc<Batch>,
    ledger: &mut Ledger,
    ports: &mut Ports,
) -> Result<Option<Stop>, LaneFailure> {
    if !lane.state().ask_open(batch) {
        return Ok(None);
    }
    let stop = answers(lane, batch, ports).await?;
    if stop.is_none() {
        lane.state().fill(batch, ledger);
    }
    Ok(stop)
}

/// Asks the feedback task; the stop, if the lane ends without answers.
async fn answers(
    lane: &mut (dyn Play + 'static),
    batch: &Arc<Batch>,
    ports: &mut Ports,
) -> Result<Option<Stop>, LaneFailure> {
    let feedback = ports.feedback.as_mut().ok_or(LaneFailure::Channel)?;
    let asked = ToFeedback {
        batch: Arc::clone(batch),
        round: batch.round_number(lane.state().cursor),
        questions: lane.state().take_questions(),
    };
    feedback
        .ask
        .send(asked)
        .await
        .map_err(|_| LaneFailure::Channel)?;
    match feedback.answers.recv().await.ok_or(LaneFailure::Channel)? {
        Ok(answered) => lane.state().deliver(answered),
        Err(AnswerFailure::Ends(stop)) => return Ok(Some(stop)),
        Err(AnswerFailure::Fails(words)) => return Err(LaneFailure::Feedback(words)),
    }
    Ok(None)
}
