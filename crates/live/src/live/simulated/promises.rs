//! What was promised to the world outside: what was acknowledged, and what was shown.

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
    /// What all lanes decided in rounds that were shown, in the order of their labels.
    pub(super) given: BTreeMap<u64, Vec<Shown>>,
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

    /// The decision that counts in a round is shown.
    pub(super) fn show(&self, round: u64, slots: &[u32]) {
        let before = self.with(|promised| promised.shown.insert(round, slots.to_vec()));
        if before.is_some_and(|before| before != slots) {
            self.wrong(format!("round {round} was shown otherwise before"));
        }
    }

    /// The decisions of all lanes in a round are shown.
    pub(super) fn give(&self, round: u64, shown: Vec<Shown>) {
        let before = self.with(|promised| promised.given.insert(round, shown.clone()));
        if before.is_some_and(|before| before != shown) {
            self.wrong(format!("round {round} was given out otherwise before"));
        }
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
