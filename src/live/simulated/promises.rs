//! What was promised to the world outside: what was acknowledged, and what was shown.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What was promised.
#[derive(Debug, Default)]
pub(super) struct Promised {
    /// People who were acknowledged.
    pub(super) people: BTreeSet<String>,
    /// People whose outcome was acknowledged.
    pub(super) outcomes: BTreeSet<String>,
    /// Outcomes that were refused, because they came too late.
    pub(super) late: BTreeSet<String>,
    /// Rounds in which the decision was shown, and who was chosen.
    pub(super) shown: BTreeMap<u64, Vec<u32>>,
    /// What was wrong first.
    pub(super) wrong: Option<String>,
}

/// The promises of all lives.
#[derive(Clone, Debug, Default)]
pub(super) struct Promises(Rc<RefCell<Promised>>);

impl Promises {
    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Promised) -> T) -> T {
        act(&mut self.0.borrow_mut())
    }

    /// Notes what is wrong.
    pub(super) fn wrong(&self, what: String) {
        self.with(|promised| {
            promised.wrong.get_or_insert(what);
        });
    }

    /// Whether something is wrong.
    pub(super) fn are_broken(&self) -> bool {
        self.with(|promised| promised.wrong.is_some())
    }
}
