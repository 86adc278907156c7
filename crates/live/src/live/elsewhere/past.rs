//! The turns of a lane before its worker was replaced. Its late answers are imposed again.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_nats::jetstream::stream::Stream;

use super::moves::{Hash, MoveBatch, Turn};
use super::sayer::SaidTurns;
use super::streams::message;
use kleroterion_io::seat::Forfeits;

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
