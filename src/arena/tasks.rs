//! The tasks of an arena and the messages between them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tracing::field::Empty;
use tracing::{Instrument, debug, debug_span, trace};

use super::lane::{Need, Play};
use super::mail::{SeatReply, SeatRequest};
use super::outside::OutsideMaker;
use super::state::PlayedRound;
use crate::draw::{Draw, Key, Purpose};
use crate::pool::{Mustered, PoolMaker, PoolRound};
use crate::protocol::{Batch, Ending, Feedback, Ledger, Sealed, Stop};
use crate::score::Scoreboard;
use crate::source::Source;

/// Batches in flight on each channel.
pub(super) const IN_FLIGHT: usize = 2;

/// How the source ended; set before its channel closes.
pub(super) type SourceEnd = Arc<OnceLock<Stop>>;

/// Watches the stream's flow. It can neither slow nor alter a run.
pub trait Watcher: Send + Sync {
    /// Rounds from `first_round` on, of `persons` in all, go to the lanes.
    fn sent(&self, first_round: u64, persons: usize);

    /// A batch is on its way to a lane (by its place in the arena).
    fn waits(&self, lane: usize);

    /// A batch waits for a lane no longer: the lane took it, or has ended.
    fn taken(&self, lane: usize);

    /// The stream waits for a lane; `None`: it moves again.
    fn held(&self, lane: Option<usize>);
}

/// The lanes' ends of the stream: lossless, the slowest holds the others back.
pub(super) struct FanOut {
    lanes: Vec<(usize, mpsc::Sender<Arc<Batch>>)>,
    watcher: Option<Arc<dyn Watcher>>,
}

impl FanOut {
    pub(super) fn new(
        lanes: Vec<mpsc::Sender<Arc<Batch>>>,
        watcher: Option<Arc<dyn Watcher>>,
    ) -> Self {
        Self {
            lanes: lanes.into_iter().enumerate().collect(),
            watcher,
        }
    }

    /// Returns when every lane has ended.
    async fn all_gone(&self) {
        for (_, lane) in &self.lanes {
            lane.closed().await;
        }
    }

    /// Sends to every lane that still plays; false when none does.
    async fn send(&mut self, batch: Batch) -> bool {
        let batch = Arc::new(batch);
        let watcher = self.watcher.as_ref();
        watcher.inspect(|watcher| watcher.sent(batch.round_number(0), batch.persons().len()));
        let mut left = Vec::with_capacity(self.lanes.len());
        for (place, lane) in self.lanes.drain(..) {
            // Counted before the lane can take it.
            watcher.inspect(|watcher| watcher.waits(place));
            let sent = match lane.try_send(Arc::clone(&batch)) {
                Err(TrySendError::Full(batch)) => {
                    watcher.inspect(|watcher| watcher.held(Some(place)));
                    let sent = lane.send(batch).await.is_ok();
                    watcher.inspect(|watcher| watcher.held(None));
                    sent
                }
                sent => sent.is_ok(),
            };
            if sent {
                left.push((place, lane));
            } else {
                watcher.inspect(|watcher| watcher.taken(place));
            }
        }
        self.lanes = left;
        !self.lanes.is_empty()
    }
}

/// Where the source's batches go.
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
    feedback: Arc<dyn Feedback>,
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
        batch.seal(Sealed::Address {
            feedback: Arc::clone(&feedback),
            key,
        });
        if !lanes.send(batch).await {
            break;
        }
    }
}

/// One message a round to the pool: what happened in the last, and the coming one; the last message
/// has no `next`.
pub(super) struct ToPool {
    played: Option<PlayedRound>,
    next: Option<(Arc<Batch>, usize, oneshot::Sender<Mustered>)>,
}

/// Musters and reacts.
pub(super) async fn pool_task(maker: PoolMaker, key: Key, mut messages: mpsc::Receiver<ToPool>) {
    let mut pool = maker(key);
    while let Some(ToPool { played, next }) = messages.recv().await {
        if let Some(played) = played {
            pool.react(&played.entry());
        }
        if let Some((batch, round, reply)) = next {
            let mut draw: Draw = key.draw(Purpose::Muster, batch.round_number(round), 0);
            let round = PoolRound::new(&batch, round);
            let mustered = pool.muster(&round, &mut draw);
            check(&mustered, &round);
            drop(reply.send(mustered));
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

/// A question to the outside policy; without `reply`, a farewell.
pub(super) struct ToOutside {
    mail: Vec<SeatRequest>,
    reply: Option<oneshot::Sender<Result<SeatReply, Stop>>>,
}

/// Carries the mail of an outside policy.
pub(super) async fn outside_task(
    maker: OutsideMaker,
    key: Key,
    mut messages: mpsc::Receiver<ToOutside>,
) {
    let mut outside = maker(key);
    while let Some(ToOutside { mail, reply }) = messages.recv().await {
        let Some(reply) = reply else {
            outside.farewell(mail).await;
            break;
        };
        let answer = outside.answer(mail).await;
        let left = answer.is_err();
        drop(reply.send(answer));
        if left {
            break;
        }
    }
}

/// What a lane sends its scorer.
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
                let first_round = batch.round_number(0);
                debug_span!("batch", first_round, rounds = ledger.rounds())
                    .in_scope(|| board.record(&batch, &ledger));
            }
            ToScorer::End { stop, pending } => {
                board.end(pending, &stop);
                return Some((board, stop));
            }
        }
    }
    None
}

