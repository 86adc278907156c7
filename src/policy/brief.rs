//! What a policy may know when it is set up.

use crate::pool::Dynamics;
use crate::protocol::{Known, Quota, Rules, Schema, Target};

/// A section of the config that a policy may need.
#[derive(Clone, Copy, Debug)]
pub enum Section<T> {
    /// What it says.
    Given(T),
    /// It is not there: a policy that needs it says so.
    Absent,
    /// It is wrong, which has been said: whatever needs it is left open.
    Unread,
}

impl<T> Section<T> {
    /// Of a section that is given or not, what could be read.
    pub fn of(given: bool, read: Option<T>) -> Self {
        match (read, given) {
            (Some(read), _) => Self::Given(read),
            (None, true) => Self::Unread,
            (None, false) => Self::Absent,
        }
    }

    /// What it says, where it can be read.
    pub fn given(self) -> Option<T> {
        match self {
            Self::Given(what) => Some(what),
            Self::Absent | Self::Unread => None,
        }
    }

    /// Whether it is not there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether it is there and wrong.
    pub fn is_unread(&self) -> bool {
        matches!(self, Self::Unread)
    }
}

/// What a policy may know when it is set up. Where the config is wrong some of it is unknown
/// (`None`, [`Section::Unread`]): the policy's own keys are read first, then it asks for what it
/// needs, and what is unknown makes no problem of its own.
pub struct Brief<'a> {
    /// The candidates' columns.
    pub schema: Option<&'a Schema>,
    /// The rules.
    pub rules: Option<&'a Rules>,
    /// The shares that are wanted.
    pub target: Section<&'a Target>,
    /// Quotas of an organiser's file, where the target is one: a row an attribute of the schema, an
    /// empty row sets none.
    pub quotas: Option<&'a [Vec<Quota>]>,
    /// How many of each value a round is to choose, in the same shape.
    pub round_quotas: Section<&'a [Vec<Quota>]>,
    /// What is known of the world.
    pub known: Option<&'a Known>,
    /// How those who apply answer to admissions.
    pub pool: Section<&'a Dynamics>,
    /// How many are on a slate, where all rounds have as many.
    pub slate: Option<u32>,
    /// Whether something comes of a choice that a policy may learn.
    pub outcomes: bool,
}
