//! The input that readers of sources share, and the world that they make.

use super::inputs::Inputs;
use super::others::Heads;
use super::outcomes::OutcomeColumn;
use super::plan::World;
use super::pool;
use super::rules::{Slate, Unique};
use super::target::Wanted;
use kleroterion_sortition::feasibility::Supply;

/// The parts of a config that the reading of `[source]` needs apart from its table.
pub(super) struct Context<'a> {
    /// The folder in which files are looked up first, and what the program hands in.
    pub(super) inputs: &'a Inputs,
    /// The target, for weights relative to it.
    pub(super) wanted: Option<&'a Wanted>,
    /// True if there is a target that can't be read. Parts relative to it are then not checked.
    pub(super) unread: bool,
    /// The size of the slates.
    pub(super) slate: &'a Slate<'a>,
    /// True if the rules could be read. Otherwise the slate is not checked.
    pub(super) ruled: bool,
    /// The pool, if the config has one.
    pub(super) pool: Option<&'a pool::PoolWish<'a>>,
    /// True if there is a pool that can't be read. Its absence is then not noted.
    pub(super) unpooled: bool,
    /// The column of outcomes in a file, if the config names one.
    pub(super) outcome: Option<&'a OutcomeColumn<'a>>,
    /// The columns that name households: at most one person of each is accepted.
    pub(super) unique: Option<&'a Unique<'a>>,
}

/// A world, with facts that only the check of the config needs.
pub(super) struct Built {
    pub(super) world: World,
    /// The weighted shares of a file, if it has weights.
    pub(super) weighted: Option<Vec<Vec<f64>>>,
    /// The supply of people who can each be taken once, if quotas require it.
    pub(super) supply: Option<Supply>,
    /// The number of people of a file with each value.
    pub(super) heads: Option<Heads>,
    pub(super) notes: Vec<String>,
    /// True if the law of the people is as written. Otherwise only the people, their attributes and
    /// their values are reliable.
    pub(super) sound: bool,
}

impl Built {
    /// Wraps a world that is not a file of people and has no notes.
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
