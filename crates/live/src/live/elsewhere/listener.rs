//! Hears the turns of one lane, and hands them to it in their order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::stream::Stream;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tracing::{info, warn};

use super::join::{Joined, Joiner};
use super::moves::{MoveBatch, Turn};
use super::streams::{RunStreams, message};
use crate::live::notes::LiveNotes;
use crate::watch::Watched;
use crate::watch::gauges::LaneGauges;

/// How often the stream is asked where nothing comes, at first and at last.
const SOON: Duration = Duration::from_millis(5);
const LATER: Duration = Duration::from_millis(40);
/// How often it is looked whether the stream is another.
const EVERY: Duration = Duration::from_secs(1);
/// How long a server is left alone that does not answer.
const PAUSE: Duration = Duration::from_millis(250);

/// Hears a lane.
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
    /// Whether all that the stream held at first is read: what comes then comes now.
    pub(super) is_following: bool,
}

impl Listener {
    /// Hears until the lane has ended.
    pub(super) async fn run(mut self) {
        while !self.turns.is_closed() {
            if !self.is_placed.load(Ordering::Relaxed) {
                sleep(LATER).await;
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
            sleep(PAUSE).await;
        }
    }

    /// Hears one stream from its start; what is known is dropped.
    async fn hear(&mut self, stream: &Stream) -> Result<(), String> {
        let created = stream.cached_info().created;
        let (mut next, mut wait, mut looked) = (1, SOON, Instant::now());
        while !self.turns.is_closed() {
            let Some(found) = message(stream, Some(&self.subject), next).await? else {
                self.is_following = true;
                sleep(wait).await;
                wait = (wait * 2).min(LATER);
                if looked.elapsed() > EVERY {
                    looked = Instant::now();
                    let info = stream.get_info().await.map_err(|e| e.to_string())?;
                    if info.created != created {
                        return Err("the stream is another".to_owned());
                    }
                }
                continue;
            };
            (next, wait) = (found.sequence + 1, SOON);
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

    /// Takes a batch; what is wanted then.
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
                    next = self.joiner.next(),
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

/// What a listener wants after a batch.
enum Wants {
    /// The next.
    More,
    /// Another in its place.
    Other,
    /// No more.
    Nothing,
}

/// Takes a message away. Its worker sees that it is not there, and sends it again; one that plays
/// another version or config begins again.
async fn take_away(stream: &Stream, number: u64) -> Result<(), String> {
    let taken = stream.delete_message(number).await;
    taken.map(|_| ()).map_err(|error| error.to_string())
}
