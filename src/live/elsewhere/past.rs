//! What a lane had said before its worker was replaced: late answers are imposed again.

use std::collections::BTreeSet;

use async_nats::jetstream::stream::Stream;

use super::moves::MoveBatch;
use super::streams::message;
use crate::seat::Forfeits;

/// The turns of a lane that were published before.
#[derive(Default)]
pub(super) struct PastTurns {
    /// The last round.
    last: u64,
    /// Rounds and steps whose answers came late.
    late: BTreeSet<(u64, u32)>,
    /// Whether the lane has ended.
    pub(super) has_ended: bool,
}

impl PastTurns {
    /// Reads what a stream has of a lane.
    pub(super) async fn read(stream: &Stream, subject: &str) -> Result<Self, String> {
        let (mut past, mut next) = (Self::default(), 1);
        while let Some(found) = message(stream, Some(subject), next).await? {
            next = found.sequence + 1;
            // A damaged one is sent again.
            let Some(batch) = MoveBatch::decode(&found.payload) else {
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

    /// It is in the turns.
    fn note(&self, _: u64, _: u32) {}
}
