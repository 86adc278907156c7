//! What the kinds of sources are read with, and what they make.

use std::path::Path;

use super::heads::Heads;
use super::outcomes::OutcomeColumn;
use super::plan::World;
use super::pool;
use super::rules::{Slate, Unique};
use super::target::Wanted;
use kleroterion_sortition::feasibility::Supply;

/// The parts of a config that the reading of `[source]` needs apart from its table.
pub(super) struct Context<'a> {
    /// Where files are looked for first.
    pub(super) folder: &'a Path,
    /// The target, for weights relative to it.
    pub(super) wanted: Option<&'a Wanted>,
    /// Whether there is a target that can't be read: then nothing is said of what is relative to
    /// it.
    pub(super) unread: bool,
    /// How many persons make a slate.
    pub(super) slate: &'a Slate<'a>,
    /// Whether there are rules that could be read: else nothing is said of the slate.
    pub(super) ruled: bool,
    /// Who of those who could apply does, where the config says.
    pub(super) pool: Option<&'a pool::PoolWish<'a>>,
    /// Whether there is a pool that can't be read: then nothing is said of its absence.
    pub(super) unpooled: bool,
    /// The column of a file that says what became of people, where the config names one.
    pub(super) outcome: Option<&'a OutcomeColumn<'a>>,
    /// Of which persons at most one is accepted.
    pub(super) unique: Option<&'a Unique<'a>>,
}

/// A world, with what only the check of the config wants to know of it.
pub(super) struct Built {
    pub(super) world: World,
    /// The weighted shares of a file, where it has weights.
    pub(super) weighted: Option<Vec<Vec<f64>>>,
    /// The people there are, each of whom can be taken once, where quotas ask for them.
    pub(super) supply: Option<Supply>,
    /// How many of a file's people have each value.
    pub(super) heads: Option<Heads>,
    pub(super) notes: Vec<String>,
    /// Whether the law of the people is as written; else only who they are, their attributes and
    /// values, can be relied on.
    pub(super) sound: bool,
}

impl Built {
    /// Of a world that is no file of people, and of which nothing is to be said.
    pub(super) fn of(world: World) -> Self {
        Self {
            world,
            weighted: None,
            supply: None,
            heads: None,
            notes: Vec::new(),
            sound: true,
        }
    }
}

impl std::ops::Deref for Built {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}
