//! The promises to the outside: acknowledged records and shown decisions.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The decision of a lane in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) policy: String,
    pub(super) slots: Vec<u32>,
    pub(super) is_late: bool,
}

/// The promises of a run.
#[derive(Debug, Default)]
pub(super) struct Promised {
    /// The people who were acknowledged.
    pub(super) people: BTreeSet<String>,
    /// The people whose outcome was acknowledged.
    pub(super) outcomes: BTreeSet<String>,
    /// The people whose outcome was refused because it came too late.
    pub(super) late: BTreeSet<String>,
    /// The chosen slots in each round whose decision was shown.
    pub(super) shown: BTreeMap<u64, Vec<u32>>,
    /// The decisions of all lanes in rounds that were shown, in label order.
    pub(super) given: BTreeMap<u64, Vec<Shown>>,
    /// The first error.
    pub(super) wrong: Option<String>,
}

/// The promises of all lives.
#[derive(Clone, Debug, Default)]
pub(super) struct Promises(Rc<RefCell<Promised>>);

impl Promises {
    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Promised) -> T) -> T {
        act(&mut self.0.borrow_mut())
    }

    /// Notes that the decision that counts in a round was shown.
    pub(super) fn show(&self, round: u64, slots: &[u32]) {
        let before = self.with(|promised| promised.shown.insert(round, slots.to_vec()));
        if before.is_some_and(|before| before != slots) {
            self.wrong(format!("round {round} was shown otherwise before"));
        }
    }

    /// Notes that the decisions of all lanes in a round were shown.
    pub(super) fn give(&self, round: u64, shown: Vec<Shown>) {
        let before = self.with(|promised| promised.given.insert(round, shown.clone()));
        if before.is_some_and(|before| before != shown) {
            self.wrong(format!("round {round} was given out otherwise before"));
        }
    }

    /// Notes an error. The first one counts.
    pub(super) fn wrong(&self, what: String) {
        self.with(|promised| {
            promised.wrong.get_or_insert(what);
        });
    }

    /// Returns true if there was an error.
    pub(super) fn are_broken(&self) -> bool {
        self.with(|promised| promised.wrong.is_some())
    }
}
