//! Joining of a lane's turns by their numbers, in whatever order and from whichever worker they
//! come.

use super::moves::{Hash, MoveBatch, Turn};

/// The relation of a batch of turns to the turns before it.
#[derive(Debug, PartialEq)]
pub(super) enum Joined {
    /// It has turns that follow.
    New(Vec<Turn>),
    /// All its turns were known.
    Repeat,
    /// Turns before it are missing.
    Gap,
    /// It was played with another version or config.
    OtherBuild,
    /// It has other turns than the known ones.
    Conflict,
}

/// The joined turns of a lane so far.
#[derive(Clone, Debug)]
pub(super) struct Joiner {
    build: Hash,
    /// The number of joined turns.
    pub(super) next: u64,
    chain: Hash,
}

impl Joiner {
    /// Creates the joiner of a lane that is played with this version and config.
    pub(super) fn new(build: Hash) -> Self {
        Self {
            build,
            next: 0,
            chain: build,
        }
    }

    /// Joins a batch of turns.
    pub(super) fn join(&mut self, batch: MoveBatch) -> Joined {
        if batch.build != self.build {
            return Joined::OtherBuild;
        }
        if batch.first > self.next {
            return Joined::Gap;
        }
        // A difference anywhere before changes each hash after it.
        let known = (self.next - batch.first) as usize;
        if known > batch.turns.len() {
            return Joined::Repeat;
        }
        let before = batch.turns[..known].iter();
        if before.fold(batch.before, |hash, turn| turn.chained(&hash)) != self.chain {
            return Joined::Conflict;
        }
        if known == batch.turns.len() {
            return Joined::Repeat;
        }
        self.next = batch.next();
        self.chain = batch.after;
        let mut turns = batch.turns;
        turns.drain(..known);
        Joined::New(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::moves::tests::{batch, turns};
    use super::*;

    #[test]
    fn gaps_wait_repeats_are_dropped_and_conflicts_are_seen() {
        let all = turns();
        let build = [7; 32];
        let whole = batch(0, build, &all);
        let hash = |upto: usize| {
            all[..upto]
                .iter()
                .fold(build, |hash, turn| turn.chained(&hash))
        };
        let part = |from: usize, to: usize| batch(from as u64, hash(from), &all[from..to]);
        let mut joiner = Joiner::new(build);
        assert_eq!(joiner.join(part(2, 4)), Joined::Gap);
        assert_eq!(joiner.join(part(0, 2)), Joined::New(all[..2].to_vec()));
        assert_eq!(joiner.join(part(0, 2)), Joined::Repeat);
        assert_eq!(joiner.join(part(0, 1)), Joined::Repeat);
        // One that overlaps brings what is new.
        assert_eq!(joiner.join(part(1, 4)), Joined::New(all[2..4].to_vec()));
        // One that was decided otherwise long before.
        let mut other = all.clone();
        other.swap(0, 1);
        assert_eq!(joiner.join(batch(0, build, &other[..5])), Joined::Conflict);
        let mut foreign = part(4, 5);
        foreign.build = [8; 32];
        assert_eq!(joiner.join(foreign), Joined::OtherBuild);
        assert_eq!(joiner.join(whole), Joined::New(all[4..].to_vec()));
        assert_eq!(joiner.next, all.len() as u64);
    }
}
