//! The turns of a lane as messages. A chain of hashes binds each turn to all turns before it.

use serde::{Deserialize, Serialize};

use kleroterion_core::arena::{SeatMove, SeatReply};
use kleroterion_core::protocol::{Chosen, Ending, Move, Pull, Pulls, Selection, Stop};

/// A hash.
pub(super) type Hash = [u8; 32];

/// One turn of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Turn {
    /// The round, from 1. A lane's end has the round of the last turn.
    pub(super) round: u64,
    /// The number of earlier turns in the round.
    pub(super) step: u32,
    said: SaidMove,
    measures: Vec<(String, f64)>,
    reason: Vec<(String, f64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum SaidMove {
    /// An interview of each of these slots, with its kind.
    Interview(Vec<(u32, u32)>),
    Select(Vec<u32>, Option<f64>, Option<Vec<f64>>),
    Stall,
    Forfeit,
    /// No move: the program is ready, and takes corrections of outcomes.
    Ready,
    /// The end of the lane, other than by the rules: the ending's word and its reason.
    End(String, Option<String>),
}

impl Turn {
    /// Creates the turn of a seat's reply.
    pub(super) fn of(round: u64, step: u32, reply: SeatReply) -> Self {
        match reply {
            SeatReply::Forfeit => Self::bare(round, step, SaidMove::Forfeit),
            SeatReply::Move(SeatMove {
                answer,
                measures,
                reason,
            }) => Self {
                measures,
                reason,
                ..Self::bare(round, step, said(answer))
            },
        }
    }

    /// Creates a turn without measures and reasons.
    fn bare(round: u64, step: u32, said: SaidMove) -> Self {
        Self {
            round,
            step,
            said,
            measures: Vec::new(),
            reason: Vec::new(),
        }
    }

    /// Creates the turn of a lane's end; `None` for an end that the rules bring about.
    pub(super) fn end(round: u64, stop: &Stop) -> Option<Self> {
        let by_itself = [Ending::Panicked, Ending::Left, Ending::Disqualified];
        by_itself.contains(&stop.ending).then(|| {
            let end = SaidMove::End(stop.ending.word().to_owned(), stop.detail.clone());
            Self::bare(round, 0, end)
        })
    }

    /// Creates the turn that precedes all moves of a program that takes corrections.
    pub(super) fn ready() -> Self {
        Self::bare(0, 0, SaidMove::Ready)
    }

    /// Returns true if the turn only says that a program is ready.
    pub(super) fn is_ready(&self) -> bool {
        self.said == SaidMove::Ready
    }

    /// Returns true if the turn ends the lane.
    pub(super) fn is_end(&self) -> bool {
        matches!(self.said, SaidMove::End(..))
    }

    /// Returns true if the time for an answer passed.
    pub(super) fn is_forfeit(&self) -> bool {
        self.said == SaidMove::Forfeit
    }

    /// The seat's reply, or the lane's ending as the error.
    pub(super) fn reply(self) -> Result<SeatReply, Stop> {
        let answer = match self.said {
            SaidMove::Forfeit => return Ok(SeatReply::Forfeit),
            SaidMove::End(word, detail) => {
                let known = Ending::ALL.into_iter().find(|ending| ending.word() == word);
                return Err(Stop {
                    ending: known.unwrap_or(Ending::Left),
                    detail,
                });
            }
            // It is no move, and is handed to no lane.
            SaidMove::Stall | SaidMove::Ready => Move::Stall,
            SaidMove::Interview(pulls) => Move::Interview(pulls_of(&pulls)),
            SaidMove::Select(chosen, p, declared) => Move::Select(Selection {
                chosen: match *chosen {
                    [] => Chosen::None,
                    [slot] => Chosen::One(slot),
                    _ => Chosen::Many(chosen),
                },
                p,
                declared: declared.map(Vec::into_boxed_slice),
            }),
        };
        Ok(SeatReply::Move(SeatMove {
            answer,
            measures: self.measures,
            reason: self.reason,
        }))
    }

    /// The hash of all turns up to this one, from the hash of those before.
    pub(super) fn chained(&self, before: &Hash) -> Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(before);
        hasher.update(&postcard::to_stdvec(self).unwrap_or_default());
        *hasher.finalize().as_bytes()
    }
}

