//! The faults that histories survived.

use std::ops::AddAssign;

use super::faults::ProgramFault;

/// The numbers of faults survived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survived {
    pub(super) histories: u64,
    pub(super) power_cuts: u64,
    pub(super) broken: u64,
    pub(super) full: u64,
    pub(super) kills: u64,
    pub(super) stops: u64,
    /// The number of runs that were cut off before they had begun.
    pub(super) unbegun: u64,
    pub(super) clocks_set: u64,
    pub(super) operations: u64,
    pub(super) people: u64,
    pub(super) outcomes: u64,
    pub(super) late: u64,
    pub(super) decisions: u64,
    pub(super) lives: u64,
    /// The number of programs' faults, by kind.
    pub(super) faults: [u64; ProgramFault::ALL.len()],
    /// The number of faults in rounds that were shown, in the backlog, and in new rounds.
    pub(super) points: [u64; 3],
    /// The number of faults of the acting policy.
    pub(super) of_acting: u64,
    pub(super) forfeits: u64,
    pub(super) ended: u64,
    pub(super) takeovers: u64,
    pub(super) refused: u64,
}

impl AddAssign for Survived {
    fn add_assign(&mut self, other: Self) {
        self.histories += other.histories;
        self.power_cuts += other.power_cuts;
        self.broken += other.broken;
        self.full += other.full;
        self.kills += other.kills;
        self.stops += other.stops;
        self.unbegun += other.unbegun;
        self.clocks_set += other.clocks_set;
        self.operations += other.operations;
        self.people += other.people;
        self.outcomes += other.outcomes;
        self.late += other.late;
        self.decisions += other.decisions;
        self.lives += other.lives;
        for (mine, theirs) in self.faults.iter_mut().zip(other.faults) {
            *mine += theirs;
        }
        for (mine, theirs) in self.points.iter_mut().zip(other.points) {
            *mine += theirs;
        }
        self.of_acting += other.of_acting;
        self.forfeits += other.forfeits;
        self.ended += other.ended;
        self.takeovers += other.takeovers;
        self.refused += other.refused;
    }
}

impl Survived {
    /// Asserts that each kind of fault happened, and often.
    pub(super) fn is_varied(&self) {
        let often = [
            self.power_cuts,
            self.broken,
            self.full,
            self.kills,
            self.stops,
        ];
        assert!(
            often.iter().all(|times| *times >= self.histories / 4),
            "{self:?}"
        );
        assert!(
            self.unbegun > 0 && self.late > 0 && self.clocks_set > 0,
            "{self:?}"
        );
    }
}

impl Survived {
    /// Asserts that each kind of fault of programs happened, and what follows from it.
    pub(super) fn has_failing_programs(&self) {
        let of_shadows = self.faults.iter().sum::<u64>() - self.of_acting;
        let often = [
            self.of_acting,
            of_shadows,
            self.forfeits,
            self.ended,
            self.refused,
        ];
        let often = often.iter().chain(&self.points).min();
        assert!(often >= Some(&(self.histories / 4)), "{self:?}");
        let each = self.faults.iter().chain([&self.takeovers]).min();
        assert!(each >= Some(&(self.histories / 15)), "{self:?}");
    }
}
