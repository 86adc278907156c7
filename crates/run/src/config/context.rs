//! The input that readers of sources share, and the world that they make.

use std::path::PathBuf;

use super::handed::HandedIn;
use super::located::find_file;
use super::others::Heads;
use super::outcomes::OutcomeColumn;
use super::plan::World;
use super::pool;
use super::rules::{Slate, Unique};
use super::target::Wanted;
use crate::document::Field;
use kleroterion_core::source::Sizes;
use kleroterion_sortition::feasibility::Supply;

/// The parts of a config that the reading of `[source]` needs apart from its table.
///
/// Its questions note what is wrong, at its place in the config.
pub struct Context<'a> {
    /// The folder in which files are looked up first, and what the program hands in.
    pub(super) inputs: &'a HandedIn,
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

impl Context<'_> {
    /// Returns the path of the file that a field names, looked up as all files of a config are. Its
    /// key is called `path`: that of a run's own config is then written in full.
    #[must_use]
    pub fn file(&self, field: &Field<'_>) -> Option<PathBuf> {
        find_file(field, None, self.inputs)
    }

    /// Returns the size of the slates of a source of this many people, or without end if `None`.
    /// Notes a problem if it varies from round to round.
    #[must_use]
    pub fn slate(&self, people: Option<u32>) -> Option<u32> {
        self.slate.of(people)
    }

    /// Returns the sizes of the slates of a source of this many people, or without end if `None`.
    #[must_use]
    pub fn sizes(&self, people: Option<u32>) -> Option<Sizes> {
        self.slate.sizes(people)
    }

    /// Returns the target's shares of an attribute, by value. `None` if it does not name the attribute.
    #[must_use]
    pub fn target(&self, attribute: &str) -> Option<&[(String, f64)]> {
        Some(&self.wanted?.of(attribute)?.values)
    }

    /// Returns true if a pool selects which people apply. A slate is then a roster, of whom some
    /// apply.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        self.pool.is_some()
    }
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
