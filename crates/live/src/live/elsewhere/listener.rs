//! Listening for the turns of one lane, which are passed to it in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use async_nats::jetstream::stream::Stream;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tracing::{info, warn};

use super::join::{Joined, Joiner};
use super::moves::{MoveBatch, Turn};
use super::streams::{RunStreams, message};
use crate::limits::{SERVER_PAUSE, STREAM_CHECK, STREAM_LATER, STREAM_SOON};
use crate::live::notes::LiveNotes;
use crate::watch::Watched;
use crate::watch::gauges::LaneGauges;

/// The listener for the turns of one lane.
pub(super) struct Listener {
    pub(super) streams: RunStreams,
    pub(super) subject: String,
    pub(super) place: usize,
    pub(super) label: Box<str>,
    pub(super) joiner: Joiner,
    pub(super) turns: mpsc::Sender<Result<Turn, String>>,
    pub(super) watched: Arc<Watched>,
    pub(super) notes: Arc<LiveNotes>,
    /// Turns true once the streams are those of this run.
    pub(super) is_placed: Arc<AtomicBool>,
    /// True once the stream's initial content is read: later messages are new.
    pub(super) is_following: bool,
}

impl Listener {
    /// Listens until the lane has ended.
    pub(super) async fn run(mut self) {
        while !self.turns.is_closed() {
            if !self.is_placed.load(Ordering::Relaxed) {
                sleep(STREAM_LATER).await;
                continue;
            }
            let heard = match self.streams.moves().await {
                Ok(stream) => self.hear(&stream).await,
                Err(why) => Err(why),
            };
            match heard {
                Ok(()) => return,
                Err(why) => tracing::debug!(why, policy = &*self.label, "no moves are heard"),
            }
            sleep(SERVER_PAUSE).await;
        }
    }

    /// Reads one stream from its start. Known turns are dropped.
    async fn hear(&mut self, stream: &Stream) -> Result<(), String> {
        let created = stream.cached_info().created;
        let (mut next, mut wait, mut looked) = (1, STREAM_SOON, Instant::now());
        while !self.turns.is_closed() {
            let Some(found) = message(stream, Some(&self.subject), next).await? else {
                self.is_following = true;
                sleep(wait).await;
                wait = (wait * 2).min(STREAM_LATER);
                if looked.elapsed() > STREAM_CHECK {
                    looked = Instant::now();
                    let info = stream.get_info().await.map_err(|e| e.to_string())?;
                    if info.created != created {
                        return Err("the stream is another".to_owned());
                    }
                }
                continue;
            };
            (next, wait) = (found.sequence + 1, STREAM_SOON);
            let Some(batch) = MoveBatch::decode(&found.payload) else {
                let (policy, number) = (&*self.label, found.sequence);
                warn!(
                    policy,
                    number, "a message of moves is damaged: it is asked for again"
                );
                self.gauges().damaged.add(1);
                take_away(stream, number).await?;
                continue;
            };
            match self.take(batch).await {
                Wants::More => {}
                Wants::Other => take_away(stream, found.sequence).await?,
                Wants::Nothing => return Ok(()),
            }
        }
        Ok(())
    }

    fn gauges(&self) -> &LaneGauges {
        &self.watched.gauges.lanes[self.place]
    }

    /// Takes a batch. Returns the message wanted next.
    async fn take(&mut self, batch: MoveBatch) -> Wants {
        let (first, label) = (batch.first, &*self.label);
        let round = batch.turns.first().map_or(0, |turn| turn.round);
        let turns = match self.joiner.join(batch) {
            Joined::New(turns) => turns,
            Joined::Repeat => return Wants::More,
            Joined::Gap => {
                info!(
                    policy = label,
                    first,
                    next = self.joiner.next,
                    "moves are missing"
                );
                return Wants::More;
            }
            Joined::OtherBuild => {
                info!(
                    policy = label,
                    "moves were made with another version or config"
                );
                return Wants::Other;
            }
            Joined::Conflict => {
                let why = format!(
                    "round {round}: its worker sent other moves than those that had come before"
                );
                drop(self.turns.send(Err(why)).await);
                return Wants::Nothing;
            }
        };
        if self.is_following {
            self.gauges().heard.now();
        }
        for turn in turns {
            if turn.is_ready() {
                self.notes.outcomes().note_corrects(self.place);
            } else if self.turns.send(Ok(turn)).await.is_err() {
                return Wants::Nothing;
            }
        }
        Wants::More
    }
}

/// The message that a listener wants after a batch.
enum Wants {
    /// The next message.
    More,
    /// Another message in the place of this one.
    Other,
    /// No further message.
    Nothing,
}

/// Deletes a message. Its worker notices that and sends it again; a worker with another version or
/// config starts again.
async fn take_away(stream: &Stream, number: u64) -> Result<(), String> {
    let taken = stream.delete_message(number).await;
    taken.map(|_| ()).map_err(|error| error.to_string())
}