fn said(answer: Move) -> SaidMove {
    match answer {
        Move::Stall => SaidMove::Stall,
        Move::Interview(pulls) => {
            let pulls = pulls.as_slice().iter();
            SaidMove::Interview(pulls.map(|pull| (pull.slot, pull.kind as u32)).collect())
        }
        Move::Select(Selection {
            chosen,
            p,
            declared,
        }) => SaidMove::Select(
            chosen.as_slice().to_vec(),
            p,
            declared.map(<[f64]>::into_vec),
        ),
    }
}

fn pulls_of(pulls: &[(u32, u32)]) -> Pulls {
    let mut pulls = pulls.iter().map(|(slot, kind)| Pull {
        slot: *slot,
        kind: *kind as usize,
    });
    match (pulls.len(), pulls.next()) {
        (1, Some(pull)) => Pulls::One(pull),
        (_, first) => Pulls::Many(first.into_iter().chain(pulls).collect()),
    }
}

/// Consecutive turns of a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MoveBatch {
    /// The hash of the version and the config with which they were played.
    pub(super) build: Hash,
    /// The number of the first turn, from 0.
    pub(super) first: u64,
    /// The hash of all turns before.
    pub(super) before: Hash,
    /// The turns.
    pub(super) turns: Vec<Turn>,
    /// The hash of all turns up to the last.
    pub(super) after: Hash,
}

impl MoveBatch {
    /// The number of the turn after the last.
    pub(super) fn next(&self) -> u64 {
        self.first + self.turns.len() as u64
    }

    /// Encodes the batch as a message.
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Decodes a message; `None` if it is damaged.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let batch: Self = postcard::from_bytes(bytes).ok()?;
        let turns = batch.turns.iter();
        let after = turns.fold(batch.before, |hash, turn| turn.chained(&hash));
        (after == batch.after && !batch.turns.is_empty()).then_some(batch)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Example turns of each kind.
    pub(in crate::live::elsewhere) fn turns() -> Vec<Turn> {
        let reply = |answer: Move| SeatReply::Move(answer.into());
        let select = Move::Select(Selection {
            chosen: Chosen::Many(vec![3, 1]),
            p: Some(0.1 + 0.2),
            declared: Some(vec![0.5, 0.5].into()),
        });
        let pull = |slot| Pull { slot, kind: 1 };
        let noted = SeatReply::Move(SeatMove {
            answer: Move::take(0),
            measures: vec![("m".to_owned(), f64::MIN_POSITIVE)],
            reason: vec![("need".to_owned(), -0.0)],
        });
        let replies = [
            reply(Move::Interview(Pulls::One(pull(0)))),
            reply(Move::Interview(Pulls::Many(vec![pull(0), pull(2)]))),
            reply(select),
            noted,
            reply(Move::pass()),
            SeatReply::Forfeit,
            reply(Move::Stall),
        ];
        let steps = replies.into_iter().enumerate();
        steps
            .map(|(at, reply)| Turn::of(1 + at as u64, at as u32, reply))
            .collect()
    }

    pub(in crate::live::elsewhere) fn batch(first: u64, before: Hash, turns: &[Turn]) -> MoveBatch {
        MoveBatch {
            build: [7; 32],
            first,
            before,
            turns: turns.to_vec(),
            after: turns.iter().fold(before, |hash, turn| turn.chained(&hash)),
        }
    }

    #[test]
    fn turns_come_back_as_they_were() {
        let batch = batch(5, [1; 32], &turns());
        let read = MoveBatch::decode(&batch.encode()).unwrap();
        assert_eq!(read, batch);
        for turn in turns() {
            let (round, step) = (turn.round, turn.step);
            let reply = turn.clone().reply().unwrap();
            assert_eq!(Turn::of(round, step, reply), turn);
        }
        let stop = Stop::because(Ending::Left, "gone");
        let end = Turn::end(3, &stop).unwrap();
        assert_eq!(end.reply(), Err(stop));
        assert_eq!(Turn::end(3, &Ending::Filled.into()), None);
    }

    /// Checks that a flipped bit is noticed anywhere in the decisions, and in most other places.
    #[test]
    fn a_flipped_bit_is_damage() {
        let batch = batch(5, [1; 32], &turns());
        let bytes = batch.encode();
        let header = 33;
        for at in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[at / 8] ^= 1 << (at % 8);
            let read = MoveBatch::decode(&flipped);
            let same_turns =
                |read: &MoveBatch| read.turns == batch.turns && read.before == batch.before;
            // What the hash does not cover, the join does: the build and the first number.
            assert!(read.is_none_or(|read| same_turns(&read) && at / 8 < header));
        }
    }
}