/// The lane's end of the stream.
pub(super) struct Inlet {
    pub(super) batches: mpsc::Receiver<Arc<Batch>>,
    /// The lane's place in the arena.
    pub(super) place: usize,
    pub(super) watcher: Option<Arc<dyn Watcher>>,
}

impl Inlet {
    /// The next batch; `None` once the stream has ended.
    async fn next(&mut self) -> Option<Arc<Batch>> {
        let batch = self.batches.recv().await?;
        let watcher = self.watcher.as_ref();
        watcher.inspect(|watcher| watcher.taken(self.place));
        Some(batch)
    }

    /// Lets the source go on without this lane; what was on its way is dropped.
    async fn close(mut self) {
        self.batches.close();
        while self.next().await.is_some() {}
    }
}

/// A lane's channels.
pub(super) struct Ports {
    pub(super) inlet: Inlet,
    pub(super) scorer: mpsc::Sender<ToScorer>,
    pub(super) pool: Option<mpsc::Sender<ToPool>>,
    pub(super) outside: Option<mpsc::Sender<ToOutside>>,
    pub(super) source_end: SourceEnd,
}

/// Why a lane can't go on, so that the run fails.
pub(super) enum LaneFailure {
    /// A task on the other end of a channel is gone; the join of that task says why.
    Channel,
    /// Feedback panicked, with these words. It is asked in the lane, which opens only what it pays
    /// for.
    Feedback(String),
}

/// Plays a lane to its end.
pub(super) async fn lane_task(
    mut lane: Box<dyn Play>,
    mut ports: Ports,
) -> Result<(), LaneFailure> {
    let stop = loop {
        let Some(batch) = ports.inlet.next().await else {
            // Its sender sets it first; where it panicked, the run fails anyway.
            let end = ports.source_end.get().cloned();
            break end.unwrap_or(Ending::SourceFailed.into());
        };
        let mut ledger = Ledger::new(lane.state().reacts());
        let (first_round, rounds) = (batch.round_number(0), batch.rounds());
        let span = debug_span!("batch", first_round, rounds);
        let played = play_batch(&mut *lane, &batch, &mut ledger, &ports);
        let stop = played.instrument(span).await?;
        tell_rounds(first_round, &ledger);
        let rounds = ToScorer::Rounds(batch, Box::new(ledger));
        ports
            .scorer
            .send(rounds)
            .await
            .map_err(|_| LaneFailure::Channel)?;
        if let Some(stop) = stop {
            break stop;
        }
    };
    let detail = stop.detail.as_deref();
    debug!(ending = %stop.ending, detail, "the lane has ended");
    ports.inlet.close().await;
    if let (Some(pool), Some(played)) = (&ports.pool, lane.state().take_played()) {
        let played = Some(played);
        let last = ToPool { played, next: None };
        pool.send(last).await.map_err(|_| LaneFailure::Channel)?;
    }
    if let (Some(outside), Some(mailbox)) = (&ports.outside, lane.mailbox()) {
        let mail = mailbox.take_outbox();
        // One that has left reads no farewell.
        drop(outside.send(ToOutside { mail, reply: None }).await);
    }
    let pending = lane.state().pending();
    let end = ToScorer::End { stop, pending };
    ports
        .scorer
        .send(end)
        .await
        .map_err(|_| LaneFailure::Channel)
}

/// Tells of each round that counts, where anybody wants to hear of rounds; nothing of who was
/// chosen.
fn tell_rounds(first_round: u64, ledger: &Ledger) {
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

/// Plays one batch, fetching what the lane needs; the stop, if the lane ended.
async fn play_batch(
    lane: &mut (dyn Play + 'static),
    batch: &Arc<Batch>,
    ledger: &mut Ledger,
    ports: &Ports,
) -> Result<Option<Stop>, LaneFailure> {
    loop {
        match lane.play_guarded(batch, ledger) {
            Need::Batch => return Ok(None),
            Need::End(stop) => return Ok(Some(stop)),
            Need::Fail(words) => return Err(LaneFailure::Feedback(words)),
            Need::Muster => {
                let pool = ports.pool.as_ref().ok_or(LaneFailure::Channel)?;
                let (reply, mustered) = oneshot::channel();
                let played = lane.state().take_played();
                let next = Some((Arc::clone(batch), lane.state().cursor, reply));
                pool.send(ToPool { played, next })
                    .await
                    .map_err(|_| LaneFailure::Channel)?;
                lane.state()
                    .muster(mustered.await.map_err(|_| LaneFailure::Channel)?);
            }
            Need::Reply => {
                let outside = ports.outside.as_ref().ok_or(LaneFailure::Channel)?;
                let mailbox = lane.mailbox().ok_or(LaneFailure::Channel)?;
                let (reply, answer) = oneshot::channel();
                let mail = mailbox.take_outbox();
                let question = ToOutside {
                    mail,
                    reply: Some(reply),
                };
                outside
                    .send(question)
                    .await
                    .map_err(|_| LaneFailure::Channel)?;
                match answer.await.map_err(|_| LaneFailure::Channel)? {
                    Ok(answer) => mailbox.deliver(answer),
                    Err(stop) => {
                        ledger.roll_back();
                        return Ok(Some(stop));
                    }
                }
            }
        }
    }
}
