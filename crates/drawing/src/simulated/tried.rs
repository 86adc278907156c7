//! Counts of the cases that the histories tried.

use std::ops::AddAssign;

/// Counts of the cases that were tried and passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tried {
    pub(super) histories: u64,
    /// Commands of a user, and those of them that succeeded.
    pub(super) commands: u64,
    pub(super) succeeded: u64,
    pub(super) kills: u64,
    /// The commands that were repeated after a kill and then ended as without it.
    pub(super) repeated: u64,
    /// The commands that ran into others.
    pub(super) races: u64,
    pub(super) refused_in_races: u64,
    pub(super) commitments: u64,
    pub(super) draws: u64,
    pub(super) second: u64,
    pub(super) numbers: u64,
    pub(super) checks: u64,
    pub(super) changes: u64,
}

impl AddAssign for Tried {
    fn add_assign(&mut self, other: Self) {
        self.histories += other.histories;
        self.commands += other.commands;
        self.succeeded += other.succeeded;
        self.kills += other.kills;
        self.repeated += other.repeated;
        self.races += other.races;
        self.refused_in_races += other.refused_in_races;
        self.commitments += other.commitments;
        self.draws += other.draws;
        self.second += other.second;
        self.numbers += other.numbers;
        self.checks += other.checks;
        self.changes += other.changes;
    }
}

impl Tried {
    /// Asserts that each kind of thing happened, and often.
    pub(super) fn is_varied(&self) {
        let often = [
            self.kills,
            self.repeated,
            self.races,
            self.refused_in_races,
            self.commitments,
            self.draws,
            self.checks,
        ];
        assert!(often.iter().all(|n| *n >= self.histories / 4), "{self:?}");
        let sometimes = [self.second, self.numbers];
        assert!(
            sometimes.iter().all(|n| *n >= self.histories / 20),
            "{self:?}"
        );
        let failed = self.commands - self.succeeded;
        assert!(
            failed >= self.commands / 10 && self.succeeded >= self.commands / 4,
            "{self:?}"
        );
    }
}
