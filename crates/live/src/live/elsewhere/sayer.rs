//! Publishing of a lane's turns, each once, even if another worker plays the same lane.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

use async_nats::jetstream::stream::Stream;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::moves::{Hash, MoveBatch, Turn};
use super::streams::{Fence, RunStreams, Unpublished, last, message};
use crate::limits::{MOST_MESSAGE_ITEMS, MOST_TURNS_UNPUBLISHED, SERVER_PAUSE, STREAM_CHECK};
use kleroterion_core::lock::locked;
use kleroterion_io::seat::Forfeits;

/// The turns of a lane that wait to be published.
#[derive(Default)]
pub(super) struct SaidTurns {
    said: Mutex<(VecDeque<Turn>, bool)>,
    wake: Notify,
}

impl SaidTurns {
    pub(super) fn push(&self, turn: Turn) {
        let mut said = locked(&self.said);
        said.0.push_back(turn);
        drop(said);
        self.wake.notify_one();
    }

    /// Closes the queue: no more turns come.
    pub(super) fn close(&self) {
        locked(&self.said).1 = true;
        self.wake.notify_one();
    }

    /// Returns true if the lane must wait until turns are published.
    pub(super) fn is_full(&self) -> bool {
        locked(&self.said).0.len() > MOST_TURNS_UNPUBLISHED
    }

    /// Takes the waiting turns, at most `most`. The flag is true if no more turns come.
    fn take(&self, most: usize) -> (Vec<Turn>, bool) {
        let mut said = locked(&self.said);
        let taken = most.min(said.0.len());
        let turns = said.0.drain(..taken).collect();
        (turns, said.1 && said.0.is_empty())
    }
}

/// The turns of a lane that an earlier worker published.
pub(super) struct PastTurns {
    /// The last round of these turns.
    last: u64,
    /// The rounds and steps whose answers came late.
    late: BTreeSet<(u64, u32)>,
    /// True if the lane has ended.
    pub(super) has_ended: bool,
    /// The turns to publish now.
    said: Arc<SaidTurns>,
}

impl PastTurns {
    /// Reads the turns that a stream has of a lane with this version and config.
    pub(super) async fn read(
        stream: &Stream,
        subject: &str,
        build: Hash,
        said: &Arc<SaidTurns>,
    ) -> Result<Self, String> {
        let mut next = 1;
        let mut past = Self {
            last: 0,
            late: BTreeSet::new(),
            has_ended: false,
            said: Arc::clone(said),
        };
        while let Some(found) = message(stream, Some(subject), next).await? {
            next = found.sequence + 1;
            // A damaged one is sent again, and one of another config is taken away.
            let batch = MoveBatch::decode(&found.payload);
            let Some(batch) = batch.filter(|batch| batch.build == build) else {
                continue;
            };
            for turn in batch.turns {
                past.last = past.last.max(turn.round);
                past.has_ended = turn.is_end();
                if turn.is_forfeit() {
                    past.late.insert((turn.round, turn.step));
                }
            }
        }
        Ok(past)
    }
}

impl Forfeits for PastTurns {
    fn imposed(&self, round: u64, step: u32) -> Option<bool> {
        let is_late = self.late.contains(&(round, step));
        (is_late || round <= self.last).then_some(is_late)
    }

    fn corrects(&self) {
        self.said.push(Turn::ready());
    }

    /// Does nothing, since the forfeit is in the turns.
    fn note(&self, _: u64, _: u32) {}
}

/// The reason why a worker stops playing its lane.
#[derive(Debug)]
pub(super) enum Broke {
    /// A stream was lost or is another one. The lane is played from the first person again.
    Again,
    /// The lane can't be played, for this reason.
    For(String),
    /// The server does not answer, for this reason.
    Down(String),
}

/// The publisher of a lane's turns.
pub(super) struct Sayer {
    streams: RunStreams,
    stream: Stream,
    subject: String,
    build: Hash,
    /// The number of turns so far.
    count: u64,
    chain: Hash,
    /// The number of turns before the first pending one, and their hash.
    before: (u64, Hash),
    /// The turns that another worker published ahead of this one: their number and hash.
    ahead: Option<(u64, Hash)>,
    /// The number of the lane's last message.
    last: u64,
    pending: VecDeque<Turn>,
}

impl Sayer {
    /// Creates the publisher of a lane whose first turn is still to come.
    pub(super) fn new(streams: RunStreams, stream: Stream, subject: String, build: Hash) -> Self {
        Self {
            streams,
            stream,
            subject,
            build,
            count: 0,
            chain: build,
            before: (0, build),
            ahead: None,
            last: 0,
            pending: VecDeque::new(),
        }
    }

    /// Publishes turns until no more come.
    pub(super) async fn run(mut self, said: &SaidTurns) -> Result<(), Broke> {
        self.look().await?;
        loop {
            let (turns, is_over) = said.take(MOST_MESSAGE_ITEMS);
            let is_idle = turns.is_empty();
            for turn in turns {
                self.push(turn)?;
            }
            while !self.pending.is_empty() {
                self.publish().await?;
            }
            if is_over {
                return Ok(());
            }
            if is_idle && timeout(STREAM_CHECK, said.wake.notified()).await.is_err() {
                match self.look().await {
                    // Nothing is to be published now.
                    Ok(()) | Err(Broke::Down(_)) => {}
                    Err(broke) => return Err(broke),
                }
            }
        }
    }

    /// Takes a turn. If the stream already has it, the two are compared.
    fn push(&mut self, turn: Turn) -> Result<(), Broke> {
        self.chain = turn.chained(&self.chain);
        self.count += 1;
        match self.ahead {
            None => {
                self.pending.push_back(turn);
                Ok(())
            }
            Some(_) => self.skip(turn.round, (self.count, self.chain)),
        }
    }

    /// Leaves out a turn that the stream has. `now` is the number of turns with it, and their hash.
    fn skip(&mut self, round: u64, now: (u64, Hash)) -> Result<(), Broke> {
        self.before = now;
        match self.ahead {
            Some((ahead, hash)) if now.0 == ahead && now.1 != hash => Err(self.differs(round)),
            Some((ahead, _)) if now.0 == ahead => {
                self.ahead = None;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn differs(&self, round: u64) -> Broke {
        Broke::For(format!(
            "the moves up to round {round} differ from those that were published before: a program \
             whose answers do not follow from its input can't be played elsewhere"
        ))
    }

    /// Publishes the first pending turns, as many as a message holds.
    async fn publish(&mut self) -> Result<(), Broke> {
        let turns: Vec<Turn> = self
            .pending
            .iter()
            .take(MOST_MESSAGE_ITEMS)
            .cloned()
            .collect();
        let (first, before) = self.before;
        let batch = MoveBatch {
            build: self.build,
            first,
            before,
            after: turns.iter().fold(before, |hash, turn| turn.chained(&hash)),
            turns,
        };
        let fence = Fence::Subject(self.last);
        let subject = self.subject.clone();
        match self
            .streams
            .publish(subject, batch.encode(), fence, None)
            .await
        {
            Ok(last) => {
                self.last = last;
                self.before = (batch.next(), batch.after);
                self.pending.drain(..batch.turns.len());
                return Ok(());
            }
            Err(Unpublished::Fenced) => {}
            Err(Unpublished::Passing(why)) => {
                tracing::debug!(why, "moves are not taken now");
                sleep(SERVER_PAUSE).await;
            }
        }
        match self.look().await {
            Err(Broke::Down(why)) => {
                tracing::debug!(why, "the stream of moves is out of reach");
                sleep(SERVER_PAUSE).await;
                Ok(())
            }
            looked => looked,
        }
    }

    /// Reads which turns of the lane the stream has.
    async fn look(&mut self) -> Result<(), Broke> {
        let found = last(&self.stream, &self.subject).await;
        let found = match found {
            Ok(found) => found,
            // A stream that is gone is made again by the recorder, and is another then.
            Err(why) if why.contains("not found") => return Err(Broke::Again),
            Err(why) => return Err(Broke::Down(why)),
        };
        let Some(found) = found else {
            self.last = 0;
            return self.has(0, self.build);
        };
        self.last = found.sequence;
        match MoveBatch::decode(&found.payload) {
            // The recorder takes away what is damaged or of another config, which is seen then.
            None => Ok(()),
            Some(batch) if batch.build != self.build => Ok(()),
            Some(batch) => self.has(batch.next(), batch.after),
        }
    }

    /// Notes that the stream has this many turns, with this hash.
    fn has(&mut self, many: u64, hash: Hash) -> Result<(), Broke> {
        let (kept, own) = self.before;
        if many < kept {
            return Err(Broke::Again);
        }
        self.ahead = None;
        if many == kept {
            return match hash == own {
                true => Ok(()),
                false => Err(self.differs(0)),
            };
        }
        // Another worker was faster.
        self.ahead = Some((many, hash));
        while self.ahead.is_some()
            && let Some(turn) = self.pending.pop_front()
        {
            let now = (self.before.0 + 1, turn.chained(&self.before.1));
            self.skip(turn.round, now)?;
        }
        Ok(())
    }
}
